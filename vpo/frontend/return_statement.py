"""The statement `return`."""

from __future__ import annotations

from typing import Any

from vpo import il
from vpo.frontend import cleanups, complex_numbers, conversions, trees
from vpo.frontend.calls import block
from vpo.frontend.context import Context, lowers_statement
from vpo.frontend.expressions import discard
from vpo.frontend.statements import check_order
from vpo.frontend.strictness import forbid
from vpo.frontend.suspicious import check_returned
from vpo.frontend.types import Complex, Void, is_empty, is_in_memory, is_scalar


@lowers_statement("Return")
def _return(ctx: Context, node: Any) -> None:
    result = ctx.state.result
    if node.expr is None:
        if not isinstance(result, Void):
            flag = "return-mismatch" if ctx.standard.edition >= 1999 else "return-type"
            ctx.report.warning(node.coord, flag, "'return' with no value, in function returning non-void")
            _emit_return(ctx, trees.constant(result.il, 0) if is_scalar(result) else None)
        else:
            _emit_return(ctx, None)
        return
    if isinstance(result, Void):
        discard(ctx, node.expr)
        with ctx.scratch(unevaluated=True):
            returned = ctx.expression(node.expr).type
        if not isinstance(returned, Void):
            ctx.report.warning(node.coord, "return-mismatch", "'return' with a value, in function returning void")
        else:
            forbid(ctx, node.coord, "ISO C forbids 'return' with expression, in function returning void")
        _emit_return(ctx, None)
        return
    check_order(ctx, node.expr)
    value = conversions.assign(ctx, result, conversions.rvalue(ctx, node.expr), node.expr, "return")
    check_returned(ctx, value, node)
    if is_empty(result):
        _emit_return(ctx, None)
    elif isinstance(result, Complex):
        _emit_return(ctx, block(result, complex_numbers.in_memory(ctx, value)))
    elif is_in_memory(result):
        assert value.address is not None
        _emit_return(ctx, block(result, value.address))
    else:
        _emit_return(ctx, value.tree)


def _emit_return(ctx: Context, value: il.Expr | il.Block | None) -> None:
    value = cleanups.leave_function(ctx, value)
    ctx.emit(il.Return(value, ctx.line))
