"""What the reports of a sweep share: a row for each size of cache, a column for each number of ways."""

from __future__ import annotations

from collections.abc import Callable
from math import isfinite

from cache_sim.config import Cache
from cache_sim.shards import Estimate
from cache_sim.sweeps import Swept
from cache_sim.words import format_size
from ease.reports.report import Table, number


def by_ways(swept: Swept, cell: Callable[[float, int], str], note: str = "") -> Table:
    """Build the table of what `cell` says of the misses of each cache and its accesses."""
    grid = swept.grid
    headings = ["side", "line", "size", *("1 way" if ways == 1 else f"{ways} ways" for ways in grid.ways)]
    rows = []
    above: tuple[str, int] | None = None
    for side in grid.sides:
        for line in grid.lines:
            accesses = swept.accesses(side, line)
            for size in (size for size in grid.sizes if size >= line):
                found = [
                    cell(swept.misses(Cache(side, size, line, ways)), accesses) for ways in grid.ways if ways * line <= size
                ]
                blanks = [""] * (len(grid.ways) - len(found))
                full = [_full(swept.full_misses(side, size, line), accesses, grid.rate < 1, cell)] if grid.full else []
                names = ["", ""] if (side, line) == above else [side, str(line)]
                rows.append([*names, format_size(size), *found, *blanks, *full])
                above = side, line
    return Table([*headings, *(["full"] if grid.full else [])], rows, keys=3, note=note)


def _full(estimate: Estimate, accesses: int, sampled: bool, cell: Callable[[float, int], str]) -> str:
    """Print the misses of a fully associative cache, with their error if they come from a sample."""
    if not sampled:
        return cell(estimate.misses, accesses)
    error = cell(estimate.error, accesses) if isfinite(estimate.error) else "?"
    return f"{cell(estimate.misses, accesses)} ± {error}"


def accesses_of(swept: Swept) -> str:
    """Say how many accesses there were, and context switches if there may be some."""
    words = []
    for side in swept.grid.sides:
        made = {line: swept.accesses(side, line) for line in swept.grid.lines}
        if len(set(made.values())) == 1:
            words.append(f"{side}: {number(made[swept.grid.lines[0]])} accesses")
        else:
            words += [f"{side}, lines of {line} bytes: {number(count)} accesses" for line, count in made.items()]
    if swept.grid.full and swept.grid.rate < 1:
        words.append(f"full: from a sample of {swept.grid.rate:.3g} of all lines, ± its standard error")
    if swept.grid.every:
        words.append(f"{number(swept.switches)} context switches, one every {number(swept.grid.every)} instructions")
    return "; ".join(words)
