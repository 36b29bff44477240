"""The plain simulator with a clock: how long the processor waits for memory, reference by reference.

Whoever drives it says when time passes.  There is one bus, which does one thing after the other:

* A line that is missed is asked for when the bus is free; the processor waits until it, or its first word, is there.
* Words that are written go into buffers if there are any.  Each keeps its buffer until the bus has written it, and the
  processor waits only for a free buffer; the write is given to the buffers before its line is looked up.  Without buffers the
  processor waits for each write.
* A line that is prefetched follows on the bus behind the one that was missed, and nobody waits for it.

Only with buffers does the bus work while the processor does; else each miss and each write simply adds its cycles.
"""

from __future__ import annotations

from collections import Counter, deque

from cache_sim.config import Cache, Delays, MemorySystem
from cache_sim.levels import Level
from cache_sim.reference import Simulator
from cache_sim.results import Kind


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
