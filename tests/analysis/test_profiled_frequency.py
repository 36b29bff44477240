"""Frequencies of blocks: from the lines of an earlier run, and of functions that call themselves."""

import pytest

from tests.kept_machines import load
from vpo.analysis.cfg import build_cfg
from vpo.analysis.dominators import dominators, natural_loops
from vpo.analysis.frequency import FEWEST_TRIPS, RARELY, TRIP_COUNT, LineProfile, frequencies, profiled_frequencies
from vpo.text import parse_function

LOOP = """function _f file "f.c" line 1 stage pseudo {
L1:
	r[t1]=r[10]; # program 2
	PC=r[t1]==0,L5; # control 2
L2:
	r[t2]=0; # program 3
L3:
	r[t2]=r[t2]+1; # program 4
	PC=r[t2]<r[t1],L3; # control 3
L4:
L5:
	PC=r[1],RT(); # linkage 6
}
"""


def profiled(lines):
    """Return the frequencies of the blocks of LOOP if its lines were executed so often."""
    function = parse_function(LOOP, load("riscv32").cells)
    cfg = build_cfg(function)
    idom = dominators(cfg)
    profile = LineProfile({"f.c": lines}, "")
    return profiled_frequencies(function, cfg, idom, natural_loops(cfg, idom), frequencies(function), profile)


def test_a_loop_goes_round_as_often_as_its_lines_tell():
    before, ahead, loop, _, behind = profiled({1: 4, 2: 4, 3: 300, 4: 400, 6: 4})
    assert (before, behind) == (1, 1)
    assert ahead == 1  # line 3 also ends the rounds, but the block stands in no loop
    assert loop == 75


def test_what_was_not_executed_is_rare():
    assert profiled({1: 4, 2: 4, 3: 0, 4: 0, 6: 4})[1:3] == [RARELY, RARELY]


def test_unknown_lines_are_estimated():
    estimated = frequencies(parse_function(LOOP, load("riscv32").cells))
    found = profiled({1: 4, 2: 4, 6: 4})
    assert found[2] / found[1] == pytest.approx(estimated[2] / estimated[1])


def test_nothing_is_known_of_a_function_that_was_not_entered():
    assert profiled({1: 0, 2: 0}) is None
    assert profiled({}) is None


def test_loops_around_a_call_of_the_function_itself_have_few_trips():
    calling = LOOP.replace("r[t2]=r[t2]+1; # program 4", "ST=_f(); r[1]=NPC; # linkage 4\n\tr[t2]=r[t2]+1; # program 4")
    for text, trips in ((LOOP, TRIP_COUNT), (calling, FEWEST_TRIPS), (calling.replace("ST=_f", "ST=_g"), TRIP_COUNT)):
        _, ahead, loop, *_ = frequencies(parse_function(text, load("riscv32").cells))
        assert loop == ahead * trips
