"""Built-in arithmetic that tells whether its result fits: `__builtin_add_overflow(a, b, &result)` and its relatives."""

from __future__ import annotations

import re
from typing import Any

from vpo import il
from vpo.frontend import conversions, trees
from vpo.frontend.context import Context
from vpo.frontend.types import Arithmetic, Pointer, is_integer, unqualified
from vpo.frontend.values import Value

NAME = re.compile(r"__builtin_(s|u|)(add|sub|mul)(l{0,2})_overflow")
_WIDE, _UNSIGNED = il.I8, il.U8


def overflow_builtin(ctx: Context, node: Any, arguments: list[Any]) -> Value:
    """Lower a call: the low bits of the result are stored, and the value says whether they are all of it."""
    match = NAME.fullmatch(node.name.name)
    assert match is not None
    if len(arguments) != 3:
        ctx.report.fail(node.coord, f"'{node.name.name}' takes three arguments")
    operands = [_integer(ctx, argument) for argument in arguments[:2]]
    where = conversions.rvalue(ctx, arguments[2])
    if not isinstance(where.type, Pointer) or not is_integer(where.type.target) or where.tree is None:
        ctx.report.fail(arguments[2].coord, "a pointer to an integer is needed here")
    target = where.type.target
    (left_type, left), (right_type, right) = operands
    left, right = ctx.save(left), ctx.save(right)
    sizes = (left_type.size, right_type.size, target.size)
    if max(sizes) < _WIDE.size:
        exact = trees.binary(match[2], _WIDE, trees.convert(_WIDE, left), trees.convert(_WIDE, right))
        exact = ctx.save(exact)
        low = ctx.save(trees.convert(target.il, exact))
        fails = trees.compare("ne", ctx.types.int_.il, trees.convert(_WIDE, low), exact)
    else:
        for ctype in (left_type, right_type):
            if ctype.size == target.size and ctype.il.is_signed != target.il.is_signed:
                ctx.report.fail(node.coord, f"'{node.name.name}' is not supported for '{ctype}' and '{unqualified(target)}'")
        low, fails = _WAYS[match[2]](ctx, target.il, trees.convert(target.il, left), trees.convert(target.il, right))
    fails = ctx.save(fails)
    conversions.store(ctx, Value(target, None, where.tree, lvalue=True), low)
    return Value(ctx.types.int_, fails)


def _integer(ctx: Context, node: Any) -> tuple[Arithmetic, il.Expr]:
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


def _multiply(ctx: Context, kind: il.Type, a: il.Expr, b: il.Expr) -> tuple[il.Expr, il.Expr]:
    """Multiply magnitudes, and divide again; the largest magnitude depends on the sign."""
    int_ = ctx.types.int_.il
    product = ctx.save(trees.binary("mul", kind, a, b))
    left, right = (_magnitude(ctx, kind, tree) for tree in (a, b))
    whole = ctx.save(trees.binary("mul", _UNSIGNED, left, right))
    zero = trees.constant(_UNSIGNED, 0)
    divisor = ctx.save(trees.binary("or", _UNSIGNED, left, trees.convert(_UNSIGNED, trees.compare("eq", int_, left, zero))))
    differs = trees.compare("ne", int_, trees.binary("div", _UNSIGNED, whole, divisor), right)
    lost = trees.binary("and", int_, trees.compare("ne", int_, left, zero), differs)
    if not kind.is_signed:
        return product, lost
    negative = trees.binary("xor", int_, _is_negative(ctx, a), _is_negative(ctx, b))
    most = trees.binary("add", _UNSIGNED, trees.constant(_UNSIGNED, (1 << 63) - 1), trees.convert(_UNSIGNED, negative))
    return product, trees.binary("or", int_, lost, trees.compare("gt", int_, whole, most))


def _magnitude(ctx: Context, kind: il.Type, tree: il.Expr) -> il.Expr:
    """Return the absolute value of a number without sign: x ^ s minus s, where s is all ones for negative x."""
    if not kind.is_signed:
        return tree
    sign = ctx.save(trees.binary("shr", kind, tree, trees.constant(kind, 8 * kind.size - 1)))
    return ctx.save(trees.convert(_UNSIGNED, trees.binary("sub", kind, trees.binary("xor", kind, tree, sign), sign)))


_WAYS = {"add": _add, "sub": _subtract, "mul": _multiply}
