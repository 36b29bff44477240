"""Warnings about comparisons of truth values, enumerations, floating numbers and string literals."""

from __future__ import annotations

from collections.abc import Callable

from vpo import il
from vpo.frontend.context import Context
from vpo.frontend.lower.values import Value
from vpo.frontend.syntax.nodes import ID, BinaryOp, Constant, Expression, UnaryOp
from vpo.frontend.types.types import RANK_BOOL, Arithmetic, is_integer

OF_COMPARISONS = frozenset(("bool-compare", "enum-compare", "float-equal", "logical-not-parentheses"))  # flags
_RELATIONS = frozenset(("==", "!=", "<", "<=", ">", ">="))
_LOGICAL = _RELATIONS | {"&&", "||"}
_BOUNDS: dict[str, Callable[[int, int, float], tuple[bool, bool]]] = {
    "lt": lambda low, high, limit: (high < limit, low >= limit),
    "le": lambda low, high, limit: (high <= limit, low > limit),
    "gt": lambda low, high, limit: (low > limit, high <= limit),
    "ge": lambda low, high, limit: (low >= limit, high < limit),
    "eq": lambda low, high, limit: (False, not low <= limit <= high),
    "ne": lambda low, high, limit: (not low <= limit <= high, False),
}  # whether a relation between a number from a range and a limit always holds, and never does


def is_boolean(ctx: Context, node: Expression, value: Value | None = None) -> bool:
    """True if the value of an expression is 0 or 1 by its operator or its type."""
    match node:
        case BinaryOp(op="&" | "|" | "^"):
            return is_boolean(ctx, node.left) and is_boolean(ctx, node.right)
        case BinaryOp():
            return node.op in _LOGICAL
        case UnaryOp(op="!"):
            return True
        case ID():
            symbol = ctx.scope.lookup(node.name)
            return symbol is not None and isinstance(symbol.type, Arithmetic) and symbol.type.rank == RANK_BOOL
    return value is not None and isinstance(value.type, Arithmetic) and value.type.rank == RANK_BOOL


def check_null_comparison(ctx: Context, node: BinaryOp, left: Value, right: Value) -> None:
    """Warn of a string literal that is compared with another address."""
    literals = [isinstance(side, Constant) and side.value.endswith('"') for side in (node.left, node.right)]
    if any(literals) and not any(isinstance(side.tree, il.Const) for side in (left, right)):
        ctx.report.warning(node.coord, "address", "comparison with string literal results in unspecified behavior")


def check_boolean_comparison(ctx: Context, relation: str, node: BinaryOp, left: Value, right: Value) -> None:
    """Warn of the value of a condition that is compared with a number, or of a `!` that may be meant for the comparison."""
    for operand, value, other, how in (
        (node.left, left, right, relation), (node.right, right, left, _SWAPPED[relation])
    ):  # fmt: skip
        if not is_boolean(ctx, operand, value) or not isinstance(other.tree, il.Const) or isinstance(value.tree, il.Const):
            continue
        always, never = _BOUNDS[how](0, 1, other.tree.value)
        if always or never:
            message = f"comparison of constant '{other.tree.value}' with boolean expression is always {str(always).lower()}"
            ctx.report.warning(node.coord, "bool-compare", message)
    if node.has_bare_not and not is_boolean(ctx, node.right, right) and not isinstance(left.tree, il.Const):
        if isinstance(right.tree, il.Const) and right.tree.value == 0 and node.op in ("==", "!="):
            return
        message = "logical not is only applied to the left hand side of comparison"
        ctx.report.warning(node.coord, "logical-not-parentheses", message)


_SWAPPED = {"lt": "gt", "gt": "lt", "le": "ge", "ge": "le", "eq": "eq", "ne": "ne"}


def check_numbers(ctx: Context, node: BinaryOp, left: Value, right: Value) -> None:
    """Warn of floating numbers that are compared for equality, and of constants of different enums."""
    a, b = left.type, right.type
    if not isinstance(a, Arithmetic) or not isinstance(b, Arithmetic):
        return
    if node.op in ("==", "!=") and (a.is_float or b.is_float):
        ctx.report.warning(node.coord, "float-equal", f"comparing floating-point with '{node.op}' is unsafe")
    if a.enumeration and b.enumeration and a.enumeration != b.enumeration:
        ctx.report.warning(node.coord, "enum-compare", f"comparison between '{a}' and '{b}'")


def check_complement(ctx: Context, node: UnaryOp, value: Value) -> None:
    """Warn of `~` on the value of a condition."""
    if is_integer(value.type) and is_boolean(ctx, node.expr, value):
        message = "'~' on a boolean expression; did you mean to use logical not?"
        ctx.report.warning(node.coord, "bool-operation", message)
