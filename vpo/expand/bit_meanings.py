"""What operators on bits mean, as trees of shifts, masks and sums, for `meanings.py`; integers have no sign.

`keep` computes a tree now and returns what reads it.
"""

from __future__ import annotations

from collections.abc import Callable

from vpo import il

Keep = Callable[[il.Expr], il.Expr]


def _const(x: il.Expr, value: int) -> il.Const:
    return il.Const(x.type, value & ((1 << 8 * x.type.size) - 1))


def _by(operator: str, x: il.Expr, value: int) -> il.Expr:
    return il.Binary(operator, x.type, x, _const(x, value))


def _with(operator: str, x: il.Expr, y: il.Expr) -> il.Expr:
    return il.Binary(operator, x.type, x, y)


def _mask(x: il.Expr, width: int) -> int:
    """Return a number whose fields of so many bits are ones and zeros by turns, from the lowest."""
    bits = 8 * x.type.size
    return sum(((1 << width) - 1) << place for place in range(0, bits, 2 * width))


def population(x: il.Expr, keep: Keep) -> il.Expr:
    """Count the ones: in fields of two bits, of four, and so on."""
    width = 1
    while width < 8 * x.type.size:
        x, mask = keep(x), _mask(x, width)
        x = _with("add", _by("and", x, mask), _by("and", _by("shr", x, width), mask))
        width *= 2
    return x


def leading_zeros(x: il.Expr, keep: Keep) -> il.Expr:
    """Set all bits below the highest one; the rest are zeros in front."""
    distance, bits = 1, 8 * x.type.size
    while distance < bits:
        x = keep(x)
        x = _with("or", x, _by("shr", x, distance))
        distance *= 2
    return _with("sub", _const(x, bits), population(x, keep))


def trailing_zeros(x: il.Expr, keep: Keep) -> il.Expr:
    """Count the bits below the lowest one."""
    x = keep(x)
    return population(_with("and", il.Unary("not", x.type, x), _by("sub", x, 1)), keep)


def reversed_from(least: int) -> Callable[[il.Expr, Keep], il.Expr]:
    """Return what exchanges neighbouring fields of at least so many bits, of twice as many, and so on."""

    def reverse(x: il.Expr, keep: Keep) -> il.Expr:
        width = least
        while width < 8 * x.type.size:
            x, mask = keep(x), _mask(x, width)
            x = _with("or", _by("and", _by("shr", x, width), mask), _by("shl", _by("and", x, mask), width))
            width *= 2
        return x

    return reverse


def carryless_product(x: il.Expr, y: il.Expr, keep: Keep) -> il.Expr:
    """Return the low bits of a product whose partial products are joined by exclusive or."""
    x, y = keep(x), keep(y)
    total: il.Expr = _const(x, 0)
    for place in range(8 * x.type.size):
        all_or_none = il.Unary("neg", x.type, _by("and", _by("shr", y, place), 1))
        total = keep(_with("xor", total, _with("and", _by("shl", x, place), all_or_none)))
    return total


def rotated(x: il.Expr, distance: il.Expr, keep: Keep) -> il.Expr:
    """Rotate to the left."""
    x, distance, most = keep(x), keep(distance), 8 * x.type.size - 1
    left = _with("shl", x, _by("and", distance, most))
    return _with("or", left, _with("shr", x, _by("and", il.Unary("neg", distance.type, distance), most)))


ON_ONE: dict[str, Callable[[il.Expr, Keep], il.Expr]] = {
    "popcount": population, "clz": leading_zeros, "ctz": trailing_zeros, "bswap": reversed_from(8), "brev": reversed_from(1),
}  # fmt: skip
