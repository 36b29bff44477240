"""Simulating a memory system on traces of any length, read in chunks, and the references that miss."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain

import numpy as np

from cache_sim.config import POLICIES, ConfigurationError, MemorySystem
from cache_sim.native.cache import ADDRESS_BITS
from cache_sim.native.code import Code
from cache_sim.native.simulate import Simulator as CompiledSimulator
from cache_sim.native.simulate import SweepSimulator
from cache_sim.priorities import sweep_by
from cache_sim.reference import COMPILED_FROM, Simulator
from cache_sim.results import Results
from cache_sim.sweeps import Grid, Swept
from cache_sim.trace import TraceError
from cache_sim.traces.formats.references import between_flushes, chosen, references, trace_from
from cache_sim.traces.regeneration import Events

# ----------------------------------------------------------------------------------------------------------------------
# Simulating a memory system on traces that are read in chunks, of any length.


MOST_BITS = 62  # of addresses that compiled simulators take


def simulate_events(system: MemorySystem, opened: Callable[[], Iterable[Events]]) -> Results:
    """Return what happens when references go through a memory system that is empty at first.

    `opened` begins a trace.  The compiled simulator does not take high addresses: if one comes when it is at work already, the
    trace is begun anew.
    """
    simulator: CompiledSimulator | None = None
    waiting: list[Events] = []
    gathered = 0
    chunks = filter(len, opened())
    for events in chunks:
        if not can_be_compiled(system, events):
            rest = chain(waiting, [events], chunks) if simulator is None else opened()
            return _simulate_plainly(system, rest)
        waiting.append(events)
        gathered += len(events)
        if simulator is None and gathered >= COMPILED_FROM:
            simulator = CompiledSimulator(system)
        if simulator is not None:
            for part in waiting:
                _run_with_flushes(simulator, part)
            waiting = []
    return simulator.results() if simulator is not None else _simulate_plainly(system, waiting)


def sweep_events(grid: Grid, chunks: Iterable[Events]) -> Swept:
    """Return what happens when references go through all caches of a grid, which are empty at first.

    Raises TraceError for addresses that such simulators do not take.
    """
    simulator = SweepSimulator(grid)
    bits = ADDRESS_BITS if grid.full else MOST_BITS
    for events in _references(chunks):
        if _end(events) > 1 << bits:
            raise TraceError(f"an address of more than {bits} bits, which this sweep does not take")
        _run(simulator, events)
    return simulator.swept()


def sweep_plainly(grid: Grid, opened: Callable[[], Iterable[Events]], policy: str) -> tuple[Swept, Swept]:
    """Return the misses, and the lines written back, of all caches of a grid by a stack policy (`cache_sim.priorities`).

    Raises ConfigurationError for a grid with context switches, or with a sample of lines.
    """
    if grid.every or grid.rate < 1:
        what = "context switches" if grid.every else "a sample of lines"
        raise ConfigurationError(f"a sweep by a policy, or of lines written back, is one without {what}")
    system = grid.smallest
    kept = [reference for events in _references(opened()) for reference in trace_from(events)]
    return sweep_by(policy, grid, [(kind, address, size) for kind, address, size, _ in kept if system.sees(address)])


def _run_with_flushes(simulator: CompiledSimulator, events: Events) -> None:
    for number, part in enumerate(between_flushes(events)):
        if number:
            simulator.flush()
        _run(simulator, part)


def _run(simulator: CompiledSimulator, events: Events) -> None:
    columns = (np.ascontiguousarray(column) for column in (events.kinds, events.addresses, events.sizes))
    simulator.run_columns(*columns)


def can_be_compiled(system: MemorySystem, events: Events) -> bool:
    """True if the compiled simulator takes references: see `cache_sim.reference.can_be_compiled`."""
    known = all(cache.policy in POLICIES for cache in system.caches)
    return known and _end(events) < 1 << (ADDRESS_BITS if system.causes else MOST_BITS)


def _end(events: Events) -> int:
    """Return at least the end of what is referred to highest."""
    return int(events.addresses.max()) + int(events.sizes.max())


def _references(chunks: Iterable[Events]) -> Iterator[Events]:
    return filter(len, map(references, chunks))


def _simulate_plainly(system: MemorySystem, chunks: Iterable[Events]) -> Results:
    simulator = Simulator(system)
    for events in chunks:
        for number, part in enumerate(between_flushes(events)):
            if number:
                simulator.flush()
            for reference in trace_from(part) if len(part) else ():
                simulator.refer(*reference)
    return simulator.results()


# ----------------------------------------------------------------------------------------------------------------------
# The references that miss in a memory system: a filtered trace.
#
# After a direct-mapped cache that is never emptied, the misses of each larger LRU cache with the same line are exact: what
# hits there is the line last used in its set, and so it is in each cache whose sets are those, or parts of them (Puzak,
# *Analysis of Cache Replacement-Algorithms*, 1985).


class MissFilter(CompiledSimulator):
    """A memory system that says of each reference whether it misses in the first level."""

    def note(self, code: Code, number: str, misses: str) -> None:
        """Put it where the reference's site was, which has been read."""
        code.store("i64", code.at("%sites", number, "i64"), misses)

    def missing(self, events: Events) -> Events:
        """Return those references that miss, the next ones after those before."""
        kinds = np.ascontiguousarray(events.kinds)
        addresses, sizes = np.ascontiguousarray(events.addresses), np.maximum(events.sizes, np.uint64(1))
        missed = np.zeros(len(events), np.uint64)
        self._run(len(events), *(column.ctypes.data for column in (kinds, addresses, sizes, missed)))
        return chosen(events, missed > 0)


def filtered(chunks: Iterable[Events], system: MemorySystem) -> Iterator[Events]:
    """Yield the references that miss in the first level of a memory system.

    Raises TraceError for references, or a replacement policy, that compiled simulators do not take.
    """
    simulator = MissFilter(system)
    for events in filter(len, map(references, chunks)):
        if not can_be_compiled(system, events):
            raise TraceError("a filter cannot have causes of misses, a policy of one's own, or addresses of more than 61 bits")
        yield simulator.missing(events)
