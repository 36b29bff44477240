"""Branches on a relation by several branches on others: trees of decisions, in one table.

A tree is a generator over abstract terms, as identities are functions over them (`vpo/expand/identities.py`).  It yields
steps in the order of the code; values between them are computed where the generator asks for them.

    Step("<", a, b, "yes")     go to this place if the relation holds, else on
    Step("", a, a, "rest")     go there in any case
    "rest"                     the place of this name; "yes" and "no" are outside of the tree, whose end is "no"
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Generic, NamedTuple

from vpo.expand.identities import RELATIONS
from vpo.expand.terms import NotApplicable, Terms, V
from vpo.rtl import REVERSED


class Step(NamedTuple, Generic[V]):
    """A branch within a tree, on a relation, or if that is '' in any case."""

    relation: str
    a: V
    b: V
    place: str


Tree = Callable[[Terms[V], V, V], Iterator["Step[V] | str"]]


def _over_a_jump(relation: str) -> Tree[V]:
    def tree(_t: Terms[V], a: V, b: V) -> Iterator[Step[V] | str]:
        """Jump unless the opposite holds."""
        yield Step(REVERSED[relation], a, b, "no")
        yield Step("", a, b, "yes")

    return tree


def _zero(t: Terms[V], b: V) -> V:
    if t.constant(b):
        raise NotApplicable
    return b


def _negative(t: Terms[V], a: V, b: V) -> Iterator[Step[V] | str]:
    """A number that is not positive is negative if the next one is not positive either."""
    zero = _zero(t, b)
    yield Step(">", a, zero, "no")
    yield Step("<=", t.binary("+", a, t.number(1)), zero, "yes")


def _positive(t: Terms[V], a: V, b: V) -> Iterator[Step[V] | str]:
    """A number that is not negative is positive if the one before is not negative either."""
    zero = _zero(t, b)
    yield Step("<", a, zero, "no")
    yield Step(">=", t.binary("-", a, t.number(1)), zero, "yes")


def _other_than_zero(t: Terms[V], a: V, b: V) -> Iterator[Step[V] | str]:
    zero = _zero(t, b)
    yield Step(">", a, zero, "yes")
    yield Step("<", a, zero, "yes")


def _by_difference(relation: str, negative: str, positive: str) -> Tree[V]:
    """Return the tree that goes to `negative` if only the first number is negative, to `positive` if only the second is."""

    def tree(t: Terms[V], a: V, b: V) -> Iterator[Step[V] | str]:
        """If sign bits differ, they decide; else the difference does not overflow."""
        zero = t.number(0)
        yield Step("<", a, zero, "negative")
        yield Step("<", b, zero, positive)
        yield Step("", a, b, "alike")
        yield "negative"
        yield Step(">=", b, zero, negative)
        yield "alike"
        yield Step(relation, t.binary("-", a, b), zero, "yes")

    return tree


TREES: Mapping[str, tuple[Tree[Any], ...]] = {
    relation: (
        _over_a_jump(relation),
        *((_negative,) if relation == "<" else ()),
        *((_positive,) if relation == ">" else ()),
        *((_other_than_zero,) if relation == "!=" else ()),
        *((_by_difference(relation, "yes", "no"),) if relation in ("<", "<=") else ()),
        *((_by_difference(relation[:-1], "no", "yes"),) if relation in ("<u", "<=u") else ()),
    )
    for relation in RELATIONS
}
