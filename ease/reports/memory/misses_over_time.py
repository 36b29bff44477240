"""What caches did up to moments of a run: cumulative counts, and hit ratios between moments."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from itertools import pairwise
from typing import Any

from cache_sim.history import History
from cache_sim.results import CacheResults, Results
from ease.reports.pictures.plot import Curve, Panel
from ease.reports.report import Report, Table, number, percent

ROWS, PLACES, LABELS = 24, 300, 5  # what a table and a picture show of the moments, and how many of these are named


def shown(history: History, most: int) -> list[Results]:
    """Return moments at even distances, at most so many, the end among them."""
    moments = history.moments
    step = -(-len(moments) // most)
    return [*moments[step - 1 : -1 : step], moments[-1]]


def between(moments: Sequence[Results], place: int) -> Iterator[tuple[int, int]]:
    """Yield accesses and misses of a cache from one moment to the next, the first from the start."""
    counts = [(0, 0), *((r.caches[place].accesses.total, r.caches[place].misses.total) for r in moments)]
    for before, after in pairwise(counts):
        yield after[0] - before[0], after[1] - before[1]


def table(history: History) -> Table:
    """Count up to each moment; the last column of a cache is about what came since the moment before."""
    moments = shown(history, ROWS)
    names = [found.cache.name for found in moments[0].caches]
    columns = [f"{name} {what}" for name in names for what in ("accesses", "misses", "hit ratio")]
    ratios = [[_hit_ratio(*counts) for counts in between(moments, place)] for place in range(len(names))]
    rows = []
    for index, results in enumerate(moments):
        row = [number(results.instructions), number(results.switches)]
        for place, found in enumerate(results.caches):
            row += [number(found.accesses.total), number(found.misses.total), ratios[place][index]]
        rows.append(row)
    return Table(["instructions", "switches", *columns], rows, keys=0, note=_note(history, len(moments)))


def _hit_ratio(accesses: int, misses: int) -> str:
    return percent(accesses - misses, accesses) if accesses else "-"


def _note(history: History, rows: int) -> str:
    left_out = "" if rows == len(history.moments) else f"; {rows} of {number(len(history.moments))} moments, JSON has all"
    return (
        "counts from the start of the run, hit ratios in per cent since the row above; "
        f"a moment each {_interval(history, 1)}{left_out}"
    )


def _interval(history: History, step: int) -> str:
    """Say what lies between each `step` moments."""
    what, count = ("instruction", history.every) if history.every else ("context switch", 1)
    count *= history.stride * step
    return what if count == 1 else f"{number(count)} {what}{'s' if history.every else 'es'}"


def json(history: History) -> dict[str, Any]:
    """Return the counts up to each moment."""
    return {
        "misses_over_time": {
            "every": history.every * history.stride if history.every else None,
            "switches": None if history.every else history.stride,
            "moments": [_moment(results) for results in history.moments],
        }
    }


def _moment(results: Results) -> dict[str, Any]:
    return {
        "instructions": results.instructions,
        "context_switches": results.switches,
        "work": results.work,
        "caches": {found.cache.name: _cache(found) for found in results.caches},
    }


def _cache(found: CacheResults) -> dict[str, Any]:
    return {"accesses": found.accesses.total, "misses": asdict(found.misses)}


def panels(history: History) -> list[Panel]:
    """Draw, for each cache, the share of misses between moments, as wide as what lies between them."""
    moments = shown(history, PLACES)
    interval = _interval(history, -(-len(history.moments) // PLACES))
    step = max(1, len(moments) // LABELS)
    places = ["" if index % step else short(results.instructions) for index, results in enumerate(moments)]
    ends = [results.instructions for results in moments]
    found = []
    for place, first in enumerate(moments[0].caches):
        shares = [100 * missed / accesses if accesses else None for accesses, missed in between(moments, place)]
        title = f"{first.cache.name}: misses, per cent of the accesses in each {interval}"
        found.append(Panel(title, "instructions", places, [Curve(first.cache.name, shares)], ends))
    return found


def short(count: int) -> str:
    """Return a number with three digits and a unit, such as 12.5k."""
    for unit, name in ((1_000_000_000, "G"), (1_000_000, "M"), (1_000, "k")):
        if count >= unit:
            return f"{count / unit:.3g}{name}"
    return str(count)


MISSES_OVER_TIME = Report("misses-over-time", "Misses over time", table, json, about="history", panels=panels)
