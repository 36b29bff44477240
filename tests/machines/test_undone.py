"""What is denied without trying numbers is found with none, in the values of programs; most is denied."""

from __future__ import annotations

import pytest

from tests.covering import some
from vpo.algebra.samples import evaluate, samples
from vpo.build.compiler import Compiler, Settings
from vpo.machines.match import likely
from vpo.machines.match.undone import may_make
from vpo.machines.read.load import load
from vpo.rtl import Const, Expr, Op, Register, Variable

SOURCE = """
unsigned packed(unsigned a, unsigned b) { return (a << 16) | (b & 65535); }
unsigned field(unsigned a) { return (a >> 5 & 31) + 3; }
int scaled(const int *t, int i, int k) { return t[i * 4 + 3] - (k >> 2) + (i ^ 85); }
unsigned turned(unsigned a, unsigned n) { return (a << 7 | a >> 25) + (a & ~n) - (n << 3); }
unsigned long long wide(unsigned a, int b) { return ((unsigned long long)a << 9) - b; }
long stepped(long a, long b) { return a + b * 4 + 24; }
unsigned element(unsigned a, unsigned b, int *t) { return t[a + 8 * b + 100] + (a * 9 + 17); }
unsigned mixed(unsigned a) { a = (a ^ 61) ^ (a >> 16); a += a << 3; a ^= a >> 4; a *= 0x27d4eb2d; return a ^ a >> 15; }
"""


@pytest.mark.parametrize("name", some(("riscv32", "aarch64", "m68020", "x86_64", "arm"), 2))
def test_what_is_denied_has_no_number(name, tmp_path, monkeypatch):
    monkeypatch.setenv("EASE_CACHE", "")
    known, asked, denied = list[tuple[int, ...]](), 0, 0
    may_make, values = likely._may_make, likely.likely

    def noted(meanings, tables, sought, *others):
        known.append(sought.numbers)
        return values(meanings, tables, sought, *others)

    def checked(meaning, given, wanted):
        nonlocal asked, denied
        found = may_make(meaning, given, wanted)
        asked, denied = asked + 1, denied + (not found)
        assert found or not likely._numbers(meaning, given, wanted, known[-1]), meaning.source
        return found

    monkeypatch.setattr(likely, "likely", noted)
    monkeypatch.setattr(likely, "_may_make", checked)
    (tmp_path / "a.c").write_text(SOURCE)
    Compiler(load(name), Settings(2)).unit(str(tmp_path / "a.c"))
    assert denied > asked / 8 > 0


@pytest.mark.parametrize("type_", ["L", "Q"])
def test_one_number_scales_and_another_is_added(type_):
    """Of `a+(b<<k)+c` the differences between samples tell whether there are such k and c; also where it is cut to 32 bits."""
    a, b = (Register("r", number, type_, True) for number in (1, 2))
    vectors = {a: samples(0, type_), b: samples(1, type_)}

    def address(k: Expr, c: Expr) -> Expr:
        full = Op("+", type_, Op("+", type_, a, Op("<<", type_, b, k)), c)
        return Op("zx", "Q", Op("tr", "L", full)) if type_ == "Q" else full

    pattern, whole = address(Variable("k"), Variable("c")), "Q" if type_ == "Q" else "L"
    for k, c in ((0, 0), (3, 7), (2, -5)):
        assert may_make(pattern, vectors, evaluate(address(Const(k), Const(c)), vectors, whole))
    if type_ == "Q":  # b is shifted out of what is wanted of it
        assert may_make(pattern, vectors, evaluate(Op("zx", "Q", Op("tr", "L", Op("+", "Q", a, Const(4)))), vectors, "Q"))
    assert not may_make(pattern, vectors, evaluate(Op("*", whole, a, b), vectors, whole))
    assert not may_make(pattern, vectors, evaluate(Op("-", whole, a, b), vectors, whole))
