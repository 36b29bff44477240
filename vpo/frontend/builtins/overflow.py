"""Built-in arithmetic that tells whether its result fits: `__builtin_add_overflow(a, b, &result)` and its relatives."""

from __future__ import annotations

import functools
import operator
import re

from vpo import il
from vpo.frontend.builtins.call import BuiltinCall
from vpo.frontend.context import Context
from vpo.frontend.lower import conversions, stored_scalars, trees
from vpo.frontend.lower.values import Value
from vpo.frontend.syntax.nodes import Argument
from vpo.frontend.types.types import Arithmetic, BitField, Pointer, is_integer

NAME = re.compile(r"__builtin_(s|u|)(add|sub|mul)(l{0,2})_overflow(_p)?")
_WIDE = il.I8


def overflow_builtin(ctx: Context, call: BuiltinCall) -> Value:
    """Lower a call: the low bits of the result are stored, and the value says whether they are all of it.

    Of `__builtin_add_overflow_p(a, b, c)` and its relatives c only has the type of the result, which for a bit-field has as
    many bits, and nothing is stored.
    """
    match = NAME.fullmatch(call.name)
    assert match is not None
    if len(call.arguments) != 3:
        ctx.report.fail(call.coord, f"'{call.name}' takes three arguments")
    operands = [_integer(ctx, argument) for argument in call.arguments[:2]]
    target, where, bits = _target(ctx, call.arguments[2], match[4] is None)
    low, fails = _arithmetic(ctx, match[2], target, *operands)
    if bits is not None:
        fails = trees.binary("or", ctx.types.int_.il, fails, _is_wider(ctx, low, bits))
    if where is not None:
        fails = ctx.save(fails)
        stored_scalars.store(ctx, Value(target, None, where, lvalue=True), low)
    return Value(ctx.types.int_, fails)


def _target(ctx: Context, node: Argument, stored: bool) -> tuple[Arithmetic, il.Expr | None, BitField | None]:
    """Return the type of the result, where it is `stored`, and which bits of the type it has if these are not all."""
    if not stored:
        with ctx.scratch():
            value = ctx.expression(node)
            if value.bits is not None and isinstance(value.type, Arithmetic):
                return value.type, None, value.bits
            return _integer(ctx, node)[0], None, None
    where = conversions.rvalue(ctx, node)
    target = where.type.target if isinstance(where.type, Pointer) else ctx.types.void
    if not is_integer(target) or where.tree is None:
        ctx.report.fail(node.coord, "a pointer to an integer is needed here")
    return target, where.tree, None


def _is_wider(ctx: Context, number: il.Expr, bits: BitField) -> il.Expr:
    """Return whether a bit-field has not all of a number."""
    kind = il.Type("I" if bits.signed else "U", max(number.type.size, ctx.types.int_.size))
    whole = ctx.save(trees.convert(kind, number))
    return trees.compare("ne", ctx.types.int_.il, stored_scalars.extend_bits(kind, whole, 0, bits.width), whole)


def _arithmetic(
    ctx: Context,
    name: str,
    target: Arithmetic,
    left_operand: tuple[Arithmetic, il.Expr],
    right_operand: tuple[Arithmetic, il.Expr],
) -> tuple[il.Expr, il.Expr]:
    """Return the low bits of a result, and whether the type of the result has not all of it."""
    (left_type, left), (right_type, right) = left_operand, right_operand
    if isinstance(left, il.Const) and isinstance(right, il.Const):
        exact = _PLAIN[name](int(left.value), int(right.value))
        kept = trees.constant(target.il, exact)
        return kept, trees.constant(ctx.types.int_.il, int(kept.value != exact))
    left, right = ctx.save(left), ctx.save(right)
    size = max(left_type.size, right_type.size, target.size)
    if size < _WIDE.size:
        return _exact(ctx, name, _WIDE, target.il, left, right)
    if _fits(left_type.il, target.il) and _fits(right_type.il, target.il):
        return _WAYS[name](ctx, target.il, trees.convert(target.il, left), trees.convert(target.il, right))
    if name == "mul":
        return _multiply(ctx, target.il, left, right)
    return _exact(ctx, name, il.Type("I", 2 * size), target.il, left, right)


def _integer(ctx: Context, node: Argument) -> tuple[Arithmetic, il.Expr]:
    ctype, tree = conversions.scalar_rvalue(ctx, node)
    if not is_integer(ctype):
        ctx.report.fail(node.coord, "an integer is needed here")
    return ctype, tree


def _is_negative(ctx: Context, tree: il.Expr) -> il.Expr:
    return trees.compare("lt", ctx.types.int_.il, tree, trees.constant(tree.type, 0))


def _add(ctx: Context, kind: il.Type, a: il.Expr, b: il.Expr) -> tuple[il.Expr, il.Expr]:
    total = ctx.save(trees.binary("add", kind, a, b))
    if not kind.is_signed:
        return total, trees.compare("lt", ctx.types.int_.il, total, a)
    signs = trees.binary("and", kind, trees.binary("xor", kind, a, total), trees.binary("xor", kind, b, total))
    return total, _is_negative(ctx, signs)


def _subtract(ctx: Context, kind: il.Type, a: il.Expr, b: il.Expr) -> tuple[il.Expr, il.Expr]:
    rest = ctx.save(trees.binary("sub", kind, a, b))
    if not kind.is_signed:
        return rest, trees.compare("lt", ctx.types.int_.il, a, b)
    signs = trees.binary("and", kind, trees.binary("xor", kind, a, b), trees.binary("xor", kind, a, rest))
    return rest, _is_negative(ctx, signs)


def _exact(ctx: Context, name: str, wide: il.Type, target: il.Type, a: il.Expr, b: il.Expr) -> tuple[il.Expr, il.Expr]:
    """Compute in a type that holds every result, and compare with what the target keeps of it."""
    exact = ctx.save(trees.binary(name, wide, trees.convert(wide, a), trees.convert(wide, b)))
    low = ctx.save(trees.convert(target, exact))
    return low, trees.compare("ne", ctx.types.int_.il, trees.convert(wide, low), exact)


def _multiply(ctx: Context, kind: il.Type, a: il.Expr, b: il.Expr) -> tuple[il.Expr, il.Expr]:
    """Multiply magnitudes, and divide again; the largest magnitude depends on the sign."""
    int_ = ctx.types.int_.il
    unsigned = il.Type("U", max(kind.size, a.type.size, b.type.size))
    low = trees.binary("mul", unsigned, trees.convert(unsigned, a), trees.convert(unsigned, b))
    product = ctx.save(trees.convert(kind, low))
    left, right = (_magnitude(ctx, unsigned, tree) for tree in (a, b))
    whole = ctx.save(trees.binary("mul", unsigned, left, right))
    zero = trees.constant(unsigned, 0)
    divisor = ctx.save(trees.binary("or", unsigned, left, trees.convert(unsigned, trees.compare("eq", int_, left, zero))))
    differs = trees.compare("ne", int_, trees.binary("div", unsigned, whole, divisor), right)
    lost = trees.binary("and", int_, trees.compare("ne", int_, left, zero), differs)
    if not any(type_.is_signed for type_ in (kind, a.type, b.type)) and kind.size == unsigned.size:
        return product, lost
    signs = [_is_negative(ctx, tree) for tree in (a, b) if tree.type.is_signed]
    none: il.Expr = trees.constant(int_, 0)
    negative = trees.convert(unsigned, functools.reduce(lambda x, y: trees.binary("xor", int_, x, y), signs, none))
    if kind.is_signed:
        most = trees.binary("add", unsigned, trees.constant(unsigned, (1 << 8 * kind.size - 1) - 1), negative)
    else:  # a negative product has no place at all
        most = trees.binary(
            "and",
            unsigned,
            trees.constant(unsigned, (1 << 8 * kind.size) - 1),
            trees.binary("sub", unsigned, negative, trees.constant(unsigned, 1)),
        )
    return product, trees.binary("or", int_, lost, trees.compare("gt", int_, whole, most))


def _magnitude(ctx: Context, unsigned: il.Type, tree: il.Expr) -> il.Expr:
    """Return the absolute value of a number without sign: x ^ s minus s, where s is all ones for negative x."""
    kind = tree.type
    if not kind.is_signed:
        return trees.convert(unsigned, tree)
    wide = ctx.save(trees.convert(unsigned, tree))
    sign = ctx.save(trees.convert(unsigned, trees.binary("shr", kind, tree, trees.constant(kind, 8 * kind.size - 1))))
    return ctx.save(trees.binary("sub", unsigned, trees.binary("xor", unsigned, wide, sign), sign))


def _fits(source: il.Type, target: il.Type) -> bool:
    """Return whether a type has every value of another one."""
    if source.is_signed == target.is_signed:
        return source.size <= target.size
    return target.is_signed and source.size < target.size


_WAYS = {"add": _add, "sub": _subtract, "mul": _multiply}
_PLAIN = {"add": operator.add, "sub": operator.sub, "mul": operator.mul}
