"""Values of expressions by names, and what is known of them on one path through a function.

A value is a tuple, equal to another one if both are certainly the same number: a constant, a symbol (what a parameter, a call
or a statement gave), or an operator with operands.  Facts are intervals of values, and relations between two of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from vpo import il
from vpo.frontend import trees

Symbolic = tuple[Any, ...]
MAX_DEPTH = 6  # of operators in a value
MAX_EXCLUDED = 8  # numbers that a value is known not to be
_ALL = {"lt", "eq", "gt", "un"}  # the third: neither, of NaN
_HOLDS = {"lt": {"lt"}, "le": {"lt", "eq"}, "eq": {"eq"}, "ne": {"lt", "gt", "un"}, "ge": {"gt", "eq"}, "gt": {"gt"}}
_MIRRORED = {"lt": "gt", "le": "ge", "gt": "lt", "ge": "le", "eq": "eq", "ne": "ne"}


def constant(value: float) -> Symbolic:
    """Return the value of a number."""
    return ("c", value)


def symbol(*name: object) -> Symbolic:
    """Return a value of which nothing is known but where it comes from."""
    return ("s", *name)


def symbols(value: Symbolic) -> Iterator[Symbolic]:
    """Yield the symbols within a value."""
    if value[0] == "s":
        yield value
    else:
        for part in value[1:]:
            if isinstance(part, tuple):
                yield from symbols(part)


def depth(value: Symbolic) -> int:
    """Return the number of operators in each other."""
    return 1 + max((depth(part) for part in value[1:] if isinstance(part, tuple)), default=0)


@dataclass(slots=True)
class Range:
    """The numbers that a value may be: from `low` to `high`, without those that are `excluded`."""

    low: int
    high: int
    excluded: frozenset[int] = frozenset()

    def key(self) -> Symbolic:
        """Return the range as something to compare."""
        return self.low, self.high, self.excluded


def range_of_type(kind: il.Type) -> Range:
    """Return the numbers of an integer type."""
    bits = 8 * kind.size
    return Range(-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if kind.kind == "I" else Range(0, (1 << bits) - 1)


def wide_range(known: Range, kind: il.Type) -> Range:
    """Return a range for a value that each round of a loop changes: bounds that move from round to round are left out."""
    whole = range_of_type(kind)
    low = max(whole.low, 0) if known.low >= 0 else whole.low
    return Range(low, whole.high if known.high > whole.high // 2 else known.high)


@dataclass(slots=True)
class Facts:
    """What is known on a path; `assume` returns more facts, or None if they contradict each other."""

    ranges: dict[Symbolic, Range] = field(default_factory=dict)
    relations: dict[tuple[Symbolic, Symbolic], frozenset[str]] = field(default_factory=dict)

    def key(self) -> Symbolic:
        """Return the facts as something to compare."""
        return (
            frozenset((value, known.key()) for value, known in self.ranges.items()),
            frozenset(self.relations.items()),
        )

    def without(self, dead: Symbolic) -> Facts:
        """Return the facts that say nothing of a symbol."""
        if not self.ranges and not self.relations:
            return self
        ranges = {value: known for value, known in self.ranges.items() if dead not in symbols(value)}
        relations = {pair: held for pair, held in self.relations.items() if dead not in symbols(("", *pair))}
        return Facts(ranges, relations)

    def range_of(self, value: Symbolic, kind: il.Type) -> Range:
        """Return what numbers a value of an integer type may be."""
        match value:
            case ("c", int(number)):
                return Range(number, number)
            case ("+", inner, int(distance)):
                found = self.range_of(inner, kind)
                return Range(found.low + distance, found.high + distance, frozenset(x + distance for x in found.excluded))
            case ("address", *_):
                return Range(1, range_of_type(kind).high)
            case ("cmp", *_):
                return self.ranges.get(value) or Range(0, 1)
            case ("op", "and", _, _, ("c", int(mask))) if mask >= 0:
                return self.ranges.get(value) or Range(0, mask)
            case ("narrow", smaller, _):
                return self.ranges.get(value) or range_of_type(smaller)
        return self.ranges.get(value) or range_of_type(kind)

    def assume(self, relation: str, left: Symbolic, right: Symbolic, kind: il.Type) -> Facts | None:
        """Add a relation between two values of a type."""
        if left[0] == "c" and right[0] != "c":
            left, right, relation = right, left, _MIRRORED[relation]
        if left[0] == "cmp" and right[0] == "c" and right[1] in (0, 1) and relation in ("eq", "ne"):
            holds = (relation == "eq") == (right[1] == 1)
            _, inner, a, b, inner_kind = left
            return self._assume_truth(inner, a, b, inner_kind, holds)
        if kind.kind == "F" or right[0] != "c" or not isinstance(right[1], int):
            return self._relate(left, right, kind, _HOLDS[relation])
        if left[0] == "c":
            return self if _relation_of(left[1], right[1]) in _HOLDS[relation] else None
        number = right[1]
        while left[0] == "+":
            left, number = left[1], number - left[2]
        known = _cut(self.range_of(left, kind), relation, number)
        if known is None or (known.low == known.high and not self._allows(left, known.low)):
            return None
        return replace(self, ranges=self.ranges | {left: known})

    def _allows(self, value: Symbolic, number: int) -> bool:
        """Return whether bits of a value that are known may be those of a number."""
        for other, known in self.ranges.items():
            match other:
                case ("op", "and", _, inner, ("c", int(mask))) if inner == value:
                    if _cut(known, "eq", number & mask) is None:
                        return False
        return True

    def _assume_truth(self, relation: str, left: Symbolic, right: Symbolic, kind: il.Type, holds: bool) -> Facts | None:
        if holds:
            return self.assume(relation, left, right, kind)
        if kind.kind == "F":
            return self._relate(left, right, kind, _ALL - _HOLDS[relation])
        return self.assume(trees.INVERSE[relation], left, right, kind)

    def refuse(self, relation: str, left: Symbolic, right: Symbolic, kind: il.Type) -> Facts | None:
        """Add that a relation between two values does not hold."""
        return self._assume_truth(relation, left, right, kind, False)

    def _relate(self, left: Symbolic, right: Symbolic, kind: il.Type, holds: set[str]) -> Facts | None:
        if left == right and kind.kind != "F":
            return self if "eq" in holds else None
        if repr(left) > repr(right):
            left, right = right, left
            holds = {_MIRRORED.get(relation, relation) for relation in holds}
        possible = set(self.relations.get((left, right), _ALL)) & holds
        if kind.kind != "F":
            possible -= {"un"}
            possible &= _possible(self.range_of(left, kind), self.range_of(right, kind))
        return replace(self, relations=self.relations | {(left, right): frozenset(possible)}) if possible else None


def _relation_of(a: float, b: float) -> str:
    return "lt" if a < b else "gt" if a > b else "eq"


def _possible(left: Range, right: Range) -> set[str]:
    """Return the relations in which two numbers within ranges may be."""
    found = set()
    if left.low < right.high:
        found.add("lt")
    if left.high > right.low:
        found.add("gt")
    if left.low <= right.high and right.low <= left.high:
        found.add("eq")
    return found


def _cut(known: Range, relation: str, number: int) -> Range | None:
    """Return the part of a range whose numbers are in a relation to one; None if there is none."""
    low, high, excluded = known.low, known.high, known.excluded
    match relation:
        case "eq":
            low, high = max(low, number), min(high, number)
        case "lt" | "le":
            high = min(high, number - (relation == "lt"))
        case "gt" | "ge":
            low = max(low, number + (relation == "gt"))
        case "ne" if len(excluded) < MAX_EXCLUDED:
            excluded = excluded | {number}
    while low in excluded and low <= high:
        low += 1
    while high in excluded and low <= high:
        high -= 1
    if low > high:
        return None
    return Range(low, high, frozenset(number for number in excluded if low <= number <= high))
