"""Rewriting expressions: a number in the place of a value of few bits is extended as such."""

import pytest

from vpo.algebra import substitute
from vpo.rtl import Const, Register
from vpo.text import parse_effects

VALUE = Register("r", 1, "L", True)


@pytest.mark.parametrize(("source", "number", "result"), [
    ("zxL(trW(r[t1]))", 195000, 63928),
    ("sxL(trW(r[t1]))", 195000, -1608),
    ("zxL(trB(r[t1]))", -1, 255),
])  # fmt: skip
def test_extended_numbers(source, number, result):
    (effect,) = parse_effects(f"r[t2]={source};", {"r": "L"})
    assert substitute(effect.source, {VALUE: Const(number)}) is Const(result)
