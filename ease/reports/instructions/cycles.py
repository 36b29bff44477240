"""Estimated cycles: how many, per instruction, and what they went to.  Everything that shows them says what they rest on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ease.model.results import CYCLE_CAUSES, TimingMeasurement
from ease.reports.report import Report, Table, arrangeable, number, percent


def table(timing: TimingMeasurement) -> Table:
    """Share out all cycles by cause."""
    rows = [
        [CYCLE_CAUSES[cause], number(cycles), percent(cycles, timing.total), _per(cycles, timing.instructions)]
        for cause, cycles in timing.by_cause().items()
    ]
    total = ["total", number(timing.total), percent(timing.total, timing.total), _per(timing.total, timing.instructions)]
    return Table(["", "cycles", "per cent", "per instruction"], rows, total, note=_full(timing) + note(timing))


def _full(timing: TimingMeasurement) -> str:
    return "" if timing.buffers_full is None else f"{number(timing.buffers_full)} writes found all buffers in use\n"


def _per(cycles: int, instructions: int) -> str:
    return f"{cycles / instructions if instructions else 0:.3f}"


def note(timing: TimingMeasurement) -> str:
    """Return what the numbers rest on."""
    return "\n".join(["This is an estimate:", *(f"  {line}" for line in timing.assumptions)])


def json(timing: TimingMeasurement) -> dict[str, Any]:
    """Return cycles by cause, and what they rest on."""
    return {
        "timing": {
            "estimate": True,
            "assumptions": list(timing.assumptions),
            "cycles": timing.total,
            "instructions": timing.instructions,
            "cycles_per_instruction": timing.total / timing.instructions if timing.instructions else 0.0,
            "write_buffers_full": timing.buffers_full,
            "causes": timing.by_cause(),
        }
    }


def parts_table(timing: TimingMeasurement, heading: str, parts: Mapping[str, Mapping[str, int]], what: str) -> Table:
    """Build the table of cycles by part of the program, a column for each cause; parts behind the first TOP are one row."""
    causes = list(timing.by_cause())
    ordered = sorted(parts.items(), key=lambda part: -sum(part[1].values()))
    rows: list[tuple[str, Sequence[int]]] = [(name, [by.get(cause, 0) for cause in causes]) for name, by in ordered]
    totals = list(timing.by_cause().values())
    whole = ["total", *_cells(totals, timing.total)]

    def built(most: int, _: str = "") -> Table:
        shown, others = rows[:most], rows[most:]
        if others:
            sums = [sum(column) for column in zip(*(numbers for _, numbers in others), strict=True)]
            shown.append((f"{len(others):,} other {what}", sums))
        lines = [[name, *_cells(numbers, timing.total)] for name, numbers in shown]
        return Table([heading, "cycles", "per cent", *causes], lines, whole, note=note(timing))

    return arrangeable(built)


def _cells(numbers: Sequence[int], whole: int) -> list[str]:
    return [number(sum(numbers)), percent(sum(numbers), whole), *map(number, numbers)]


CYCLES = Report("cycles", "Estimated cycles", table, json, about="timing")
