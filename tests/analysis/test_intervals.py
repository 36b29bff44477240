"""Intervals contain every result: all numbers of 8 bits from many small and large ranges."""

import random

import pytest

from vpo.algebra import fold, relate
from vpo.analysis.value_ranges import FULL, decided, extended, limited, operated, truncated
from vpo.rtl import ARITHMETIC

RELATIONS = ["==", "!=", "<", "<=", ">", ">=", "<u", "<=u", ">u", ">=u"]
EDGES = [-128, -127, -16, -8, -2, -1, 0, 1, 2, 7, 8, 15, 16, 100, 126, 127]


def ranges(seed, count):
    chosen = random.Random(seed)
    for _ in range(count):
        yield tuple(tuple(sorted(chosen.choices(EDGES, k=2))) for _ in "ab")


def some(interval):
    """Return the ends of a range, their neighbours, and what lies between, if it is not much."""
    low, high = interval
    return [x for x in (*range(low, low + 4), *EDGES, *range(high - 3, high + 1)) if low <= x <= high]


@pytest.mark.parametrize("op", sorted(ARITHMETIC))
def test_results_are_in_range(op):
    for a, b in ranges(op, 120):
        if op in ("<<", ">>", ">>u"):
            b = (b[0] & 7, b[0] & 7) if b[0] & 8 else (0, 7)
        low, high = operated(op, a, b, 8)
        assert -128 <= low <= high <= 127
        for x in some(a):
            for y in some(b):
                result = fold(op, 8, x, y)
                assert result is None or low <= result <= high, (op, a, b, x, y, (low, high))


@pytest.mark.parametrize("relation", RELATIONS)
def test_relations(relation):
    for a, b in ranges(relation, 120):
        answers = set()
        for x in some(a):
            for y in some(b):
                unsigned = relation.endswith("u")
                holds = relate(relation.rstrip("u"), x & 255, y & 255) if unsigned else relate(relation, x, y)
                answers.add(holds)
                low, high = limited(a, relation, b)
                assert not holds or low <= x <= high, (relation, a, b, x, y)
        answer = decided(relation, a, b)
        assert answer is None or answers == {answer}, (relation, a, b)


def test_ranges_are_tight_where_code_depends_on_it():
    assert operated("&", FULL[32], (255, 255), 32) == (0, 255)
    assert operated(">>u", FULL[32], (24, 24), 32) == (0, 255)
    assert operated(">>", (0, 99), (31, 31), 32) == (0, 0)
    assert operated("%", (0, 1000), (16, 16), 32) == (0, 15)
    assert operated("+", (0, 127), (1, 1), 8) == (-128, 127)
    assert extended("zx", FULL[8], 8) == (0, 255)
    assert extended("sx", FULL[8], 8) == (-128, 127)
    assert truncated((0, 100), 8) == (0, 100)
    assert truncated((0, 200), 8) == (-128, 127)
    assert limited(FULL[32], "<u", (10, 10)) == (0, 9)
    assert limited((0, 9), "!=", (0, 0)) == (1, 9)
    assert decided("<u", (0, 9), (10, 20)) is True
