"""Stack distances: how many other lines of its set were used since a line was, for each number of sets of a sweep."""

from __future__ import annotations

from typing import Any

from cache_sim.distances import Histogram
from cache_sim.sweeps import Swept
from ease.reports.pictures.plot import Curve, Panel
from ease.reports.report import Report, Table, number


def bounds(most: int) -> list[tuple[int, int]]:
    """Return the first and last distance of each column for distances below `most`: 0, 1, 2-3, 4-7, and so on."""
    firsts = [0, *(1 << exponent for exponent in range(most.bit_length()))]
    return [(first, max(first, 2 * first - 1)) for first in firsts if first < most]


def _columns(histogram: Histogram, ways: int) -> list[int]:
    """Return how many accesses are in each column."""
    return [
        sum(count for distance, count in histogram.distances.items() if first <= distance <= last)
        for first, last in bounds(ways)
    ]


def table(swept: Swept) -> Table:
    """Count the accesses of each distance; those that are new or deeper than any cache is come last."""
    columns = bounds(max(swept.grid.ways, default=0))
    rows = []
    for (side, line, sets), histogram in swept.histograms.items():
        counts = list(map(number, _columns(histogram, swept.grid.levels(line)[sets])))
        blanks = [""] * (len(columns) - len(counts))
        rows.append([side, str(line), str(sets), *counts, *blanks, number(histogram.cold)])
    heads = [str(first) if first == last else f"{first}-{last}" for first, last in columns]
    return Table(["side", "line", "sets", *heads, "deeper or new"], rows, keys=3)


def json(swept: Swept) -> dict[str, Any]:
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


def panels(swept: Swept) -> list[Panel]:
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


STACK_DISTANCES = Report("stack-distances", "Sweep: accesses by stack distance", table, json, about="sweep", panels=panels)
