"""Operands that step a register: which RTLs are instructions by them, and how reports count their references."""

import pytest

from ease.model.operand_kinds import references_with_modes
from tests.kept_machines import load
from vpo.rtl import Rtl
from vpo.text import parse_effects


@pytest.fixture(scope="module")
def machine():
    return load("vax")


def record(machine, text):
    return machine.recognize(parse_effects(text, machine.cells))


@pytest.mark.parametrize(
    "text",
    [
        "r[1]=L[r[1]]; r[1]=r[1]+4;",  # sets the register twice
        "L[r[1]]=r[1]; r[1]=r[1]+4;",  # stores the register that steps
        "r[3]=L[r[1]]+L[r[1]]; r[1]=r[1]+4;",  # two operands would step it twice
        "L[r[1]+4]=L[r[1]]; r[1]=r[1]+4;",  # another operand uses it
        "r[0]=L[r[1]]; r[1]=r[1]+2;",  # not the size of the operand
        "r[0]=L[r[1]+-4]; r[1]=r[1]+4;",
    ],
)
def test_a_stepping_register_stands_nowhere_else(machine, text):
    assert record(machine, text) is None


@pytest.mark.parametrize(
    ("text", "modes"),
    [
        ("r[0]=L[r[1]]; r[1]=r[1]+4;", ["POSTINC"]),
        ("L[r[1]]=L[r[1]]+r[0]; r[1]=r[1]+4;", ["POSTINC", "POSTINC"]),
        ("r[2]=r[2]+-4; L[r[2]+-4]=L[r[1]]; r[1]=r[1]+4;", ["POSTINC", "PREDEC"]),
        ("cc=B[r[1]]?B[r[2]+8]; r[1]=r[1]+1;", ["POSTINC", "DISP"]),
    ],
)
def test_modes_of_references(machine, text, modes):
    found = record(machine, text)
    rtl = Rtl(parse_effects(text, machine.cells), (1,), "program")
    assert [mode for _, _, mode in references_with_modes(rtl, found)] == modes
