"""Expressions that stand in several places of an initialiser, and are evaluated once."""

from __future__ import annotations

from typing import Any

from vpo.frontend import conversions
from vpo.frontend.context import Context, lowers_expression
from vpo.frontend.values import Value


class Once:
    """A syntax node for an expression that stands in several places, and is evaluated in the first of them."""

    def __init__(self, expr: Any) -> None:
        self.expr, self.coord = expr, expr.coord
        self.value: Value | None = None


@lowers_expression("Once")
def _once(ctx: Context, node: Once) -> Value:
    if node.value is not None and not ctx.state.is_scratch:
        return node.value
    value = conversions.rvalue(ctx, node.expr)
    if ctx.state.is_scratch or value.tree is None:
        return value
    node.value = Value(value.type, ctx.save(value.tree))
    return node.value
