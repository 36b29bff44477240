"""The parts of the plain simulator: memory, TLBs and caches, each with its counts."""

from __future__ import annotations

from collections import Counter, defaultdict
from enum import Enum
from typing import Protocol

from cache_sim import policies
from cache_sim.config import Cache
from cache_sim.results import CacheResults, Causes, Kind, Kinds

# ----------------------------------------------------------------------------------------------------------------------
# Why a cache misses (Hill's three Cs, and context switches).


class Cause(Enum):
    """The first that applies: the cache was never asked for the line; not since the last context switch; it would not
    be in a fully associative LRU cache of the same size either; it would.
    """

    COMPULSORY = "compulsory"
    SWITCH = "switch"
    CAPACITY = "capacity"
    CONFLICT = "conflict"


class CauseFinder:
    """Follows the accesses of a cache of so many lines, with a fully associative LRU cache beside it."""

    def __init__(self, lines: int) -> None:
        self.lines = lines
        self.ever: set[int] = set()
        self.since_switch: set[int] = set()
        self.associative: dict[int, None] = {}  # in the order of use: the last used is last

    def ask(self, line: int, enters: bool) -> Cause:
        """Return the cause of a miss, if this access is one, and remember the access.

        `enters`: whether the line is brought in if it is absent (a write may not allocate).
        """
        cause = self._cause(line)
        self.ever.add(line)
        self.since_switch.add(line)
        if line in self.associative or enters:
            self.associative.pop(line, None)
            self.associative[line] = None
            if len(self.associative) > self.lines:
                del self.associative[next(iter(self.associative))]
        return cause

    def switch(self) -> None:
        """Empty the cache."""
        self.since_switch.clear()
        self.associative.clear()

    def _cause(self, line: int) -> Cause:
        if line not in self.ever:
            return Cause.COMPULSORY
        if line not in self.since_switch:
            return Cause.SWITCH
        return Cause.CONFLICT if line in self.associative else Cause.CAPACITY


# ----------------------------------------------------------------------------------------------------------------------


class Below(Protocol):
    """The next level, as a cache sees it."""

    def access(self, address: int, kind: Kind, site: int) -> object:
        """Read or write the line (of the cache above) that begins at an address."""
        ...


class Memory:
    """The last level, where everything is."""

    def __init__(self) -> None:
        self.reads = self.writes = 0

    def access(self, address: int, kind: Kind, site: int) -> None:
        """Count a read or write."""
        if kind is Kind.WRITE:
            self.writes += 1
        else:
            self.reads += 1


class Frames:
    """The places for lines: sets of ways."""

    def __init__(self, cache: Cache) -> None:
        self.cache = cache
        self.policy = policies.make(cache.policy, cache.sets, cache.ways)
        self.empty()

    def empty(self) -> None:
        """Forget every line."""
        self.sets: defaultdict[int, list[int | None]] = defaultdict(lambda: [None] * self.cache.ways)
        self.policy.reset()

    def __contains__(self, line: int) -> bool:
        return line in self.sets[line % self.cache.sets]

    def touch(self, line: int) -> None:
        """Tell the policy of a hit."""
        index = line % self.cache.sets
        self.policy.touch(index, self.sets[index].index(line))

    def way_for(self, line: int) -> int:
        """Return the way that an absent line will get: the first that is free, else the policy's victim."""
        index = line % self.cache.sets
        ways = self.sets[index]
        return ways.index(None) if None in ways else self.policy.victim(index)

    def holds(self, line: int, way: int) -> int | None:
        """Return the line in a way of the set of a line."""
        return self.sets[line % self.cache.sets][way]

    def put(self, line: int, way: int) -> None:
        """Put a line into a way of its set."""
        index = line % self.cache.sets
        self.sets[index][way] = line
        self.policy.insert(index, way)


class Tlb:
    """A TLB: it knows pages, and nothing of what is written to them."""

    def __init__(self, cache: Cache) -> None:
        self.cache, self.frames = cache, Frames(cache)
        self.tally = Tally()

    def access(self, address: int, kind: Kind, site: int) -> bool:
        """Look up a page; return whether it was there."""
        page = address // self.cache.line
        hit = page in self.frames
        self.tally.access(kind, site, hit)
        if hit:
            self.frames.touch(page)
        else:
            self.frames.put(page, self.frames.way_for(page))
        return hit

    def empty(self) -> None:
        """Forget every page."""
        self.frames.empty()

    def results(self) -> CacheResults:
        """Return what happened so far."""
        return self.tally.results(self.cache)


class Level:
    """A cache before the next level."""

    def __init__(self, cache: Cache, below: Below, causes: bool) -> None:
        self.cache, self.below, self.frames = cache, below, Frames(cache)
        self.dirty: set[int] = set()  # lines
        self.finder = CauseFinder(cache.size // cache.line) if causes else None
        self.tally = Tally()

    def access(self, address: int, kind: Kind, site: int) -> bool:
        """Read or write a line; return whether it was there."""
        line = address // self.cache.line
        hit = line in self.frames
        enters = kind is not Kind.WRITE or self.cache.allocate
        cause = self.finder.ask(line, enters) if self.finder else None
        self.tally.access(kind, site, hit, cause)
        if hit:
            self.frames.touch(line)
        elif enters:
            self._fill(line, kind, site)
        if kind is Kind.WRITE:
            self._write(line, site)
        if not hit and enters and self.cache.prefetch == "next" and line + 1 not in self.frames:
            self.tally.prefetches += 1
            self._fill(line + 1, kind, site)
        return hit

    def empty(self) -> None:
        """Empty the cache.  Dirty lines are not written to the next level, which is emptied as well."""
        self.tally.writebacks += len(self.dirty)
        self.dirty.clear()
        self.frames.empty()
        if self.finder:
            self.finder.switch()

    def results(self) -> CacheResults:
        """Return what happened so far."""
        return self.tally.results(self.cache, causes=self.finder is not None)

    def _write(self, line: int, site: int) -> None:
        """Write to a line: it becomes dirty, or the next level gets it."""
        if line in self.frames and self.cache.write == "back":
            self.dirty.add(line)
        else:
            self.tally.passed += 1
            self._pass_down(line, Kind.WRITE, site)

    def _fill(self, line: int, kind: Kind, site: int) -> None:
        """Bring in a line that is absent."""
        way = self.frames.way_for(line)
        victim = self.frames.holds(line, way)
        if victim is not None and victim in self.dirty:
            self.dirty.remove(victim)
            self.tally.writebacks += 1
            self._pass_down(victim, Kind.WRITE, site)
        self._pass_down(line, Kind.FETCH if kind is Kind.FETCH else Kind.READ, site)
        self.frames.put(line, way)

    def _pass_down(self, line: int, kind: Kind, site: int) -> None:
        self.below.access(line * self.cache.line, kind, site)


class Tally:
    """The counts of one cache while it is simulated."""

    def __init__(self) -> None:
        self.accesses: Counter[Kind] = Counter()
        self.misses: Counter[Kind] = Counter()
        self.sites: Counter[int] = Counter()
        self.causes: Counter[Cause] = Counter()
        self.writebacks = self.prefetches = self.passed = 0

    def access(self, kind: Kind, site: int, hit: bool, cause: Cause | None = None) -> None:
        """Count an access."""
        self.accesses[kind] += 1
        if not hit:
            self.misses[kind] += 1
            self.sites[site] += 1
            if cause:
                self.causes[cause] += 1

    def results(self, cache: Cache, causes: bool = False) -> CacheResults:
        """Return what was counted."""
        return CacheResults(
            cache,
            kinds(self.accesses),
            kinds(self.misses),
            dict(sorted(self.sites.items())),
            Causes(**{cause.value: self.causes[cause] for cause in Cause}) if causes else None,
            self.writebacks,
            self.prefetches,
            self.passed,
        )


def kinds(counts: Counter[Kind]) -> Kinds:
    """Return counts as a result."""
    return Kinds(**{kind.name.lower(): counts[kind] for kind in Kind})
