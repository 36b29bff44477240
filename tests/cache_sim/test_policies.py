"""Which line goes: each policy against hand-made examples, and a policy of one's own."""

import random

import pytest

from cache_sim import policies
from cache_sim.config import Cache, ConfigurationError, MemorySystem
from cache_sim.reference import Simulator


def full(name, ways=4):
    policy = policies.make(name, 2, ways)
    for way in range(ways):
        policy.insert(1, way)
    return policy


@pytest.mark.parametrize(
    ("name", "touched", "victims"),
    [
        ("lru", [0, 2], [1, 3, 0, 2]),
        ("fifo", [0, 2], [0, 1, 2, 3]),
        ("rrip", [], [0, 1, 2, 3]),  # a scan goes as it came
        ("rrip", [0, 2], [1, 3, 1, 3]),  # what was used once stays while others pass
        ("plru", [], [0, 2, 1, 3]),
        ("plru", [0], [2, 1, 3, 0]),
        ("plru", [0, 2], [1, 3, 0, 2]),
    ],
)
def test_victims_in_turn(name, touched, victims):
    policy = full(name)
    for way in touched:
        policy.touch(1, way)
    found = []
    for _ in victims:
        found.append(policy.victim(1))
        policy.insert(1, found[-1])
    assert found == victims


@pytest.mark.parametrize("name", ["lru", "fifo", "plru"])
def test_sets_are_apart_and_reset_forgets(name):
    policy = full(name, 2)
    policy.insert(0, 1)
    policy.insert(0, 0)
    assert (policy.victim(0), policy.victim(1)) == ((1, 0))
    policy.reset()
    policy.insert(1, 1)
    policy.insert(1, 0)
    assert policy.victim(1) == 1


def test_random_draws_from_one_generator_per_cache_which_no_reset_touches():
    policy, state, expected = full("random"), 1, []
    for _ in range(20):
        state = (state * 1664525 + 1013904223) & 0xFFFFFFFF
        expected.append(state >> 16 & 3)
    found = []
    for number in range(20):
        found.append(policy.victim(number % 2))
        policy.reset()
    assert found == expected
    assert set(found) == {0, 1, 2, 3}


def test_tree_plru_of_two_ways_is_lru():
    plru, lru = full("plru", 2), full("lru", 2)
    draw = random.Random(1)
    for _ in range(100):
        way = draw.randrange(2)
        plru.touch(1, way)
        lru.touch(1, way)
        assert plru.victim(1) == lru.victim(1)


@pytest.mark.parametrize("name", policies.names())
def test_one_way_is_direct_mapped(name):
    simulator = Simulator(MemorySystem(data=Cache("D", 64, 16, 1, name)))
    for address in (0, 64, 0, 0, 16):
        simulator.read(address, 4)
    assert simulator.results()["D"].misses.read == 4


@pytest.fixture
def most_recent():
    class MostRecent(policies.Policy):
        """The line used last goes."""

        def touch(self, index, way):
            self.last = way

        insert = touch

        def victim(self, index):
            return self.last

    policies.register("most_recent", MostRecent)
    yield
    del policies._makers["most_recent"]


@pytest.mark.usefixtures("most_recent")
def test_a_policy_of_ones_own():
    simulator = Simulator(MemorySystem(data=Cache("D", 64, 16, 4, "most_recent")))
    for address in (*range(0, 128, 16), 0, 16, 32, 112):
        simulator.read(address, 4)
    assert simulator.results()["D"].misses.total == 8


def test_names_of_policies_are_checked():
    with pytest.raises(ValueError, match="there is a policy 'lru' already"):
        policies.register("lru", policies.Lru)
    with pytest.raises(ValueError, match="identifier in lower case"):
        policies.register("No-Name", policies.Lru)
    with pytest.raises(ValueError, match="there is no policy 'mru'"):
        policies.make("mru", 1, 1)
    with pytest.raises(ConfigurationError, match="policy 'mru' is none of lru, fifo, random, plru, rrip"):
        Cache("D", 64, 16, 4, "mru")
