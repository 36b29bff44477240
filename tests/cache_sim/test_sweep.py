"""Grids of caches, compiled: the same misses as stacks that are kept one by one."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cache_sim import Cache, ConfigurationError, Kind, MemorySystem
from cache_sim.distances import Sweep
from cache_sim.native.simulate import Simulator, SweepSimulator
from cache_sim.sweeps import SIDES, Grid, parse_sweep
from cache_sim.trace import trace_of
from tests.cache_sim.strategies import powers, references


@st.composite
def grids(draw):
    def several(least, most):
        return tuple(sorted(draw(st.sets(powers(least, most), min_size=1, max_size=4))))

    sides = draw(st.sampled_from([("I",), ("D",), ("I", "D"), ("U",)]))
    return Grid(several(32, 1024), several(4, 32), (*several(1, 16), 1), sides, draw(st.sampled_from([0, 0, 7, 40])))


@settings(max_examples=30, deadline=None)
@given(grids(), st.lists(references, min_size=1, max_size=300))
def test_equal_to_stacks(grid, stream):
    compiled = SweepSimulator(grid)
    compiled.run(trace_of(*zip(*stream, strict=True)))
    swept = compiled.swept()
    for side in grid.sides:
        kinds = [kind for kind in Kind if kind.name.lower() in SIDES[side]]
        for line in grid.lines:
            plain = Sweep([line], grid.levels(line), kinds, grid.every)
            for kind, address, size in stream:
                plain.refer(kind, address, size)
            for cache in grid.caches(side, line):
                assert swept.misses(cache) == plain.misses(cache)
            assert swept.accesses(side, line) == plain.histogram(line, min(grid.levels(line))).accesses
            assert swept.switches == plain.switches


def test_sweeps_add():
    compiled = SweepSimulator(Grid((64,), (16,), (1,), ("D",)))
    compiled.run(trace_of([Kind.READ, Kind.WRITE], [0, 16], 4))
    both = compiled.swept() + compiled.swept()
    assert (both.misses(Cache("D", 64, 16)), both.references.total) == (4, 4)
    with pytest.raises(ValueError, match="do not add"):
        both + SweepSimulator(Grid()).swept()


def test_there_are_misses_only_of_what_is_in_the_grid():
    swept = SweepSimulator(Grid((64,), (16,), (1,), ("D",))).swept()
    with pytest.raises(KeyError):
        swept.misses(Cache("D", 64, 16, 2))


@pytest.mark.parametrize(
    ("grid", "message"),
    [
        ({"sizes": (1000,)}, "size 1000 makes a power of two of sets with none of the ways"),
        ({"ways": (64,)}, "64 ways are more than the 32"),
        ({"lines": (2048,), "sizes": (1024,)}, "has room for lines of 2048"),
        ({"sides": ("U", "D")}, "sides U, D: there are"),
    ],
)
def test_grids_are_checked(grid, message):
    with pytest.raises(ConfigurationError, match=message):
        Grid(**grid)


def test_caches_of_other_sizes_are_what_they_are_by_themselves():
    """With 12 ways, 48 KiB are a power of two of sets: as many as 32 KiB in 8 ways, of which the same stacks tell."""
    grid = parse_sweep("sweep+D+size:1k,1536,3k+line:16+ways:8,12")
    shapes = [(cache.size, cache.ways, cache.sets) for cache in grid.caches("D", 16)]
    assert shapes == [(1024, 8, 8), (1536, 12, 8), (3072, 12, 16)]
    choice = random.Random(3)
    trace = trace_of(*zip(*((choice.choice((0, 1)), choice.randrange(5000), 4) for _ in range(5000)), strict=True))
    compiled = SweepSimulator(grid)
    compiled.run(trace)
    swept = compiled.swept()
    for cache in grid.caches("D", 16):
        alone = Simulator(MemorySystem(data=cache))
        alone.run(trace)
        assert swept.misses(cache) == alone.results()["D"].misses.total
