"""Traces of several programs as one: they run in turn, each in an address space of its own."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from cache_sim.trace import TraceError
from cache_sim.traces.formats.references import chosen, joined, references
from cache_sim.traces.regeneration import FETCHED, Events

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
