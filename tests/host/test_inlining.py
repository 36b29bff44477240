"""Functions that become part of their callers where these are written in two copies."""

import dataclasses

import pytest

from cache_sim.config import Cache, MemorySystem, Switch
from cache_sim.native.check_code import Feedback
from cache_sim.reference import Simulator
from ease.host.memory.caching import Caching
from ease.host.process.job import RunOptions
from ease.host.translation.counting import FunctionProbes
from ease.host.translation.module_context import inlined
from ease.run.measuring import counted_run
from vpo.interpret.fast.interpreter import interpret

PROGRAM = r"""
#include <unistd.h>
static int cells[64];
static int next(int x) { return x * 1103515245 + 12345; }
static int place(int x) { return (next(x) >> 16) & 63; }
static int bump(int x) { cells[place(x)]++; return cells[place(x + 1)]; }
static int odd(int n);
static int even(int n) { return n == 0 ? 1 : odd(n - 1); }
static int odd(int n) { return n == 0 ? 0 : even(n - 1); }
static int factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }
static int seldom(int x) { return x ^ 5; }
int main(void) {
    int i, sum = seldom(3);
    for (i = 0; i < 400; i++)
        sum += bump(i) + (i % 16 == 0 ? even(i & 7) + factorial(i & 3) : 0);
    return sum & 127;
}
"""
UNIFIED = Cache("U", 256, 16)
SYSTEMS = {
    "I": MemorySystem(Cache("I", 256, 16), switch=Switch(700)),
    "D": MemorySystem(data=Cache("D", 128, 8, 2), switch=Switch(300)),
    "U": MemorySystem(UNIFIED, UNIFIED, switch=Switch(900)),
}


@pytest.fixture
def program(programs):
    return programs(PROGRAM, "riscv32")


def test_small_functions_that_are_called_often(program):
    probes = {name: FunctionProbes(eager=name != "_seldom") for name in program.functions}
    found = inlined(program, probes)
    assert {"_next", "_place", "_bump"} <= found
    assert found.isdisjoint({"_even", "_odd", "_factorial", "_seldom"})
    assert all(sum(1 for _ in program.functions[name].rtls()) <= 100 for name in found)


def test_nothing_is_known_to_be_called_often(program):
    assert inlined(program, {name: FunctionProbes() for name in program.functions}) == frozenset()


@pytest.mark.parametrize("name", SYSTEMS)
def test_results_stay(program, name):
    plain = Simulator(SYSTEMS[name])
    said = interpret(program, ["program"], capture=True, observer=plain)
    _, counts = counted_run(program, ["program"], RunOptions(capture=True, tier="fast"))
    caching = Caching(program, SYSTEMS[name], Feedback())
    result, again = counted_run(
        program, ["program"], RunOptions(capture=True, tier="fast"), instruments=[caching], weights=counts
    )
    assert (result.exit_status, again) == (said.exit_status, counts)
    results, expected = caching.results(again, result), plain.results()
    ours, theirs = ([dataclasses.replace(cache, sites={}) for cache in each.caches] for each in (results, expected))
    assert ours == theirs
    assert results.switches == expected.switches > 3
