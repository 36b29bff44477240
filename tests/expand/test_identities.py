"""Every identity holds for all operands of eight bits and for random words; a wrong one would be found."""

import random
from collections import Counter
from contextlib import suppress

import pytest

from vpo.algebra import fold, wrap
from vpo.lower.derivation import sums
from vpo.lower.identities import BINARY, BRANCHES, COMBINED, RELATIONS, TREES, UNARY, NotApplicable

EIGHT = {op: {} for op in (*BINARY, "/u")}  # the outcomes of operators on all operands of eight bits, as they are needed


class Numbers:
    """Terms that are numbers of so many bits; `constants`: identities may look at them."""

    def __init__(self, bits, constants=False):
        self.bits, self.constants = bits, constants

    def number(self, value):
        return wrap(value, self.bits)

    register = number

    def constant(self, value):
        if not self.constants:
            raise NotApplicable
        return value

    def unary(self, op, a):
        return wrap(-a if op == "neg" else ~a, self.bits)

    def combined(self, op, a, b):
        inner, complements_second, complements = COMBINED[op]
        value = self.binary(inner, a, ~b if complements_second else b)
        return ~value if complements else value

    def binary(self, op, a, b):
        if self.bits != 8:
            assert op not in ("<<", ">>", ">>u") or 0 <= b < self.bits
            return wrap(fold(op, self.bits, a, b), self.bits)
        known = EIGHT[op]
        found = known.get((a, b))
        if found is None:
            assert op not in ("<<", ">>", ">>u") or 0 <= b < self.bits
            found = known[a, b] = wrap(fold(op, self.bits, a, b), self.bits)
        return found


def operands(op, bits, draw):
    """Pairs of numbers: all of them if they are short."""
    shifts, divides = op in ("<<", ">>", ">>u"), op[0] in "/%"
    if bits == 8:
        second = range(8) if shifts else range(-128, 128)
        return [(a, b) for a in range(-128, 128) for b in second if b or not divides]
    special = [0, 1, -1, (1 << bits - 1) - 1, -1 << bits - 1]
    pairs = [(a, b) for a in special for b in special] + [
        tuple(wrap(draw.getrandbits(bits), bits) for _ in range(2)) for _ in range(300)
    ]
    return [(a, b % bits) for a, b in pairs] if shifts else [(a, b) for a, b in pairs if b or not divides]


def disagrees(identity, op, bits):
    """Return operands for which an identity gives something else than the operator, None if there are none."""
    terms, applied = Numbers(bits), 0
    try:
        identity(terms, 1, 1)
    except NotApplicable:
        terms = Numbers(bits, constants=True)
    for a, b in operands(op, bits, random.Random(1)):
        try:
            found = identity(terms, a, b)
        except NotApplicable:
            continue
        applied += 1
        if found != terms.binary(op, a, b):
            return a, b
    assert applied
    return None


CASES = [(op, n) for op, identities in BINARY.items() for n in range(len(identities))]
DECISIONS = [(op, n) for op in RELATIONS for n in range(len(BRANCHES[op]))]


@pytest.mark.parametrize(("op", "number"), CASES)
def test_operations(op, number):
    assert disagrees(BINARY[op][number], op, 8) is None
    assert disagrees(BINARY[op][number], op, 32) is None


@pytest.mark.parametrize("op", UNARY)
def test_one_operand(op):
    for bits in (8, 32, 64):
        terms = Numbers(bits)
        for identity in UNARY[op]:
            for a in (*range(-128, 128), (1 << bits - 1) - 1, -1 << bits - 1):
                assert identity(terms, a) == terms.unary(op, a)


@pytest.mark.parametrize(("op", "number"), DECISIONS)
def test_branches(op, number):
    def decision(terms, a, b):
        """Those that compare with 0 are asked about 0 only."""
        return BRANCHES[op][number](terms, a, b)

    pairs = [(a, b) for a in range(-128, 128, 3) for b in (-128, -2, -1, 0, 1, 5, 127)]
    terms, applied = Numbers(8, constants=True), 0
    for a, b in pairs:
        try:
            relation, x, y = decision(terms, a, b)
        except NotApplicable:
            continue
        applied += 1
        assert bool(terms.binary(relation, x, y)) == bool(terms.binary(op, a, b)), (a, b)
    assert applied


def outcome(tree, terms, a, b):
    """Walk through a tree of decisions: whether it comes to its place 'yes'."""
    place = ""
    for step in tree(terms, a, b):
        if isinstance(step, str):
            place = "" if place in ("", step) else place
        elif not place and (not step.relation or terms.binary(step.relation, step.a, step.b)):
            place = step.place
    assert place in ("", "yes", "no")
    return place == "yes"


@pytest.mark.parametrize("op", RELATIONS)
def test_trees(op):
    terms = Numbers(8, constants=True)
    for tree in TREES[op]:
        applied = 0
        for a in range(-128, 128):
            for b in (-128, -127, -2, -1, 0, 1, 5, 126, 127):
                with suppress(NotApplicable):
                    assert outcome(tree, terms, a, b) == bool(terms.binary(op, a, b)), (tree.__qualname__, a, b)
                    applied += 1
        assert applied >= 256


def test_a_wrong_identity_is_found():
    assert disagrees(lambda t, a, b: t.binary("-", t.binary("|", a, b), t.binary("^", a, b)), "|", 8) is not None
    assert disagrees(lambda t, a, b: t.binary("<", a, b), "<u", 32) is not None


@pytest.mark.parametrize("value", [-1, 0x7FF, -0x800, 0x12345678, -0x12345678, 0x7FFFFFFF, -0x80000000, 0x00FF00FF])
def test_constants_are_sums_of_their_parts(value):
    terms, outcomes = Numbers(32), Counter()
    for way in sums(value, (("+", 12, True), ("+", 8, False), ("|", 12, False))):
        outcomes[way(terms, None, None)] += 1
    assert set(outcomes) == {value}
