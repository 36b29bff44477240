"""Stack distances among all lines: how many other lines were used since a line was."""

from __future__ import annotations

from typing import Any

from cache_sim.shards import Sample
from cache_sim.sweeps import Swept
from ease.reports.pictures.plot import Curve, Panel
from ease.reports.report import Report, Table, number, percent


def accesses_by_power(sample: Sample) -> dict[int, int]:
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


def new(sample: Sample) -> int:
    """Return how many accesses went to lines that were new, or are estimated to have."""
    return round(sample.whole.cold / sample.rate)


def _powers(swept: Swept) -> list[int]:
    """Return the least distance of every row."""
    most = max((distance for sample in swept.full.values() for distance in sample.whole.distances), default=0)
    return [0, *(1 << exponent for exponent in range(most.bit_length()))]


def _range(least: int) -> str:
    return f"{least}-{2 * least - 1}" if least > 1 else str(least)


def table(swept: Swept) -> Table:
    """Count the accesses of each range of distances, for each side and size of lines."""
    columns = [(accesses_by_power(sample), sample) for sample in swept.full.values()]
    headings = [heading for side, line in swept.full for heading in (f"{side}, lines of {line}", "per cent")]
    rows = [
        [_range(least), *(cell for found, sample in columns for cell in _cells(found.get(least, 0), sample))]
        for least in _powers(swept)
    ]
    rows.append(["new", *(cell for _, sample in columns for cell in _cells(new(sample), sample))])
    return Table(["distance", *headings], rows if swept.full else [])


def _cells(count: int, sample: Sample) -> list[str]:
    return [number(count), percent(count, sample.accesses)]


def json(swept: Swept) -> dict[str, Any]:
    """Return every histogram."""
    rows = [
        {
            "side": side, "line": line, "rate": sample.rate,
            "distances": {str(least): count for least, count in accesses_by_power(sample).items()}, "new": new(sample),
        }
        for (side, line), sample in swept.full.items()
    ]  # fmt: skip
    return {"sweep": {"full_distances": rows}}


def panels(swept: Swept) -> list[Panel]:
    """Draw, for each side, a curve for each size of lines."""
    powers = _powers(swept)[1:]
    found = []
    for side in swept.grid.sides if swept.full else ():
        curves = []
        for line in swept.grid.lines:
            sample = swept.full[side, line]
            counts = accesses_by_power(sample)
            shares = [100 * counts.get(least, 0) / (sample.accesses or 1) for least in powers]
            curves.append(Curve(f"lines of {line}", shares))
        title = f"{side}: per cent of accesses by distance among all lines (0 left out)"
        found.append(Panel(title, "stack distance, at least", list(map(str, powers)), curves))
    return found if powers else []


FULL_DISTANCES = Report(
    "full-distances",
    "Sweep: accesses by stack distance among all lines",
    table,
    json,
    about="sweep",
    panels=panels,
)
