"""The cache trace of IDtrace (Pierce and Mudge, 1994): an entry for each line of instructions that a basic block touches.

IDtrace wrote the lines of a block before its references to data.  That makes no difference to separate caches; it makes one
to a unified cache, where a reference may throw out a line that the block comes to later (`tests/traces/test_coarse.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from cache_sim.traces.formats.references import chosen, joined
from cache_sim.traces.regeneration import BLOCK, FETCHED, Events, Words


def coarse(chunks: Iterable[Events]) -> Iterator[Events]:
    """Yield events in another order: in each block all fetches, then all references to data, and the others.

    A block begins at an event of its kind, and at a fetch from elsewhere than behind the one before.
    """
    for events, blocks in _by_blocks(chunks):
        late = np.where(events.kinds == BLOCK, 0, np.where(events.kinds == FETCHED, 1, 2))
        yield chosen(events, np.lexsort([late, blocks]))


def by_lines(chunks: Iterable[Events], size: int) -> Iterator[Events]:
    """Yield events with a fetch of a whole line for those of a block from it; `size` is that of lines in bytes."""
    line_size = np.uint64(size)
    for events, blocks in _by_blocks(chunks):
        fetched = events.kinds == FETCHED
        first = events.addresses // line_size
        last = (events.addresses + np.maximum(events.sizes, np.uint64(1)) - np.uint64(1)) // line_size
        touched = np.where(fetched, last - first + np.uint64(1), np.uint64(1)).astype(np.int64)
        source = np.repeat(np.arange(len(events)), touched)
        nth = np.arange(len(source)) - np.repeat(np.cumsum(touched) - touched, touched)
        lines, of_code = first[source] + nth.astype(np.uint64), fetched[source]
        keep = ~of_code
        at = np.flatnonzero(of_code)
        keep[at] = _changes(lines[at]) | _changes(blocks[source][at])
        entries = Events(
            events.kinds[source], np.where(of_code, lines * line_size, events.addresses[source]),
            np.where(of_code, line_size, events.sizes[source]), events.sites[source],
        )  # fmt: skip
        yield chosen(entries, keep)


def _by_blocks(chunks: Iterable[Events]) -> Iterator[tuple[Events, Words]]:
    """Yield the events of whole blocks, and the number of the block of each, ascending."""
    rest: list[Events] = []
    for chunk in chunks:
        events = joined([*rest, chunk])
        blocks = _blocks(events)
        begun = blocks == blocks[-1] if len(blocks) else blocks
        rest = [chosen(events, begun)]
        yield chosen(events, ~begun), blocks[~begun]
    if rest:
        yield rest[0], np.zeros(len(rest[0]), np.int64)


def _blocks(events: Events) -> Words:
    """Return the number of the block of each event."""
    begins = events.kinds == BLOCK
    fetches = np.flatnonzero(events.kinds == FETCHED)
    ends = events.addresses[fetches] + events.sizes[fetches]
    begins[fetches[1:][events.addresses[fetches[1:]] != ends[:-1]]] = True
    numbers: Words = np.cumsum(begins)
    return numbers


def _changes(values: Words) -> Words:
    """Return for each value whether it is another one than the one before; the first is."""
    result: Words = np.ones(len(values), bool)
    result[1:] = values[1:] != values[:-1]
    return result
