"""Built-in functions on the bits of integers, as arithmetic: counting, leading and trailing zeros, byte order."""

from __future__ import annotations

import re
from collections.abc import Callable

from vpo import il
from vpo.frontend.context import Context
from vpo.frontend.lower import conversions, trees
from vpo.frontend.lower.values import Value
from vpo.frontend.syntax.nodes import Argument
from vpo.frontend.types.types import Arithmetic

Lowering = Callable[[Context, Argument], Value]  # of a call with one argument
Computation = Callable[[Context, il.Expr], il.Expr]


def _combine(operator: str, left: il.Expr, right: int | il.Expr) -> il.Expr:
    other = trees.constant(left.type, right) if isinstance(right, int) else right
    return trees.binary(operator, left.type, left, other)


def _repeated(kind: il.Type, byte: int) -> int:
    """Return an integer all bytes of which are equal."""
    return int.from_bytes(bytes([byte]) * kind.size, "big")


def _population(ctx: Context, x: il.Expr) -> il.Expr:
    """Add neighbouring bits, pairs and nibbles (Hacker's Delight, 5-1); the product sums the bytes."""
    kind = x.type
    x = ctx.save(x)
    x = ctx.save(_combine("sub", x, _combine("and", _combine("shr", x, 1), _repeated(kind, 0x55))))
    pairs = _repeated(kind, 0x33)
    x = ctx.save(_combine("add", _combine("and", x, pairs), _combine("and", _combine("shr", x, 2), pairs)))
    x = _combine("and", _combine("add", x, _combine("shr", x, 4)), _repeated(kind, 0x0F))
    return _combine("shr", _combine("mul", x, _repeated(kind, 1)), 8 * kind.size - 8)


def _parity(ctx: Context, x: il.Expr) -> il.Expr:
    return _combine("and", _population(ctx, x), 1)


def _trailing_zeros(ctx: Context, x: il.Expr) -> il.Expr:
    x = ctx.save(x)
    ones = (1 << 8 * x.type.size) - 1
    return _population(ctx, _combine("and", _combine("xor", x, ones), _combine("sub", x, 1)))


def _leading_zeros(ctx: Context, x: il.Expr) -> il.Expr:
    """Set all bits below the highest one; the rest are zeros in front."""
    bits, distance = 8 * x.type.size, 1
    while distance < bits:
        x = ctx.save(x)
        x = _combine("or", x, _combine("shr", x, distance))
        distance *= 2
    return trees.binary("sub", x.type, trees.constant(x.type, bits), _population(ctx, x))


def _first_set(ctx: Context, x: il.Expr) -> il.Expr:
    x = ctx.save(x)
    position = _combine("add", _trailing_zeros(ctx, x), 1)
    is_any = trees.compare("ne", ctx.types.int_.il, x, trees.constant(x.type, 0))
    return _combine("mul", position, trees.convert(x.type, is_any))


def _swapped(ctx: Context, x: il.Expr) -> il.Expr:
    x = ctx.save(x)
    last = x.type.size - 1
    result: il.Expr = trees.constant(x.type, 0)
    for byte in range(x.type.size):
        moved = _combine("shl", _combine("and", _combine("shr", x, 8 * byte), 0xFF), 8 * (last - byte))
        result = _combine("or", moved, result)
    return result


def _redundant_signs(ctx: Context, x: il.Expr) -> il.Expr:
    """Count the bits behind the sign that are equal to it."""
    x = ctx.save(x)
    sign = trees.convert(x.type, trees.binary("shr", il.Type("I", x.type.size), trees.convert(il.Type("I", x.type.size), x),
                                              trees.constant(x.type, 8 * x.type.size - 1)))  # fmt: skip
    return _combine("sub", _leading_zeros(ctx, _combine("xor", x, sign)), 1)


COUNTS: dict[str, Computation] = {
    "clrsb": _redundant_signs,
    "clz": _leading_zeros,
    "ctz": _trailing_zeros,
    "ffs": _first_set,
    "parity": _parity,
    "popcount": _population,
}


def count_bits(compute: Computation, operand: Arithmetic) -> Lowering:
    """Return the lowering of a function that counts bits of its argument, an unsigned integer, into an int."""

    def lower(ctx: Context, argument: Argument) -> Value:
        result = ctx.types.int_
        return Value(result, trees.convert(result.il, compute(ctx, _argument(ctx, argument, operand))))

    return lower


def swap_bytes(operand: Arithmetic) -> Lowering:
    """Return the lowering of a function that reverses the bytes of its argument."""
    return lambda ctx, argument: Value(operand, _swapped(ctx, _argument(ctx, argument, operand)))


def _argument(ctx: Context, node: Argument, operand: Arithmetic) -> il.Expr:
    value = conversions.assign(ctx, operand, conversions.rvalue(ctx, node), node)
    assert value.tree is not None
    return value.tree


def bit_builtin(name: str, ctx: Context) -> Lowering | None:
    """Return the lowering of `__builtin_clz` and its kind, given its name behind `__builtin_`; None for other names."""
    types = ctx.types
    if name.startswith("bswap"):
        unsigned = (types.ushort, types.uint, types.ulong, types.ullong)
        found = next((ctype for ctype in unsigned if name == f"bswap{8 * ctype.size}"), None)
        return None if found is None else swap_bytes(found)
    match = re.fullmatch(rf"({'|'.join(COUNTS)})(l*)", name)
    operands = {"": types.uint, "l": types.ulong, "ll": types.ullong}
    if match is not None and match[2] in operands:
        return count_bits(COUNTS[match[1]], operands[match[2]])
    return None
