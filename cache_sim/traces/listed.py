"""Traces that are lists of events: of other tools, filtered ones, and those of several programs as one."""

from __future__ import annotations

import struct
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import IO, TYPE_CHECKING, Any

import numpy as np

from cache_sim.trace import TraceError
from cache_sim.traces.container import MAGIC, TraceDamaged, json_section, section
from cache_sim.traces.formats.references import chosen, joined, references
from cache_sim.traces.regeneration import FETCHED, Events, Words

if TYPE_CHECKING:
    from cache_sim.traces.reader import Streams


# ----------------------------------------------------------------------------------------------------------------------
# Traces that are lists of events: of other tools, and filtered ones, which no path tells.


Facts = Mapping[str, Any]
PIECE = 1 << 18  # events of a section at most
_COUNT = struct.Struct("<II")  # number, events
_TYPES = (("kinds", "u1"), ("sizes", "<u4"), ("sites", "<u4"), ("addresses", "<u8"))  # columns in the file


def write_list(
    chunks: Iterable[Events], out: IO[bytes], facts: dict[str, Any], static: bytes = b"{}", end: Callable[[], Facts] = dict
) -> None:
    """Write a whole trace of this form.

    `facts` are those of its head, `static` the content of its section `SITE`; `end` is asked, when there are no more chunks,
    how the run ended.
    """
    out.write(MAGIC + json_section("HEAD", {"bits": 64, "data": True, **facts, "form": "list"}))
    out.write(section("SITE", static) + section("BODY", b""))
    fetched = number = 0
    for events in chunks:
        for first in range(0, len(events), PIECE):
            columns = (getattr(events, name)[first : first + PIECE] for name in ("kinds", "addresses", "sizes", "sites"))
            out.write(events_section(number, Events(*columns)))
            number += 1
        fetched += int(np.count_nonzero(events.kinds == FETCHED))
    out.write(json_section("DONE", {"status": 0, **end(), "instructions": fetched, "chunks": number}))


def events_section(number: int, events: Events) -> bytes:
    """Return a numbered list of events as it is in a file; addresses are differences to the one before of that kind."""
    columns = {name: getattr(events, name).astype(type_) for name, type_ in _TYPES}
    columns["addresses"] = _differences(events.kinds, events.addresses)
    return section("LIST", _COUNT.pack(number, len(events)) + b"".join(columns[name].tobytes() for name, _ in _TYPES))


def _differences(kinds: Words, addresses: Words) -> Words:
    result = addresses.astype("<u8")
    for kind in np.unique(kinds):
        at = np.flatnonzero(kinds == kind)
        result[at[1:]] = addresses[at[1:]] - addresses[at[:-1]]
    return result


def read_events(content: bytes, number: int) -> Events:
    """Return the list of events that a section holds, which must have this number.

    Raises TraceDamaged.
    """
    width = sum(np.dtype(type_).itemsize for _, type_ in _TYPES)
    if len(content) < _COUNT.size or len(content) != _COUNT.size + width * _COUNT.unpack_from(content)[1]:
        raise TraceDamaged("a list of events has another size than it says")
    (found, count), at = _COUNT.unpack_from(content), _COUNT.size
    if found != number:
        raise TraceDamaged(f"chunk {number} is missing")
    columns: dict[str, Words] = {}
    for name, type_ in _TYPES:
        columns[name] = np.frombuffer(content, type_, count, at)
        at += count * np.dtype(type_).itemsize
    addresses = columns["addresses"].astype(np.uint64)
    for kind in np.unique(columns["kinds"]):
        which = np.flatnonzero(columns["kinds"] == kind)
        addresses[which] = np.cumsum(addresses[which], dtype=np.uint64)
    wide = (columns[name].astype(np.uint64) for name in ("sizes", "sites"))
    sizes, sites = wide
    return Events(columns["kinds"].copy(), addresses, sizes, sites)


def listed_events(streams: Streams, wanted: int, start: int, stop: int) -> Iterator[Events]:
    """Yield the events of the kinds that `wanted` has a bit for, from the fetch of one number up to that of another."""
    fetched = 0
    for number, content in enumerate(streams.contents("LIST")):
        events = read_events(content, number)
        numbers = fetched + np.cumsum(events.kinds == FETCHED)
        fetched = int(numbers[-1]) if len(numbers) else fetched
        chosen = (wanted >> events.kinds.astype(np.int64) & 1).astype(bool)
        if start or fetched > stop:
            chosen &= (numbers > start) & (numbers <= stop)
        if chosen.any():
            yield Events(*(getattr(events, name)[chosen] for name in ("kinds", "addresses", "sizes", "sites")))


# ----------------------------------------------------------------------------------------------------------------------
# Traces of several programs as one: they run in turn, each in an address space of its own.


PROCESS_BIT = 48  # the number of a process stands in an address from this bit on
AT_ONCE = 1 << 16  # references


class Process:
    """A trace that is read as its turns come; `whole`: other events than references stay, and do not count.

    Raises TraceError for addresses that leave no room for the number of a process.
    """

    def __init__(self, chunks: Iterable[Events], number: int, whole: bool = False) -> None:
        self.chunks, self.number, self.whole = iter(chunks), number, whole
        self.rest: Events | None = None

    def turn(self, quantum: int, instructions: bool) -> list[Events]:
        """Return the next references, `quantum` of them, or those of so many instructions; none at the end."""
        parts: list[Events] = []
        left = quantum
        while events := self._available():
            end = left
            if instructions:
                fetches = np.flatnonzero(events.kinds == FETCHED)
                end = int(fetches[left]) if left < len(fetches) else len(events)
                left -= min(left, len(fetches))
            else:
                left -= min(left, len(events))
            if end:
                parts.append(chosen(events, slice(0, end)))
            self.rest = chosen(events, slice(end, None)) if end < len(events) else None
            if self.rest is not None or not (left or instructions):
                break
        return parts

    def _available(self) -> Events | None:
        """Return references that no turn has had yet."""
        while self.rest is None:
            found = next(self.chunks, None)
            if found is None:
                return None
            events = found if self.whole else references(found)
            if not len(events):
                continue
            if int(events.addresses.max()) >> PROCESS_BIT:
                raise TraceError(f"an address of more than {PROCESS_BIT} bits: such traces cannot be merged")
            addresses = events.addresses | np.uint64(self.number << PROCESS_BIT)
            self.rest = Events(events.kinds, addresses, events.sizes, events.sites)
        return self.rest


def merged(traces: Sequence[Iterable[Events]], quantum: int, instructions: bool = False) -> Iterator[Events]:
    """Yield the references of traces in turn, `quantum` references, or instructions, at a time, until all have ended."""
    waiting = deque(Process(chunks, number) for number, chunks in enumerate(traces))
    parts: list[Events] = []
    gathered = 0
    while waiting:
        process = waiting.popleft()
        if found := process.turn(quantum, instructions):
            waiting.append(process)
            parts += found
            gathered += sum(map(len, found))
        if parts and (gathered >= AT_ONCE or not waiting):
            yield joined(parts)
            parts, gathered = [], 0
