"""Repeated references of a trace (IDtrace's `rtrace`): found, and as the tables of `ease trace repeats`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from cache_sim.traces.container import TraceDamaged
from cache_sim.traces.formats.idtrace import LAST, REPEATED
from cache_sim.traces.formats.references import chosen, joined
from cache_sim.traces.regeneration import FETCHED, READ, WRITE, Events, room_for
from cache_sim.traces.trace_file import TraceFile
from ease.reports.report import TOP, Table, number, percent
from ease.traces.trace_tables import Places, known_sites

# ----------------------------------------------------------------------------------------------------------------------
# Repeated references of a trace (IDtrace's `rtrace`): block moves, and areas written or read one element after another.
#
# A *copy* is a store of what a load has just brought (`ease.traces.address_plan`).  A *block move* is a run of copies each of
# which begins where the one before ended, at both ends, or ends where it began.  A *fill* is such a run of other writes, a
# *scan* one of other reads, in which an instruction is executed more than once.


MOVE, FILL, SCAN = "block moves", "fills", "scans"
_SITE = (1 << 32) - 1
Column = np.ndarray[Any, Any]


@dataclass(slots=True)
class Run:
    """Elements one behind the other: `count` of them, of so many bytes; the first was that of the RTL `site`.

    `start`: how many elements of its stream came before it.
    `ends`: references to an element, 2 for one that is copied.  `repeated`: an RTL was executed several times for them;
    `executions` are those of RTLs (`_executions`) as long as none was.
    """

    count: int
    ends: int
    bytes: int
    site: int
    start: int
    repeated: bool = False
    executions: frozenset[int] = frozenset()

    @property
    def references(self) -> int:
        """How many references it is."""
        return self.count * self.ends

    def add(self, sizes: Column, executions: Column) -> None:
        """Take in what follows."""
        self.count, self.bytes = self.count + len(sizes), self.bytes + int(sizes.sum())
        if not self.repeated:
            self.executions |= frozenset(np.unique(executions).tolist())
            self.repeated = len({execution & _SITE for execution in self.executions}) < len(self.executions)
            self.executions = frozenset() if self.repeated else self.executions


@dataclass(slots=True)
class Stream:
    """References of one sort, in order, from which runs are made.  Addresses have a column for each end of a copy.

    What it holds between two chunks is the run under way, its direction (1: upwards, -1: downwards, 0: not known, since it has
    one reference only), and its last reference.
    """

    ends: int
    least: int
    runs: list[Run] = field(default_factory=list)
    _taken: int = 0
    _open: Run | None = None
    _direction: int = 0
    _last: tuple[Column, Column] | None = None

    def take(self, addresses: Column, sizes: Column, executions: Column) -> None:
        """Take the next references; `addresses` has a row for each."""
        if not len(sizes):
            return
        before = self._last
        if before is not None:
            addresses, sizes = np.concatenate([before[0], addresses]), np.concatenate([before[1], sizes])
        self._last = addresses[-1:], sizes[-1:]
        directions = _directions(addresses, sizes)
        if before is None:
            self._find(np.concatenate([[0], directions]), sizes, executions)
        else:
            self._find(directions, sizes[1:], executions)

    def finish(self) -> list[Run]:
        """Return all runs, when there are no more references."""
        self._close()
        return self.runs

    def _find(self, directions: Column, sizes: Column, executions: Column) -> None:
        """Make runs; `directions` tells how each reference follows the one before."""
        starts = np.flatnonzero(np.concatenate([[True], directions[1:] != directions[:-1]]))
        for start, end in zip(starts.tolist(), [*starts[1:].tolist(), len(directions)], strict=True):
            direction = int(directions[start])
            if not direction:  # each begins a run of its own; only the last can have others behind it
                self._close()
                start = end - 1
            elif start and end < len(directions) and end - start + 1 < self.least:  # too short, whatever stands around it
                self._close()
                continue
            elif self._direction not in (0, direction):
                self._close()
            if self._open is None:
                self._open = Run(0, self.ends, 0, int(executions[start]) & _SITE, self._taken + start)
            self._open.add(sizes[start:end], executions[start:end])
            self._direction = direction
        self._taken += len(sizes)

    def _close(self) -> None:
        run = self._open
        if run is not None and run.count >= self.least and (run.repeated or self.ends == 2):
            self.runs.append(run)
        self._open, self._direction = None, 0


def _directions(addresses: Column, sizes: Column) -> Column:
    """Return for each reference but the first 1 if it begins where the one before ends, -1 if it ends there, else 0."""
    column = sizes[:, None]
    up = (addresses[1:] == addresses[:-1] + column[:-1]).all(1)
    down = (addresses[1:] + column[1:] == addresses[:-1]).all(1)
    return np.where(up, 1, np.where(down, -1, 0))


class _Copies:
    """Finds the copies among references, with the address of their load and of their store."""

    def __init__(self, pairs: Iterable[tuple[int, int]], sites: int) -> None:
        self.pair = np.full(sites, -1, np.int64)  # the number of the pair that an RTL belongs to
        for index, pair in enumerate(pairs):
            self.pair[list(pair)] = index
        self._waiting = room_for(0)  # loads whose stores come in the next chunk

    def split(self, data: Events) -> tuple[Events, dict[str, Column]]:
        """Return the references, behind loads of the chunk before that wait for their stores, and the elements of streams.

        These are numbers of references, a row for each element: of a copy those of its load and its store.
        """
        data = joined([self._waiting, data])
        pair = self.pair[(data.sites & np.uint64(_SITE)).astype(np.int64)]
        known = np.flatnonzero(pair >= 0)
        order = known[np.argsort(pair[known], kind="stable")]  # those of a pair one behind the other
        writes, same = data.kinds[order] == WRITE, pair[order][1:] == pair[order][:-1]
        behind = np.flatnonzero(same & ~writes[:-1] & writes[1:])
        stores = order[behind + 1]
        in_order = np.argsort(stores)
        moves = np.stack([order[behind], stores], 1)[in_order]
        ends = np.concatenate([~same, np.ones(min(len(order), 1), bool)])
        self._waiting = chosen(data, np.sort(order[ends & ~writes]))
        others = (pair < 0) | (data.kinds != READ)
        others[stores] = False
        found = {name: np.flatnonzero(others & (data.kinds == kind))[:, None] for name, kind in ((FILL, WRITE), (SCAN, READ))}
        return data, {MOVE: moves, **found}


def repeats(chunks: Iterable[Events], pairs: Iterable[tuple[int, int]], sites: int, least: int) -> dict[str, list[Run]]:
    """Return the block moves, fills and scans of at least so many elements.

    `chunks` are fetches and references to data, in order, `pairs` the copies of the program, `sites` how many RTLs it has.
    """
    copies, streams = _Copies(pairs, sites), _streams(least)
    for chunk in _executions(chunks):
        data, elements = copies.split(chunk)
        _take(streams, data, elements)
    return {name: stream.finish() for name, stream in streams.items()}


def repeat_marks(events: Events, pairs: Iterable[tuple[int, int]], sites: int, least: int) -> Column:
    """Return for each event of a whole trace whether it belongs to a block move, fill or scan, and ends it.

    These are the bits REPEATED and LAST.
    """
    marks = np.zeros(len(events), np.uint8)
    places = np.flatnonzero(events.kinds != FETCHED)
    streams = _streams(least)
    for chunk in _executions([events]):
        data, elements = _Copies(pairs, sites).split(chunk)
        _take(streams, data, elements)
        for name, stream in streams.items():
            for run in stream.finish():
                references = places[elements[name][run.start : run.start + run.count]]
                marks[references] |= REPEATED
                marks[references.max()] |= LAST
    return marks


def _streams(least: int) -> dict[str, Stream]:
    return {MOVE: Stream(2, least), FILL: Stream(1, least), SCAN: Stream(1, least)}


def _take(streams: dict[str, Stream], data: Events, elements: dict[str, Column]) -> None:
    for name, stream in streams.items():
        rows = elements[name]
        last = rows[:, -1]
        stream.take(data.addresses[rows], data.sizes[last], data.sites[last])


def _executions(chunks: Iterable[Events]) -> Iterator[Events]:
    """Yield the references to data with a number for the execution of an RTL in place of the RTL's own.

    Its lower 32 bits are the RTL's; the upper ones tell executions apart.
    """
    executed = np.uint64(0)
    for events in chunks:
        fetched = events.kinds == FETCHED
        numbers = executed + np.cumsum(fetched, dtype=np.uint64)
        executed = numbers[-1] if len(numbers) else executed
        yield chosen(replace(events, sites=events.sites | numbers << np.uint64(32)), ~fetched)


# ----------------------------------------------------------------------------------------------------------------------
# What `ease trace repeats` prints: how many block moves, fills and scans of each size there are, and where.


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
