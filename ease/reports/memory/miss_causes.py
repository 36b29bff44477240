"""Misses by cause: compulsory, capacity, conflict, context switch."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from ease.model.results import MemoryMeasurement
from ease.reports.report import Report, Table, number


def table(memory: MemoryMeasurement) -> Table:
    """Count the misses of each cache whose misses are told apart."""
    caused = {found.cache.name: found.causes for found in memory.results.caches if found.causes is not None}
    rows = [[name, *map(number, asdict(causes).values()), number(causes.total)] for name, causes in caused.items()]
    return Table(["cache", "compulsory", "capacity", "conflict", "switch", "all"], rows)


def json(memory: MemoryMeasurement) -> dict[str, Any]:
    """Return the causes by cache, null where nobody asked."""
    caused = {found.cache.name: found.causes for found in memory.results.caches}
    values = {name: {"causes": None if causes is None else asdict(causes)} for name, causes in caused.items()}
    return {"memory_system": {"caches": values}}


MISS_CAUSES = Report("miss-causes", "Misses by cause", table, json, about="memory")
