"""Traces that are cut short or damaged end in a message, never in other references."""

import random
from contextlib import suppress

import pytest

from cache_sim.traces.container import TraceDamaged
from tests.traces.conftest import regenerated, trace_of
from tests.traces.programs import ENDING


@pytest.fixture(scope="module")
def whole(programs, traced):
    return traced(programs(ENDING["indirect"], "riscv32"))[0]


@pytest.mark.parametrize("seed", range(4))
def test_damaged_bytes_are_found(whole, seed):
    expected = regenerated(trace_of(whole))
    chooser = random.Random(seed)
    for _ in range(40):
        content = bytearray(whole)
        at = chooser.randrange(len(content))
        content[at] ^= 1 << chooser.randrange(8)
        with suppress(TraceDamaged):
            assert regenerated(trace_of(bytes(content))) == expected


@pytest.mark.parametrize("seed", range(2))
def test_a_file_that_is_cut_short_is_read_up_to_its_last_whole_chunk(whole, seed):
    expected = regenerated(trace_of(whole))
    chooser = random.Random(seed)
    for _ in range(30):
        trace = trace_of(whole[: chooser.randrange(len(whole))])
        with suppress(TraceDamaged):
            found = regenerated(trace)
            assert trace.cut
            assert found == expected[: len(found)]
