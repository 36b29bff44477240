"""What it costs to simulate two programs in turns, over the sum of each alone with the same cache.

    python benchmarks/together.py [--machine riscv32] [--quantum 10000] [--limit 5000000] [samples]

Programs are paired with the next one in the list.  Each runs once and leaves a trace; what is measured is the processor's
time of the simulations, the least of three.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from statistics import geometric_mean

import make_inputs
from programs import chosen, subject

from cache_sim.parse import load as load_system
from cache_sim.traces.trace_file import TraceFile
from ease.lab.together.page_table import Policy
from ease.lab.together.study import WHOLE, Machine, run_together
from ease.traces.traced_run import traced_run
from vpo.build.compiler import Compiler, Settings
from vpo.machines.read.load import load

SYSTEMS = {"8 KiB": "U:8k,16,4", "64 KiB": "U:64k,16,4"}
ASK, ROUNDS = 1.5, 3


def seconds(work: Callable[[], object]) -> float:
    """Return the least processor time of some rounds."""
    times = []
    for _ in range(ROUNDS):
        begun = time.process_time()
        work()
        times.append(time.process_time() - begun)
    return min(times)


def ratio(files: Sequence[Path], quantum: int, machine: Machine) -> float:
    """Return the time of programs together over that of each alone."""
    alone = sum(seconds(lambda file=file: run_together([TraceFile(file)], WHOLE, machine)) for file in files)
    return seconds(lambda: run_together([TraceFile(file) for file in files], quantum, machine)) / alone


def main() -> None:
    """Trace the programs, and print a row for each pair."""
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("programs", nargs="*", default=["samples"])
    options.add_argument("--machine", default="riscv32")
    options.add_argument("--quantum", type=int, default=10_000)
    options.add_argument("--limit", type=int, default=5_000_000, help="instructions of each program")
    given = options.parse_args()
    compiler = Compiler(load(given.machine), Settings(level=2))
    page = compiler.machine.layout.page
    with tempfile.TemporaryDirectory() as folder:
        inputs = Path(folder, "inputs")
        make_inputs.write(inputs)
        files = {name: Path(folder, name) for name in chosen(given.programs)}
        for name, file in files.items():
            found = subject(name, compiler, lambda: inputs)
            with file.open("w+b") as out:
                traced_run(found.program, found.arguments, out, options=found.options("auto", limit=given.limit))
        rows: dict[str, list[float]] = {name: [] for name in SYSTEMS}
        print(f"{'programs':<24}" + "".join(f"{name:>10}" for name in SYSTEMS))
        for pair in pairwise([*files, next(iter(files))]):
            for name, text in SYSTEMS.items():
                machine = Machine(load_system(text), Policy("sequential"), page)
                rows[name].append(ratio([files[each] for each in pair], given.quantum, machine))
            print(f"{' and '.join(pair):<24}" + "".join(f"{found[-1]:>10.2f}" for found in rows.values()), flush=True)
    print(f"{f'mean (ask: {ASK})':<24}" + "".join(f"{geometric_mean(found):>10.2f}" for found in rows.values()))


if __name__ == "__main__":
    main()
