"""Misses by function."""

from __future__ import annotations

from typing import Any

from ease.model.results import MemoryMeasurement
from ease.reports.memory.misses import by_cache, misses_by, misses_table
from ease.reports.report import Report, Table


def table(memory: MemoryMeasurement) -> Table:
    """Count misses by function, those with most first."""
    rows = [((name,), misses) for name, misses in misses_by(memory, lambda site: site.function).items()]
    return misses_table(memory, ["function"], rows, "functions")


def json(memory: MemoryMeasurement) -> dict[str, Any]:
    """Return the misses of all functions that have any."""
    functions = misses_by(memory, lambda site: site.function)
    return {"memory_system": {"functions": {name: by_cache(memory, misses) for name, misses in functions.items()}}}


MISS_FUNCTIONS = Report("miss-functions", "Misses by function", table, json, about="memory")
