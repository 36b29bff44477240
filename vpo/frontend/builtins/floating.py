"""Built-in functions on floating numbers: constants, quiet comparisons, and what kind of number one is."""

from __future__ import annotations

import math
import re
from collections.abc import Callable

from vpo import il
from vpo.frontend.builtins.call import Builtin, BuiltinCall, operand
from vpo.frontend.context import Context
from vpo.frontend.lower import conversions, trees
from vpo.frontend.lower.values import Held, Value
from vpo.frontend.syntax.nodes import TernaryOp
from vpo.frontend.types.types import Arithmetic

_RELATIONS = {
    "isgreater": ("gt",), "isgreaterequal": ("ge",), "isless": ("lt",), "islessequal": ("le",), "islessgreater": ("lt", "gt"),
}  # fmt: skip
_CONSTANTS = {"inf": math.inf, "huge_val": math.inf, "nan": math.nan, "nans": math.nan}
_NAME = re.compile(r"(inf|huge_val|nans?|isnan|isinf|isinf_sign|isfinite|finite|isnormal|signbit)(f|l|)")


def floating_builtin(name: str) -> Builtin | None:
    """Return the lowering of a function, given its name behind `__builtin_`; None for other names."""
    if name in _RELATIONS or name == "isunordered":
        return lambda ctx, call: _relation(ctx, call, name)
    if name == "fpclassify":
        return _classify
    match = _NAME.fullmatch(name)
    if match is None:
        return None
    if match[1] in _CONSTANTS:
        return lambda ctx, call: _constant(ctx, match[2], _CONSTANTS[match[1]])
    return lambda ctx, call: _kind(ctx, call, match[1])


def _constant(ctx: Context, suffix: str, number: float) -> Value:
    ctype = {"": ctx.types.double, "f": ctx.types.float_, "l": ctx.types.ldouble}[suffix]
    return Value(ctype, trees.constant(ctype.il, number))


def _numbers(ctx: Context, call: BuiltinCall, count: int) -> list[tuple[Arithmetic, il.Expr]]:
    """Lower the arguments, numbers of which at least one is floating."""
    if len(call.arguments) != count:
        ctx.report.fail(call.coord, f"'{call.name}' takes {count} argument{'s' if count > 1 else ''}")
    found: list[tuple[Arithmetic, il.Expr]] = []
    for argument in call.arguments:
        ctype, tree = conversions.scalar_rvalue(ctx, argument)
        if not isinstance(ctype, Arithmetic):
            ctx.report.fail(argument.coord, f"'{call.name}' takes numbers, not '{ctype}'")
        found.append((ctype, ctx.save(tree)))
    return found


def _relation(ctx: Context, call: BuiltinCall, name: str) -> Value:
    (left_type, left), (right_type, right) = _numbers(ctx, call, 2)
    common = ctx.types.usual(left_type, right_type)
    left, right = (ctx.save(trees.convert(common.il, tree)) for tree in (left, right))
    int_type = ctx.types.int_
    if name == "isunordered":
        tests = [trees.compare("ne", int_type.il, tree, tree) for tree in (left, right)]
    else:
        tests = [trees.compare(relation, int_type.il, left, right) for relation in _RELATIONS[name]]
    result = tests[0] if len(tests) == 1 else trees.binary("or", int_type.il, *tests)
    return Value(int_type, result)


def _kind(ctx: Context, call: BuiltinCall, name: str) -> Value:
    [(ctype, tree)] = _numbers(ctx, call, 1)
    if not ctype.is_float:
        ctype, tree = ctx.types.double, ctx.save(trees.convert(ctx.types.double.il, tree))
    return Value(ctx.types.int_, _tests(ctx, tree)[name](tree))


def _tests(ctx: Context, tree: il.Expr) -> dict[str, Callable[[il.Expr], il.Expr]]:
    """Return how it is told, of a saved number, what kind it is."""
    kind, own = ctx.types.int_.il, tree.type
    infinity = trees.constant(own, math.inf)
    normal = trees.constant(own, 2.0**-126 if own.size == 4 else 2.0**-1022)

    def compare(relation: str, left: il.Expr, right: il.Expr) -> il.Expr:
        return trees.compare(relation, kind, left, right)

    def size(x: il.Expr) -> il.Expr:
        return trees.unary("abs", own, x)

    def is_normal(x: il.Expr) -> il.Expr:
        x = ctx.save(size(x))
        return trees.binary("and", kind, compare("ge", x, normal), compare("lt", x, infinity))

    def sign(x: il.Expr) -> il.Expr:
        bits = il.Type("I", own.size)
        local = ctx.temporary(own)
        local.volatile = True
        ctx.store_local(local, x)
        return compare("lt", ctx.save(il.Load(bits, ctx.address_of(local), True)), trees.constant(bits, 0))

    def signed_infinity(x: il.Expr) -> il.Expr:
        return trees.binary("sub", kind, compare("eq", x, infinity), compare("eq", x, trees.constant(own, -math.inf)))

    def is_finite(x: il.Expr) -> il.Expr:
        return compare("lt", size(x), infinity)

    return {
        "isnan": lambda x: compare("ne", x, x),
        "isinf": lambda x: compare("eq", size(x), infinity),
        "isinf_sign": signed_infinity,
        "isfinite": is_finite,
        "finite": is_finite,
        "isnormal": is_normal,
        "signbit": sign,
    }


def _classify(ctx: Context, call: BuiltinCall) -> Value:
    """Lower `fpclassify(nan, infinite, normal, subnormal, zero, x)`."""
    if len(call.arguments) != 6:
        ctx.report.fail(call.coord, "'__builtin_fpclassify' takes six arguments")
    [(ctype, tree)] = _numbers(ctx, BuiltinCall(call.name, call.arguments[5:], call.coord), 1)
    if not ctype.is_float:
        ctx.report.fail(call.coord, "non-floating-point argument in call to function '__builtin_fpclassify'")
    tests = _tests(ctx, tree)
    int_type = ctx.types.int_
    truths = [tests[name](tree) for name in ("isnan", "isinf", "isnormal")]
    truths.append(trees.compare("ne", int_type.il, tree, trees.constant(ctype.il, 0)))
    chosen = operand(ctx, call.arguments[4])
    for truth, argument in reversed(list(zip(truths, call.arguments, strict=False))):
        held = Held(Value(int_type, ctx.save(truth)), call.coord)
        chosen = TernaryOp(held, operand(ctx, argument), chosen, call.coord)
    return conversions.rvalue(ctx, chosen)
