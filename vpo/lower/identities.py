"""Ways to have an operation by other operations: algebraic identities on words, in one table.

Each identity is a function over abstract terms.  `vpo/lower/derivation.py` asks what each costs on a machine, and emits the
cheapest; tests evaluate all of them on numbers.  Sources: Warren, Hacker's Delight (2nd edition), chapters 2 and 5; Cattell,
Automatic derivation of code generators from machine descriptions (TOPLAS 2(2), 1980).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from vpo.rtl import REVERSED, SWAPPED

# ----------------------------------------------------------------------------------------------------------------------
# What identities are written in: abstract terms, which stand for values that code computes, or for numbers in tests.

V = TypeVar("V")


class NotApplicable(Exception):
    """An identity says nothing about these operands."""


class Terms(Protocol[V]):
    """What identities are written in; `bits` is the width of a word."""

    bits: int

    def number(self, value: int) -> V:
        """Return a constant."""

    def constant(self, value: V) -> int:
        """Return the number that a constant operand is; raises NotApplicable for other operands."""

    def register(self, value: int) -> V:
        """Return a constant that is made on its own, not as an operand of an instruction."""

    def unary(self, op: str, a: V) -> V:
        """Return op(a)."""

    def binary(self, op: str, a: V, b: V) -> V:
        """Return a op b."""

    def combined(self, op: str, a: V, b: V) -> V:
        """Return what one instruction makes of two operators: one of COMBINED."""


Binary = Callable[[Terms[V], V, V], V]
Unary = Callable[[Terms[V], V], V]
# a relation between two values that holds exactly if the wanted one does
Decision = Callable[[Terms[V], V, V], tuple[str, V, V]]


# ----------------------------------------------------------------------------------------------------------------------
# Products with constants by shifts, sums and differences.
#
# After Bernstein, Multiplication by integer constants (Software: Practice and Experience 16(7), 1986); the search finds the
# cheapest of them.


WIDEST = 5  # bits of a power of two that a factor is one more or one less than


def _times_shifted(t: Terms[V], a: V, b: V) -> V:
    factor = t.constant(b)
    zeros = (factor & -factor).bit_length() - 1
    if zeros < 1:
        raise NotApplicable
    return t.binary("<<", t.binary("*", a, t.number(factor >> zeros)), t.number(zeros))


def _times_odd(sign: str) -> Binary[V]:
    def times(t: Terms[V], a: V, b: V) -> V:
        """Multiply by one less and add, or by one more and subtract."""
        factor = t.constant(b)
        if factor < 3 or factor % 2 == 0:
            raise NotApplicable
        return t.binary(sign, t.binary("*", a, t.number(factor - 1 if sign == "+" else factor + 1)), a)

    return times


def _times_factor(sign: str, bits: int) -> Binary[V]:
    def times(t: Terms[V], a: V, b: V) -> V:
        """Multiply by a quotient, and then by a power of two, plus or minus one."""
        quotient, rest = divmod(t.constant(b), (1 << bits) + (1 if sign == "+" else -1))
        if quotient < 2 or rest:
            raise NotApplicable
        product = t.binary("*", a, t.number(quotient))
        return t.binary(sign, t.binary("<<", product, t.number(bits)), product)

    return times


def _times_negative(t: Terms[V], a: V, b: V) -> V:
    factor = t.constant(b)
    if not -1 << (t.bits - 1) < factor < 0:
        raise NotApplicable
    return t.unary("neg", a if factor == -1 else t.binary("*", a, t.number(-factor)))


PRODUCTS: tuple[Binary[Any], ...] = (
    _times_shifted,
    _times_odd("+"),
    _times_odd("-"),
    _times_negative,
    *(_times_factor(sign, bits) for bits in range(2, WIDEST + 1) for sign in "+-"),
)


# ----------------------------------------------------------------------------------------------------------------------
# The main part, of which the head of the file tells.


# name -> the operator, whether the second operand is complemented, and whether the outcome is
COMBINED = {"nand": ("&", False, True), "nor": ("|", False, True), "xnor": ("^", False, True),
            "andn": ("&", True, False), "orn": ("|", True, False)}  # fmt: skip

# ---------------------------------------------------------------------------------------------------- two operands


def _add_by_subtract(t: Terms[V], a: V, b: V) -> V:
    return t.binary("-", a, t.unary("neg", b))


def _add_by_bits(t: Terms[V], a: V, b: V) -> V:
    return t.binary("-", a, t.binary("-", t.unary("not", b), t.number(-1)))


def _subtract_by_add(t: Terms[V], a: V, b: V) -> V:
    return t.binary("+", a, t.unary("neg", b))


def _subtract_by_complement(t: Terms[V], a: V, b: V) -> V:
    return t.unary("not", t.binary("+", t.unary("not", a), b))


def _and_by_or(t: Terms[V], a: V, b: V) -> V:
    return t.unary("not", t.binary("|", t.unary("not", a), t.unary("not", b)))


def _and_by_sums(t: Terms[V], a: V, b: V) -> V:
    return t.binary("-", t.binary("+", a, b), t.binary("|", a, b))


def _and_by_both(t: Terms[V], a: V, b: V) -> V:
    return t.binary("^", t.binary("|", a, b), t.binary("^", a, b))


def _and_by_shifts(t: Terms[V], a: V, b: V) -> V:
    """Keep the low bits of a by two shifts."""
    mask = t.constant(b)
    if mask <= 0 or mask & (mask + 1):
        raise NotApplicable
    distance = t.number(t.bits - mask.bit_length())
    return t.binary(">>u", t.binary("<<", a, distance), distance)


def _and_by_clearing(t: Terms[V], a: V, b: V) -> V:
    """Clear the low bits of a by two shifts."""
    low = ~t.constant(b)
    if low <= 0 or low & (low + 1):
        raise NotApplicable
    distance = t.number(low.bit_length())
    return t.binary("<<", t.binary(">>u", a, distance), distance)


def _complemented(op: str) -> Binary[V]:
    return lambda t, a, b: t.unary("not", t.combined(op, a, b))


def _of_complements(op: str) -> Binary[V]:
    return lambda t, a, b: t.combined(op, t.unary("not", a), t.unary("not", b))


def _of_complement(op: str) -> Binary[V]:
    return lambda t, a, b: t.combined(op, a, t.unary("not", b))


def _xor_by_nand(t: Terms[V], a: V, b: V) -> V:
    both = t.combined("nand", a, b)
    return t.combined("nand", t.combined("nand", a, both), t.combined("nand", b, both))


def _xor_by_nor(t: Terms[V], a: V, b: V) -> V:
    neither = t.combined("nor", a, b)
    return t.unary("not", t.combined("nor", t.combined("nor", a, neither), t.combined("nor", b, neither)))


def _or_by_and(t: Terms[V], a: V, b: V) -> V:
    return t.unary("not", t.binary("&", t.unary("not", a), t.unary("not", b)))


def _or_by_sums(t: Terms[V], a: V, b: V) -> V:
    return t.binary("-", t.binary("+", a, b), t.binary("&", a, b))


def _or_by_clearing(t: Terms[V], a: V, b: V) -> V:
    return t.binary("+", t.binary("&", a, t.unary("not", b)), b)


def _or_by_both(t: Terms[V], a: V, b: V) -> V:
    return t.binary("^", t.binary("&", a, b), t.binary("^", a, b))


def _xor_by_difference(t: Terms[V], a: V, b: V) -> V:
    return t.binary("-", t.binary("|", a, b), t.binary("&", a, b))


def _xor_by_sums(t: Terms[V], a: V, b: V) -> V:
    both = t.binary("&", a, b)
    return t.binary("-", t.binary("-", t.binary("+", a, b), both), both)


def _xor_by_bits(t: Terms[V], a: V, b: V) -> V:
    return t.binary("&", t.binary("|", a, b), t.unary("not", t.binary("&", a, b)))


def _double(t: Terms[V], a: V, b: V) -> V:
    """Shift left by one bit less, and add."""
    distance = t.constant(b)
    if not 0 < distance < t.bits:
        raise NotApplicable
    half = a if distance == 1 else t.binary("<<", a, t.number(distance - 1))
    return t.binary("+", half, half)


def _by_steps(op: str) -> Binary[V]:
    def shift(t: Terms[V], a: V, b: V) -> V:
        """Shift by one bit, and then by the rest."""
        distance = t.constant(b)
        if not 1 < distance < t.bits:
            raise NotApplicable
        return t.binary(op, t.binary(op, a, t.number(1)), t.number(distance - 1))

    return shift


def _by_halves(op: str) -> Binary[V]:
    def shift(t: Terms[V], a: V, b: V) -> V:
        """Shift by the largest power of two, and then by the rest."""
        distance = t.constant(b)
        power = 1 << (distance.bit_length() - 1) if distance > 0 else 0
        if not 1 < distance < t.bits or power == distance:
            raise NotApplicable
        return t.binary(op, t.binary(op, a, t.number(power)), t.number(distance - power))

    return shift


def _arithmetic_by_logical(t: Terms[V], a: V, b: V) -> V:
    """Shift zeros in, and extend the sign from where it went."""
    sign = t.binary(">>u", t.register(-1 << (t.bits - 1)), b)
    return t.binary("-", t.binary("^", t.binary(">>u", a, b), sign), sign)


def _logical_by_arithmetic(t: Terms[V], a: V, b: V) -> V:
    """Shift copies of the sign in, and clear them."""
    distance = t.constant(b)
    if not 0 < distance < t.bits:
        raise NotApplicable
    return t.binary("&", t.binary(">>", a, b), t.number((1 << (t.bits - distance)) - 1))


def _logical_by_sign(t: Terms[V], a: V, b: V) -> V:
    """Shift copies of the sign in, and clear them by a mask that is shifted as far."""
    mask = t.binary("<<", t.binary(">>", t.register(-1 << (t.bits - 1)), b), t.number(1))
    return t.binary("&", t.binary(">>", a, b), t.unary("not", mask))


def _rest_by_quotient(op: str) -> Binary[V]:
    return lambda t, a, b: t.binary("-", a, t.binary("*", t.binary(op, a, b), b))


def _quotient_of_magnitudes(t: Terms[V], a: V, b: V) -> V:
    """Divide the magnitudes without sign; the sign is that of the product."""
    signs = [t.binary(">>", number, t.number(t.bits - 1)) for number in (a, b)]
    x, y = (t.binary("-", t.binary("^", number, sign), sign) for number, sign in zip((a, b), signs, strict=True))
    sign = t.binary("^", *signs)
    return t.binary("-", t.binary("^", t.binary("/u", x, y), sign), sign)


# ------------------------------------------------------------------------------------------------------- relations


def _swapped(op: str) -> Binary[V]:
    return lambda t, a, b: t.binary(SWAPPED[op], b, a)


def _reversed(op: str) -> Binary[V]:
    return lambda t, a, b: t.binary("^", t.binary(REVERSED[op], a, b), t.number(1))


def _differs_by_sign(t: Terms[V], a: V, b: V) -> V:
    """A number or its negative has the sign bit, unless it is 0."""
    difference = t.binary("-", a, b)
    return t.binary(">>u", t.binary("|", difference, t.unary("neg", difference)), t.number(t.bits - 1))


def _differs_by_order(t: Terms[V], a: V, b: V) -> V:
    return t.binary("<u", t.number(0), t.binary("-", a, b))


def _equal_by_order(t: Terms[V], a: V, b: V) -> V:
    return t.binary("<u", t.binary("-", a, b), t.number(1))


def _equal_by_zero(op: str) -> Binary[V]:
    def compare(t: Terms[V], a: V, b: V) -> V:
        return t.binary(op, t.binary("-", a, b), t.number(0))

    return compare


def _less_by_sign(t: Terms[V], a: V, b: V) -> V:
    """The sign of the difference, unless signs differ: then the sign of a."""
    differ = t.binary("^", a, b)
    difference = t.binary("-", a, b)
    sign = t.binary("^", difference, t.binary("&", differ, t.binary("^", difference, a)))
    return t.binary(">>u", sign, t.number(t.bits - 1))


def _below_by_sign(t: Terms[V], a: V, b: V) -> V:
    """The borrow of the difference, which is its sign unless signs differ: then the sign of b."""
    differ = t.binary("^", a, b)
    difference = t.binary("-", a, b)
    sign = t.binary("^", difference, t.binary("&", differ, t.binary("^", difference, b)))
    return t.binary(">>u", sign, t.number(t.bits - 1))


def _with_signs_changed(op: str) -> Binary[V]:
    def compare(t: Terms[V], a: V, b: V) -> V:
        """Order with a sign is order without one if the sign bits are complemented."""
        sign = t.register(-1 << (t.bits - 1))
        return t.binary(op, t.binary("^", a, sign), t.binary("^", b, sign))

    return compare


def _orders() -> dict[str, tuple[Binary[V], ...]]:
    table: dict[str, tuple[Binary[V], ...]] = {
        op: (_swapped(op), _reversed(op)) for op in ("<", ">", "<=", ">=", "<u", ">u", "<=u", ">=u")
    }
    table["<"] = (*table["<"], _less_by_sign, _with_signs_changed("<u"))
    table["<u"] = (*table["<u"], _below_by_sign, _with_signs_changed("<"))
    return table


BINARY: Mapping[str, tuple[Binary[Any], ...]] = {
    "+": (_add_by_subtract, _add_by_bits),
    "-": (_subtract_by_add, _subtract_by_complement),
    "&": (
        _and_by_or,
        _and_by_both,
        _and_by_sums,
        _and_by_shifts,
        _and_by_clearing,
        _complemented("nand"),
        _of_complements("nor"),
        _of_complement("andn"),
    ),
    "|": (
        _or_by_clearing,
        _or_by_both,
        _or_by_and,
        _or_by_sums,
        _complemented("nor"),
        _of_complements("nand"),
        _of_complement("orn"),
    ),
    "^": (_xor_by_difference, _xor_by_sums, _xor_by_bits, _xor_by_nand, _xor_by_nor, _complemented("xnor")),
    "*": PRODUCTS,
    "/": (_quotient_of_magnitudes,),
    "%": (_rest_by_quotient("/"),),
    "%u": (_rest_by_quotient("/u"),),
    "<<": (_by_halves("<<"), _by_steps("<<"), _double),
    ">>": (_by_halves(">>"), _by_steps(">>"), _arithmetic_by_logical),
    ">>u": (_by_halves(">>u"), _by_steps(">>u"), _logical_by_arithmetic, _logical_by_sign),
    "==": (_equal_by_zero("=="), _equal_by_order, _reversed("==")),
    "!=": (_equal_by_zero("!="), _differs_by_order, _differs_by_sign, _reversed("!=")),
    **_orders(),
}


# ----------------------------------------------------------------------------------------------------- one operand

UNARY: Mapping[str, tuple[Unary[Any], ...]] = {
    "neg": (
        lambda t, a: t.binary("-", t.register(0), a),
        lambda t, a: t.binary("+", t.unary("not", a), t.number(1)),
        lambda t, a: t.unary("not", t.binary("+", a, t.number(-1))),
        lambda t, a: t.binary("*", a, t.register(-1)),
    ),
    "not": (
        lambda t, a: t.binary("^", a, t.register(-1)),
        lambda t, a: t.binary("-", t.register(-1), a),
        lambda t, a: t.binary("+", t.unary("neg", a), t.number(-1)),
        lambda t, a: t.combined("nand", a, t.register(-1)),
        lambda t, a: t.combined("nor", a, t.register(0)),
    ),
}


# -------------------------------------------------------------------------------------------------------- branches


def _by_difference(relation: str, op: str) -> Decision[V]:
    return lambda t, a, b: (relation, t.binary(op, a, b), t.number(0))


def _by_value(relation: str) -> Decision[V]:
    return lambda t, a, b: ("!=", t.binary(relation, a, b), t.number(0))


def _by_reversed_value(relation: str) -> Decision[V]:
    return lambda t, a, b: ("==", t.binary(REVERSED[relation], a, b), t.number(0))


def _by_truth(relation: str) -> Decision[V]:
    return lambda t, a, b: ("==", t.binary(relation, a, b), t.number(1))


def _zero_by_order(t: Terms[V], a: V, b: V) -> tuple[str, V, V]:
    if t.constant(b):
        raise NotApplicable
    return "<u", a, t.number(1)


def _nonzero_by_order(t: Terms[V], a: V, b: V) -> tuple[str, V, V]:
    if t.constant(b):
        raise NotApplicable
    return "<u", t.register(0), a


def _nonzero_by_sign(t: Terms[V], a: V, b: V) -> tuple[str, V, V]:
    if t.constant(b):
        raise NotApplicable
    return "<", t.binary("|", a, t.unary("neg", a)), t.number(0)


def _zero_by_sign(t: Terms[V], a: V, b: V) -> tuple[str, V, V]:
    if t.constant(b):
        raise NotApplicable
    return "<", t.unary("not", t.binary("|", a, t.unary("neg", a))), t.number(0)


def _by_sign_bit(relation: str) -> Decision[V]:
    def decision(t: Terms[V], a: V, b: V) -> tuple[str, V, V]:
        if t.constant(b):
            raise NotApplicable
        return relation, t.binary("&", a, t.register(-1 << (t.bits - 1))), t.number(0)

    return decision


def _by_neighbour(relation: str) -> Decision[V]:
    """Compare with the next constant: a number is above 5 if it is 6 at least."""
    step = 1 if (relation[0] == ">" and relation[1:2] != "=") or relation[:2] == "<=" else -1
    other = relation.replace("=", "") if "=" in relation else f"{relation[0]}={relation[1:]}"

    def decision(t: Terms[V], a: V, b: V) -> tuple[str, V, V]:
        last = (0 if step < 0 else -1) if relation.endswith("u") else (-1 << (t.bits - 1)) + (0 if step < 0 else -1)
        if t.constant(t.number(last)) == t.constant(b):
            raise NotApplicable
        return other, a, t.number(t.constant(b) + step)

    return decision


RELATIONS = ("==", "!=", "<", ">", "<=", ">=", "<u", ">u", "<=u", ">=u")
BRANCHES: Mapping[str, tuple[Decision[Any], ...]] = {
    relation: (
        *((_by_difference(relation, "-"), _by_difference(relation, "^")) if relation in ("==", "!=") else ()),
        *((_zero_by_order, _zero_by_sign) if relation == "==" else ()),
        *((_nonzero_by_order, _nonzero_by_sign) if relation == "!=" else ()),
        *((_by_sign_bit("!="),) if relation == "<" else ()),
        *((_by_sign_bit("=="),) if relation == ">=" else ()),
        *(() if relation in ("==", "!=") else (_by_neighbour(relation),)),
        _by_value(relation),
        _by_reversed_value(relation),
        _by_truth(relation),
    )
    for relation in RELATIONS
}


# ----------------------------------------------------------------------------------------------------------------------
# Branches on a relation by several branches on others: trees of decisions, in one table.
#
# A tree is a generator over abstract terms, as identities are functions over them (`vpo/lower/identities.py`).  It yields
# steps in the order of the code; values between them are computed where the generator asks for them.
#
#     Step("<", a, b, "yes")     go to this place if the relation holds, else on
#     Step("", a, a, "rest")     go there in any case
#     "rest"                     the place of this name; "yes" and "no" are outside of the tree, whose end is "no"


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


def _tree_by_difference(relation: str, negative: str, positive: str) -> Tree[V]:
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
        *((_tree_by_difference(relation, "yes", "no"),) if relation in ("<", "<=") else ()),
        *((_tree_by_difference(relation[:-1], "no", "yes"),) if relation in ("<u", "<=u") else ()),
    )
    for relation in RELATIONS
}
