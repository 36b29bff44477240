"""Misses by source line."""

from __future__ import annotations

from typing import Any

from ease.model.results import MemoryMeasurement
from ease.reports.memory.misses import by_cache, misses_by, misses_table
from ease.reports.report import Report, Table


def table(memory: MemoryMeasurement) -> Table:
    """Count misses by source line, those with most first."""
    rows = [((str(line),), misses) for line, misses in misses_by(memory, lambda site: site.line).items()]
    return misses_table(memory, ["line"], rows, "lines")


def json(memory: MemoryMeasurement) -> dict[str, Any]:
    """Return the misses of all lines that have any, by file."""
    files: dict[str, Any] = {}
    for line, misses in sorted(misses_by(memory, lambda site: site.line).items()):
        files.setdefault(line.file, {})[str(line.number)] = by_cache(memory, misses)
    return {"memory_system": {"lines": files}}


MISS_LINES = Report("miss-lines", "Misses by source line", table, json, about="memory")
