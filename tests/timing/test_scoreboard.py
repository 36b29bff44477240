"""Issue by hand: what waits for what, and for how long."""

import pytest

from ease.timing.estimate import Scoreboard, Step, Waits

R1, R2, R3 = ("r", 1), ("r", 2), ("r", 3)


def issued(*steps):
    board = Scoreboard()
    return [board.issue(step) for step in steps], board


def test_what_is_loaded_is_there_a_cycle_later():
    load, use = Step(writes=(R1,), latency=2), Step(reads=(R1,), writes=(R2,))
    assert issued(load, use)[0] == [Waits(0, 0), Waits(1, 0)]
    assert issued(load, Step(), use)[0][-1] == Waits(0, 0)


def test_results_of_a_register_come_in_order():
    slow, fast = Step(writes=(R1,), latency=5), Step(writes=(R1,), latency=1)
    assert issued(slow, fast)[0] == [Waits(0, 0), Waits(3, 0)]
    assert issued(fast, slow)[0] == [Waits(0, 0), Waits(0, 0)]


def test_a_unit_does_one_thing_at_a_time():
    divide, other = Step(writes=(R1,), latency=9, unit="divider"), Step(writes=(R2,), latency=9, unit="divider")
    assert issued(divide, other)[0] == [Waits(0, 0), Waits(0, 8)]
    waits, board = issued(divide, Step(reads=(R1,), writes=(R3,), latency=9, unit="divider"))
    assert waits[-1] == Waits(8, 0)  # for the register, by which time the unit is free
    assert board.left() == {R3: 8, ("divider", -1): 8}


def test_cycles_of_issue_count_as_waiting_done():
    assert issued(Step(writes=(R1,), latency=4), Step(issue=3), Step(reads=(R1,)))[0][-1] == Waits(0, 0)


@pytest.mark.parametrize(("left", "wait"), [({R1: 3}, 3), ({R2: 3}, 0), ({}, 0)])
def test_what_is_left_is_waited_for(left, wait):
    assert Scoreboard(left).issue(Step(reads=(R1,))) == Waits(wait, 0)
