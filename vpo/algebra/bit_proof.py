"""Proofs that two functions of numbers are equal: each bit of both as a decision diagram over the bits of these numbers.

    ((x>>u1)&0x55555555)+(x&0x55555555) ...          is  popcount(x)

Two functions are equal exactly if their reduced ordered diagrams are the same node.  Counts of bits, smears of bits and
permutations have small ones; what grows beyond LIMIT is not proven.  After Bryant, "Graph-Based Algorithms for Boolean
Function Manipulation" (1986).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from vpo.algebra.building import operand_type
from vpo.rtl import BITS, COUNTS, FLOAT_TYPES, RELATIONS, Const, Expr, Op, Register

LIMIT = 60_000  # nodes of diagrams
Number = list[int]  # diagrams of the bits, lowest first
NO, YES = 0, 1


class Unproven(Exception):
    """An operator that has no diagrams here, or diagrams that are too large."""


class Diagrams:
    """Reduced ordered decision diagrams, as numbers of nodes; the variables are bits of numbers, lowest first."""

    def __init__(self) -> None:
        self.limit = LIMIT
        self.nodes: list[tuple[int, int, int]] = [(1 << 30, NO, NO), (1 << 30, YES, YES)]  # variable, if 0, if 1
        self.known: dict[tuple[int, int, int], int] = {}
        self.made: dict[tuple[str, int, int], int] = {}

    def variable(self, place: int) -> int:
        """Return the diagram of one bit."""
        return self._node(place, NO, YES)

    def _node(self, variable: int, low: int, high: int) -> int:
        if low == high:
            return low
        key = (variable, low, high)
        if key not in self.known:
            if len(self.nodes) >= self.limit:
                raise Unproven
            self.known[key] = len(self.nodes)
            self.nodes.append(key)
        return self.known[key]

    def both(self, a: int, b: int) -> int:
        """Return a & b."""
        if a in (b, NO) or b == YES:
            return a
        return b if a == YES or b == NO else self._applied("&", a, b)

    def either(self, a: int, b: int) -> int:
        """Return a | b."""
        if a in (b, YES) or b == NO:
            return a
        return b if a == NO or b == YES else self._applied("|", a, b)

    def one(self, a: int, b: int) -> int:
        """Return a ^ b."""
        if a == b:
            return NO
        if a == NO or b == NO:
            return a | b
        return self._applied("^", a, b)

    def _applied(self, op: str, a: int, b: int) -> int:
        if a > b:
            a, b = b, a
        key = (op, a, b)
        found = self.made.get(key)
        if found is None:
            (v, a0, a1), (w, b0, b1) = self.nodes[a], self.nodes[b]
            top = min(v, w)
            a0, a1 = (a0, a1) if v == top else (a, a)
            b0, b1 = (b0, b1) if w == top else (b, b)
            apply = {"&": self.both, "|": self.either, "^": self.one}[op]
            found = self.made[key] = self._node(top, apply(a0, b0), apply(a1, b1))
        return found

    # ----------------------------------------------------------------------------------------------------- numbers

    def chosen(self, condition: int, a: Number, b: Number) -> Number:
        """Return a if a condition holds, else b."""
        other = self.one(condition, YES)
        return [self.either(self.both(condition, x), self.both(other, y)) for x, y in zip(a, b, strict=True)]

    def joined(self, condition: int, a: Number, b: Number) -> Number:
        """Return a if a condition holds, else b, which is zero where it holds."""
        return [self.either(self.both(condition, x), y) for x, y in zip(a, b, strict=True)]

    def sum(self, a: Number, b: Number, carry: int = NO) -> Number:
        """Return a+b+carry, of as many bits."""
        result = []
        for x, y in zip(a, b, strict=True):
            half = self.one(x, y)
            result.append(self.one(half, carry))
            carry = self.either(self.both(x, y), self.both(half, carry))
        return result

    def inverted(self, a: Number) -> Number:
        """Return the complement."""
        return [self.one(bit, YES) for bit in a]

    def product(self, a: Number, factor: int) -> Number:
        """Return a times a constant."""
        result = [NO] * len(a)
        for place in range(len(a)):
            if factor >> place & 1:
                result = self.sum(result, ([NO] * place + a)[: len(a)])
        return result

    def count(self, op: str, a: Number) -> Number:
        """Return how many bits are 1, or how many zeros are in front of them or behind them."""
        result = number(0 if op == "popcount" else len(a), len(a))
        if op == "popcount":
            for bit in reversed(a):  # so that the diagrams so far are parts of the next, below the bits that they ask first
                result = self.sum(result, [NO] * len(a), bit)
            return result
        for place, bit in enumerate(a if op != "ctz" else a[::-1]):
            result = self.chosen(bit, number(len(a) - 1 - place, len(a)), result)
        return result

    def shifted(self, op: str, a: Number, by: Number) -> Number:
        """Return what a shift or rotation makes of a, by a distance that counts as below the number of its bits."""
        for place in reversed(range(len(a).bit_length() - 1)):
            a = self.chosen(by[place], _shifted(op, a, 1 << place), a)
        return a

    def less(self, a: Number, b: Number) -> int:
        """Return whether a number is less than another, without signs."""
        result = NO
        for x, y in zip(a, b, strict=True):
            result = self.either(self.both(self.one(x, YES), y), self.both(self.one(self.one(x, y), YES), result))
        return result


def number(value: int, bits: int) -> Number:
    """Return a constant."""
    return [value >> place & 1 for place in range(bits)]


class Proof:
    """What registers hold, in terms of the bits of one of them, or of several; `definition` tells how others are computed."""

    def __init__(
        self, leaf: Register, definition: Callable[[Register], Expr | None], *more: Register, highest_first: bool = False
    ) -> None:
        self.leaf, self.definition = leaf, definition
        self.diagrams = Diagrams()
        self.known: dict[tuple[Expr, str], Number] = {}
        for turn, each in enumerate((leaf, *more)):  # bits of one place stand together, so that sums and comparisons are small
            places = range(turn, (1 + len(more)) * BITS[each.type], 1 + len(more))
            order = reversed(places) if highest_first else places
            self.known[each, each.type] = [self.diagrams.variable(place) for place in order]

    def equal(self, a: Expr, b: Expr, type_: str, but_for_zero: bool = False) -> bool:
        """Whether two expressions are proven to be one number of a type ('': truth value), perhaps but for 0 in the leaf."""
        try:
            if not type_:
                return isinstance(a, Op) and isinstance(b, Op) and self.relation(a) == self.relation(b)
            pairs = list(zip(self.number(a, type_), self.number(b, type_), strict=True))
            if not but_for_zero:
                return all(x == y for x, y in pairs)
            other = NO
            for bit in self.known[self.leaf, self.leaf.type]:
                other = self.diagrams.either(other, bit)
            return all(self.diagrams.both(other, self.diagrams.one(x, y)) == NO for x, y in pairs)
        except (Unproven, RecursionError):
            return False

    def number(self, node: Expr, type_: str) -> Number:
        """Return a value of a type.

        Raises Unproven.
        """
        key = (node, node.type if isinstance(node, Register) else type_)
        if (known := self.known.get(key)) is None:
            known = self.known[key] = self._number(node, type_)
        return known

    def _number(self, node: Expr, type_: str) -> Number:
        if isinstance(node, Const):
            return number(node.value, BITS[type_])
        if isinstance(node, Register):
            source = self.definition(node)
            if source is None:
                raise Unproven
            return self.number(source, node.type)
        type_ = node.type or type_
        if not isinstance(node, Op) or type_ in FLOAT_TYPES or type_ not in BITS:
            raise Unproven
        if node.op in RELATIONS:
            return [self.relation(node), *[NO] * (BITS[type_] - 1)]
        if node.op == "SEL" and isinstance(test := node.args[0], Op):
            return self.diagrams.chosen(self.relation(test), *(self.number(arg, type_) for arg in node.args[1:]))
        if len(node.args) == 1:
            return self._of_one(node.op, self.number(node.args[0], node.args[0].type or type_), BITS[node.type or type_])
        if len(node.args) == 2:
            return self._of_two(node.op, self.number(node.args[0], type_), node.args[1], type_)
        raise Unproven

    def _of_one(self, op: str, a: Number, bits: int) -> Number:
        match op:
            case "sx" | "zx":
                return a + [a[-1] if op == "sx" else NO] * (bits - len(a))
            case "tr":
                return a[:bits]
            case "not":
                return self.diagrams.inverted(a)
            case "neg":
                return self.diagrams.sum(self.diagrams.inverted(a), number(0, len(a)), YES)
            case "brev":
                return a[::-1]
            case "bswap":
                return [bit for at in reversed(range(0, bits, 8)) for bit in a[at : at + 8]]
        if op in COUNTS:
            return self.diagrams.count(op, a)
        raise Unproven

    def _of_two(self, op: str, a: Number, right: Expr, type_: str) -> Number:
        bits = len(a)
        b = self.number(right, right.type or type_)
        value = sum(bit << place for place, bit in enumerate(b)) if all(bit in (NO, YES) for bit in b) else None
        match op:
            case "<<" | ">>" | ">>u" | "rotl":
                return _shifted(op, a, value % bits) if value is not None else self.diagrams.shifted(op, a, b)
            case "*" if value is not None:
                return self.diagrams.product(a, value)
            case "+":
                return self.diagrams.sum(a, b)
            case "-":
                return self.diagrams.sum(a, self.diagrams.inverted(b), YES)
            case "&" | "|" | "^":
                apply = {"&": self.diagrams.both, "|": self.diagrams.either, "^": self.diagrams.one}[op]
                return [apply(x, y) for x, y in zip(a, b, strict=True)]
        raise Unproven

    def relation(self, node: Op) -> int:
        """Return whether a relation holds.

        Raises Unproven.
        """
        type_ = operand_type(node)
        if type_ not in BITS or type_ in FLOAT_TYPES:
            raise Unproven
        a, b = (self.number(arg, type_) for arg in node.args)
        op = node.op.lstrip("!") if node.op != "!=" else node.op
        if not op.endswith("u"):
            a, b = ([*x[:-1], self.diagrams.one(x[-1], YES)] for x in (a, b))  # in the order of numbers without signs
        match op.rstrip("u"):
            case "<":
                result = self.diagrams.less(a, b)
            case ">":
                result = self.diagrams.less(b, a)
            case "<=":
                result = self.diagrams.one(self.diagrams.less(b, a), YES)
            case ">=":
                result = self.diagrams.one(self.diagrams.less(a, b), YES)
            case _:
                result = self._differ(a, b)
                return result if op == "!=" else self.diagrams.one(result, YES)
        return self.diagrams.one(result, YES) if node.op.startswith("!") else result

    def _differ(self, a: Sequence[int], b: Sequence[int]) -> int:
        result = NO
        for x, y in zip(a, b, strict=True):
            result = self.diagrams.either(result, self.diagrams.one(x, y))
        return result


def _shifted(op: str, a: Number, by: int) -> Number:
    match op:
        case "<<":
            return ([NO] * by + a)[: len(a)]
        case "rotl":
            return a[len(a) - by :] + a[: len(a) - by]
    return a[by:] + [a[-1] if op == ">>" else NO] * by


