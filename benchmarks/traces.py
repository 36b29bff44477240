"""How small traces are, and how fast they are regenerated: samples and kernels on their long inputs.

Prints for each program bytes an instruction of the trace in its file, how many times smaller than a full one that is (with
9 bytes for each reference: its kind and address), and how many million references are regenerated in a second of processor
time.
"""

from __future__ import annotations

import argparse
import math
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import IO

import make_inputs
from programs import chosen, subject

from cache_sim.traces.trace_file import TraceFile
from ease.traces.traced_run import traced_run
from vpo.compiler import Compiler, Settings
from vpo.machines.load import load

FULL = 9  # bytes of a reference in a full trace


def main(words: Sequence[str] | None = None) -> None:
    """Measure the programs of a command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-m", "--machine", default="riscv32")
    parser.add_argument("--programs", default="samples,kernels", help="comma separated")
    given = parser.parse_args(words)
    compiler = Compiler(load(given.machine), Settings(level=2))
    ratios: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        inputs = Path(folder) / "inputs"
        make_inputs.write(inputs)
        for name in chosen(given.programs.split(",")):
            program = subject(name, compiler, lambda: inputs)
            with tempfile.TemporaryFile() as out:
                _, counts = traced_run(program.program, program.arguments, out, capture=True, **program.inputs)
                size, executed = out.tell(), counts.instructions
                references, speed = regenerated(out)
            ratios.append(FULL * references / size)
            print(
                f"{name:10} {executed:14,} instructions  {size / executed:.4f} bytes each  {ratios[-1]:8.1f} times smaller  "
                f"{speed:4.0f} million references a second", flush=True,
            )  # fmt: skip
    print(f"geometric mean: {math.exp(sum(map(math.log, ratios)) / len(ratios)):.1f} times smaller")


def regenerated(file: IO[bytes]) -> tuple[int, float]:
    """Return how many references a trace has, and how many millions are regenerated in a second."""
    made, seconds = 0, 1.0
    for _ in range(2):  # the first time compiles what regenerates
        file.seek(0)
        start = time.process_time()
        made = sum(len(events) for events in TraceFile(file).events())
        seconds = time.process_time() - start
    return made, made / seconds / 1e6


if __name__ == "__main__":
    main()
