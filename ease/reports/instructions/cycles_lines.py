"""Estimated cycles by source line."""

from __future__ import annotations

from typing import Any

from ease.model.results import TimingMeasurement
from ease.reports.instructions.cycles import parts_table
from ease.reports.report import Report, Table


def table(timing: TimingMeasurement) -> Table:
    """Share out cycles by source line, those with most first."""
    return parts_table(timing, "line", timing.by(lambda spent: str(spent.line)), "lines")


def json(timing: TimingMeasurement) -> dict[str, Any]:
    """Return the cycles of all lines by cause, by file."""
    files: dict[str, Any] = {}
    for line, causes in sorted(timing.by(lambda spent: spent.line).items()):
        files.setdefault(line.file, {})[str(line.number)] = causes
    return {"timing": {"lines": files}}


CYCLES_LINES = Report("cycles-lines", "Estimated cycles by source line", table, json, about="timing")
