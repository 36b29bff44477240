"""Arithmetic on intervals: in which range an operation's result is, from the ranges of its operands.

An interval is a pair of signed numbers, both included.  Where a result may wrap around it is any number of its width.
"""

from __future__ import annotations

from collections.abc import Callable

from vpo.algebra import relate

Interval = tuple[int, int]

FULL: dict[int, Interval] = {bits: (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) for bits in (8, 16, 32, 64)}


def extended(op: str, value: Interval, bits: int) -> Interval:
    """Return the range of 'sx' or 'zx' of a value of some bits."""
    return value if op == "sx" or value[0] >= 0 else (0, (1 << bits) - 1)


def truncated(value: Interval, bits: int) -> Interval:
    """Return the range of the low bits of a value."""
    return _fitting(value, bits)


def operated(op: str, a: Interval, b: Interval, bits: int) -> Interval:
    """Return the range of `a op b` on numbers of some bits."""
    rule = _RULES.get(op)
    return FULL[bits] if rule is None else rule(a, b, bits)


def union(a: Interval, b: Interval) -> Interval:
    """Return the least interval that contains two."""
    return min(a[0], b[0]), max(a[1], b[1])


def limited(value: Interval, relation: str, other: Interval) -> Interval:
    """Return the range of a value that has a relation to another one; the range as it was if that cannot be."""
    low, high = value
    if relation == "==":
        low, high = max(low, other[0]), min(high, other[1])
    elif relation == "!=":
        if other[0] == other[1]:
            low, high = low + (low == other[0]), high - (high == other[0])
    elif not relation.endswith("u"):
        low, high = _ordered(low, high, relation, other)
    elif relation in ("<u", "<=u"):
        if other[0] >= 0:
            low, high = max(low, 0), min(high, other[1] - (relation == "<u"))
    elif low >= 0 and other[0] >= 0:
        low = max(low, other[0] + (relation == ">u"))
    return (low, high) if low <= high else value


def decided(relation: str, a: Interval, b: Interval) -> bool | None:
    """Return whether a relation holds between any two numbers of two ranges; None if that depends on the numbers."""
    if relation.endswith("u"):
        if a[0] < 0 or b[0] < 0:
            return None
        relation = relation[:-1]
    if relation in ("==", "!="):
        if a[1] < b[0] or b[1] < a[0]:
            return relation == "!="
        return relation == "==" if a[0] == a[1] == b[0] == b[1] else None
    outcomes = {relate(relation, a[0], b[1]), relate(relation, a[1], b[0])}
    return outcomes.pop() if len(outcomes) == 1 else None


def _ordered(low: int, high: int, relation: str, other: Interval) -> Interval:
    match relation:
        case "<":
            return low, min(high, other[1] - 1)
        case "<=":
            return low, min(high, other[1])
        case ">":
            return max(low, other[0] + 1), high
        case ">=":
            return max(low, other[0]), high
    return low, high


def _fitting(value: Interval, bits: int) -> Interval:
    """Return a range if all of it can be numbers of some bits, else the range of all these."""
    low, high = FULL[bits]
    return value if low <= value[0] and value[1] <= high else (low, high)


def _width(value: Interval) -> int:
    """Return how many bits signed numbers need that hold a range, without the sign."""
    return max(value[0] if value[0] >= 0 else ~value[0], value[1] if value[1] >= 0 else ~value[1]).bit_length()


def _product(a: Interval, b: Interval, bits: int) -> Interval:
    corners = [x * y for x in a for y in b]
    return _fitting((min(corners), max(corners)), bits)


def _and(a: Interval, b: Interval, bits: int) -> Interval:
    highs = [x[1] for x in (a, b) if x[0] >= 0]
    return (0, min(highs)) if highs else _same_width(a, b)


def _or(a: Interval, b: Interval, bits: int) -> Interval:
    if a[0] >= 0 and b[0] >= 0:
        return max(a[0], b[0]), (1 << max(a[1].bit_length(), b[1].bit_length())) - 1
    return _same_width(a, b)


def _xor(a: Interval, b: Interval, bits: int) -> Interval:
    return (0, _or(a, b, bits)[1]) if a[0] >= 0 and b[0] >= 0 else _same_width(a, b)


def _same_width(a: Interval, b: Interval) -> Interval:
    """Return the range of numbers whose bits all come from numbers of two ranges."""
    size = 1 << max(_width(a), _width(b))
    return -size, size - 1


def _left(a: Interval, b: Interval, bits: int) -> Interval:
    if b[0] != b[1] or not 0 <= b[0] < bits:
        return FULL[bits]
    return _fitting((a[0] << b[0], a[1] << b[0]), bits)


def _right(a: Interval, b: Interval, bits: int) -> Interval:
    if b[0] == b[1] and 0 <= b[0] < bits:
        return a[0] >> b[0], a[1] >> b[0]
    return min(a[0], 0), max(a[1], 0) if a[0] >= 0 else max(a[1], -1)


def _logical_right(a: Interval, b: Interval, bits: int) -> Interval:
    if a[0] >= 0:
        return _right(a, b, bits)
    if b[0] != b[1] or not 0 < b[0] < bits:
        return FULL[bits]
    return 0, ((1 << bits) - 1) >> b[0]


def _quotient(a: Interval, b: Interval, bits: int) -> Interval:
    if b[0] != b[1] or b[0] <= 0:
        return FULL[bits]
    low, high = (abs(x) // b[0] * (1 if x >= 0 else -1) for x in a)
    return low, high


def _rest(a: Interval, b: Interval, bits: int) -> Interval:
    if b[0] <= 0:
        return FULL[bits]
    most = b[1] - 1
    return max(-most, min(a[0], 0)), min(most, max(a[1], 0))


def _unsigned_quotient(a: Interval, b: Interval, bits: int) -> Interval:
    if a[0] >= 0:
        return _quotient(a, b, bits)
    return (0, ((1 << bits) - 1) // b[0]) if b[0] == b[1] > 1 else FULL[bits]


def _unsigned_rest(a: Interval, b: Interval, bits: int) -> Interval:
    if b[0] <= 0:
        return FULL[bits]
    return 0, min(b[1] - 1, a[1]) if a[0] >= 0 else b[1] - 1


_RULES: dict[str, Callable[[Interval, Interval, int], Interval]] = {
    "+": lambda a, b, bits: _fitting((a[0] + b[0], a[1] + b[1]), bits),
    "-": lambda a, b, bits: _fitting((a[0] - b[1], a[1] - b[0]), bits),
    "*": _product,
    "&": _and,
    "|": _or,
    "^": _xor,
    "<<": _left,
    ">>": _right,
    ">>u": _logical_right,
    "/": _quotient,
    "%": _rest,
    "/u": _unsigned_quotient,
    "%u": _unsigned_rest,
}
