"""The compiled simulators come to the same results as the plain one."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cache_sim.config import Cache, MemorySystem, Switch
from cache_sim.native.simulate import Simulator
from cache_sim.parse import format_short, load
from cache_sim.reference import Simulator as Plain
from cache_sim.trace import trace_of
from tests.cache_sim.strategies import references, systems
from tests.covering import some


def both(system, stream):
    """Simulate (kind, address, size, site) both ways."""
    plain, compiled = Plain(system), Simulator(system, sites=8)
    for kind, address, size, site in stream:
        plain.refer(kind, address, size, site)
    compiled.run(trace_of(*zip(*stream, strict=True)))
    return plain.results(), compiled.results()


@settings(max_examples=20, deadline=None)
@given(systems(), st.lists(references, min_size=1, max_size=400), st.randoms(use_true_random=False))
def test_small_systems(system, stream, choice):
    plain, compiled = both(system, [(*reference, choice.randrange(8)) for reference in stream])
    assert compiled == plain


@pytest.mark.parametrize("policy", ["lru", "fifo", "random", "plru", "rrip"])
@pytest.mark.parametrize("ways", some((1, 2, 4, 16, 64, 256), 1, first=2))
def test_every_policy_on_a_long_stream(policy, ways):
    data = Cache("D", max(64, ways) * 16, 16, ways, policy)
    system = MemorySystem(Cache("I", 1024, 16), data, Cache("L2", 8192, 32, 8, policy), switch=Switch(5000))
    choice = random.Random(ways)
    stream = [
        (choice.randrange(3), choice.choice([64 * choice.randrange(64), choice.randrange(1 << 15)]), 4, choice.randrange(8))
        for _ in range(6000)
    ]
    plain, compiled = both(system, stream)
    assert compiled == plain
    assert plain.switches > 3
    assert plain["D"].writebacks > 100


@pytest.mark.parametrize("policy", ["lru", "fifo", "random", "rrip"])
@pytest.mark.parametrize("ways", some((3, 5, 12, 48), 1))
def test_ways_need_be_no_power_of_two(policy, ways):
    """As in the L1D of 48 KiB in 12 ways of present processors: only the sets are a power of two."""
    system = load(f"D:{ways * 256},16,{ways},{policy}+L2:{ways * 1024},32,{ways}+DTLB:{ways * 2}x256,{ways}+switch:5000")
    assert (system.data.sets, system.second.sets, system.data_tlb.sets) == (16, 32, 2)
    assert load(format_short(system)) == system
    choice = random.Random(ways)
    stream = [
        (choice.randrange(3), choice.choice([64 * choice.randrange(64), choice.randrange(1500 * ways)]), 4, number % 8)
        for number in range(6000)
    ]
    plain, compiled = both(system, stream)
    assert compiled == plain
    assert plain.switches > 3
