"""Simulating a memory system on traces that are read in chunks, of any length."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain

import numpy as np

from cache_sim.config import POLICIES, MemorySystem
from cache_sim.native.simulate import Simulator as CompiledSimulator
from cache_sim.reference import Simulator
from cache_sim.results import Results
from cache_sim.simulation import COMPILED_FROM
from cache_sim.traces.formats.references import references, trace_from
from cache_sim.traces.regeneration import Events


def simulate_events(system: MemorySystem, opened: Callable[[], Iterable[Events]]) -> Results:
    """Return what happens when references go through a memory system that is empty at first.

    `opened` begins a trace.  The compiled simulator does not take high addresses: if one comes when it is at work already, the
    trace is begun anew.
    """
    simulator: CompiledSimulator | None = None
    waiting: list[Events] = []
    gathered = 0
    chunks = _references(opened())
    for events in chunks:
        if not can_be_compiled(system, events):
            rest = chain(waiting, [events], chunks) if simulator is None else _references(opened())
            return _simulate_plainly(system, rest)
        waiting.append(events)
        gathered += len(events)
        if simulator is None and gathered >= COMPILED_FROM:
            simulator = CompiledSimulator(system)
        if simulator is not None:
            for part in waiting:
                columns = (np.ascontiguousarray(column) for column in (part.kinds, part.addresses, part.sizes))
                simulator.run_columns(*columns)
            waiting = []
    return simulator.results() if simulator is not None else _simulate_plainly(system, waiting)


def can_be_compiled(system: MemorySystem, events: Events) -> bool:
    """True if the compiled simulator takes references: see `cache_sim.simulation.can_be_compiled`."""
    highest = int(events.addresses.max()) + int(events.sizes.max())
    return all(cache.policy in POLICIES for cache in system.caches) and highest < 1 << (32 if system.causes else 62)


def _references(chunks: Iterable[Events]) -> Iterator[Events]:
    return filter(len, map(references, chunks))


def _simulate_plainly(system: MemorySystem, chunks: Iterable[Events]) -> Results:
    simulator = Simulator(system)
    for events in chunks:
        for reference in trace_from(events):
            simulator.refer(*reference)
    return simulator.results()
