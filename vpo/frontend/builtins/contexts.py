"""`__builtin_setjmp` and `__builtin_longjmp`.

gcc's buffer has five words, which is less than a context takes on some machines: its first word points to a context in the
frame of the function that saves it.
"""

from __future__ import annotations

from vpo import il
from vpo.frontend.builtins.call import Builtin, BuiltinCall, expect
from vpo.frontend.context import Context
from vpo.frontend.declare.constant_expressions import constant_expression
from vpo.frontend.declare.nested_functions import context_type, save_context
from vpo.frontend.lower import conversions, trees
from vpo.frontend.lower.values import Value


def _save(ctx: Context, call: BuiltinCall) -> Value:
    """Save the context of this function; 0, and 1 when it is resumed."""
    buffer = _buffer(ctx, call, 1)
    context = ctx.aggregate_temporary(context_type(ctx))
    ctx.emit(il.Store(buffer, ctx.address_of(context), call.coord.line))
    return Value(ctx.types.int_, ctx.load_local(save_context(ctx, context)))


def _resume(ctx: Context, call: BuiltinCall) -> Value:
    """Go on where a context was saved."""
    buffer = _buffer(ctx, call, 2)
    if constant_expression(ctx, call.arguments[1], "second argument of '__builtin_longjmp'") != 1:
        ctx.report.fail(call.coord, "'__builtin_longjmp' second argument must be 1")
    pointer, one = ctx.types.address, trees.constant(ctx.types.int_.il, 1)
    ctx.emit(il.Call(il.AddrGlobal(pointer, "longjmp"), (il.Load(pointer, buffer), one), None, call.coord.line))
    return Value(ctx.types.void)


def _buffer(ctx: Context, call: BuiltinCall, count: int) -> il.Expr:
    """Return the address of the buffer, which is the first argument."""
    expect(ctx, call, count, count)
    return conversions.scalar_rvalue(ctx, call.arguments[0])[1]


CONTEXT_BUILTINS: dict[str, Builtin] = {
    "__builtin_setjmp": _save,
    "__builtin_longjmp": _resume,
}
