"""What `ease trace repeats` prints: how many block moves, fills and scans of each size there are, and where."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np

from cache_sim.traces.container import TraceDamaged
from cache_sim.traces.path_code import FETCHED
from cache_sim.traces.regeneration import Events
from cache_sim.traces.trace_file import TraceFile
from ease.reports.report import TOP, Table, number, percent
from ease.traces.repeats import Run, repeats
from ease.traces.trace_tables import Places, known_sites


def repeat_tables(trace: TraceFile, least: int) -> Iterator[tuple[str, Table]]:
    """Yield titles and tables; runs of fewer references than `least` are left out.

    Raises TraceDamaged.
    """
    static = trace.static
    if not static:
        raise TraceDamaged("this trace came from elsewhere; nothing is known of its instructions")
    seen = Counter[str]()

    def events_seen() -> Iterator[Events]:
        for events in trace.events():
            seen["references"] += int(np.count_nonzero(events.kinds != FETCHED))
            yield known_sites(trace, events)

    found = repeats(events_seen(), static.get("copies", ()), len(static["type"]), least)
    yield "Totals", _totals(found, seen["references"])
    places = Places(static)
    for name, runs in found.items():
        if runs:
            yield f"Sizes of {name}", _sizes(runs)
            yield f"Where {name} are", _sites(runs, places)


def _totals(found: dict[str, list[Run]], references: int) -> Table:
    rows = []
    for name, runs in found.items():
        made = sum(run.references for run in runs)
        rows.append([name, number(len(runs)), number(made), percent(made, references), number(sum(run.bytes for run in runs))])
    return Table(["", "number", "references", "per cent", "bytes"], rows, ["all references", "", number(references), "", ""])


def _sizes(runs: list[Run]) -> Table:
    """Return how many runs of each size there are; if there are many sizes, those of most bytes."""
    sizes = Counter(run.bytes for run in runs)
    total = sum(run.bytes for run in runs)
    largest = sorted(sizes, key=lambda size: (-size * sizes[size], size))[:TOP]
    rows = [[number(size), *_shares(sizes[size], size * sizes[size], total)] for size in sorted(largest)]
    if len(sizes) > TOP:
        others = [size for size in sizes if size not in largest]
        rows.append(["others", *_shares(sum(sizes[s] for s in others), sum(s * sizes[s] for s in others), total)])
    return Table(["bytes", "number", "bytes in all", "per cent"], rows, ["total", *_shares(len(runs), total, total)])


def _sites(runs: list[Run], places: Places) -> Table:
    """Return the instructions with which most bytes begin."""
    numbers, sizes = Counter[int](), Counter[int]()
    for run in runs:
        numbers[run.site] += 1
        sizes[run.site] += run.bytes
    total = sum(sizes.values())
    rows = []
    for site, size in sizes.most_common(TOP):
        line, text = places.of(site)
        rows.append([line, text, *_shares(numbers[site], size, total)])
    return Table(["line", "begins with", "number", "bytes in all", "per cent"], rows, keys=2)


def _shares(runs: int, size: int, total: int) -> list[str]:
    return [number(runs), number(size), percent(size, total)]
