"""What relations between values that are known to hold, or not to, tell of another relation between the same values.

    x!=92 holds        x==92 does not
    a<b does not       a!=b is not told, a>=b holds

Relations between a value and numbers are sets of numbers, relations between two values sets of orders: less, equal, greater.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from vpo.algebra.folding import wrap
from vpo.analysis.value_ranges import FULL, Interval
from vpo.rtl import BITS, FLOAT_TYPES, SWAPPED, Const, Expr, Op


class Fact(NamedTuple):
    """A relation, and whether it holds."""

    relation: Op
    holds: bool


def outcome_of(relation: Op, facts: Sequence[Fact]) -> bool | None:
    """Return whether a relation holds; None if facts do not tell."""
    for fact in facts:
        if fact.relation is relation:
            return fact.holds
    a, b = relation.args
    if a.type not in BITS or a.type in FLOAT_TYPES or b.type in FLOAT_TYPES:
        return None
    if isinstance(b, Const):
        return _among(_numbers(relation), [_numbers(*fact) for fact in facts if _is_of_number(fact, a)])
    for domain in ("s", "u"):
        orders = _orders(relation, a, b, domain)
        known = [found for fact in facts if (found := _orders(fact.relation, a, b, domain, fact.holds)) is not None]
        if orders is not None and known and (answer := _told(orders, frozenset.intersection(*known))) is not None:
            return answer
    return None


# ----------------------------------------------------------------------------------------------------------------------
# Numbers.


Numbers = list[Interval]  # in order, apart from each other, with a sign


def _is_of_number(fact: Fact, value: Expr) -> bool:
    """Whether a fact relates a value to a number."""
    return fact.relation.args[0] is value and isinstance(fact.relation.args[1], Const)


def _numbers(relation: Op, holds: bool = True) -> Numbers:
    """Return the numbers of which a relation with a number holds, or does not."""
    bits, number = BITS[relation.args[0].type], relation.args[1]
    assert isinstance(number, Const)
    op, (least, most) = relation.op, FULL[bits]
    if not op.endswith("u"):
        found = _related(op, wrap(number.value, bits), least, most)
    else:
        whole = 1 << bits
        found = []
        for low, high in _related(op[:-1], number.value % whole, 0, whole - 1):
            found += [(low - whole, high - whole)] if low > most else [(low, min(high, most))]
            found += [(least, high - whole)] if low <= most < high else []
        found.sort()
    return found if holds else _others(found, least, most)


def _related(op: str, number: int, least: int, most: int) -> Numbers:
    """Return the numbers in a range that have a relation to a number."""
    below, above = (least, number - 1), (number + 1, most)
    parts = {"==": [(number, number)], "!=": [below, above], "<": [below], ">": [above]}
    parts |= {"<=": [(least, number)], ">=": [(number, most)]}
    return [(max(low, least), min(high, most)) for low, high in parts[op] if max(low, least) <= min(high, most)]


def _others(numbers: Numbers, least: int, most: int) -> Numbers:
    """Return the numbers of a range that are not among some."""
    others = []
    for low, high in numbers:
        others.append((least, low - 1))
        least = high + 1
    return [(low, high) for low, high in (*others, (least, most)) if low <= high]


def _among(numbers: Numbers, known: Iterable[Numbers]) -> bool | None:
    """Return whether a value that is in each of some sets is among numbers; None if it may or may not."""
    possible: Numbers | None = None
    for each in known:
        possible = each if possible is None else _common(possible, each)
    if not possible:  # nothing is known, or no control comes here
        return None
    inside = _common(possible, numbers)
    return False if not inside else True if _size(inside) == _size(possible) else None


def _size(numbers: Numbers) -> int:
    return sum(high - low + 1 for low, high in numbers)


def _common(a: Numbers, b: Numbers) -> Numbers:
    """Return the numbers that two sets have in common."""
    return [(low, high) for x in a for y in b if (low := max(x[0], y[0])) <= (high := min(x[1], y[1]))]


# ----------------------------------------------------------------------------------------------------------------------
# Orders.


ORDERS = {"==": "=", "!=": "<>", "<": "<", "<=": "<=", ">": ">", ">=": ">="}


def _orders(relation: Op, a: Expr, b: Expr, domain: str, holds: bool = True) -> frozenset[str] | None:
    """Return in which order two values may be, as numbers with a sign or without; None if a relation does not tell."""
    op = relation.op
    if relation.args == (b, a):
        op = SWAPPED.get(op, op)
    elif relation.args != (a, b):
        return None
    if op.endswith("u") != (domain == "u") and op not in ("==", "!="):
        return None
    orders = frozenset(ORDERS[op.removesuffix("u")])
    return orders if holds else frozenset("<=>") - orders


def _told(orders: frozenset[str], known: frozenset[str]) -> bool | None:
    """Return whether two values are in one of some orders; None if they may be in others, too."""
    if not known:
        return None
    return True if known <= orders else False if known.isdisjoint(orders) else None
