"""Round robin in virtual time: each program in turn, as many instructions as a quantum has."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from cache_sim.traces.path_code import FETCHED
from cache_sim.traces.regeneration import Events
from cache_sim.traces.trace_file import TraceFile


class Process:
    """A program that runs, as its trace tells, turn by turn."""

    def __init__(self, trace: TraceFile) -> None:
        self._chunks = trace.events()
        self._events: Events | None = None
        self._fetches = np.empty(0, np.int64)  # where in the events instructions begin
        self._position = self._fetched = 0  # how many events, and instructions, of these are over

    def turn(self, quantum: int) -> Iterator[Events]:
        """Yield the references of the next instructions, so many of them, or fewer if the program ends; none if it has ended.

        References to data belong to the instruction that was fetched before them.
        """
        left = quantum
        while self._has_events():
            assert self._events is not None
            end, rest = len(self._events), len(self._fetches) - self._fetched
            if left < rest:
                end = int(self._fetches[self._fetched + left])
            if end > self._position:
                yield _part(self._events, self._position, end)
            self._position = end
            self._fetched += min(left, rest)
            if left < rest:
                return
            left -= rest

    def _has_events(self) -> bool:
        """Return whether there are more events, and get them."""
        while self._events is None or self._position == len(self._events):
            self._events = next(self._chunks, None)
            if self._events is None:
                return False
            self._fetches = np.flatnonzero(self._events.kinds == FETCHED)
            self._position = self._fetched = 0
        return True


def turns(processes: Sequence[Process], quantum: int) -> Iterator[tuple[int, Iterator[Events]]]:
    """Yield the number of a process, and what it refers to in its turn, until all have ended.

    The references of a turn are to be taken before the next turn; a turn without any is the end of its program.
    """
    running = list(range(len(processes)))
    while running:
        for number in list(running):
            references = processes[number].turn(quantum)
            first = next(references, None)
            if first is None:
                running.remove(number)
            else:
                yield number, _again(first, references)


def _again(first: Events, rest: Iterator[Events]) -> Iterator[Events]:
    yield first
    yield from rest


def _part(events: Events, start: int, end: int) -> Events:
    columns = (events.kinds, events.addresses, events.sizes, events.sites)
    return Events(*(column[start:end] for column in columns))
