"""Registers that make an instruction longer by a byte, once."""

import pytest

from tests.kept_machines import load
from vpo.text import parse_effects


@pytest.mark.parametrize(
    ("rtl", "size"),
    [
        ("r[1]=zxQ(trL(r[1]+r[2]));", 2),  # addl
        ("r[9]=zxQ(trL(r[9]+r[2]));", 3),
        ("r[9]=zxQ(trL(r[9]+r[10]));", 3),
        ("r[1]=r[1]+r[2];", 3),  # addq, which has the prefix
        ("r[9]=r[9]+r[10];", 3),
        ("r[1]=zxQ(L[r[3]+8]);", 3),  # movl: the prefix may be that of an operand's register
        ("r[1]=zxQ(L[r[13]+8]);", 4),
        ("r[9]=zxQ(L[(r[13]+r[10])+8]);", 5),
        ("f[8]=f[8]+D[r[9]];", 5),  # addsd
    ],
)
def test_the_byte_is_added_once(rtl, size):
    machine = load("x86_64")
    record = machine.recognize(parse_effects(rtl, machine.cells))
    assert record is not None
    assert record.size == size


def test_others_are_preferred():
    assert load("x86_64").short_registers == {"r": frozenset({0, 1, 2, 3, 5, 6, 7}), "f": frozenset(range(8))}
