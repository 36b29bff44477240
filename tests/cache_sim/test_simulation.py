"""Traces are simulated compiled where that pays, with the same results."""

import random

import pytest

from cache_sim import Cache, MemorySystem, load, policies, simulate, trace_of
from cache_sim import reference as simulation
from cache_sim.reference import can_be_compiled, simulate_plainly


@pytest.fixture
def trace():
    choice = random.Random(1)
    count = 2000
    addresses = [choice.choice([number * 4 % 600, choice.randrange(1 << 31)]) for number in range(count)]
    return trace_of(
        choice.choices((0, 1, 2), k=count), addresses, choice.choices((1, 4, 8), k=count), choice.choices(range(9), k=count)
    )


@pytest.mark.parametrize(
    "config", ["U:1k,16,2+TLB:4x4k,full+causes", "I:64,16,1+D:128,16,4,plru,through+L2:1k,32,8+switch:500"]
)
def test_compiled_or_not(config, trace, monkeypatch):
    system = load(config)
    monkeypatch.setattr(simulation, "COMPILED_FROM", 1)
    monkeypatch.setattr(simulation, "simulate_plainly", None)
    assert simulate(system, trace) == simulate_plainly(system, trace)
    monkeypatch.undo()
    assert simulate(system, trace) == simulate_plainly(system, trace)


def test_what_cannot_be_compiled(trace):
    system, causes = load("D:64,16,1"), load("D:64,16,1+causes")
    assert can_be_compiled(system, trace)
    assert can_be_compiled(causes, trace)
    assert can_be_compiled(system, trace_of([0], [1 << 40]))
    assert not can_be_compiled(causes, trace_of([0], [1 << 40]))
    assert not can_be_compiled(system, trace_of([0], [1 << 63]))
    assert not can_be_compiled(system, trace_of([0], [0], 1, [1 << 40]))
    policies.register("own", policies.Lru)
    try:
        assert not can_be_compiled(MemorySystem(data=Cache("D", 64, 16, 2, "own")), trace)
    finally:
        del policies._makers["own"]
