"""Fully associative caches of all sizes, compiled: the same misses as plain stacks and samples, lines and errors."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cache_sim import Kind
from cache_sim.distances import Shards, Sweep
from cache_sim.native.simulate import SweepSimulator
from cache_sim.sweeps import Grid
from cache_sim.trace import trace_of
from tests.cache_sim.strategies import references
from tests.covering import some

SIZES = tuple(1 << exponent for exponent in range(4, 20))
DATA = (Kind.READ, Kind.WRITE)


def compiled(grid, stream):
    simulator = SweepSimulator(grid)
    for start in range(0, len(stream), 1000):
        simulator.run(trace_of(*zip(*stream[start : start + 1000], strict=True)))
    return simulator.swept()


def exact(grid, stream):
    """The plain sweep's histogram of one set."""
    plain = Sweep(grid.lines, [1], DATA, grid.every)
    for kind, address, size in stream:
        plain.refer(kind, address, size)
    return plain


def sampled(grid, line, stream):
    """The plain sample, emptied where caches are."""
    shards, instructions = Shards(line, grid.rate), 0
    for kind, address, size in stream:
        if kind is Kind.FETCH:
            if grid.every and instructions and instructions % grid.every == 0:
                shards.empty()
            instructions += 1
        else:
            shards.refer(address, size)
    return shards


def mixed(seed, count, lines):
    """References to a loop over many lines, to a few, and to any; now and then a fetch."""
    choice = random.Random(seed)
    for number in range(count):
        line = choice.choice([number * 7 % lines, choice.randrange(20), choice.randrange(lines), number // 50 % lines])
        yield choice.choice([*DATA, *DATA, Kind.FETCH]), 0x80000000 + line * 16 + choice.randrange(16), 4


@pytest.mark.parametrize(("lines", "every"), some([(300, 0), (9000, 0), (6000, 3000)], 1))
def test_trees_are_renumbered_and_emptied(lines, every):
    grid = Grid(SIZES, (16, 64), (1, 2), ("D",), every, full=True)
    stream = list(mixed(lines, 20_000, lines))
    swept, plain = compiled(grid, stream), exact(grid, stream)
    for line in grid.lines:
        histogram = plain.histogram(line, 1)
        for size in grid.full_sizes(line):
            found = swept.full_misses("D", size, line)
            assert (found.misses, found.error) == (histogram.misses(size // line), 0)
        assert swept.full["D", line].whole.accesses == swept.accesses("D", line) == histogram.accesses


@pytest.mark.parametrize("every", [0, 3000])
def test_samples_are_those_of_shards(every):
    grid = Grid(SIZES, (16,), (), ("D",), every, full=True, rate=0.1)
    stream = list(mixed(5, 30_000, 9000))
    swept, shards = compiled(grid, stream), sampled(grid, 16, stream)
    assert swept.accesses("D", 16) == shards.accesses
    for size in grid.sizes:
        assert swept.full_misses("D", size, 16) == shards.misses(size // 16)
    assert shards.misses(64).error > 0


@settings(max_examples=6, deadline=None)
@given(st.lists(references, min_size=1, max_size=300), st.sampled_from([0, 9]), st.sampled_from([1.0, 0.7]))
def test_small_streams(stream, every, rate):
    grid = Grid((32, 64, 128, 256, 512), (8,), (1,), ("D",), every, True, rate)
    swept = compiled(grid, stream)
    plain = exact(grid, stream)
    for line in grid.lines:
        shards = sampled(grid, line, stream)
        for size in grid.full_sizes(line):
            found = swept.full_misses("D", size, line)
            assert found == shards.misses(size // line)
            assert rate < 1 or found.misses == plain.histogram(line, 1).misses(size // line)


def test_there_is_none_where_nobody_asked():
    swept = SweepSimulator(Grid((64,), (16,), (1,), ("D",))).swept()
    with pytest.raises(KeyError):
        swept.full_misses("D", 64, 16)


def test_addresses_are_of_32_bits():
    stream = [(Kind.READ, 1 << 32, 4)]
    assert compiled(Grid((64,), (16,), (1,), ("D",)), stream).accesses("D", 16) == 1
    with pytest.raises(ValueError, match="addresses of 32 bits"):
        compiled(Grid((64,), (16,), (1,), ("D",), full=True), stream)


def test_what_was_found_adds():
    swept = compiled(Grid((64,), (16,), (), ("D",), full=True), [(Kind.READ, 0, 4), (Kind.READ, 64, 4)])
    assert (swept + swept).full_misses("D", 64, 16).misses == 4
