"""How small traces are, and how fast they are regenerated: samples and kernels on their long inputs.

Prints for each program bytes an instruction of the trace in its file, how many times smaller than a full one that is (with
9 bytes for each reference: its kind and address), and how many million references are regenerated, and go through caches
(`cache-sim`), in a second of processor time.
"""

from __future__ import annotations

import argparse
import math
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import IO

import make_inputs
from programs import chosen, subject

from cache_sim.parse import load as load_system
from cache_sim.streamed import simulate_events
from cache_sim.traces.trace_file import TraceFile
from ease.traces.traced_run import traced_run
from vpo.build.compiler import Compiler, Settings
from vpo.machines.read.load import load

FULL = 9  # bytes of a reference in a full trace
CACHES = "I:8k,16,2+D:8k,16,2"


def main(words: Sequence[str] | None = None) -> None:
    """Measure the programs of a command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-m", "--machine", default="riscv32")
    parser.add_argument("--programs", default="samples,kernels", help="comma separated")
    given = parser.parse_args(words)
    compiler = Compiler(load(given.machine), Settings(level=2))
    ratios: list[tuple[float, ...]] = []
    with tempfile.TemporaryDirectory() as folder:
        inputs = Path(folder) / "inputs"
        make_inputs.write(inputs)
        for name in chosen(given.programs.split(",")):
            program = subject(name, compiler, lambda: inputs)
            with tempfile.TemporaryFile() as out:
                _, counts = traced_run(program.program, program.arguments, out, options=program.options("auto"))
                size, executed = out.tell(), counts.instructions
                references, speed = regenerated(out)
                simulated = references / cpu_seconds(lambda: simulate(out)) / 1e6
            ratios.append((FULL * references / size, speed, simulated))
            print(f"{name:10} {executed:14,} instructions  {size / executed:.4f} bytes each  {_told(ratios[-1])}", flush=True)
    means = [math.exp(sum(map(math.log, column)) / len(ratios)) for column in zip(*ratios, strict=True)]
    print(f"geometric means: {_told(means)}")


def _told(found: Sequence[float]) -> str:
    smaller, speed, simulated = found
    return f"{smaller:8.1f} times smaller  {speed:4.0f} million regenerated, {simulated:4.0f} million simulated a second"


def regenerated(file: IO[bytes]) -> tuple[int, float]:
    """Return how many references a trace has, and how many millions are regenerated in a second."""
    made, seconds = 0, 1.0

    def count() -> None:
        nonlocal made
        file.seek(0)
        made = sum(len(events) for events in TraceFile(file).events())

    for _ in range(2):  # the first time compiles what regenerates
        seconds = cpu_seconds(count)
    return made, made / seconds / 1e6


def simulate(file: IO[bytes]) -> None:
    """Send the references of a trace through caches."""
    file.seek(0)
    simulate_events(load_system(CACHES), lambda: TraceFile(file).events())


def cpu_seconds(action: Callable[[], object]) -> float:
    """Return the processor time that an action takes."""
    start = time.process_time()
    action()
    return time.process_time() - start


if __name__ == "__main__":
    main()
