"""What caches write back, pass on and prefetch, and what reaches memory."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from ease.model.results import MemoryMeasurement
from ease.reports.report import Report, Table, number


def table(memory: MemoryMeasurement) -> Table:
    """Count lines by what became of them."""
    rows = [
        [found.cache.name, number(found.writebacks), number(found.passed), number(found.prefetches)]
        for found in memory.results.caches
    ]
    below = memory.results.memory
    note = f"memory: {number(below.reads)} lines read, {number(below.writes)} writes"
    return Table(["cache", "written back", "passed on", "prefetched"], rows, note=note)


def json(memory: MemoryMeasurement) -> dict[str, Any]:
    """Return what reaches memory; the rest is in `caches`."""
    return {"memory_system": {"memory": asdict(memory.results.memory)}}


TRAFFIC = Report("memory-traffic", "Memory traffic", table, json, about="memory")
