"""Misses by why memory is referenced: the causes of Figure 12 of the paper, and fetches."""

from __future__ import annotations

from typing import Any

from ease.model.results import MemoryMeasurement, MissSite
from ease.reports.memory.misses import by_cache, misses_by, misses_table
from ease.reports.report import Report, Table

FETCHES = "instructions"  # the group of fetches, whose cause is that of the instruction


def _key(site: MissSite) -> tuple[str, str, str]:
    group = FETCHES if site.kind.direction == "fetch" else site.kind.group
    return group, site.kind.cause, site.kind.direction


def table(memory: MemoryMeasurement) -> Table:
    """Count misses by group, cause and direction."""
    return misses_table(memory, ["group", "cause", ""], list(misses_by(memory, _key).items()), "causes")


def json(memory: MemoryMeasurement) -> dict[str, Any]:
    """Return a list with the misses in each cache."""
    names = ("group", "cause", "direction")
    rows = misses_by(memory, _key).items()
    listed = [dict(zip(names, key, strict=True)) | {"misses": by_cache(memory, misses)} for key, misses in rows]
    return {"memory_system": {"references_that_miss": listed}}


MISS_REFERENCES = Report("miss-references", "Misses by cause of the reference", table, json, about="memory")
