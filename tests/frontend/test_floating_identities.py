"""Operations on floating numbers with constants, or with opposites, are others where the result is exactly the same."""

import math

import pytest

from vpo import il
from vpo.frontend.lower import trees

DOUBLE, SINGLE = il.Type("F", 8), il.Type("F", 4)
X, Y = (il.Load(DOUBLE, il.AddrGlobal(name, 0)) for name in "xy")


def of(operator, value, kind=DOUBLE):
    return trees.binary(operator, kind, X, il.Const(kind, value))


@pytest.mark.parametrize(("operator", "value"), [("mul", 1.0), ("div", 1.0), ("sub", 0.0), ("add", -0.0)])
def test_what_changes_nothing_goes(operator, value):
    assert of(operator, value) is X


@pytest.mark.parametrize(("operator", "value"), [("sub", -0.0), ("add", 0.0), ("mul", 0.0), ("div", 3.0), ("mul", math.nan)])
def test_what_changes_something_stays(operator, value):
    tree = of(operator, value)
    assert isinstance(tree, il.Binary)
    assert tree.operator == operator


@pytest.mark.parametrize(
    ("kind", "value", "factor"),
    [(DOUBLE, 4.0, 0.25), (DOUBLE, -0.5, -2.0), (DOUBLE, 2.0**1022, 2.0**-1022), (SINGLE, 2.0**-126, 2.0**126)],
)
def test_quotients_by_powers_of_two_are_products(kind, value, factor):
    tree = of("div", value, kind)
    assert isinstance(tree, il.Binary)
    assert isinstance(tree.right, il.Const)
    assert (tree.operator, tree.right.value) == ("mul", factor)


@pytest.mark.parametrize(("kind", "value"), [(DOUBLE, 2.0**1023), (DOUBLE, 2.0**-1074), (SINGLE, 2.0**127)])
def test_quotients_whose_factor_is_no_normal_number_stay(kind, value):
    tree = of("div", value, kind)
    assert isinstance(tree, il.Binary)
    assert tree.operator == "div"


def parts(tree):
    assert isinstance(tree, il.Binary)
    return tree.operator, tree.left, tree.right


def test_opposites():
    assert parts(trees.binary("add", DOUBLE, of("mul", -1.0), Y)) == ("sub", Y, X)
    negated = trees.unary("neg", DOUBLE, X)
    assert parts(trees.binary("add", DOUBLE, negated, Y)) == ("sub", Y, X)
    assert parts(trees.binary("add", DOUBLE, Y, negated)) == ("sub", Y, X)
    assert parts(trees.binary("sub", DOUBLE, Y, negated)) == ("add", Y, X)
    assert parts(trees.binary("sub", DOUBLE, negated, Y)) == ("sub", negated, Y)
