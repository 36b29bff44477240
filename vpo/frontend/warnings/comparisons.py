"""Warnings about comparisons that types or values decide, or that compare something else than it seems."""

from __future__ import annotations

from vpo import il
from vpo.frontend.context import Context
from vpo.frontend.lower.values import Value
from vpo.frontend.syntax import nodes
from vpo.frontend.types.types import RANK_BOOL, Arithmetic, is_integer
from vpo.frontend.warnings.conversions import limits, value_range

OF_COMPARISONS = frozenset((
    "sign-compare", "type-limits", "tautological-compare", "enum-compare", "float-equal",
))  # keys  # fmt: skip
_REFLEXIVE = frozenset(("le", "ge", "eq"))  # what holds between a number and itself
_SWAPPED = {"lt": "gt", "gt": "lt", "le": "ge", "ge": "le", "eq": "eq", "ne": "ne"}


def _verdict(relation: str, low: int, high: int, limit: float) -> str:
    """Return whether a relation between all numbers of a range and a limit is true or false; '' if that depends."""
    match relation:
        case "lt" | "ge":
            always, never = high < limit, low >= limit
        case "le" | "gt":
            always, never = high <= limit, low > limit
        case _:
            always, never = False, not low <= limit <= high
    if relation in ("ge", "gt", "ne"):
        always, never = never, always
    return "true" if always else "false" if never else ""


def check_numbers(ctx: Context, relation: str, node: nodes.BinaryOp, left: Value, right: Value) -> None:
    """Warn of a comparison of numbers."""
    a, b = left.type, right.type
    if not isinstance(a, Arithmetic) or not isinstance(b, Arithmetic):
        return
    if is_integer(a) and is_integer(b):
        common = ctx.types.usual(a, b)
        _check_self(ctx, relation, left, node)
        _check_limits(ctx, relation, node, left, right, common)
        if not common.il.is_signed:
            _check_signs(ctx, relation, node, left, right)
    if node.op in ("==", "!=") and (a.is_float or b.is_float):
        ctx.report.warning(node.coord, "float-equal", node.op)
    if a.enumeration and b.enumeration and a.enumeration != b.enumeration:
        ctx.report.warning(node.coord, "enum-compare", a, b)


def _check_self(ctx: Context, relation: str, left: Value, node: nodes.BinaryOp) -> None:
    match node:
        case nodes.BinaryOp(left=nodes.ID(name=one), right=nodes.ID(name=other)) if one == other:
            if not left.type.volatile and not isinstance(left.tree, il.Const):
                ctx.report.warning(node.coord, "tautological-compare", str(relation in _REFLEXIVE).lower())


def _check_limits(ctx: Context, relation: str, node: nodes.BinaryOp, left: Value, right: Value, common: Arithmetic) -> None:
    """Warn if all numbers of a type are on one side of a constant."""
    for value, other, direction in ((left, right, relation), (right, left, _SWAPPED[relation])):
        ctype = value.type
        if not isinstance(other.tree, il.Const) or isinstance(value.tree, il.Const) or value.bits is not None:
            continue
        assert isinstance(ctype, Arithmetic)
        limit = int(other.tree.value)
        narrower = ctype.size < other.type.size and (limit >= 0 or common.il.is_signed)
        is_asked = ctype.rank != RANK_BOOL and (narrower or (limit == 0 and direction in ("lt", "ge")))
        if is_asked and (verdict := _verdict(direction, *limits(ctype.il), limit)):
            ctx.report.warning(node.coord, "type-limits", verdict)


def _check_signs(ctx: Context, relation: str, node: nodes.BinaryOp, left: Value, right: Value) -> None:
    """Warn of a number that may be negative, and becomes unsigned to be compared."""
    for value, other, operand in ((left, right, node.left), (right, left, node.right)):
        is_signed = is_integer(value.type) and ctx.types.promote(value.type).il.is_signed
        is_negative = is_signed and not _is_written_nonnegative(operand) and not _is_nonnegative(value.tree)
        if is_negative and not _fits(relation, value, other):
            ctx.report.warning(node.coord, "sign-compare", left.type, right.type)
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


def check_literals(ctx: Context, node: nodes.BinaryOp, left: Value, right: Value) -> None:
    """Warn of a string literal that is compared with another address."""
    literals = [isinstance(side, nodes.Constant) and side.value.endswith('"') for side in (node.left, node.right)]
    if any(literals) and not any(isinstance(side.tree, il.Const) for side in (left, right)):
        ctx.report.warning(node.coord, "address")
