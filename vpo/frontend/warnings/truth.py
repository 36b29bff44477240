"""Warnings about conditions that are always the same, or that hold another operator than the one that was meant."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from vpo import il
from vpo.frontend.context import Context
from vpo.frontend.lower.values import Value
from vpo.frontend.types.types import RANK_BOOL, Arithmetic, Array, Pointer, is_integer

OF_CONDITIONS = frozenset(("address", "int-in-bool-context"))  # flags
OF_COMPARISONS = frozenset(("bool-compare", "enum-compare", "float-equal", "logical-not-parentheses"))
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


def is_boolean(ctx: Context, node: Any, value: Value | None = None) -> bool:
    """True if the value of an expression is 0 or 1 by its operator or its type."""
    match type(node).__name__:
        case "BinaryOp" if node.op in ("&", "|", "^"):
            return is_boolean(ctx, node.left) and is_boolean(ctx, node.right)
        case "BinaryOp":
            return node.op in _LOGICAL
        case "UnaryOp" if node.op == "!":
            return True
        case "ID":
            symbol = ctx.scope.lookup(node.name)
            return symbol is not None and isinstance(symbol.type, Arithmetic) and symbol.type.rank == RANK_BOOL
    return value is not None and isinstance(value.type, Arithmetic) and value.type.rank == RANK_BOOL


def check_truth(ctx: Context, node: Any, tree: il.Expr | None = None) -> None:
    """Warn of an expression as a condition; `tree` is what it was lowered to."""
    if isinstance(tree, il.Const):
        return
    address = _address(ctx, node)
    if address:
        ctx.report.warning(node.coord, "address", f"the address of {address} will always evaluate as 'true'")
    elif type(node).__name__ == "BinaryOp" and node.op == "<<":
        ctx.report.warning(node.coord, "int-in-bool-context", "'<<' in boolean context, did you mean '<'?")
    elif type(node).__name__ == "BinaryOp" and node.op == "*":
        ctx.report.warning(node.coord, "int-in-bool-context", "'*' in boolean context, suggest '&&' instead")
    elif type(node).__name__ == "TernaryOp" and node.iftrue is not None:
        arms = [arm.value for arm in (node.iftrue, node.iffalse) if type(arm).__name__ == "Constant"]
        if len(arms) == 2 and any(arm not in ("0", "1") for arm in arms) and all(arm.isdecimal() for arm in arms):
            ctx.report.warning(node.coord, "int-in-bool-context", "'?:' using integer constants in boolean context")


def _address(ctx: Context, node: Any) -> str:
    """Return what an expression is the address of, if that certainly exists; else ''."""
    if type(node).__name__ == "UnaryOp" and node.op == "&":
        node = node.expr
        while type(node).__name__ in ("StructRef", "ArrayRef") and getattr(node, "type", ".") == ".":
            node = node.name
        symbol = ctx.scope.lookup(node.name) if type(node).__name__ == "ID" else None
        is_object = symbol is not None and symbol.kind == "object" and not isinstance(symbol.type, Pointer)
        return f"'{node.name}'" if is_object and symbol is not None and not symbol.weak else ""
    if type(node).__name__ != "ID":
        return ""
    symbol = ctx.scope.lookup(node.name)
    if symbol is None or symbol.weak or not (symbol.kind == "function" or isinstance(symbol.type, Array)):
        return ""
    return f"'{node.name}'" if symbol.kind in ("function", "object") else ""


def check_null_comparison(ctx: Context, node: Any, left: Value, right: Value) -> None:
    """Warn of an address that is compared with a null pointer, or of a string literal that is compared."""
    literals = [type(side).__name__ == "Constant" and side.value.endswith('"') for side in (node.left, node.right)]
    if any(literals) and not any(isinstance(side.tree, il.Const) for side in (left, right)):
        ctx.report.warning(node.coord, "address", "comparison with string literal results in unspecified behavior")
        return
    for operand, other in ((node.left, right), (node.right, left)):
        address = _address(ctx, operand) if isinstance(other.tree, il.Const) and other.tree.value == 0 else ""
        if address and node.op in ("==", "!="):
            truth = "true" if node.op == "!=" else "false"
            message = f"the comparison will always evaluate as '{truth}' for the address of {address} will never be NULL"
            ctx.report.warning(node.coord, "address", message)


def check_boolean_comparison(ctx: Context, relation: str, node: Any, left: Value, right: Value) -> None:
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


def check_numbers(ctx: Context, node: Any, left: Value, right: Value) -> None:
    """Warn of floating numbers that are compared for equality, and of constants of different enums."""
    a, b = left.type, right.type
    if not isinstance(a, Arithmetic) or not isinstance(b, Arithmetic):
        return
    if node.op in ("==", "!=") and (a.is_float or b.is_float):
        ctx.report.warning(node.coord, "float-equal", f"comparing floating-point with '{node.op}' is unsafe")
    if a.enumeration and b.enumeration and a.enumeration != b.enumeration:
        ctx.report.warning(node.coord, "enum-compare", f"comparison between '{a}' and '{b}'")


def check_complement(ctx: Context, node: Any, value: Value) -> None:
    """Warn of `~` on the value of a condition."""
    if is_integer(value.type) and is_boolean(ctx, node.expr, value):
        message = "'~' on a boolean expression; did you mean to use logical not?"
        ctx.report.warning(node.coord, "bool-operation", message)
