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


# ----------------------------------------------------------------------------------------------------------------------
# By instructions of the machine, if it has some: of the same width, of twice the width or of half of it.


def _by_instructions(ctx: Context, operator: str, x: il.Expr) -> il.Expr | None:
    """Return what an operator of `il.BIT_OPERATORS` makes of a value, of 0, too; None if the machine cannot do it so.

    Of an extended value that is 0, the zeros at the end need not be counted: C leaves them undefined.
    """
    kind, has = x.type, ctx.model.operators
    if (operator, kind.size) in has:
        return trees.unary(operator, kind, x)
    if kind.size < 8 and (wide := next((size for size in (4, 8) if size > kind.size and (operator, size) in has), 0)):
        if operator in ("bswap", "brev"):
            return trees.unary(operator, kind, x)
        return trees.convert(kind, _counted_in(il.Type("U", wide), operator, x))
    if kind.size == 8 and (operator, 4) in has:
        if isinstance(x, il.Convert) and x.operand.type.kind == "U" and x.operand.type.size <= 4 and operator in COUNTS:
            low = trees.unary(operator, half := il.Type("U", 4), trees.convert(half, x.operand))  # of 0, ctz need not be told
            return trees.convert(kind, _combine("add", low, 32 if operator == "clz" else 0))
        return _by_halves(ctx, operator, ctx.save(x))
    return None


def _counted_in(wide: il.Type, operator: str, x: il.Expr) -> il.Expr:
    """Count bits of a value in its extension to a wider type."""
    bits, whole = 8 * x.type.size, trees.convert(wide, x)
    if operator == "clz":
        return _combine("sub", trees.unary(operator, wide, whole), 8 * wide.size - bits)
    return trees.unary(operator, wide, _combine("or", whole, 1 << bits) if operator == "ctz" else whole)


def _by_halves(ctx: Context, operator: str, x: il.Expr) -> il.Expr:
    """Apply an operator to the words of a value: where the first that counts is 0, the other is counted, too."""
    half = il.Type("U", 4)
    low, high = (trees.convert(half, part) for part in (x, _combine("shr", x, 32)))
    if operator in ("bswap", "brev"):
        first, second = (trees.convert(x.type, trees.unary(operator, half, part)) for part in (low, high))
        return _combine("or", _combine("shl", first, 32), second)
    if operator == "popcount":
        return trees.convert(x.type, _combine("add", *(trees.unary(operator, half, part) for part in (low, high))))
    first, second = (high, low) if operator == "clz" else (low, high)
    is_empty = trees.convert(half, trees.compare("eq", ctx.types.int_.il, first, trees.constant(half, 0)))
    rest = _combine("and", trees.unary(operator, half, second), trees.unary("neg", half, is_empty))
    return trees.convert(x.type, _combine("add", trees.unary(operator, half, first), rest))


# ----------------------------------------------------------------------------------------------------------------------
# By instructions or by arithmetic.


def _population(ctx: Context, x: il.Expr) -> il.Expr:
    """Add neighbouring bits, pairs and nibbles (Hacker's Delight, 5-1); the product sums the bytes."""
    if (counted := _by_instructions(ctx, "popcount", x)) is not None:
        return counted
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
    """Count the ones of a mask of the zeros at the end, or the zeros before it."""
    if (counted := _by_instructions(ctx, "ctz", x)) is not None:
        return counted
    reverses = ("brev", x.type.size) in ctx.model.operators
    if reverses and (counted := _by_instructions(ctx, "clz", trees.unary("brev", x.type, x))) is not None:
        return counted
    x = ctx.save(x)
    ones = (1 << 8 * x.type.size) - 1
    mask = _combine("and", _combine("xor", x, ones), _combine("sub", x, 1))
    if ("popcount", x.type.size) not in ctx.model.operators and (before := _by_instructions(ctx, "clz", mask)) is not None:
        return trees.binary("sub", x.type, trees.constant(x.type, 8 * x.type.size), before)
    return _population(ctx, mask)


def _leading_zeros(ctx: Context, x: il.Expr) -> il.Expr:
    """Set all bits below the highest one; the rest are zeros in front."""
    if (counted := _by_instructions(ctx, "clz", x)) is not None:
        return counted
    bits, distance = 8 * x.type.size, 1
    while distance < bits:
        x = ctx.save(x)
        x = _combine("or", x, _combine("shr", x, distance))
        distance *= 2
    return trees.binary("sub", x.type, trees.constant(x.type, bits), _population(ctx, x))


def _first_set(ctx: Context, x: il.Expr) -> il.Expr:
    x = ctx.save(x)
    lowest = _combine("and", x, trees.unary("neg", x.type, x))
    if ctx.model.operators and (above := _by_instructions(ctx, "clz", lowest)) is not None:
        return trees.binary("sub", x.type, trees.constant(x.type, 8 * x.type.size), above)
    position = _combine("add", _trailing_zeros(ctx, x), 1)
    is_any = trees.compare("ne", ctx.types.int_.il, x, trees.constant(x.type, 0))
    return _combine("mul", position, trees.convert(x.type, is_any))


def _reversed_bits(ctx: Context, x: il.Expr) -> il.Expr:
    """Exchange neighbouring bits, pairs and nibbles, then bytes."""
    if (reversed_ := _by_instructions(ctx, "brev", x)) is not None:
        return reversed_
    for distance, byte in ((1, 0x55), (2, 0x33), (4, 0x0F)):
        x, mask = ctx.save(x), _repeated(x.type, byte)
        left = _combine("shl", _combine("and", x, mask), distance)
        x = _combine("or", left, _combine("and", _combine("shr", x, distance), mask))
    return x if x.type.size == 1 else _swapped(ctx, x)


def _swapped(ctx: Context, x: il.Expr) -> il.Expr:
    """Put each byte where it belongs."""
    if (swapped := _by_instructions(ctx, "bswap", x)) is not None:
        return swapped
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


REVERSALS: dict[str, Computation] = {"bswap": _swapped, "bitreverse": _reversed_bits}


def count_bits(compute: Computation, operand: Arithmetic) -> Lowering:
    """Return the lowering of a function that counts bits of its argument, an unsigned integer, into an int."""

    def lower(ctx: Context, argument: Argument) -> Value:
        result = ctx.types.int_
        return Value(result, trees.convert(result.il, compute(ctx, _argument(ctx, argument, operand))))

    return lower


def _reversal(compute: Computation, operand: Arithmetic) -> Lowering:
    """Return the lowering of a function that reverses the bytes or the bits of its argument."""
    return lambda ctx, argument: Value(operand, compute(ctx, _argument(ctx, argument, operand)))


def _argument(ctx: Context, node: Argument, operand: Arithmetic) -> il.Expr:
    value = conversions.assign(ctx, operand, conversions.rvalue(ctx, node), node)
    assert value.tree is not None
    return value.tree


def bit_builtin(name: str, ctx: Context) -> Lowering | None:
    """Return the lowering of `__builtin_clz` and its kind, given its name behind `__builtin_`; None for other names."""
    types = ctx.types
    for prefix, compute in REVERSALS.items():
        if name.startswith(prefix):
            unsigned = (types.uchar, types.ushort, types.uint, types.ulong, types.ullong)
            found = next((ctype for ctype in unsigned if name == f"{prefix}{8 * ctype.size}"), None)
            return None if found is None or name == "bswap8" else _reversal(compute, found)
    match = re.fullmatch(rf"({'|'.join(COUNTS)})(l*)", name)
    operands = {"": types.uint, "l": types.ulong, "ll": types.ullong}
    if match is not None and match[2] in operands:
        return count_bits(COUNTS[match[1]], operands[match[2]])
    return None
