"""Misses of every cache of a sweep."""

from __future__ import annotations

from dataclasses import asdict
from math import isfinite
from typing import Any

from cache_sim.sweeps import Swept, format_sweep
from ease.reports.memory.sweeps import accesses_of, by_ways
from ease.reports.report import Report, Table, number


def table(swept: Swept) -> Table:
    """Count the misses of each cache."""
    return by_ways(swept, lambda misses, accesses: number(round(misses)), accesses_of(swept))


def json(swept: Swept) -> dict[str, Any]:
    """Return what was simulated and the misses of each cache."""
    caches = [
        {"side": cache.name, "line": cache.line, "size": cache.size, "ways": cache.ways, "misses": misses}
        for cache, misses in swept.caches()
    ]
    full = [
        {"side": side, "line": line, "size": size, "misses": round(found.misses), "error": _known(found.error)}
        for side, line in swept.full
        for size in swept.grid.full_sizes(line)
        for found in [swept.full_misses(side, size, line)]
    ]
    values = {"grid": format_sweep(swept.grid), "references": asdict(swept.references), "switches": swept.switches}
    return {"sweep": {**values, "caches": caches, "fully_associative": full}}


def _known(error: float) -> float | None:
    return round(error, 1) if isfinite(error) else None


SWEEP_MISSES = Report("sweep-misses", "Sweep: misses of every cache", table, json, about="sweep")
