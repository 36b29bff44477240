"""Reports of moments of a run: what caches did up to each, and all figures in each interval."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from itertools import pairwise
from typing import Any

from cache_sim.results import CacheResults, History, Results
from ease.model.timeline import Timeline
from ease.reports.pictures import Curve, Panel
from ease.reports.report import Report, Table, number, percent

ROWS, PLACES, LABELS = 24, 300, 5  # what a table and a picture show of the moments, and how many of these are named


def _short(count: int) -> str:
    """Return a number with three digits and a unit, such as 12.5k."""
    for unit, name in ((1_000_000_000, "G"), (1_000_000, "M"), (1_000, "k")):
        if count >= unit:
            return f"{count / unit:.3g}{name}"
    return str(count)


# ----------------------------------------------------------------------------------------------------------------------
# Caches: cumulative counts, and hit ratios between moments.


def shown(history: History, most: int) -> list[Results]:
    """Return moments at even distances, at most so many, the end among them."""
    moments = history.moments
    step = -(-len(moments) // most)
    return [*moments[step - 1 : -1 : step], moments[-1]]


def _between(moments: Sequence[Results], place: int) -> Iterator[tuple[int, int]]:
    """Yield accesses and misses of a cache from one moment to the next, the first from the start."""
    counts = [(0, 0), *((r.caches[place].accesses.total, r.caches[place].misses.total) for r in moments)]
    for before, after in pairwise(counts):
        yield after[0] - before[0], after[1] - before[1]


def _misses(history: History) -> Table:
    """Count up to each moment; the last column of a cache is about what came since the moment before."""
    moments = shown(history, ROWS)
    names = [found.cache.name for found in moments[0].caches]
    columns = [f"{name} {what}" for name in names for what in ("accesses", "misses", "hit ratio")]
    ratios = [[_hit_ratio(*counts) for counts in _between(moments, place)] for place in range(len(names))]
    rows = []
    for index, results in enumerate(moments):
        row = [number(results.instructions), number(results.switches)]
        for place, found in enumerate(results.caches):
            row += [number(found.accesses.total), number(found.misses.total), ratios[place][index]]
        rows.append(row)
    return Table(["instructions", "switches", *columns], rows, keys=0, note=_misses_note(history, len(moments)))


def _hit_ratio(accesses: int, misses: int) -> str:
    return percent(accesses - misses, accesses) if accesses else "-"


def _misses_note(history: History, rows: int) -> str:
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


def _misses_json(history: History) -> dict[str, Any]:
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


def _miss_curves(history: History) -> list[Panel]:
    """Draw, for each cache, the share of misses between moments, as wide as what lies between them."""
    moments = shown(history, PLACES)
    interval = _interval(history, -(-len(history.moments) // PLACES))
    step = max(1, len(moments) // LABELS)
    places = ["" if index % step else _short(results.instructions) for index, results in enumerate(moments)]
    ends = [results.instructions for results in moments]
    found = []
    for place, first in enumerate(moments[0].caches):
        shares = [100 * missed / accesses if accesses else None for accesses, missed in _between(moments, place)]
        title = f"{first.cache.name}: misses, per cent of the accesses in each {interval}"
        found.append(Panel(title, "instructions", places, [Curve(first.cache.name, shares)], ends))
    return found


# ----------------------------------------------------------------------------------------------------------------------
# All that is counted and simulated, in each interval.


def _figures(timeline: Timeline) -> Table:
    """Show each figure in each interval; some intervals are put together if there are many."""
    shown = timeline.thinned(ROWS)
    columns = [figure.values() for figure in shown.figures]
    rows = [
        [number(end), *("-" if column[place] is None else f"{column[place]:.5f}" for column in columns)]
        for place, end in enumerate(shown.ends)
    ]
    return Table(["up to", *(figure.name for figure in shown.figures)], rows, keys=0, note=_figures_note(timeline, shown))


def _figures_note(timeline: Timeline, shown: Timeline) -> str:
    together = shown.stride // timeline.stride
    left_out = f"; {together} intervals are put together in a row, JSON has all" if together > 1 else ""
    return (
        f"intervals of {number(timeline.every * timeline.stride)} instructions, "
        f"each at most {timeline.distance} late{left_out}"
    )


def _figures_json(timeline: Timeline) -> dict[str, Any]:
    """Return the counts of each interval."""
    return {
        "over_time": {
            "every": timeline.every * timeline.stride,
            "distance": timeline.distance,
            "ends": list(timeline.ends),
            "figures": {each.name: {"above": list(each.above), "below": list(each.below)} for each in timeline.figures},
        }
    }


def _figure_curves(timeline: Timeline) -> list[Panel]:
    """Draw each figure, as wide as its intervals are."""
    shown = timeline.thinned(PLACES)
    step = max(1, len(shown.ends) // LABELS)
    places = ["" if index % step else _short(end) for index, end in enumerate(shown.ends)]
    interval = f"{number(shown.every * shown.stride)} instructions"
    return [
        Panel(f"{figure.name}, in each {interval}", "instructions", places, [Curve("", figure.values())], shown.ends)
        for figure in shown.figures
    ]


MISSES_OVER_TIME = Report(
    "misses-over-time", "Misses over time", _misses, _misses_json, about="history", panels=_miss_curves
)
OVER_TIME = Report("over-time", "Over time", _figures, _figures_json, about="timeline", panels=_figure_curves)
