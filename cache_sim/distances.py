"""Stack distances: the misses of every LRU cache with one line size from one pass, or estimated from a sample of lines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from math import inf, sqrt
from typing import Protocol

from cache_sim.config import Cache, demand_power_of_two
from cache_sim.results import Kind

# ----------------------------------------------------------------------------------------------------------------------
# Compute LRU stack distances: the misses of every LRU cache with one line size, from one pass over the references.
#
# The distance of an access is the number of other lines of its set used since the last use of its line.  A cache hits an
# access if the distance is below its number of ways (Mattson et al. 1970).  A stack for each set, for each number of sets,
# gives all sizes and associativities (Hill and Smith 1989).  This holds if every miss, also of a write, brings in its line and
# nothing else does, and if context switches do not depend on misses: there are none, or they come by instructions.


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


# ----------------------------------------------------------------------------------------------------------------------
# Estimate the misses of fully associative LRU caches from a sample of the lines, with the standard error.
#
# SHARDS at a fixed rate (Waldspurger, Park, Garthwaite and Ahmad, FAST 2015): a line is in the sample if a hash of its number
# is below a threshold.  So the sample has either all accesses of a line or none.  Distances among sampled lines are `rate`
# times those among all lines.  All accesses are counted; the difference to the expected number in the sample is corrected at
# distance 0 (SHARDS-adj).
#
# The error follows from GROUPS parts of the sample, each a smaller sample with distances of its own.  They differ by chance,
# and the standard error of their mean is an upper estimate for that of the whole sample.


GROUPS = 8
BITS = 24  # of a hash are compared with the threshold
# The finaliser of splitmix64: what is added at first; then shifts by which bits are mixed and factors.
HASH = ((0, 0x9E3779B97F4A7C15), (30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB), (31, 1))
_WORD = (1 << 64) - 1


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number of misses and its standard error."""

    misses: float
    error: float


@dataclass(frozen=True, slots=True)
class Sample:
    """The scaled distances of accesses to a sample of the lines, as a whole and in its parts.

    `accesses` counts all accesses.  With a rate of 1 the distances are exact, and there are no parts.
    """

    rate: float
    accesses: int
    whole: Histogram
    groups: tuple[Histogram, ...] = ()

    def misses(self, lines: int) -> Estimate:
        """Return the estimated misses of a fully associative LRU cache with a number of lines."""
        if self.rate == 1:
            return Estimate(self.whole.misses(lines), 0.0)
        from statistics import stdev  # which is slow to import, and of use for samples alone

        parts = [group.misses(lines) * len(self.groups) / self.rate for group in self.groups]
        error = stdev(parts) / sqrt(len(parts)) if all(group.accesses for group in self.groups) else inf
        return Estimate(min(self.whole.misses(lines) / self.rate, self.accesses), error)

    def __add__(self, other: Sample) -> Sample:
        """Add samples that were taken at one rate."""
        groups = tuple(mine + theirs for mine, theirs in zip(self.groups, other.groups, strict=True))
        return Sample(self.rate, self.accesses + other.accesses, self.whole + other.whole, groups)


def hash_of(line: int) -> int:
    """Return 64 bits that look random."""
    bits = line + HASH[0][1] & _WORD
    for shift, factor in HASH[1:]:
        bits = (bits ^ bits >> shift) * factor & _WORD
    return bits


def threshold_of(rate: float) -> int:
    """Return the number below which the first BITS of a hash must be for its line to be in the sample.

    Raises ValueError for a rate that is not above 0 and at most 1.
    """
    threshold = round(rate * (1 << BITS))
    if not 0 < threshold <= 1 << BITS:
        raise ValueError(f"a sampling rate of {rate} is not between {2**-BITS:.1g} and 1")
    return threshold


class Shards:
    """A sample of accesses to lines of so many bytes.

    `rate`, above 0 and at most 1, is rounded to a multiple of 2**-24.  Caches of less than some `1 / rate` lines cannot be
    told apart.  Raises ConfigurationError, and ValueError for a rate out of range.
    """

    def __init__(self, line: int, rate: float) -> None:
        demand_power_of_two("line", line)
        self.threshold = threshold_of(rate)
        self.line, self.rate = line, self.threshold / (1 << BITS)
        self.accesses = 0
        self.whole = SetDistances(1)
        self.groups = [SetDistances(1) for _ in range(GROUPS)]

    def refer(self, address: int, size: int) -> None:
        """Refer to memory."""
        for touched in range(address // self.line, (address + size - 1) // self.line + 1):
            self.access(touched)

    def access(self, line: int) -> None:
        """Access a line, given by its number."""
        self.accesses += 1
        bits = hash_of(line)
        if bits >> (64 - BITS) < self.threshold:
            self.whole.access(line)
            self.groups[bits % GROUPS].access(line)

    def empty(self) -> None:
        """Forget all lines."""
        for distances in (self.whole, *self.groups):
            distances.empty()

    def sample(self) -> Sample:
        """Return what was found so far."""
        groups = tuple(self._scaled(group, GROUPS) for group in self.groups)
        return Sample(self.rate, self.accesses, self._scaled(self.whole, 1), groups if self.rate < 1 else ())

    def misses(self, lines: int) -> Estimate:
        """Return the estimated misses of a fully associative LRU cache with a number of lines."""
        return self.sample().misses(lines)

    def _scaled(self, distances: SetDistances, parts: int) -> Histogram:
        """Return the distances among a part of the sample as they would be among all lines."""
        found: dict[int, int] = {}
        histogram = distances.histogram()
        for distance, count in histogram.distances.items():
            scaled = (distance * parts << BITS) // self.threshold
            found[scaled] = found.get(scaled, 0) + count
        return Histogram(found, histogram.cold)
