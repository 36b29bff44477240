"""`__builtin_setjmp` and `__builtin_longjmp`.

gcc's buffer has five words, which is less than a context takes on some machines: its first word points to a context in the
frame of the function that saves it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from vpo import il
from vpo.frontend.context import Context
from vpo.frontend.declare.constant_expressions import constant_expression
from vpo.frontend.declare.nested_functions import context_type, save_context
from vpo.frontend.lower import conversions, trees
from vpo.frontend.lower.values import Value


def _save(ctx: Context, node: Any, arguments: list[Any]) -> Value:
    """Save the context of this function; 0, and 1 when it is resumed."""
    buffer = _buffer(ctx, node, arguments, 1)
    context = ctx.aggregate_temporary(context_type(ctx))
    ctx.emit(il.Store(buffer, ctx.address_of(context), node.coord.line))
    return Value(ctx.types.int_, ctx.load_local(save_context(ctx, context)))


def _resume(ctx: Context, node: Any, arguments: list[Any]) -> Value:
    """Go on where a context was saved."""
    buffer = _buffer(ctx, node, arguments, 2)
    if constant_expression(ctx, arguments[1], "second argument of '__builtin_longjmp'") != 1:
        ctx.report.fail(node.coord, "'__builtin_longjmp' second argument must be 1")
    pointer, one = ctx.types.address, trees.constant(ctx.types.int_.il, 1)
    ctx.emit(il.Call(il.AddrGlobal(pointer, "longjmp"), (il.Load(pointer, buffer), one), None, node.coord.line))
    return Value(ctx.types.void)


def _buffer(ctx: Context, node: Any, arguments: list[Any], count: int) -> il.Expr:
    """Return the address of the buffer, which is the first argument."""
    if len(arguments) != count:
        few = "few" if len(arguments) < count else "many"
        ctx.report.fail(node.coord, f"too {few} arguments to function '{node.name.name}'")
    return conversions.scalar_rvalue(ctx, arguments[0])[1]


CONTEXT_BUILTINS: dict[str, Callable[[Context, Any, list[Any]], Value]] = {
    "__builtin_setjmp": _save,
    "__builtin_longjmp": _resume,
}
