"""Reports of estimated cycles: what they went to, in the program, its functions and its lines.

Everything that shows them says what they rest on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ease.model.results import CYCLE_CAUSES, TimingMeasurement
from ease.reports.report import Report, Table, arrangeable, by_file, number, percent


def _causes(timing: TimingMeasurement) -> Table:
    """Share out all cycles by cause."""
    rows = [
        [CYCLE_CAUSES[cause], number(cycles), percent(cycles, timing.total), _per(cycles, timing.instructions)]
        for cause, cycles in timing.by_cause().items()
    ]
    total = ["total", number(timing.total), percent(timing.total, timing.total), _per(timing.total, timing.instructions)]
    return Table(["", "cycles", "per cent", "per instruction"], rows, total, note=_full(timing) + _note(timing))


def _full(timing: TimingMeasurement) -> str:
    return "" if timing.buffers_full is None else f"{number(timing.buffers_full)} writes found all buffers in use\n"


def _per(cycles: int, instructions: int) -> str:
    return f"{cycles / instructions if instructions else 0:.3f}"


def _note(timing: TimingMeasurement) -> str:
    """Return what the numbers rest on."""
    return "\n".join(["This is an estimate:", *(f"  {line}" for line in timing.assumptions)])


def _causes_json(timing: TimingMeasurement) -> dict[str, Any]:
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


def _parts(timing: TimingMeasurement, heading: str, parts: Mapping[str, Mapping[str, int]], what: str) -> Table:
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
        return Table([heading, "cycles", "per cent", *causes], lines, whole, note=_note(timing))

    return arrangeable(built)


def _cells(numbers: Sequence[int], whole: int) -> list[str]:
    return [number(sum(numbers)), percent(sum(numbers), whole), *map(number, numbers)]


def _functions(timing: TimingMeasurement) -> Table:
    return _parts(timing, "function", timing.by(lambda spent: spent.function), "functions")


def _lines(timing: TimingMeasurement) -> Table:
    return _parts(timing, "line", timing.by(lambda spent: str(spent.line)), "lines")


def _functions_json(timing: TimingMeasurement) -> dict[str, Any]:
    return {"timing": {"functions": timing.by(lambda spent: spent.function)}}


def _lines_json(timing: TimingMeasurement) -> dict[str, Any]:
    return {"timing": {"lines": by_file(sorted(timing.by(lambda spent: spent.line).items()))}}


OF_CYCLES = (  # in the order of printing
    Report("cycles", "Estimated cycles", _causes, _causes_json, about="timing"),
    Report("cycles-functions", "Estimated cycles by function", _functions, _functions_json, about="timing"),
    Report("cycles-lines", "Estimated cycles by source line", _lines, _lines_json, about="timing"),
)
