"""Simulate a memory system plainly, one reference at a time: the definition of what a `MemorySystem` does.

Nothing here is fast.  Whatever is has to come to the same results, number by number.
"""

from __future__ import annotations

from collections import Counter

from cache_sim.config import Cache, MemorySystem
from cache_sim.levels import Below, Level, Memory, Tlb, kinds
from cache_sim.results import Kind, Results, Traffic


class Simulator:
    """Sends references through a memory system; it can be an observer of a program's references.

    A reference to `size` bytes (at least 1) touches each line, and page, in which it has bytes.  `site` is any number that
    says where in the program it was made.
    """

    def __init__(self, system: MemorySystem) -> None:
        self.system = system
        self.instructions = 0
        self.references: Counter[Kind] = Counter()
        self.switches = 0
        self.memory = Memory()
        self.levels: dict[Cache, Tlb | Level] = {}  # what is the same object for instructions and data is one level
        below: Below = self.memory
        if system.second:
            self.levels[system.second] = below = Level(system.second, self.memory, system.causes)
        for cache in filter(None, (system.instruction, system.data)):
            self.levels.setdefault(cache, Level(cache, below, system.causes))
        for tlb in filter(None, (system.instruction_tlb, system.data_tlb)):
            self.levels.setdefault(tlb, Tlb(tlb))
        self._since_switch = 0  # units of work, or instructions

    def fetch(self, address: int, size: int, site: int = 0) -> None:
        """Fetch an instruction."""
        switch = self.system.switch
        if switch and switch.unit == "instructions":
            if self._since_switch == switch.every:
                self._switch()
            self._since_switch += 1
        self.instructions += 1
        self._refer(self.system.instruction_tlb, self.system.instruction, Kind.FETCH, address, size, site)

    def read(self, address: int, size: int, site: int = 0) -> None:
        """Read data."""
        self._refer(self.system.data_tlb, self.system.data, Kind.READ, address, size, site)

    def write(self, address: int, size: int, site: int = 0) -> None:
        """Write data."""
        self._refer(self.system.data_tlb, self.system.data, Kind.WRITE, address, size, site)

    def data(self, address: int, size: int, write: bool) -> None:
        """Read or write data (an observer's method)."""
        (self.write if write else self.read)(address, size)

    def refer(self, kind: Kind, address: int, size: int, site: int = 0) -> None:
        """Fetch, read or write."""
        (self.read, self.write, self.fetch)[kind](address, size, site)

    def flush(self) -> None:
        """Empty all caches and TLBs, as a context switch does, and count it as one."""
        self._switch()

    def results(self) -> Results:
        """Return what happened so far."""
        return Results(
            self.system,
            self.instructions,
            kinds(self.references),
            tuple(self.levels[cache].results() for cache in self.system.caches),
            Traffic(self.memory.reads, self.memory.writes),
            self.switches,
        )

    def _refer(self, tlb: Cache | None, cache: Cache | None, kind: Kind, address: int, size: int, site: int) -> None:
        """Touch pages, then lines; then see whether it is time for a context switch."""
        if tlb is None and cache is None:
            return
        self.references[kind] += 1
        if tlb:
            self._touch(tlb, kind, address, size, site)
        misses = self._touch(cache, kind, address, size, site) if cache else 0
        switch = self.system.switch
        if switch and switch.unit == "work":
            self._since_switch += switch.hit + misses * (switch.miss - switch.hit)
            if self._since_switch >= switch.every:
                self._switch()

    def _touch(self, cache: Cache, kind: Kind, address: int, size: int, site: int) -> int:
        """Access each line that a reference touches; return how many were absent."""
        if size < 1:
            raise ValueError(f"a reference to {size} bytes")
        first, last = address // cache.line, (address + size - 1) // cache.line
        hits = [self.levels[cache].access(line * cache.line, kind, site) for line in range(first, last + 1)]
        return hits.count(False)

    def _switch(self) -> None:
        for level in self.levels.values():
            level.empty()
        self.switches += 1
        self._since_switch = 0
