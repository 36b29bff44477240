"""Miss ratios of every cache of a sweep, as a table and as curves over sizes."""

from __future__ import annotations

from typing import Any

from cache_sim.config import Cache
from cache_sim.sweeps import Swept
from cache_sim.words import format_size
from ease.reports.memory.sweeps import by_ways
from ease.reports.pictures.plot import Curve, Panel
from ease.reports.report import Report, Table, percent


def table(swept: Swept) -> Table:
    """Work out the share of misses in the accesses of each cache."""
    return by_ways(swept, percent)


def json(swept: Swept) -> dict[str, Any]:
    """Return the accesses by side and size of lines, with which misses are ratios."""
    sides = {side: {str(line): swept.accesses(side, line) for line in swept.grid.lines} for side in swept.grid.sides}
    return {"sweep": {"accesses": sides}}


def panels(swept: Swept) -> list[Panel]:
    """Draw, for each side and size of lines, a curve for each number of ways."""
    return [_panel(swept, side, line) for side in swept.grid.sides for line in swept.grid.lines]


def _panel(swept: Swept, side: str, line: int) -> Panel:
    accesses = swept.accesses(side, line) or 1
    curves = []
    for ways in swept.grid.ways:
        shares = [
            100 * swept.misses(Cache(side, size, line, ways)) / accesses if size >= line * ways else None
            for size in swept.grid.sizes
        ]
        curves.append(Curve("1 way" if ways == 1 else f"{ways} ways", shares))
    if swept.grid.full:
        full = [swept.full_misses(side, size, line).misses if size >= line else None for size in swept.grid.sizes]
        curves.append(Curve("full", [None if misses is None else 100 * misses / accesses for misses in full]))
    title = f"{side}, lines of {line} bytes: misses, per cent of {accesses:,} accesses"
    return Panel(title, "size of the cache", list(map(format_size, swept.grid.sizes)), curves)


SWEEP_RATIOS = Report("sweep-ratios", "Sweep: miss ratios in per cent", table, json, about="sweep", panels=panels)
