"""Compute LRU stack distances: the misses of every LRU cache with one line size, from one pass over the references.

The distance of an access is the number of other lines of its set used since the last use of its line.  A cache hits an
access if the distance is below its number of ways (Mattson et al. 1970).  A stack for each set, for each number of sets,
gives all sizes and associativities (Hill and Smith 1989).  This holds if every miss, also of a write, brings in its line and
nothing else does, and if context switches do not depend on misses: there are none, or they come by instructions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from cache_sim.config import Cache, demand_power_of_two
from cache_sim.results import Kind


@dataclass(frozen=True, slots=True)
class Histogram:
    """How many accesses had each distance; `cold` ones had none: their lines were new, or forgotten."""

    distances: Mapping[int, int] = field(default_factory=dict)
    cold: int = 0

    def __add__(self, other: Histogram) -> Histogram:
        both = {*self.distances, *other.distances}
        added = {distance: self.distances.get(distance, 0) + other.distances.get(distance, 0) for distance in sorted(both)}
        return Histogram(added, self.cold + other.cold)

    @property
    def accesses(self) -> int:
        """All accesses."""
        return self.cold + sum(self.distances.values())

    def misses(self, ways: int) -> int:
        """Return how many accesses miss with so many ways."""
        return self.cold + sum(count for distance, count in self.distances.items() if distance >= ways)


class Stack(Protocol):
    """The lines of a set in the order of their last use."""

    def access(self, line: int) -> int | None:
        """Use a line; return its distance, None if it is new."""
        ...


class ListStack:
    """A stack as a list: the time of an access is the distance."""

    def __init__(self) -> None:
        self.lines: list[int] = []  # the last used first

    def access(self, line: int) -> int | None:
        """Use a line; return its distance, None if it is new."""
        distance = self.lines.index(line) if line in self.lines else None
        if distance is not None:
            del self.lines[distance]
        self.lines.insert(0, line)
        return distance


class TreeStack:
    """A stack as a Fenwick tree over moments: the time of an access is the logarithm of the number of lines.

    A moment counts 1 if it is that of the last use of some line, so a distance is a sum over the moments since.
    """

    def __init__(self) -> None:
        self.last: dict[int, int] = {}  # the moment of the last use of each line, in the order of use
        self._renumber()

    def access(self, line: int) -> int | None:
        """Use a line; return its distance, None if it is new."""
        if self.now == len(self.tree) - 1:
            self._renumber()
        before = self.last.pop(line, None)
        if before is not None:
            self._add(before, -1)
        self.now += 1
        self._add(self.now, 1)
        distance = None if before is None else len(self.last) - self._count_until(before)
        self.last[line] = self.now
        return distance

    def _renumber(self) -> None:
        """Let the last uses be the first moments, and make place for as many more."""
        self.last = {line: moment for moment, line in enumerate(self.last, 1)}
        self.now = len(self.last)
        self.tree = [0] * (2 * self.now + 64)
        for moment in self.last.values():
            self._add(moment, 1)

    def _add(self, moment: int, count: int) -> None:
        while moment < len(self.tree):
            self.tree[moment] += count
            moment += moment & -moment

    def _count_until(self, moment: int) -> int:
        count = 0
        while moment:
            count += self.tree[moment]
            moment &= moment - 1
        return count


class SetDistances:
    """The distances of accesses with one number of sets."""

    def __init__(self, sets: int) -> None:
        self.sets = sets
        self.counts: Counter[int | None] = Counter()
        self.empty()

    def access(self, line: int) -> None:
        """Count an access of a line."""
        self.counts[self.stacks[line % self.sets].access(line)] += 1

    def empty(self) -> None:
        """Forget all lines."""
        self.stacks: list[Stack] = [TreeStack()] if self.sets == 1 else [ListStack() for _ in range(self.sets)]

    def histogram(self) -> Histogram:
        """Return the distances counted so far."""
        known = sorted((distance, count) for distance, count in self.counts.items() if distance is not None)
        return Histogram(dict(known), self.counts[None])


class Sweep:
    """Distances for every pair of a line size (bytes) and a number of sets, all powers of two.

    It takes references as `reference.Simulator` does, and simulates those of some `kinds`.  `every`: instructions between
    context switches (0: there are none).  Raises ConfigurationError.
    """

    def __init__(
        self, lines: Iterable[int], sets: Iterable[int], kinds: Collection[Kind] = tuple(Kind), every: int = 0
    ) -> None:
        self.kinds, self.every = kinds, every
        self.instructions = self.switches = 0
        sets = tuple(sets)
        self.tables = {line: {number: SetDistances(number) for number in sets} for line in lines}
        for line in self.tables:
            demand_power_of_two("line", line)
        for number in sets:
            demand_power_of_two("sets", number)

    def fetch(self, address: int, size: int, site: int = 0) -> None:
        """Fetch an instruction."""
        self.refer(Kind.FETCH, address, size, site)

    def data(self, address: int, size: int, write: bool) -> None:
        """Read or write data."""
        self.refer(Kind.WRITE if write else Kind.READ, address, size)

    def refer(self, kind: Kind, address: int, size: int, site: int = 0) -> None:
        """Fetch, read or write."""
        if kind is Kind.FETCH:
            if self.every and self.instructions and self.instructions % self.every == 0:
                self._switch()
            self.instructions += 1
        if kind not in self.kinds:
            return
        for line, tables in self.tables.items():
            for touched in range(address // line, (address + size - 1) // line + 1):
                for table in tables.values():
                    table.access(touched)

    def histogram(self, line: int, sets: int) -> Histogram:
        """Return the distances with lines of so many bytes in so many sets.

        Raises KeyError for what was not asked for.
        """
        return self.tables[line][sets].histogram()

    def misses(self, cache: Cache) -> int:
        """Return the misses of an LRU cache.

        Raises KeyError for a line size or number of sets that was not asked for.
        """
        return self.histogram(cache.line, cache.sets).misses(cache.ways)

    def _switch(self) -> None:
        self.switches += 1
        for tables in self.tables.values():
            for table in tables.values():
                table.empty()
