"""Tables 6 and 7 of the IDtrace report (Pierce and Mudge, 1994) with our programs: cache configurations around the i486's.

python benchmarks/i486.py [name...]: samples (default: all) on i486.yaml, with variations of i486-memory.yaml.  Cycles are
estimates (docs/timing.md), for the samples' short inputs.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from cache_sim.config import Delays, MemorySystem
from cache_sim.parse import load as load_system
from ease.measuring import measure
from ease.results import MemoryMeasurement, TimingMeasurement
from vpo.compiler import Compiler, Settings
from vpo.machines.load import load
from vpo.program import Program

HERE = Path(__file__).parent
ROOT = HERE.parent
VARIED = {  # line size, ways, write buffers
    "line": [(8, 4, 4), (16, 4, 4), (32, 4, 4), (64, 4, 4)],
    "ways": [(16, 8, 4), (16, 4, 4), (16, 2, 4), (16, 1, 4)],
    "write buffers": [(16, 4, 4), (16, 4, 2), (16, 4, 1)],
}
Configuration = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Row:
    """What a configuration came to: cycles, misses by kind, how often all write buffers were in use."""

    cycles: int
    read_misses: int
    instruction_misses: int
    full: int
    instructions: int

    def __add__(self, other: Row) -> Row:
        return Row(
            self.cycles + other.cycles, self.read_misses + other.read_misses,
            self.instruction_misses + other.instruction_misses, self.full + other.full, self.instructions + other.instructions,
        )  # fmt: skip


def system(configuration: Configuration) -> MemorySystem:
    """Return the memory system with other lines, ways and write buffers."""
    line, ways, buffers = configuration
    base = load_system(str(HERE / "i486-memory.yaml"))
    assert base.data is not None
    cache = replace(base.data, line=line, ways=ways)
    return replace(base, instruction=cache, data=cache, delays=replace(base.delays or Delays(), buffers=buffers))


def run(program: Program, arguments: Sequence[str], stdin: bytes, configuration: Configuration, tier: str = "auto") -> Row:
    """Run a program with a configuration."""
    roots = sorted({str(Path(word).parent) for word in arguments[1:] if "/" in word})
    measured = measure(
        program, arguments, system(configuration), timing=True, capture=True, stdin=stdin, roots=roots, tier=tier
    )  # fmt: skip
    if measured.fault:
        raise SystemExit(f"{arguments[0]}: {measured.fault}")
    assert measured.timing is not None
    assert measured.memory is not None
    return row(measured.timing, measured.memory)


def row(timing: TimingMeasurement, memory: MemoryMeasurement) -> Row:
    """Take from a measurement what the tables show."""
    misses = memory.results.caches[0].misses
    return Row(timing.total, misses.read, misses.fetch, timing.buffers_full or 0, timing.instructions)


def samples(names: Sequence[str]) -> Iterator[tuple[str, Program, list[str], bytes]]:
    """Compile samples; yield name, program, arguments and standard input of their short runs."""
    compiler = Compiler(load(str(HERE / "i486.yaml")), Settings(level=1))
    for name, entry in json.loads((ROOT / "samples" / "samples.json").read_text()).items():
        if name in names or not names:
            stdin = (ROOT / entry["stdin"]).read_bytes() if entry["stdin"] else b""
            words = [str(ROOT / word) if (ROOT / word).exists() else word for word in entry["args"]]
            yield name, compiler.program([str(ROOT / "samples" / f"{name}.c")]), [name, *words], stdin


def title(configuration: Configuration) -> str:
    """Return what the report calls a configuration."""
    return "{}B, {}-way, {}wb".format(*configuration)


def show(found: Mapping[str, Mapping[Configuration, Row]]) -> Iterator[str]:
    """Yield the lines of both tables."""
    yield "Estimated cycles in millions"
    yield f"{'':14} {'':16}" + "".join(f"{name:>10}" for name in found)
    for what, configurations in VARIED.items():
        for number, each in enumerate(configurations):
            head = f"{what if not number else '':14} {title(each):16}"
            yield head + "".join(f"{rows[each].cycles / 1e6:10.2f}" for rows in found.values())
    yield ""
    yield "All together: cycles (M), misses of reads and of instructions (K), write buffers full (K)"
    for what, configurations in VARIED.items():
        for number, each in enumerate(configurations):
            whole = sum((rows[each] for rows in found.values()), Row(0, 0, 0, 0, 0))
            numbers = f"{whole.cycles / 1e6:10.2f}{whole.read_misses / 1e3:10.1f}{whole.instruction_misses / 1e3:10.1f}"
            yield f"{what if not number else '':14} {title(each):16}{numbers}{whole.full / 1e3:10.1f}"


def main(names: Sequence[str]) -> None:
    """Print the tables."""
    found: dict[str, dict[Configuration, Row]] = {}
    for name, program, arguments, stdin in samples(names):
        wanted = dict.fromkeys(each for configurations in VARIED.values() for each in configurations)
        found[name] = {each: run(program, arguments, stdin, each) for each in wanted}
        print(f"{name}: {found[name][16, 4, 4].instructions:,} instructions", file=sys.stderr)
    print("\n".join(show(found)))


if __name__ == "__main__":
    main(sys.argv[1:])
