"""Estimated cycles by function."""

from __future__ import annotations

from typing import Any

from ease.model.results import TimingMeasurement
from ease.reports.instructions.cycles import parts_table
from ease.reports.report import Report, Table


def table(timing: TimingMeasurement) -> Table:
    """Share out cycles by function, those with most first."""
    return parts_table(timing, "function", timing.by(lambda spent: spent.function), "functions")


def json(timing: TimingMeasurement) -> dict[str, Any]:
    """Return the cycles of all functions by cause."""
    return {"timing": {"functions": timing.by(lambda spent: spent.function)}}


CYCLES_FUNCTIONS = Report("cycles-functions", "Estimated cycles by function", table, json, about="timing")
