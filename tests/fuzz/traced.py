"""Fuzzing traces: the trace of a random program is what the interpreter refers to, reference by reference.

    python -m tests.fuzz.traced --count 300

Every third program is one of csmith, on each machine and level in turn; the others are RTLs of our own generators: irreducible
flow, delay slots, predicated references, instructions of any length.
"""

from __future__ import annotations

import random
import shutil
import sys
import tempfile
import traceback
from array import array
from collections import Counter
from functools import cache
from pathlib import Path

import numpy as np

from cache_sim.traces.regeneration import FETCHED
from cache_sim.traces.trace_file import TraceFile
from ease.host.process.job import RunOptions
from ease.traces.traced_run import traced_run
from tests.fuzz import csmith
from tests.fuzz.seeds import parser_of, seeds
from tests.host.generate import RandomProgram, VariedProgram
from tests.interpret.fake_machine import CELLS, program_of
from tests.kept_machines import load
from vpo.base.c_standard import LIBRARY_STANDARD
from vpo.build.compiler import Compiler, Settings
from vpo.frontend.c_options import COptions
from vpo.interpret.fast.interpreter import interpret
from vpo.program import Program

INSTRUCTIONS = 200_000  # of a program are compared: the interpreter takes a second for them
MACHINES = (
    "riscv32", "m68020", "sparc", "vax", "i386", "arm", "mips", "riscv64", "baseline", "stack", "parisc", "short16", "m88100",
    "accumulator",
)  # fmt: skip
LEVELS = (0, 1, 2, "s")
LENGTHS = ((4,), (2, 4, 6), range(1, 16), (0, 4, 4))  # of the instructions of our own programs, in bytes


class _References:
    """Notes kind, address and size of every reference that the interpreter makes."""

    def __init__(self) -> None:
        self.numbers = array("Q")

    def fetch(self, address: int, size: int) -> None:
        """Note a fetch."""
        self.numbers.extend((FETCHED, address, size))

    def data(self, address: int, size: int, write: bool) -> None:
        """Note a reference to data."""
        self.numbers.extend((int(write), address, size))


def difference(program: Program) -> str:
    """Return where the trace of a program differs from the interpreter's references, empty if it does not."""
    seen = _References()
    interpret(program, ["program"], observer=seen, capture=True, limit=INSTRUCTIONS)
    expected = np.array(seen.numbers, np.uint64).reshape(-1, 3)
    with tempfile.TemporaryFile() as file:
        traced_run(program, ["program"], file, options=RunOptions(capture=True, limit=INSTRUCTIONS, tier="fast", cache=""))
        file.seek(0)
        parts = [np.stack([e.kinds.astype(np.uint64), e.addresses, e.sizes], 1) for e in TraceFile(file).events()]
    found = np.concatenate(parts) if parts else np.empty((0, 3), np.uint64)
    shared = min(len(found), len(expected))
    differing = np.flatnonzero((found[:shared] != expected[:shared]).any(1))
    if len(differing):
        at = differing[0]
        return f"reference {at} is {found[at].tolist()} in place of {expected[at].tolist()}"
    return "" if len(found) == len(expected) else f"{len(found)} references in place of {len(expected)}"


def program_of_seed(seed: int, folder: Path) -> tuple[str, Program]:
    """Return the program of a seed, and what it is."""
    if seed % 3:
        return f"RTLs, seed {seed}", own_program(seed)
    machine, level = MACHINES[seed // 3 % len(MACHINES)], LEVELS[seed // 3 // len(MACHINES) % len(LEVELS)]
    source = folder / f"{seed}.c"
    source.write_text(csmith.generate(seed))
    return f"{machine} -O{level}, csmith seed {seed}", _compiler(machine, level).program([str(source)])


@cache
def _compiler(machine: str, level: int | str) -> Compiler:
    return Compiler(load(machine), Settings(level=level, c=COptions((str(csmith.HEADERS),), standard=LIBRARY_STANDARD)))


def own_program(seed: int) -> Program:
    """Return a program of RTLs on a machine that has all instructions."""
    chance = random.Random(seed)
    slots, misaligned, big_endian, varied = (chance.random() < 0.5 for _ in range(4))
    if varied:
        text = VariedProgram(seed, slots=slots, functions=5, misaligned=misaligned).text()
    else:
        text = RandomProgram(seed, slots=slots, functions=5).text()
    options = {"big_endian": big_endian, "misaligned": misaligned, "slots": slots, "lengths": chance.choice(LENGTHS)}
    return program_of(text, cells={**CELLS, "r": "L"}, **options)


def failure(seed: int, folder: Path) -> str:
    """Return what is wrong with the trace of a seed, empty if nothing is."""
    name = f"seed {seed}"
    try:
        name, program = program_of_seed(seed, folder)
        found = difference(program)
    except Exception as error:  # a crash is a finding, not the end
        place = traceback.extract_tb(error.__traceback__)[-1]
        found = f"{type(error).__name__}: {error} ({Path(place.filename).name}:{place.lineno})"
    return f"{name}: {found}" if found else ""


def main() -> int:
    """Compare the traces of random programs."""
    given = parser_of("traced", __doc__, 300).parse_args()
    seen: Counter[bool] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        for seed in seeds(given):
            found = failure(seed, Path(folder))
            seen[bool(found)] += 1
            if found:
                print(found, flush=True)
                for source in Path(folder).glob(f"{seed}.c"):
                    given.keep.mkdir(parents=True, exist_ok=True)
                    shutil.copy(source, given.keep)
    print(f"{seen[False]} traces as the interpreter refers, {seen[True]} others")
    return 1 if seen[True] else 0


if __name__ == "__main__":
    sys.exit(main())
