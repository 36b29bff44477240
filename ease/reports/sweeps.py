"""Reports of a sweep: misses and miss ratios of every cache, and the stack distances that they are made of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from math import isfinite
from typing import Any

from cache_sim.config import Cache
from cache_sim.distances import Estimate, Histogram, Sample
from cache_sim.sweeps import Swept, format_sweep
from cache_sim.words import format_size
from ease.reports.pictures import Curve, Panel
from ease.reports.report import Report, Table, number, percent

# ----------------------------------------------------------------------------------------------------------------------
# Misses and miss ratios: a row for each size of cache, a column for each number of ways.


def _by_ways(swept: Swept, cell: Callable[[float, int], str], note: str = "") -> Table:
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
                full = [_full_cell(swept.full_misses(side, size, line), accesses, grid.rate < 1, cell)] if grid.full else []
                names = ["", ""] if (side, line) == above else [side, str(line)]
                rows.append([*names, format_size(size), *found, *blanks, *full])
                above = side, line
    return Table([*headings, *(["full"] if grid.full else [])], rows, keys=3, note=note)


def _full_cell(estimate: Estimate, accesses: int, sampled: bool, cell: Callable[[float, int], str]) -> str:
    """Print the misses of a fully associative cache, with their error if they come from a sample."""
    if not sampled:
        return cell(estimate.misses, accesses)
    error = cell(estimate.error, accesses) if isfinite(estimate.error) else "?"
    return f"{cell(estimate.misses, accesses)} ± {error}"


def _accesses_of(swept: Swept) -> str:
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


def _misses(swept: Swept) -> Table:
    """Count the misses of each cache."""
    return _by_ways(swept, lambda misses, accesses: number(round(misses)), _accesses_of(swept))


def _misses_json(swept: Swept) -> dict[str, Any]:
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


def _ratios(swept: Swept) -> Table:
    """Work out the share of misses in the accesses of each cache."""
    return _by_ways(swept, percent)


def _ratios_json(swept: Swept) -> dict[str, Any]:
    """Return the accesses by side and size of lines, with which misses are ratios."""
    sides = {side: {str(line): swept.accesses(side, line) for line in swept.grid.lines} for side in swept.grid.sides}
    return {"sweep": {"accesses": sides}}


def _ratio_curves(swept: Swept) -> list[Panel]:
    """Draw, for each side and size of lines, a curve for each number of ways."""
    return [_ratio_panel(swept, side, line) for side in swept.grid.sides for line in swept.grid.lines]


def _ratio_panel(swept: Swept, side: str, line: int) -> Panel:
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


# ----------------------------------------------------------------------------------------------------------------------
# Stack distances: how many other lines of its set were used since a line was, for each number of sets.


def _bounds(most: int) -> list[tuple[int, int]]:
    """Return the first and last distance of each column for distances below `most`: 0, 1, 2-3, 4-7, and so on."""
    firsts = [0, *(1 << exponent for exponent in range(most.bit_length()))]
    return [(first, max(first, 2 * first - 1)) for first in firsts if first < most]


def _columns(histogram: Histogram, ways: int) -> list[int]:
    """Return how many accesses are in each column."""
    return [
        sum(count for distance, count in histogram.distances.items() if first <= distance <= last)
        for first, last in _bounds(ways)
    ]


def _distances(swept: Swept) -> Table:
    """Count the accesses of each distance; those that are new or deeper than any cache is come last."""
    columns = _bounds(max(swept.grid.ways, default=0))
    rows = []
    for (side, line, sets), histogram in swept.histograms.items():
        counts = list(map(number, _columns(histogram, swept.grid.levels(line)[sets])))
        blanks = [""] * (len(columns) - len(counts))
        rows.append([side, str(line), str(sets), *counts, *blanks, number(histogram.cold)])
    heads = [str(first) if first == last else f"{first}-{last}" for first, last in columns]
    return Table(["side", "line", "sets", *heads, "deeper or new"], rows, keys=3)


def _distances_json(swept: Swept) -> dict[str, Any]:
    """Return every histogram."""
    rows = [
        {
            "side": side, "line": line, "sets": sets,
            "distances": {str(distance): count for distance, count in histogram.distances.items()},
            "deeper": histogram.cold,
        }
        for (side, line, sets), histogram in swept.histograms.items()
    ]  # fmt: skip
    return {"sweep": {"stack_distances": rows}}


def _distance_curves(swept: Swept) -> list[Panel]:
    """Draw, for each side and size of lines, a curve for each number of sets."""
    most = max(swept.grid.ways, default=0)
    found = []
    for side in swept.grid.sides:
        for line in swept.grid.lines:
            accesses = swept.accesses(side, line) or 1
            curves = []
            for sets, ways in swept.grid.levels(line).items():
                histogram = swept.histograms[side, line, sets]
                shares = [100 * histogram.distances.get(distance, 0) / accesses for distance in range(1, ways)]
                curves.append(Curve("1 set" if sets == 1 else f"{sets} sets", [*shares, *[None] * (most - ways)]))
            title = f"{side}, lines of {line} bytes: per cent of {accesses:,} accesses (0 left out)"
            found.append(Panel(title, "stack distance", list(map(str, range(1, most))), curves))
    return found if most > 1 else []


# ----------------------------------------------------------------------------------------------------------------------
# Stack distances among all lines.


def _accesses_by_power(sample: Sample) -> dict[int, int]:
    """Return how many accesses there were of distance 0, 1, 2 and 3, 4 to 7, and so on, by the least of each.

    Of a sample, they are estimates; those that it has too many or too few of are taken for distance 0.
    """
    found: dict[int, float] = {}
    for distance, count in sample.whole.distances.items():
        least = 1 << distance.bit_length() >> 1
        found[least] = found.get(least, 0) + count / sample.rate
    deeper = sample.whole.cold / sample.rate + sum(count for least, count in found.items() if least)
    found[0] = max(0, sample.accesses - deeper)
    return {least: round(count) for least, count in sorted(found.items())}


def _new(sample: Sample) -> int:
    """Return how many accesses went to lines that were new, or are estimated to have."""
    return round(sample.whole.cold / sample.rate)


def _powers(swept: Swept) -> list[int]:
    """Return the least distance of every row."""
    most = max((distance for sample in swept.full.values() for distance in sample.whole.distances), default=0)
    return [0, *(1 << exponent for exponent in range(most.bit_length()))]


def _range(least: int) -> str:
    return f"{least}-{2 * least - 1}" if least > 1 else str(least)


def _full_distances(swept: Swept) -> Table:
    """Count the accesses of each range of distances, for each side and size of lines."""
    columns = [(_accesses_by_power(sample), sample) for sample in swept.full.values()]
    headings = [heading for side, line in swept.full for heading in (f"{side}, lines of {line}", "per cent")]
    rows = [
        [_range(least), *(cell for found, sample in columns for cell in _cells(found.get(least, 0), sample))]
        for least in _powers(swept)
    ]
    rows.append(["new", *(cell for _, sample in columns for cell in _cells(_new(sample), sample))])
    return Table(["distance", *headings], rows if swept.full else [])


def _cells(count: int, sample: Sample) -> list[str]:
    return [number(count), percent(count, sample.accesses)]


def _full_distances_json(swept: Swept) -> dict[str, Any]:
    """Return every histogram."""
    rows = [
        {
            "side": side, "line": line, "rate": sample.rate,
            "distances": {str(least): count for least, count in _accesses_by_power(sample).items()}, "new": _new(sample),
        }
        for (side, line), sample in swept.full.items()
    ]  # fmt: skip
    return {"sweep": {"full_distances": rows}}


def _full_distance_curves(swept: Swept) -> list[Panel]:
    """Draw, for each side, a curve for each size of lines."""
    powers = _powers(swept)[1:]
    found = []
    for side in swept.grid.sides if swept.full else ():
        curves = []
        for line in swept.grid.lines:
            sample = swept.full[side, line]
            counts = _accesses_by_power(sample)
            shares = [100 * counts.get(least, 0) / (sample.accesses or 1) for least in powers]
            curves.append(Curve(f"lines of {line}", shares))
        title = f"{side}: per cent of accesses by distance among all lines (0 left out)"
        found.append(Panel(title, "stack distance, at least", list(map(str, powers)), curves))
    return found if powers else []


SWEEP_RATIOS = Report(
    "sweep-ratios", "Sweep: miss ratios in per cent", _ratios, _ratios_json, about="sweep", panels=_ratio_curves
)
OF_SWEEPS = (  # in the order of printing
    Report("sweep-misses", "Sweep: misses of every cache", _misses, _misses_json, about="sweep"),
    SWEEP_RATIOS,
    Report(
        "stack-distances", "Sweep: accesses by stack distance", _distances, _distances_json, about="sweep",
        panels=_distance_curves,
    ),
    Report(
        "full-distances", "Sweep: accesses by stack distance among all lines", _full_distances, _full_distances_json,
        about="sweep", panels=_full_distance_curves,
    ),
)  # fmt: skip
