"""Rewriting expressions: a number in the place of a value of few bits is extended as such; proofs of equality."""

import pytest

from vpo.algebra import substitute, unary
from vpo.algebra.equivalents import bit_sources
from vpo.algebra.proofs import are_equal
from vpo.rtl import Const, Expr, Op, Register
from vpo.text import parse_effects, parse_pattern, show_effects

VALUE = Register("r", 1, "L", True)


@pytest.mark.parametrize(("source", "number", "result"), [
    ("zxL(trW(r[t1]))", 195000, 63928),
    ("sxL(trW(r[t1]))", 195000, -1608),
    ("zxL(trB(r[t1]))", -1, 255),
])  # fmt: skip
def test_extended_numbers(source, number, result):
    (effect,) = parse_effects(f"r[t2]={source};", {"r": "L"})
    assert substitute(effect.source, {VALUE: Const(number)}) is Const(result)


@pytest.mark.parametrize(("source", "result"), [
    ("sxL(B[r[t1]])&255", "zxL(B[r[t1]])"),
    ("sxL(B[r[t1]])&511", "sxL(B[r[t1]])&511"),
    ("r[t3]+(neg(r[t1])<<2)", "r[t3]-(r[t1]<<2)"),
])  # fmt: skip
def test_canonical_form(source, result):
    (effect,) = parse_effects(f"r[t2]={source};", {"r": "L"})
    assert show_effects((substitute(effect, {}),)) == f"r[t2]={result};"


@pytest.mark.parametrize("source", [
    "zxQ((1<<trL(r[t1]))+-1)",  # 1 is as wide as the distance tells
    "sxQ(not(-1<<trL(r[t1])))",
    "trL(1<<r[t1])",
    "zxQ(neg(trL(r[t1])<utrL(r[t3])))",  # a truth value is as wide as what is compared, where that matters
    "zxQ(trW(1<<trL(r[t1])))",
])  # fmt: skip
def test_numbers_are_extended_and_cut_off(source):
    cells = {"r": "Q"}
    (effect,) = parse_effects(f"r[t2]={source};", cells)
    ((pattern,), _) = parse_pattern(f"r[t2]={source};", cells)
    assert effect.source is pattern.source
    assert show_effects((effect,)) == f"r[t2]={source};"


@pytest.mark.parametrize(("source", "canonical"), [
    ("zxQ(zxL(trW(trL(r[a]))))", "zxQ(trW(r[a]))"),
    ("sxQ(zxL(rotl(trW(trL(r[a])),k)))", "zxQ(rotl(trW(r[a]),k))"),
    ("zxQ(r[a]<r[b])", "r[a]<r[b]"),
    ("zxQ(trL(r[a])==k)", "trL(r[a])==k"),
])  # fmt: skip
def test_patterns_extend_once(source, canonical):
    cells = {"r": "Q"}
    effects, _ = parse_pattern(f"r[d]={source};", cells)
    assert show_effects(effects) == f"r[d]={canonical};"


HIGH = "trL((sxQ(r[t1])*sxQ(r[t3]))>>u32)"


@pytest.mark.parametrize(("one", "other", "equal"), [
    (f"({HIGH}<<16)|((r[t1]*r[t3])>>u16)", "trL((sxQ(r[t3])*sxQ(r[t1]))>>16)", True),
    (f"({HIGH}<<16)|((r[t1]*r[t3])>>u16)", "trL((zxQ(r[t3])*zxQ(r[t1]))>>16)", False),
    (f"({HIGH}+(r[t1]&(r[t3]>>31)))+(r[t3]&(r[t1]>>31))", "trL((zxQ(r[t1])*zxQ(r[t3]))>>u32)", True),
    ("(trL((zxQ(r[t1])*zxQ(r[t3]))>>u32)+(r[t1]*(r[t3]>>31)))+((r[t1]>>31)*r[t3])", HIGH, True),
    ("(trL((zxQ(r[t1])*zxQ(r[t3]))>>u32)+(r[t1]*(r[t3]>>30)))+((r[t1]>>31)*r[t3])", HIGH, False),
    ("(r[t1]-r[t3])*neg(r[t5])", "r[t5]*(r[t3]-r[t1])", True),
    ("(r[t1]-r[t3])*r[t5]", "r[t5]*(r[t3]-r[t1])", False),
    ("r[t1]*((r[t3]>0)-(r[t3]<0))", "SEL(r[t3]<0,neg(r[t1]),SEL(r[t3]==0,0,r[t1]))", True),
    ("r[t1]*((r[t3]>1)-(r[t3]<0))", "SEL(r[t3]<0,neg(r[t1]),SEL(r[t3]==0,0,r[t1]))", False),
    ("r[t1]*SEL(r[t3]>0,1,r[t3]>>31)", "SEL(r[t3]<0,neg(r[t1]),SEL(r[t3]==0,0,r[t1]))", True),
    ("sxL(trW(r[t1]))*sxL(trW(r[t3]))", "((r[t1]<<16)>>16)*((r[t3]<<16)>>16)", True),
    ("(r[t1]<<8)+((r[t3]-r[t1])*r[t5])", "(r[t1]*(256-r[t5]))+(r[t3]*r[t5])", True),
    ("(r[t1]<<8)+((r[t3]-r[t1])*r[t5])", "(r[t1]*(255-r[t5]))+(r[t3]*r[t5])", False),
    ("(r[t1]+(r[t3]>>31))/8", "((r[t1]+(r[t3]>>31))+(((r[t1]+(r[t3]>>31))>>31)&7))>>3", True),
    ("(r[t1]+(r[t3]>>31))/8", "((r[t1]+(r[t3]>>31))+(((r[t1]+(r[t3]>>31))>>31)&3))>>3", False),
    ("(r[t1]+r[t3])%16", "(r[t1]+r[t3])-(((r[t1]+r[t3])/16)<<4)", True),
    ("(r[t1]+r[t3])%u16", "(r[t1]+r[t3])&15", True),
    ("(r[t1]+r[t3])%16", "(r[t1]+r[t3])&15", False),
    ("(r[t1]+r[t3])*(r[t1]-r[t3])", "(r[t1]*r[t1])-(r[t3]*r[t3])", True),
    ("(r[t1]+r[t3])*(r[t1]-r[t3])", "(r[t1]*r[t1])+(r[t3]*r[t3])", False),
])  # fmt: skip
def test_products_and_their_halves(one, other, equal):
    (first,), (second,) = (parse_effects(f"r[t2]={source};", {"r": "L"}) for source in (one, other))
    assert are_equal(first.source, second.source, "L") is equal


def test_what_is_used_twice_is_looked_at_once():
    value: Expr = VALUE
    for distance in range(60):
        value = Op("^", "L", value, Op(">>u", "L", value, Const(distance % 31 + 1)))
    other = Register("r", 2, "L", True)
    assert are_equal(Op("-", "L", value, other), Op("+", "L", Op("neg", "L", other), value), "L")
    assert are_equal(Op("-", "L", Const(-1), value), Op("not", "L", value), "L")
    moved: Expr = VALUE
    for _ in range(60):
        moved = Op("|", "L", Op("<<", "L", moved, Const(1)), Op(">>u", "L", moved, Const(31)))
    assert bit_sources(moved, lambda _: tuple((VALUE, place) for place in range(32)))[60 % 32] == (VALUE, 0)


def test_a_low_part_of_an_extended_truth_value_is_one_operation():
    """What is extended has no type of its own."""
    one, other = Register("r", 1, "Q"), Register("r", 2, "Q")
    extended = Op("zx", "Q", Op("neg", "", Op("<", "", one, other)))
    assert unary("tr", "B", extended) == Op("tr", "B", extended)
