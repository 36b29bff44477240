"""Sampled distances: exact at a rate of 1, and elsewhere as near as they say."""

import random
from math import inf

import pytest

from cache_sim.distances import SetDistances, Shards

SIZES = (500, 1000, 2000, 4000, 8000)


def skewed(seed, count=40_000):
    """Lines that are used the less often the higher their numbers are, and a loop over many in turn."""
    choice = random.Random(seed)
    return [number % 6000 + 50_000 if number % 4 == 0 else int(choice.paretovariate(0.6)) % 40_000 for number in range(count)]


def measured(lines, rate):
    shards, exact = Shards(16, rate), SetDistances(1)
    for line in lines:
        shards.access(line)
        exact.access(line)
    histogram = exact.histogram()
    return [(shards.misses(size), histogram.misses(size)) for size in SIZES]


def test_a_rate_of_1_is_exact():
    for estimate, exact in measured(skewed(1, 5000), 1):
        assert (estimate.misses, estimate.error) == (exact, 0)


@pytest.mark.parametrize("seed", [1, 2])
def test_estimates_are_as_near_as_they_say(seed):
    lines = skewed(seed)
    for estimate, exact in measured(lines, 0.1):
        assert abs(estimate.misses - exact) <= 3 * estimate.error
        assert abs(estimate.misses - exact) / len(lines) < 0.03
        assert estimate.error / len(lines) < 0.03


def test_references_touch_lines():
    shards = Shards(16, 1)
    shards.refer(14, 4)
    assert (shards.accesses, shards.misses(1).misses) == (2, 2)


def test_without_a_sample_the_error_has_no_bound():
    assert Shards(16, 0.5).misses(8).error == inf


@pytest.mark.parametrize("rate", [0, 1.5, -1])
def test_rates_are_checked(rate):
    with pytest.raises(ValueError, match="a sampling rate of"):
        Shards(16, rate)
