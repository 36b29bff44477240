"""Grids of caches, compiled: the same misses as stacks that are kept one by one."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cache_sim import Cache, ConfigurationError, Kind
from cache_sim.distances import Sweep
from cache_sim.grid import SIDES, Grid
from cache_sim.native.sweep_simulator import SweepSimulator
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
        ({"sizes": (1000,)}, "size 1000 is not a power of two"),
        ({"ways": (64,)}, "64 ways are more than the 32"),
        ({"lines": (2048,), "sizes": (1024,)}, "has room for lines of 2048"),
        ({"sides": ("U", "D")}, "sides U, D: there are"),
    ],
)
def test_grids_are_checked(grid, message):
    with pytest.raises(ConfigurationError, match=message):
        Grid(**grid)
