"""What the reports of a sweep share: a row for each size of cache, a column for each number of ways."""

from __future__ import annotations

from collections.abc import Callable

from cache_sim.config import Cache
from cache_sim.numbers import format_size
from cache_sim.swept import Swept
from ease.reports.report import Table, number


def by_ways(swept: Swept, cell: Callable[[Cache, int], str], note: str = "") -> Table:
    """Build the table of what `cell` says of each cache and its misses."""
    grid = swept.grid
    cells: dict[tuple[str, int, int], dict[int, str]] = {}
    for cache, misses in swept.caches():
        cells.setdefault((cache.name, cache.line, cache.size), {})[cache.ways] = cell(cache, misses)
    rows = []
    above: tuple[str, int] | None = None
    for (side, line, size), found in cells.items():
        names = ["", ""] if (side, line) == above else [side, str(line)]
        rows.append([*names, format_size(size), *(found.get(ways, "") for ways in grid.ways)])
        above = side, line
    headings = ["side", "line", "size", *("1 way" if ways == 1 else f"{ways} ways" for ways in grid.ways)]
    return Table(headings, rows, keys=3, note=note)


def accesses_of(swept: Swept) -> str:
    """Say how many accesses there were, and context switches if there may be some."""
    words = []
    for side in swept.grid.sides:
        made = {line: swept.accesses(side, line) for line in swept.grid.lines}
        if len(set(made.values())) == 1:
            words.append(f"{side}: {number(made[swept.grid.lines[0]])} accesses")
        else:
            words += [f"{side}, lines of {line} bytes: {number(count)} accesses" for line, count in made.items()]
    if swept.grid.every:
        words.append(f"{number(swept.switches)} context switches, one every {number(swept.grid.every)} instructions")
    return "; ".join(words)
