"""Integer constant expressions (6.6), and the assertions about them.

A file of its own, since declarations and built-in functions ask it.
"""

from __future__ import annotations

from vpo import il
from vpo.frontend.context import Context
from vpo.frontend.lower import conversions
from vpo.frontend.syntax import nodes
from vpo.frontend.syntax.nodes import Argument, StaticAssert
from vpo.frontend.types.types import is_integer
from vpo.il.traversal import walk


def constant_expression(ctx: Context, node: Argument, what: str) -> int:
    """The value of an integer constant expression; `what` begins the message if it is none."""
    with ctx.scratch() as state:
        value = conversions.rvalue(ctx, node)
        if isinstance(value.tree, il.Const) and is_integer(value.type) and not state.body and not _has_comma(node):
            return int(value.tree.value)
        if value.tree is not None and divides_by_zero(value.tree):
            ctx.report.fail(node.coord, "division by zero in a constant expression")
    ctx.report.fail(node.coord, f"{what} is not an integer constant expression")


def _has_comma(node: Argument) -> bool:
    """Return whether an expression that is evaluated has a comma in it."""
    match node:
        case nodes.ExprList():
            return True
        case nodes.BinaryOp():
            return _has_comma(node.left) or _has_comma(node.right)
        case nodes.UnaryOp() | nodes.Cast():
            return _has_comma(node.expr)
        case nodes.TernaryOp():
            return _has_comma(node.cond)
    return False


def divides_by_zero(tree: il.Expr) -> bool:
    """Whether a division by a zero that is written there is part of a tree."""
    return any(
        isinstance(part, il.Binary)
        and part.operator in ("div", "mod")
        and isinstance(part.right, il.Const)
        and part.right.value == 0
        for part in walk(tree)
    )


def static_assertion(ctx: Context, node: StaticAssert) -> None:
    """Check a _Static_assert."""
    if constant_expression(ctx, node.cond, "expression in static assertion") == 0:
        text = node.message.value if node.message is not None else ""
        ctx.report.error(node.coord, f"static assertion failed{': ' if text else ''}{text}")
