"""Misses from stack distances equal those of caches simulated one by one."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cache_sim import Cache, ConfigurationError, Kind, MemorySystem, Simulator, Switch
from cache_sim.distances import Histogram, ListStack, Sweep, TreeStack
from tests.cache_sim.strategies import references

LINES, SETS, WAYS = (8, 16, 64), (1, 2, 4, 8, 32), (1, 2, 4, 8, 16)
DATA = (Kind.READ, Kind.WRITE)


def stream(seed, count):
    """References of loops over arrays, a stack and scattered places, with instructions among them."""
    choice = random.Random(seed)
    base = 0
    for number in range(count):
        if number % 50 == 0:
            base = choice.randrange(0, 1 << 13, 8)
        address = choice.choice([base + number % 25 * 12, 0x4000 - choice.randrange(64), choice.randrange(1 << 13)])
        yield choice.choice(tuple(Kind)), address, choice.choice([1, 4, 8])


def separately(system, events):
    simulator = Simulator(system)
    for event in events:
        simulator.refer(*event)
    return simulator.results()


@pytest.mark.parametrize(("kinds", "every"), [(DATA, 0), (tuple(Kind), 100)])
def test_all_configurations_in_one_pass(kinds, every):
    events = list(stream(every, 1500))
    sweep = Sweep(LINES, SETS, kinds, every)
    for event in events:
        sweep.refer(*event)
    switch = Switch(every, "instructions") if every else None
    forms = {(line, sets, ways) for line in LINES for sets in SETS for ways in WAYS}
    assert len(forms) >= 50
    for line, sets, ways in sorted(forms):
        cache = Cache("U", line * sets * ways, line, ways)
        results = separately(MemorySystem(cache if Kind.FETCH in kinds else None, cache, switch=switch), events)
        assert sweep.misses(cache) == results["U"].misses.total
        assert sweep.histogram(line, sets).accesses == results["U"].accesses.total
        assert sweep.switches == results.switches


def test_it_observes_runs_of_programs():
    sweep = Sweep([16], [1], DATA)
    sweep.fetch(0, 4)
    sweep.data(0, 4, True)
    sweep.data(16, 4, False)
    sweep.data(0, 4, False)
    assert sweep.histogram(16, 1) == Histogram({1: 1}, 2)


@given(st.lists(st.integers(0, 40), max_size=300))
def test_trees_are_lists(lines):
    tree, plain = TreeStack(), ListStack()
    assert [tree.access(line) for line in lines] == [plain.access(line) for line in lines]


@given(st.lists(references, max_size=60), st.integers(1, 20))
def test_more_ways_never_miss_more(events, every):
    sweep = Sweep([16], [1, 4], every=every)
    for event in events:
        sweep.refer(*event)
    for sets in (1, 4):
        misses = [sweep.histogram(16, sets).misses(ways) for ways in range(1, 20)]
        assert misses == sorted(misses, reverse=True)


def test_histograms_add():
    assert Histogram({0: 1, 3: 2}, 4) + Histogram({3: 1}, 1) == Histogram({0: 1, 3: 3}, 5)
    assert (Histogram({0: 1, 3: 3}, 5).accesses, Histogram({0: 1, 3: 3}, 5).misses(2)) == (9, 8)


def test_powers_of_two_are_demanded():
    with pytest.raises(ConfigurationError, match="sets 3 is not a power of two"):
        Sweep([16], [3])
    with pytest.raises(ConfigurationError, match="a line of 12 bytes is not a power of two"):
        Sweep([12], [4])
