"""Sets of numbers of so many bits, as intervals: those that stand in a relation to one, and how few branches tell them."""

from __future__ import annotations

from dataclasses import dataclass

Interval = tuple[int, int]  # the least and the greatest number without sign
Numbers = tuple[Interval, ...]  # intervals that neither touch nor overlap, in order


def holding(relation: str, number: int, bits: int) -> Numbers:
    """Return the numbers that stand in a relation to one."""
    full, half = (1 << bits) - 1, 1 << bits - 1
    if relation.endswith("u") or relation in ("==", "!="):
        return _compared(relation.removesuffix("u"), number & full, full)
    biased = _compared(relation, (number & full) ^ half, full)  # in the order of numbers with sign
    parts = (*both(biased, ((0, half - 1),)), *both(biased, ((half, full),)))
    return either(tuple((low ^ half, high ^ half) for low, high in parts), ())


def _compared(relation: str, number: int, full: int) -> Numbers:
    match relation:
        case "==":
            return ((number, number),)
        case "!=":
            return without(full, ((number, number),))
        case "<" | "<=":
            high = number - (relation == "<")
            return ((0, high),) if high >= 0 else ()
        case ">" | ">=":
            low = number + (relation == ">")
            return ((low, full),) if low <= full else ()
    raise ValueError(relation)


def either(a: Numbers, b: Numbers) -> Numbers:
    """Return the numbers that are in one of two sets."""
    result: list[Interval] = []
    for low, high in sorted((*a, *b)):
        if result and low <= result[-1][1] + 1:
            result[-1] = result[-1][0], max(high, result[-1][1])
        else:
            result.append((low, high))
    return tuple(result)


def both(a: Numbers, b: Numbers) -> Numbers:
    """Return the numbers that are in both of two sets."""
    pairs = [(max(x[0], y[0]), min(x[1], y[1])) for x in a for y in b]
    return tuple(sorted(pair for pair in pairs if pair[0] <= pair[1]))


def without(full: int, values: Numbers) -> Numbers:
    """Return the numbers up to the greatest one that are not in a set."""
    result, start = [], 0
    for low, high in values:
        if start < low:
            result.append((start, low - 1))
        start = high + 1
    return (*result, (start, full)) if start <= full else tuple(result)


@dataclass(frozen=True, slots=True)
class Piece:
    """Numbers that one branch tells from others: an interval, perhaps around 0, of what a bit does not matter in."""

    low: int
    high: int
    bit: int = 0

    def size(self, bits: int) -> int:
        """Return how many numbers the interval has."""
        return (self.high - self.low & (1 << bits) - 1) + 1

    def question(self, bits: int) -> tuple[int, str, int]:
        """Return what to add to a number without `bit`, the relation that tells the piece then, and to which number."""
        full, half, size = (1 << bits) - 1, 1 << bits - 1, self.size(bits)
        if size == 1:
            return 0, "==", self.low
        if size == full:
            return 0, "!=", self.high + 1 & full
        if self.low == 0:
            return 0, "<=u", self.high
        if self.high == full:
            return 0, ">=u", self.low
        if self.low == half:
            return 0, "<=", self.high
        if self.high == half - 1:
            return 0, ">=", self.low
        return -self.low, "<=u", size - 1


def pieces_of(values: Numbers, bits: int) -> list[Piece]:
    """Return numbers as few pieces, large ones first."""
    full = (1 << bits) - 1
    intervals = list(values)
    if len(intervals) > 1 and intervals[0][0] == 0 and intervals[-1][1] == full:
        intervals = [(intervals[-1][0], intervals[0][1]), *intervals[1:-1]]
    result: list[Piece] = []
    while intervals:
        low, high = intervals.pop(0)
        partner = next(((a, b) for a, b in intervals if _is_alike(low, high, a, b)), None)
        if partner is not None:
            intervals.remove(partner)
        result.append(Piece(low, high, partner[0] - low if partner is not None else 0))
    return sorted(result, key=lambda piece: -piece.size(bits))


def _is_alike(low: int, high: int, other_low: int, other_high: int) -> bool:
    """Whether two intervals differ by one bit that none of the first has."""
    bit = other_low - low
    if bit <= 0 or bit & (bit - 1) or other_high - high != bit or low > high:
        return False
    return low & bit == 0 and low // bit == high // bit
