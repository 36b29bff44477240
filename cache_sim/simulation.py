"""Simulating a memory system on a whole trace."""

from __future__ import annotations

from cache_sim.config import MemorySystem
from cache_sim.reference import Simulator
from cache_sim.results import Results
from cache_sim.trace import Trace


def simulate(system: MemorySystem, trace: Trace) -> Results:
    """Return what happens when the references of a trace go through a memory system that is empty at first."""
    simulator = Simulator(system)
    for reference in trace:
        simulator.refer(*reference)
    return simulator.results()
