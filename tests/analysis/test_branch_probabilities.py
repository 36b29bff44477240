"""Which way branches are thought to go, from how they compare and what their ways do."""

import pytest

from tests.kept_machines import load
from vpo.analysis.cfg import build_cfg
from vpo.analysis.frequency import branch_probabilities
from vpo.text import parse_function

LEAVE = "\tr[10]=0; # constant 3\n"
CALL = "\tST=_g(); r[1]=NPC; # linkage 3\n"
STORE = "\tL[r[t2]]=r[t1]; # variable 3\n"


def taken(condition, here=LEAVE, there=LEAVE):
    """Return the probability that a branch is taken; `here` and `there` stand behind it and where it goes."""
    text = (
        'function _f file "f.c" line 1 stage pseudo {\nL1:\n\tr[t1]=r[10]; # program 2\n\tr[t2]=r[11]; # program 2\n'
        f"\tPC={condition},L3; # control 2\nL2:\n{here}\tPC=L4; # control 3\n"
        f"L3:\n{there}L4:\n\tPC=r[1],RT(); # linkage 4\n}}\n"
    )
    machine = load("riscv32")
    function = parse_function(text, machine.cells)
    odds = branch_probabilities(function, build_cfg(function)).get(0)
    return 0.5 if odds is None else odds[2]


@pytest.mark.parametrize(
    ("condition", "here", "there", "likely"),
    [
        ("r[t1]<r[t2]", LEAVE, LEAVE, 0.5),  # nothing is known
        ("r[t1]<0", LEAVE, LEAVE, 0.16),
        ("r[t1]>=0", LEAVE, LEAVE, 0.84),
        ("r[t1]==0", LEAVE, LEAVE, 0.16),
        ("r[t1]<r[t2]", CALL, LEAVE, 0.78),  # rather round a call
        ("r[t1]<r[t2]", LEAVE, CALL, 0.22),
        ("r[t1]<r[t2]", CALL, CALL, 0.5),  # of equal weight
        ("r[t1]<r[t2]", LEAVE, STORE, 0.5716),  # what was compared is used: 0.62 and 0.45 together
    ],
)
def test_a_branch(condition, here, there, likely):
    assert taken(condition, here, there) == pytest.approx(likely, abs=0.001)
