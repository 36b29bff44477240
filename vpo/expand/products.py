"""Products with constants by shifts, sums and differences.

After Bernstein, Multiplication by integer constants (Software: Practice and Experience 16(7), 1986); the search finds the
cheapest of them.
"""

from __future__ import annotations

from typing import Any

from vpo.expand.terms import Binary, NotApplicable, Terms, V

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
