"""Transfers by branch registers find the address of their target there, on all ways."""

import pytest

from tests.kept_machines import load
from vpo.analysis.verify import verify
from vpo.text import parse_function

FUNCTION = """function _f file "f.c" line 1 stage final {{
L1:
	{before} # control 1
	PC=r[3]<0,L3; BY=b[2]; # control 1
	NOP; # delay 1
L2:
	{between} # program 2
	PC=L3; BY=b[2]; # control 2
	NOP; # delay 2
L3:
	PC=b[7],RT(r[3]); # linkage 3
	NOP; # delay 3
}}
"""


@pytest.mark.parametrize(
    ("before", "between", "wrong"),
    [
        ("b[2]=AT[L3];", "r[3]=1;", 0),
        ("b[2]=AT[L2];", "b[2]=AT[L3];", 1),
        ("b[1]=AT[L3];", "r[3]=1;", 2),
        ("b[2]=AT[L3];", "b[2]=r[4];", 1),
        ("b[2]=AT[L3];", "ST=_g(); b[7]=NPC; BY=b[2]; # control 2\n\tNOP;", 2),
        ("b[2]=AT[L3];", "b[1]=_g; # control 2\n\tST=_g(); b[7]=NPC; BY=b[1]; # control 2\n\tb[2]=AT[L3];", 1),
    ],
)
def test_what_the_register_holds(before, between, wrong):
    machine = load("branch_registers")
    function = parse_function(FUNCTION.format(before=before, between=between), machine.cells)
    problems = verify(function, machine)
    assert len(problems) == wrong
    assert all("may hold another address" in problem for problem in problems)
