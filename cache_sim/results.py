"""The results of a simulation: frozen dataclasses of integers, which add; ratios are properties."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import astuple, dataclass, field, replace
from enum import IntEnum

from cache_sim.config import Cache, MemorySystem, Switch


class Kind(IntEnum):
    """Why memory is referred to; the numbers are those of `din` text."""

    READ = 0
    WRITE = 1
    FETCH = 2


@dataclass(frozen=True, slots=True)
class Kinds:
    """A number for each kind of reference."""

    fetch: int = 0
    read: int = 0
    write: int = 0

    def __add__(self, other: Kinds) -> Kinds:
        return Kinds(self.fetch + other.fetch, self.read + other.read, self.write + other.write)

    @property
    def total(self) -> int:
        """The sum."""
        return self.fetch + self.read + self.write


@dataclass(frozen=True, slots=True)
class Causes:
    """A number of misses for each cause; `cache_sim.levels` defines them."""

    compulsory: int = 0
    capacity: int = 0
    conflict: int = 0
    switch: int = 0

    def __add__(self, other: Causes) -> Causes:
        return Causes(*(mine + theirs for mine, theirs in zip(astuple(self), astuple(other), strict=True)))

    @property
    def total(self) -> int:
        """The sum."""
        return self.compulsory + self.capacity + self.conflict + self.switch


@dataclass(frozen=True, slots=True)
class CacheResults:
    """What happened in one cache or TLB.

    `accesses`: lines looked up; a reference that straddles lines is several.  `sites`: misses by site, of those with any.
    `causes`: misses by cause, None if nobody asked (and for TLBs).  `writebacks`: dirty lines that went.  `prefetches`:
    lines brought in without a miss.  `passed`: writes passed on to the next level, because the cache writes through or does
    not allocate.
    """

    cache: Cache
    accesses: Kinds = Kinds()
    misses: Kinds = Kinds()
    sites: Mapping[int, int] = field(default_factory=dict)
    causes: Causes | None = None
    writebacks: int = 0
    prefetches: int = 0
    passed: int = 0

    def __add__(self, other: CacheResults) -> CacheResults:
        """Put the results of two runs together.

        Raises ValueError for different caches.
        """
        if self.cache != other.cache:
            raise ValueError(f"results of different caches do not add: {self.cache.name}, {other.cache.name}")
        return CacheResults(
            self.cache,
            self.accesses + other.accesses,
            self.misses + other.misses,
            _add_sites(self.sites, other.sites),
            None if self.causes is None or other.causes is None else self.causes + other.causes,
            self.writebacks + other.writebacks,
            self.prefetches + other.prefetches,
            self.passed + other.passed,
        )

    @property
    def hits(self) -> int:
        """Accesses that found their line."""
        return self.accesses.total - self.misses.total

    @property
    def hit_ratio(self) -> float:
        """Hits in accesses; 1 if there was no access."""
        return 1 - self.miss_ratio

    @property
    def miss_ratio(self) -> float:
        """Misses in accesses; 0 if there was no access."""
        return self.misses.total / self.accesses.total if self.accesses.total else 0.0


@dataclass(frozen=True, slots=True)
class Traffic:
    """Lines (of the cache above) that memory was asked for, and writes that it got."""

    reads: int = 0
    writes: int = 0

    def __add__(self, other: Traffic) -> Traffic:
        return Traffic(self.reads + other.reads, self.writes + other.writes)


@dataclass(frozen=True, slots=True)
class Results:
    """What happened in a memory system.

    `instructions`: all instructions fetched.  `references`: references on sides (instructions, data) that have a cache or
    TLB.  `caches`: in the order of `system.caches`.  `memory`: what came out below the last level.
    """

    system: MemorySystem
    instructions: int = 0
    references: Kinds = Kinds()
    caches: tuple[CacheResults, ...] = ()
    memory: Traffic = Traffic()
    switches: int = 0

    def __getitem__(self, name: str) -> CacheResults:
        for results in self.caches:
            if results.cache.name == name:
                return results
        raise KeyError(name)

    def __add__(self, other: Results) -> Results:
        """Put two runs together.

        Raises ValueError for different systems.
        """
        if self.system != other.system:
            raise ValueError("results of different memory systems do not add")
        return Results(
            self.system,
            self.instructions + other.instructions,
            self.references + other.references,
            tuple(mine + theirs for mine, theirs in zip(self.caches, other.caches, strict=True)),
            self.memory + other.memory,
            self.switches + other.switches,
        )

    def without_sites(self) -> Results:
        """Return the same without misses by site, which mean something only for one program."""
        return replace(self, caches=tuple(replace(cache, sites={}) for cache in self.caches))

    @property
    def work(self) -> int:
        """The work of all references: `hit` units each, and `miss - hit` more for each miss in a first-level cache."""
        switch = self.system.switch or Switch(every=1)
        first = {self.system.instruction, self.system.data}
        misses = sum(results.misses.total for results in self.caches if results.cache in first)
        return self.references.total * switch.hit + misses * (switch.miss - switch.hit)

    def misses_per_thousand_instructions(self, name: str) -> float:
        """Return the MPKI of a cache; 0 if no instruction was fetched.

        Raises KeyError if there is no cache of the name.
        """
        return 1000 * self[name].misses.total / self.instructions if self.instructions else 0.0


def _add_sites(mine: Mapping[int, int], theirs: Mapping[int, int]) -> dict[int, int]:
    return {site: mine.get(site, 0) + theirs.get(site, 0) for site in sorted({*mine, *theirs})}


@dataclass(frozen=True, slots=True)
class History:
    """Results up to moments, each from the start of the run, without sites; the last is the end.

    `every`: instructions between moments, 0: moments are context switches.  `stride`: which part of them was kept: each,
    every second, fourth, ...
    """

    every: int
    stride: int
    moments: tuple[Results, ...]
