"""Estimate the misses of fully associative LRU caches from a sample of the lines, with the standard error.

SHARDS at a fixed rate (Waldspurger, Park, Garthwaite and Ahmad, FAST 2015): a line is in the sample if a hash of its number
is below a threshold.  So the sample has either all accesses of a line or none.  Distances among sampled lines are `rate`
times those among all lines.  All accesses are counted; the difference to the expected number in the sample is corrected at
distance 0 (SHARDS-adj).

The error follows from GROUPS parts of the sample, each a smaller sample with distances of its own.  They differ by chance,
and the standard error of their mean is an upper estimate for that of the whole sample.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, sqrt
from statistics import stdev

from cache_sim.config import demand_power_of_two
from cache_sim.distances import Histogram, SetDistances

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
