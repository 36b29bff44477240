"""How many registers, and how many of them scratch: Table II of the paper."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

from ease.experiments.experiment import Experiment, Results, Table, Variant, have_cycles, total
from ease.reports.report import number
from vpo.build.compiler import UserError
from vpo.machines.machine import Machine
from vpo.machines.read.load import load
from vpo.rtl import Register


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add which numbers of registers to try."""
    parser.add_argument("--allocable", type=_numbers, default=[4, 8, 12, 16], help="numbers of integer registers (4,8,12,16)")
    parser.add_argument("--scratch", type=_numbers, help="numbers of scratch ones among them (a quarter to three quarters)")


def _numbers(text: str) -> list[int]:
    try:
        numbers = sorted({int(word) for word in text.split(",")})
    except ValueError:
        numbers = [0]
    if numbers[0] < 1:
        raise argparse.ArgumentTypeError(f"'{text}': expected numbers above 0, such as 4,8,12")
    return numbers


def variants(options: argparse.Namespace) -> Sequence[Variant]:
    """Return each machine with each number of registers."""
    return [
        variant(load(machine, options.set), machine, options, allocable, scratch)
        for machine in options.machines
        for allocable, scratch in _pairs(options)
    ]


def _pairs(options: argparse.Namespace) -> list[tuple[int, int]]:
    """Return numbers of allocable and of scratch registers among them."""
    pairs = []
    for allocable in options.allocable:
        wanted = options.scratch or range(max(1, allocable // 4), allocable * 3 // 4 + 1)
        pairs += [(allocable, scratch) for scratch in wanted if scratch < allocable]
    return pairs


def variant(machine: Machine, name: str, options: argparse.Namespace, allocable: int, scratch: int) -> Variant:
    """Return a machine with so many allocable integer registers, so many of them scratch.

    Registers beyond those that the machine has are added to its class.  Scratch are, first, those of results and
    arguments.  Raises UserError if the machine has no use for so few.
    """
    cls = machine.classes[machine.values.integer].bank
    convention, sets = machine.convention, list(options.set)
    known = [r for r in machine.allocable[cls] if r is not convention.link]
    count = machine.classes[cls].count
    added = [Register(cls, count + i, machine.classes[cls].type) for i in range(max(0, allocable - len(known)))]
    if added:
        names = [*machine.classes[cls].names[:count], *(f"{cls}{r.index}" for r in added)]
        sets += [f"registers.{cls}.count={count + len(added)}", f"registers.{cls}.names={_list(names)}"]
    carriers = [r for kinds in (convention.results, convention.arguments) for rs in kinds.values() for r in rs if r.cls == cls]
    first = [r for r in dict.fromkeys(carriers) if r in known]
    preserved = [r for r in known if r in convention.saved]
    others = [r for r in known if r not in first and r not in preserved]
    order = [*first, *others, *added, *preserved]
    fixed = len(dict.fromkeys(r for r in convention.results.get("integer", ()) if r in known))
    if scratch < fixed:
        raise UserError([f"{name} needs {fixed} scratch registers: those of results"])
    chosen = order[:scratch] + list(reversed(order[scratch:]))[: allocable - scratch]
    elsewhere = [r for r in convention.saved if r.cls != cls]
    link = [convention.link] if convention.link in machine.allocable[cls] else []
    sets.append(f"allocable.{cls}={_list([*chosen, *link])}")
    sets.append(f"calls.saved={_list([*chosen[scratch:], *elsewhere])}")
    return Variant(name, tuple(sets))


def _list(items: Sequence[object]) -> str:
    return "[" + ", ".join(f"'{item}'" for item in items) + "]"


def tables(options: argparse.Namespace, results: Results) -> Sequence[Table]:
    """Show what each combination costs; the best of each number of registers is marked."""
    outcomes = iter(results.values())
    result = []
    for machine in options.machines:
        measured = [(pair, total(next(outcomes))) for pair in _pairs(options)]
        timed = have_cycles(outcome for _, outcome in measured)
        heads = ["instructions", "memory references", "save/restore", "spill", *(["cycles"] if timed else [])]
        rows = [["registers", "scratch", "", *heads]]
        for (allocable, scratch), outcome in measured:
            best = min(o.memory for (a, _), o in measured if a == allocable)
            saving, spilling = outcome.references.get("save/restore", 0), outcome.causes.get("spill", 0)
            mark = "best" if outcome.memory == best else ""
            numbers = [number(n) for n in (outcome.instructions, outcome.memory, saving, spilling)]
            numbers += [number(outcome.cycles or 0)] if timed else []
            rows.append([str(allocable), str(scratch), mark, *numbers])
        result.append(Table(f"Allocable and scratch registers, {machine}", rows, keys=3))
    return result


def json(options: argparse.Namespace, results: Results) -> Any:
    """Return the outcomes by machine and combination."""
    outcomes = iter(results.values())
    return {
        machine: [{"allocable": a, "scratch": s} | total(next(outcomes)).json() for a, s in _pairs(options)]
        for machine in options.machines
    }


REGISTERS = Experiment(
    "registers", "how many allocable registers, and how many of them scratch", arguments, variants, tables, json
)
