"""Misses by what makes the reference: which cell of which instruction."""

from __future__ import annotations

from typing import Any

from ease.model.results import MemoryMeasurement, MissSite, SiteMisses
from ease.reports.memory.misses import by_cache, misses_by, misses_table
from ease.reports.report import Report, Table


def table(memory: MemoryMeasurement) -> Table:
    """Count misses by site, those with most first."""
    rows = [(_key(site), misses) for site, misses in misses_by(memory, lambda site: site).items()]
    return misses_table(memory, ["site", "line", "instruction", "reference", "mode", "cause"], rows, "sites")


def _key(site: MissSite) -> tuple[str, ...]:
    reference = f"{site.kind.direction} {site.cell}".rstrip()
    return str(site.number), str(site.line), site.instruction, reference, site.kind.mode, site.kind.cause


def json(memory: MemoryMeasurement) -> dict[str, Any]:
    """Return a list of all sites that miss; a fetch has neither cell nor type nor mode."""
    return {"memory_system": {"sites": [_site(memory, site, counts) for site, counts in sorted(memory.sites.items())]}}


def _site(memory: MemoryMeasurement, site: MissSite, counts: SiteMisses) -> dict[str, Any]:
    return {
        "site": site.number,
        "function": site.function,
        "file": site.line.file,
        "line": site.line.number,
        "instruction": site.instruction,
        "direction": site.kind.direction,
        "cause": site.kind.cause,
        "cell": site.cell or None,
        "type": site.kind.type or None,
        "mode": site.kind.mode or None,
        "executed": counts.executed,
        "misses": by_cache(memory, counts.misses),
    }


MISS_SITES = Report("miss-sites", "Misses by reference", table, json, about="memory")
