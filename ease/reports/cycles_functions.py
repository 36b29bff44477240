"""Estimated cycles by function."""

from __future__ import annotations

from typing import Any

from ease.reports.cycles import parts_table
from ease.reports.report import Report, Table
from ease.results import TimingMeasurement


def table(timing: TimingMeasurement) -> Table:
    """Share out cycles by function, those with most first."""
    return parts_table(timing, "function", timing.by(lambda spent: spent.function), "functions")


def json(timing: TimingMeasurement) -> dict[str, Any]:
    """Return the cycles of all functions by cause."""
    return {"timing": {"functions": timing.by(lambda spent: spent.function)}}


CYCLES_FUNCTIONS = Report("cycles-functions", "Estimated cycles by function", table, json, about="timing")
