"""Which types of instructions make most of what is executed: Table 2 of the IDtrace report (Pierce and Mudge, 1994)."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import accumulate

from cache_sim.predictors.simulator import concentration
from ease.experiments.experiment import Table
from ease.experiments.studies.questions import Answer, Answers, Measured, Study, nothing
from ease.reports.pictures import Curve, Panel
from ease.reports.report import number, percent

SHARES = (50, 60, 90)  # per cent
SHOWN = 90  # per cent of the instructions that are in the table by type
DRAWN = 24  # types in the picture


def ask(measured: Measured, _: argparse.Namespace) -> Answer:
    """Return how often each type was executed."""
    types = measured().characteristics.types
    return {"types": {name: count.dynamic for name, count in types.items() if count.dynamic}}


def together(answers: Mapping[str, Answer]) -> Counter[str]:
    """Add up the types of all programs."""
    return sum((Counter(answer["types"]) for answer in answers.values()), Counter())


def tables(_: argparse.Namespace, found: Answers) -> Sequence[Table]:
    """Show the types that make most, and how many make each share, in every program."""
    shown = []
    for machine, answers in found.items():
        whole = together(answers)
        total = whole.total()
        rows = [["type", "executed", "per cent", "together"]]
        sums = accumulate(whole[name] for name, _ in whole.most_common())
        listed = whole.most_common(concentration(whole.values(), SHOWN))
        for (name, executed), so_far in zip(listed, sums, strict=False):
            rows.append([name, number(executed), percent(executed, total), percent(so_far, total)])
        note = f"{len(whole)} types in all, {number(total)} instructions"
        shown.append(Table(f"Instruction mix, {machine}", rows, note=note))
        rows = [["program", "instructions", "types", *(f"for {share} %" for share in SHARES)]]
        rows += [_row(name, Counter(answer["types"])) for name, answer in answers.items()]
        shown.append(Table(f"How many types make most of the instructions, {machine}", [*rows, _row("all", whole)]))
    return shown


def _row(name: str, types: Counter[str]) -> list[str]:
    return [
        name, number(types.total()), str(len(types)), *(str(concentration(types.values(), share)) for share in SHARES)
    ]  # fmt: skip


def panels(_: argparse.Namespace, found: Answers) -> Sequence[Panel]:
    """Draw what share the types make that are executed most, a curve for each machine."""
    curves = []
    for machine, answers in found.items():
        whole = together(answers)
        sums = accumulate(count for _, count in whole.most_common(DRAWN))
        curves.append(Curve(machine, [100 * so_far / whole.total() for so_far in sums]))
    places = [str(place) for place in range(1, DRAWN + 1)]
    return [Panel("% of the instructions", "types, those executed most first", places, curves)]


INSTRUCTION_MIX = Study(
    "instruction-mix", "which types of instructions make most of what is executed", nothing, nothing, ask, tables, panels
)
