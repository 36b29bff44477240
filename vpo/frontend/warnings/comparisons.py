"""Warnings about comparisons: of a number that may be negative with one that cannot, of what `!` gives with a number."""

from __future__ import annotations

from vpo import il
from vpo.frontend.context import Context
from vpo.frontend.lower.values import Value
from vpo.frontend.syntax import nodes
from vpo.frontend.types.types import RANK_BOOL, Arithmetic, is_integer
from vpo.frontend.warnings.conversions import limits, value_range


def check_not(ctx: Context, node: nodes.BinaryOp, right: Value) -> None:
    """Warn of a `!` on the left of a comparison that it may be meant for, unless the right side is a truth value, too."""
    is_truth = isinstance(right.type, Arithmetic) and right.type.rank == RANK_BOOL
    if node.may_be_negated and not is_truth:
        ctx.report.warning(node.left.coord, "logical-not-parentheses")


def check_signs(ctx: Context, relation: str, node: nodes.BinaryOp, left: Value, right: Value) -> None:
    """Warn of a number that may be negative, and becomes unsigned to be compared."""
    a, b = left.type, right.type
    if not is_integer(a) or not is_integer(b) or ctx.types.usual(a, b).il.is_signed:
        return
    for value, other, operand in ((left, right, node.left), (right, left, node.right)):
        is_signed = is_integer(value.type) and ctx.types.promote(value.type).il.is_signed
        is_negative = is_signed and not _is_written_nonnegative(operand) and not _is_nonnegative(value.tree)
        if is_negative and not _fits(relation, value, other):
            ctx.report.warning(node.coord, "sign-compare", a, b)
            return


def _fits(relation: str, value: Value, other: Value) -> bool:
    """True if equality with a constant means the same, whatever the signs are."""
    if relation not in ("eq", "ne") or not isinstance(other.tree, il.Const) or value.tree is None:
        return False
    return 0 <= other.tree.value <= limits(value.tree.type)[1]


def _is_written_nonnegative(node: nodes.Expression) -> bool:
    """True if the operators of an expression say that its value is not negative, whatever it was lowered to."""
    match node:
        case nodes.Constant():
            return True
        case nodes.TernaryOp(cond=cond, iftrue=yes, iffalse=no):
            return _is_written_nonnegative(yes or cond) and _is_written_nonnegative(no)
        case nodes.Assignment(op="=", rvalue=value):
            return _is_written_nonnegative(value)
        case nodes.ExprList(exprs=[*_, last]):
            return _is_written_nonnegative(last)
        case nodes.FuncCall(name=nodes.ID(name="abs" | "__builtin_abs")):
            return True
        case nodes.BinaryOp(op="/" | "%" | ">>" | "+" | "*" | "|" | "^", left=left, right=right):
            return _is_written_nonnegative(left) and _is_written_nonnegative(right)
        case nodes.BinaryOp(op="&", left=left, right=right):
            return _is_written_nonnegative(left) or _is_written_nonnegative(right)
        case nodes.BinaryOp(op=operator):
            return operator not in ("-", "<<")
    return isinstance(node, nodes.UnaryOp) and node.op == "!"


def _is_nonnegative(tree: il.Expr | None) -> bool:
    """True if a number is certainly not negative."""
    match tree:
        case None:
            return False
        case il.Binary(operator="div" | "mod" | "shr" | "add" | "mul", left=left, right=right):
            return tree.type.kind == "U" or (_is_nonnegative(left) and _is_nonnegative(right))
        case il.Convert(type=kind, operand=operand) if kind.size >= operand.type.size and operand.type.kind != "F":
            return kind.kind == "U" or _is_nonnegative(operand)
    return value_range(tree)[0] >= 0
