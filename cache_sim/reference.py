"""Simulate a memory system plainly, one reference at a time: the definition of a `MemorySystem`; with a clock, too."""

from __future__ import annotations

from collections import Counter, deque

from cache_sim.config import POLICIES, Cache, Delays, MemorySystem
from cache_sim.levels import Below, Level, Memory, Tlb, kinds
from cache_sim.results import Kind, Results, Traffic
from cache_sim.trace import Trace

# ----------------------------------------------------------------------------------------------------------------------
# Simulate a memory system plainly, one reference at a time: the definition of what a `MemorySystem` does.
#
# Nothing here is fast.  Whatever is has to come to the same results, number by number.


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
        if not self.system.sees(address):
            return
        switch = self.system.switch
        if switch and switch.unit == "instructions":
            if self._since_switch == switch.every:
                self._switch()
            self._since_switch += 1
        self.instructions += 1
        self._refer(self.system.instruction_tlb, self.system.instruction, Kind.FETCH, address, size, site)

    def read(self, address: int, size: int, site: int = 0) -> None:
        """Read data."""
        if self.system.sees(address):
            self._refer(self.system.data_tlb, self.system.data, Kind.READ, address, size, site)

    def write(self, address: int, size: int, site: int = 0) -> None:
        """Write data."""
        if self.system.sees(address):
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


# ----------------------------------------------------------------------------------------------------------------------
# The plain simulator with a clock: how long the processor waits for memory, reference by reference.
#
# Whoever drives it says when time passes.  There is one bus, which does one thing after the other:
#
# * A line that is missed is asked for when the bus is free; the processor waits until it, or its first word, is there.
# * Words that are written go into buffers if there are any.  Each keeps its buffer until the bus has written it, and the
# processor waits only for a free buffer; the write is given to the buffers before its line is looked up.  Without buffers the
#   processor waits for each write.
# * A line that is prefetched follows on the bus behind the one that was missed, and nobody waits for it.
#
# Only with buffers does the bus work while the processor does; else each miss and each write simply adds its cycles.


class TimedSimulator(Simulator):
    """Sends references through a memory system that has delays, and counts the cycles that they are waited for.

    `fills`: for lines, by site; `waits`: for writes, by site; `pages`: for pages, by site; `victims`: for lines that are
    written back; `full`: how often all buffers were in use.
    """

    def __init__(self, system: MemorySystem) -> None:
        super().__init__(system)
        self.delays = system.delays or Delays()
        self.now = self.free = 0  # cycles; when the bus has done all that it was asked
        self.writing: deque[int] = deque([0] * self.delays.buffers)  # when each buffer is free, the oldest first
        self.fills: Counter[int] = Counter()
        self.waits: Counter[int] = Counter()
        self.pages: Counter[int] = Counter()
        self.victims = self.full = 0

    def advance(self, cycles: int) -> None:
        """Let time pass."""
        self.now += cycles

    def _refer(self, tlb: Cache | None, cache: Cache | None, kind: Kind, address: int, size: int, site: int) -> None:
        if kind is Kind.WRITE and cache and self.delays.buffers:
            self._buffer(size, site)
        before = self._counts(tlb, cache)
        super()._refer(tlb, cache, kind, address, size, site)
        pages, missed, prefetched, beneath, victims = (
            new - old for new, old in zip(self._counts(tlb, cache), before, strict=True)
        )
        self.pages[site] += pages * self.delays.tlb
        if not cache:
            return
        if kind is not Kind.WRITE or cache.allocate:
            self._fill(cache, missed, prefetched, site)
        self.fills[site] += beneath * self.delays.wait(self.system.second.line) if self.system.second else 0
        if not self.delays.buffers:
            self._write(cache, kind, missed, size, site)
            last = self.system.second or cache
            self.victims += victims * self.delays.words(last.line) * self.delays.write

    def _counts(self, tlb: Cache | None, cache: Cache | None) -> tuple[int, int, int, int, int]:
        """Return misses of a TLB and a cache, lines prefetched, misses of the second level, lines written back to memory."""
        pages = self.levels[tlb].tally.misses.total() if tlb else 0
        first, second = (self.levels[which] if which else None for which in (cache, self.system.second))
        missed = first.tally.misses.total() if first else 0
        prefetched = first.tally.prefetches if first else 0
        beneath = second.tally.misses.total() if second else 0
        last = [self.levels[which] for which in {self.system.second or self.system.data} if which]
        passed = sum(level.tally.passed for level in last if isinstance(level, Level))
        return pages, missed, prefetched, beneath, self.memory.writes - passed

    def _fill(self, cache: Cache, missed: int, prefetched: int, site: int) -> None:
        """Wait for lines that were missed."""
        if not missed:
            return
        if not self.delays.buffers:
            each = self.delays.second if self.system.second else self.delays.wait(cache.line)
            self.fills[site] += missed * each
            return
        line = self.delays.line(cache.line)
        start = max(self.now, self.free)
        resumed = start + (missed - 1) * line + self.delays.wait(cache.line)
        self.fills[site] += resumed - self.now
        self.now, self.free = resumed, start + (missed + prefetched) * line

    def _buffer(self, size: int, site: int) -> None:
        """Put the words of a write into buffers."""
        for _ in range(self.delays.words(size)):
            wait = max(self.writing[0] - self.now, 0)
            self.full += wait > 0
            self.waits[site] += wait
            self.now += wait
            self.free = max(self.free, self.now) + self.delays.write
            self.writing.popleft()
            self.writing.append(self.free)

    def _write(self, cache: Cache, kind: Kind, missed: int, size: int, site: int) -> None:
        """Wait for a write that goes to memory at once: every one, or those that miss."""
        if kind is not Kind.WRITE or self.system.second:
            return
        times = 1 if cache.write == "through" else 0 if cache.allocate else missed
        self.waits[site] += times * self.delays.words(size) * self.delays.write


# ----------------------------------------------------------------------------------------------------------------------
# Simulating a memory system on a whole trace, compiled where that pays.


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
