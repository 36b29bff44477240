"""Round robin in virtual time: each program in turn, as many instructions as a quantum has."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cache_sim.traces.merging import Process
from cache_sim.traces.regeneration import Events
from cache_sim.traces.trace_file import REFERENCES, TraceFile

LONGEST = 1 << 20  # instructions that are read at once of a program that runs alone


def turns(traces: Sequence[TraceFile], quantum: int, branches: bool = False) -> Iterator[tuple[int, Sequence[Events]]]:
    """Yield the number of a program, and what it refers to in its turn, until all have ended; `branches`: these, too.

    Addresses have the number of the program above those of its own.  A program that is the only one left has as many turns as
    it likes.
    """
    kinds = (*REFERENCES, "branch") if branches else REFERENCES
    running = [Process(trace.events(kinds), number, branches) for number, trace in enumerate(traces)]
    while running:
        for process in list(running):
            length = quantum if len(running) > 1 else LONGEST
            if references := process.turn(length, instructions=True):
                yield process.number, references
            else:
                running.remove(process)
