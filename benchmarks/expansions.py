"""Tells which `expansions:` of descriptions are needless: the compiler finds as good a way, or a better one, by itself.

    python benchmarks/expansions.py [--machine riscv32,vax] [--levels 1,2] [--together] [samples/queens.c ...]

Leaves out each expansion alone, compiles those constructs of `ease machine check` (and of the programs that are named) that
use it without it and compares instructions, bytes and cycles as they stand in the code.  With `--together`, those that turn
out needless are then left out at once, since they may stand in for each other, and everything is compared.
"""

from __future__ import annotations

import argparse
import copy
from collections.abc import Collection, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from ease.commands.machine.machine_check import constructs
from vpo.base.errors import CannotExpress, LinkError
from vpo.build.compiler import Compiler, Settings, UserError
from vpo.expand.expander import expand_unit
from vpo.frontend import compile_c
from vpo.frontend.c_options import COptions
from vpo.libc import HEADERS
from vpo.machines.machine import IllegalRtl, Machine
from vpo.machines.names import machine_names
from vpo.machines.read.expansion import Expansion, family
from vpo.machines.read.load import build, read_description
from vpo.machines.read.source import Map, Seq
from vpo.opt.driver import Options, PhaseError, run_phases
from vpo.rtl import Effect, Rtl

BYTES_PER_CYCLE = 4  # as the search has it, here and in the next line
CYCLES_PER_CALL = 64


class Cost(NamedTuple):
    """What code takes as it stands there."""

    instructions: int
    bytes: int
    cycles: int
    calls: int

    @property
    def weight(self) -> float:
        """Cycles, with those that are thought for what is called, and bytes as parts of such."""
        return self.cycles + self.bytes / BYTES_PER_CYCLE + self.calls * CYCLES_PER_CALL


Costs = dict[str, Cost | None]  # by the name of what is compiled and the level; None if that cannot be done


def without(description: Map, numbers: Collection[int]) -> Machine:
    """Return a machine without some of the expansions of its description."""
    changed = copy.deepcopy(description)
    kept = changed["expansions"]
    for number in sorted(numbers, reverse=True):
        del kept[number]
        del kept.places[number]
    return build(changed)


def cost(machine: Machine, rtls: list[Rtl]) -> Cost:
    """Return what RTLs take."""
    records = [machine.record(rtl) for rtl in rtls]
    return Cost(
        sum(record.counted for record in records),
        sum(record.size for record in records),
        sum(record.latency for record in records),
        sum(rtl.call is not None for rtl in rtls),
    )


def costs(
    machine: Machine, levels: list[int], programs: list[str], wanted: Collection[str] | None = None, used: Used | None = None
) -> Costs:
    """Return the costs of constructs and programs, or of those that are wanted; put down who uses which expansion."""
    found: Costs = {}
    for level in levels:
        options, compiler = Options(level), Compiler(machine, Settings(level))
        tasks = {f"{name} -O{level}": partial(_construct, machine, options, source) for name, source in constructs()}
        tasks |= {f"{Path(path).stem} -O{level}": partial(_program, compiler, path) for path in programs}
        for name, task in tasks.items():
            if wanted is None or name in wanted:
                if used is not None:
                    used.user = name
                found[name] = task()
    return found


class Used:
    """Who uses which of a machine's expansions: `users` by the number of the expansion in the description."""

    def __init__(self, description: Map) -> None:
        entries = description["expansions"]
        self.numbers = [number for number, entry in enumerate(entries) for _ in family(entry)]
        self.users: dict[int, set[str]] = {number: set() for number in self.numbers}
        self.user = ""

    def watched(self, machine: Machine) -> Machine:
        """Return a machine whose expansions put down who uses them."""
        own = [replace(each, match=self._match(each, n)) for n, each in zip(self.numbers, machine.expansions, strict=False)]
        return replace(machine, expansions=(*own, *machine.expansions[len(own) :]))

    def _match(self, expansion: Expansion, number: int) -> Any:
        def match(effects: tuple[Effect, ...]) -> dict[str, Any] | None:
            bindings = expansion.match(effects)
            if bindings is not None:
                self.users[number].add(self.user)
            return bindings

        return match


def _construct(machine: Machine, options: Options, source: str) -> Cost | None:
    unit = compile_c("costs.c", machine.model, COptions((str(HEADERS),)), source=source)
    functions, _, failures = expand_unit(unit, machine, True)
    if failures:
        return None
    try:
        for function in functions:
            run_phases(function, machine, options)
    except (CannotExpress, PhaseError, IllegalRtl):
        return None
    return cost(machine, [rtl for function in functions for rtl in function.rtls()])


def _program(compiler: Compiler, path: str) -> Cost | None:
    try:
        program = compiler.program([path])
    except (UserError, LinkError):
        return None
    return cost(program.machine, [rtl for function in program.functions.values() for rtl in function.rtls()])


def differences(before: Costs, after: Costs) -> tuple[list[str], list[str], list[str]]:
    """Return what cannot be done any more, and what costs more and less, with by how much."""
    lost = [name for name, value in after.items() if value is None and before[name] is not None]
    changed = [(name, a, b) for name, b in after.items() if b is not None and (a := before[name]) is not None and a != b]
    more = [_told(name, a, b) for name, a, b in changed if b.weight > a.weight]
    return lost, more, [_told(name, a, b) for name, a, b in changed if b.weight <= a.weight]


def _told(name: str, a: Cost, b: Cost) -> str:
    return f"{name}: " + ", ".join(f"{x}->{y}" for x, y in zip(a, b, strict=True))


def _forms(machine: Machine) -> set[str]:
    """Return the forms of instructions, among them those of several instructions that an expansion says."""
    return {f"form {form.name} {form.text}" for form in machine.recognizer.alternatives}


def _shown(lost: list[str], more: list[str], less: list[str], most: int = 3) -> str:
    """Return how many there are of each kind, and the first of them, each kind on a line."""
    kinds = [("lost", lost), ("more", more), ("less", less)]
    lines = [f"      {len(names)} {kind}: {'; '.join(names[:most])}" for kind, names in kinds if names]
    return "".join(f"\n{line}" for line in lines)


def report(machine: str, levels: list[int], programs: list[str], together: bool) -> Iterator[str]:
    """Yield a line for each expansion of a machine."""
    description = read_description(machine)
    entries = description.get("expansions") or Seq(description.place)
    if not entries:
        return
    used = Used(description)
    whole = used.watched(build(description))
    before = costs(whole, levels, programs, used=used)
    needless: list[int] = []
    for number, entry in enumerate(entries):
        machine_without = without(description, {number})
        lost, more, less = differences(before, costs(machine_without, levels, programs, used.users[number]))
        lost += sorted(_forms(whole) - _forms(machine_without))
        is_used = bool(used.users[number])
        verdict = "needed  " if lost else "dearer  " if more else "needless" if is_used else "unused  "
        if is_used and not lost and not more:
            needless.append(number)
        yield f"{machine} {number:2} {verdict} {entry['rtl']}{_shown(lost, more, less)}"
    if together and needless:
        lost, more, less = differences(before, costs(without(description, needless), levels, programs))
        yield f"{machine} without {needless}{_shown(lost, more, less)}"


def main() -> None:
    """Print what is found for each machine."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--machine", type=lambda text: text.split(","), default=machine_names())
    parser.add_argument("--levels", type=lambda text: [int(word) for word in text.split(",")], default=[1])
    parser.add_argument("--together", action="store_true")
    parser.add_argument("programs", nargs="*")
    options = parser.parse_args()
    for machine in options.machine:
        for line in report(machine, options.levels, options.programs, options.together):
            print(line, flush=True)


if __name__ == "__main__":
    main()
