"""Traces that are cut short or damaged end in a message, never in other references."""

import random
from contextlib import suppress

import pytest

from cache_sim.traces.container import MAGIC, TraceDamaged
from tests.fuzz.damage import sections_of
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


@pytest.mark.parametrize("times", [0, 2])
def test_system_calls_that_are_missing_or_there_twice_are_told(whole, times):
    sections = sections_of(whole)
    (number,) = [number for number, part in enumerate(sections) if part.startswith(b"SYST")]
    sections[number : number + 1] = [sections[number]] * times
    with pytest.raises(TraceDamaged, match="system call"):
        regenerated(trace_of(MAGIC + b"".join(sections)))
    assert [call[0] for call in trace_of(whole).calls][-1] == "exit"


def test_a_trace_of_another_version_is_told(whole):
    with pytest.raises(TraceDamaged, match="another version"):
        _ = trace_of(whole[: len(MAGIC) - 1] + b"\x01" + whole[len(MAGIC) :]).facts
