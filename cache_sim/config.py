"""What a simulated memory system is made of: frozen dataclasses that say nothing of how it is simulated.

`cache_sim.reference` is the definition of what they mean.
"""

from __future__ import annotations

from dataclasses import dataclass

POLICIES = ("lru", "fifo", "random", "plru")
WRITES = ("back", "through")
PREFETCHES = ("none", "next")
UNITS = ("work", "instructions")


@dataclass(frozen=True, slots=True)
class Cache:
    """One cache, or a TLB, whose lines are pages.

    `size` and `line` in bytes, powers of two; `ways` is a power of two, at most size / line.  `allocate`: whether a
    write that misses brings in the line.  `prefetch` 'next': a miss also brings in the next line.
    """

    name: str
    size: int
    line: int
    ways: int = 1
    policy: str = "lru"
    write: str = "back"
    allocate: bool = True
    prefetch: str = "none"

    @property
    def sets(self) -> int:
        """The number of sets."""
        return self.size // (self.line * self.ways)


@dataclass(frozen=True, slots=True)
class Switch:
    """A periodic context switch empties every cache and TLB.

    unit 'work': a reference costs `hit` units, and each line that it misses in a first-level cache `miss - hit` more;
    the reference with which the work since the last switch reaches `every` is the last before the next.  unit
    'instructions': when `every` instructions have been fetched since the last switch, the next fetch finds them empty.
    """

    every: int
    unit: str = "work"
    hit: int = 1
    miss: int = 10


@dataclass(frozen=True, slots=True)
class MemorySystem:
    """What references go through.  A unified cache is the same object as `instruction` and as `data`.

    `second` is a second level, behind all first-level caches there are; what is None is not simulated.
    """

    instruction: Cache | None = None
    data: Cache | None = None
    second: Cache | None = None
    instruction_tlb: Cache | None = None
    data_tlb: Cache | None = None
    switch: Switch | None = None
    causes: bool = False

    @property
    def unified(self) -> bool:
        """Whether instructions and data share the first level."""
        return self.instruction is not None and self.instruction == self.data

    @property
    def caches(self) -> tuple[Cache, ...]:
        """Every cache and TLB, each once: first level, second level, TLBs."""
        found = (self.instruction, self.data, self.second, self.instruction_tlb, self.data_tlb)
        return tuple(dict.fromkeys(cache for cache in found if cache is not None))
