"""What fully associative LRU caches miss, from a sample of the lines, with the error that this brings.

SHARDS at a fixed rate (Waldspurger, Park, Garthwaite and Ahmad, FAST 2015): a line is in the sample if a hash of its
number is below a threshold, so that all accesses of a line are, or none.  Among sampled lines, distances are `rate` times
what they are among all.  All accesses are counted, and those that the sample has too many or too few are taken for hits
(SHARDS-adj).

The error is found from GROUPS parts of the sample, each a smaller one with distances of its own: they differ by what
chance does to them, so that the standard error of their mean tells about the whole, which errs less than that.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, sqrt
from statistics import stdev

from cache_sim.config import demand_power_of_two
from cache_sim.distances import SetDistances

GROUPS = 8
_BITS = 24  # of a hash are compared with the threshold
_WORD = (1 << 64) - 1


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number of misses and its standard error."""

    misses: float
    error: float


def hash_of(line: int) -> int:
    """Return 64 bits that look random (the finaliser of splitmix64)."""
    line = (line + 0x9E3779B97F4A7C15) & _WORD
    line = ((line ^ line >> 30) * 0xBF58476D1CE4E5B9) & _WORD
    line = ((line ^ line >> 27) * 0x94D049BB133111EB) & _WORD
    return line ^ line >> 31


class Shards:
    """A sample of accesses to lines of so many bytes.

    `rate`, above 0 and at most 1, is rounded to a multiple of 2**-24.  Caches of less than some `1 / rate` lines cannot be
    told apart.  Raises ConfigurationError, and ValueError for a rate out of range.
    """

    def __init__(self, line: int, rate: float) -> None:
        demand_power_of_two("line", line)
        self.threshold = round(rate * (1 << _BITS))
        if not 0 < self.threshold <= 1 << _BITS:
            raise ValueError(f"a sampling rate of {rate} is not between {2**-_BITS:.1g} and 1")
        self.line, self.rate = line, self.threshold / (1 << _BITS)
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
        if bits >> (64 - _BITS) < self.threshold:
            self.whole.access(line)
            self.groups[bits % GROUPS].access(line)

    def misses(self, lines: int) -> Estimate:
        """Return what a fully associative LRU cache of so many lines misses."""
        parts = [_scaled(group, lines, self.rate / GROUPS) for group in self.groups]
        error = stdev(parts) / sqrt(GROUPS) if all(group.counts for group in self.groups) else inf
        return Estimate(min(_scaled(self.whole, lines, self.rate), self.accesses), error if self.rate < 1 else 0.0)


def _scaled(distances: SetDistances, lines: int, rate: float) -> float:
    """Return how many misses there are among all accesses if so many are in a sample."""
    histogram = distances.histogram()
    sampled = histogram.cold + sum(
        count for distance, count in histogram.distances.items() if distance / rate >= lines
    )  # fmt: skip
    return sampled / rate
