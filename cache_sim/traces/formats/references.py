"""Events of a trace as references, and by instruction, for formats that have records of these."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from cache_sim.trace import FLUSH, Trace, TraceError
from cache_sim.traces.regeneration import FETCHED, Events, Words

COLUMNS = ("kinds", "addresses", "sizes", "sites")


def events_of(kinds: Words, addresses: Words, sizes: Words | int) -> Events:
    """Return references as events of one site; `sizes` may be one number for all."""
    count = len(kinds)
    wide = np.full(count, sizes, np.uint64) if isinstance(sizes, int) else sizes.astype(np.uint64)
    return Events(kinds.astype(np.uint8), addresses.astype(np.uint64), wide, np.zeros(count, np.uint64))


def chosen(events: Events, which: Words | slice) -> Events:
    """Return some of the events."""
    return Events(*(getattr(events, name)[which] for name in COLUMNS))


def joined(parts: list[Events]) -> Events:
    """Return events one after another."""
    if len(parts) == 1:
        return parts[0]
    return Events(*(np.concatenate([getattr(part, name) for part in parts]) for name in COLUMNS))


def references(events: Events) -> Events:
    """Return the events that are references.

    Raises TraceError for a flush, of which what takes references only knows nothing.
    """
    refuse_flushes(events)
    wanted = events.kinds <= FETCHED
    return events if wanted.all() else chosen(events, wanted)


def refuse_flushes(events: Events) -> Events:
    """Return events among which is no flush; raises TraceError."""
    if (events.kinds == FLUSH).any():
        raise TraceError("a trace that empties caches (label 4) is simulated by itself, not in a sweep, and not converted")
    return events


def between_flushes(events: Events) -> Iterator[Events]:
    """Yield the references before the first flush, those between two, and those behind the last; there may be none."""
    start = 0
    for end in [*np.flatnonzero(events.kinds == FLUSH).tolist(), len(events)]:
        yield references(chosen(events, slice(start, end)))
        start = end + 1


def trace_from(events: Events) -> Trace:
    """Return references as the cache simulators take them, of one site; there is at least one."""
    sizes = np.maximum(events.sizes, np.uint64(1))
    kinds, addresses, wide = (np.ascontiguousarray(column).data for column in (events.kinds, events.addresses, sizes))
    return Trace(kinds.cast("B"), addresses.cast("B").cast("Q"), wide.cast("B").cast("Q"), memoryview(b""))


def by_instructions(chunks: Iterable[Events]) -> Iterator[tuple[Events, int | None]]:
    """Yield events that begin with a fetch and end before another one, and the address of that one (None: there is none).

    What comes before the first fetch belongs to no instruction, and is left out.
    """
    rest: list[Events] = []
    for events in chunks:
        fetches = np.flatnonzero(events.kinds == FETCHED)
        if len(fetches) and (rest or len(fetches) > 1):
            last = int(fetches[-1])
            whole = joined([*rest, chosen(events, slice(0 if rest else int(fetches[0]), last))])
            yield whole, int(events.addresses[last])
            rest = [chosen(events, slice(last, None))]
        elif len(fetches):
            rest = [chosen(events, slice(int(fetches[0]), None))]
        elif rest:
            rest.append(events)
    if rest:
        yield joined(rest), None
