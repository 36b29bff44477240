"""Simulating a memory system on a whole trace, compiled where that pays."""

from __future__ import annotations

from cache_sim.config import POLICIES, MemorySystem
from cache_sim.reference import Simulator
from cache_sim.results import Results
from cache_sim.trace import Trace

COMPILED_FROM = 20_000  # references: fewer are simulated in the time that compiling takes
MOST_SITES = 1 << 20  # compiled simulators have a counter for each


def simulate(system: MemorySystem, trace: Trace) -> Results:
    """Return what happens when the references of a trace go through a memory system that is empty at first."""
    if len(trace) < COMPILED_FROM or not can_be_compiled(system, trace):
        return simulate_plainly(system, trace)
    from cache_sim.native.simulate import Simulator as CompiledSimulator  # with NumPy, which few who import this need

    simulator = CompiledSimulator(system, _sites(trace))
    simulator.run(trace)
    return simulator.results()


def simulate_plainly(system: MemorySystem, trace: Trace) -> Results:
    """Return the same from the plain simulator."""
    simulator = Simulator(system)
    for reference in trace:
        simulator.refer(*reference)
    return simulator.results()


def can_be_compiled(system: MemorySystem, trace: Trace) -> bool:
    """True if the compiled simulator takes a system and trace: it has no users' policies, and its words are limited.

    Numbers of lines need room for one more bit, and causes need a table of all 32-bit addresses.
    """
    highest = max(trace.addresses, default=0) + max(trace.sizes, default=0)
    known = all(cache.policy in POLICIES for cache in system.caches)
    return known and highest < 1 << (32 if system.causes else 62) and _sites(trace) <= MOST_SITES


def _sites(trace: Trace) -> int:
    return max(trace.sites, default=0) + 1
