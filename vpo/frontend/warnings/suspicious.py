"""Warnings about operands whose types or values make an operator do something else than it seems to."""

from __future__ import annotations

from vpo import il
from vpo.frontend.context import Context, SwitchState
from vpo.frontend.lower.values import Value
from vpo.frontend.syntax.nodes import (
    ID,
    ArrayRef,
    Assignment,
    BinaryOp,
    Constant,
    Expression,
    ExprList,
    FuncCall,
    Node,
    TernaryOp,
    UnaryOp,
)
from vpo.frontend.syntax.statement_nodes import Switch
from vpo.frontend.types.types import RANK_BOOL, Arithmetic, Array, CType, Pointer, is_integer, unqualified

_COMPARED = frozenset(("sign-compare", "type-limits", "tautological-compare"))
_ALWAYS = {"lt": False, "gt": False, "ne": False, "le": True, "ge": True, "eq": True}  # of a number and itself
_SWAPPED = {"lt": "gt", "gt": "lt", "le": "ge", "ge": "le", "eq": "eq", "ne": "ne"}


def check_comparison(ctx: Context, relation: str, left: Value, right: Value, node: BinaryOp) -> None:
    """Warn of a comparison of numbers whose types or values decide it, or change what it means."""
    if not _COMPARED & ctx.report.wanted or not is_integer(left.type) or not is_integer(right.type):
        return
    _check_self(ctx, relation, left, node)
    common = ctx.types.usual(left.type, right.type)
    for value, other, direction in ((left, right, relation), (right, left, _SWAPPED[relation])):
        if isinstance(other.tree, il.Const) and not isinstance(value.tree, il.Const):
            limit = int(other.tree.value)
            narrower = value.type.size < other.type.size and (limit >= 0 or common.il.is_signed)
            if narrower or (limit == 0 and direction in ("lt", "ge")):
                _check_limits(ctx, direction, value, limit, node)
    if common.il.is_signed:
        return
    for value, other, side in ((left, right, node.left), (right, left, node.right)):
        assert is_integer(value.type)
        if (
            ctx.types.promote(value.type).il.is_signed
            and not _is_written_nonnegative(side)
            and not _is_nonnegative(value.tree)
            and not _fits(relation, value, other)
        ):
            types = f"'{left.type}' and '{right.type}'"
            message = f"comparison of integer expressions of different signedness: {types}"
            ctx.report.warning(node.coord, "sign-compare", message)
            return


def _check_self(ctx: Context, relation: str, left: Value, node: BinaryOp) -> None:
    is_same = isinstance(node.left, ID) and isinstance(node.right, ID) and node.left.name == node.right.name
    if is_same and not left.type.volatile and not isinstance(left.tree, il.Const):
        truth = str(_ALWAYS[relation]).lower()
        ctx.report.warning(node.coord, "tautological-compare", f"self-comparison always evaluates to {truth}")


def _check_limits(ctx: Context, relation: str, value: Value, limit: int, node: Node) -> None:
    """Warn if all numbers of a type are on one side of a limit."""
    ctype = value.type
    assert isinstance(ctype, Arithmetic)
    if ctype.rank == RANK_BOOL or value.bits is not None:
        return
    least, most = _range(ctype.il)
    holds = {"lt": (most < limit, least >= limit), "le": (most <= limit, least > limit), "gt": (least > limit, most <= limit)}
    holds |= {"ge": (least >= limit, most < limit), "eq": (False, not least <= limit <= most)}
    holds["ne"] = (not least <= limit <= most, False)
    if any(holds[relation]):
        truth = "true" if holds[relation][0] else "false"
        message = f"comparison is always {truth} due to limited range of data type"
        ctx.report.warning(node.coord, "type-limits", message)


def _range(kind: il.Type) -> tuple[int, int]:
    bits = 8 * kind.size
    return (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if kind.is_signed else (0, (1 << bits) - 1)


def _fits(relation: str, value: Value, other: Value) -> bool:
    """True if equality with a constant means the same, whatever the signs are."""
    if relation not in ("eq", "ne") or not isinstance(other.tree, il.Const) or value.tree is None:
        return False
    return 0 <= other.tree.value <= _range(value.tree.type)[1]


def _is_written_nonnegative(node: Expression) -> bool:
    """True if the operators of an expression say that its value is not negative, whatever it was lowered to."""
    match node:
        case Constant() | FuncCall(name=ID(name="abs" | "__builtin_abs")) | UnaryOp(op="!"):
            return True
        case TernaryOp():
            return all(map(_is_written_nonnegative, (node.iftrue or node.cond, node.iffalse)))
        case Assignment(op="="):
            return _is_written_nonnegative(node.rvalue)
        case ExprList():
            return _is_written_nonnegative(node.exprs[-1])
        case BinaryOp(op="/" | "%" | ">>" | "+" | "*" | "|" | "^"):
            return _is_written_nonnegative(node.left) and _is_written_nonnegative(node.right)
        case BinaryOp(op="&"):
            return _is_written_nonnegative(node.left) or _is_written_nonnegative(node.right)
        case BinaryOp():
            return node.op not in ("-", "<<")
    return False


def _is_nonnegative(tree: il.Expr | None) -> bool:
    """True if a number is certainly not negative."""
    match tree:
        case il.Const(value=value):
            return value >= 0
        case il.Compare():
            return True
        case il.Convert(type=kind, operand=operand):
            return (operand.type.kind == "U" and (not kind.is_signed or kind.size > operand.type.size)) or _widens(tree)
        case il.Binary(operator="and", left=left, right=right):
            return _is_nonnegative(left) or _is_nonnegative(right)
        case il.Binary(operator="div" | "mod" | "shr" | "add" | "mul" | "or" | "xor", left=left, right=right):
            return _is_nonnegative(left) and _is_nonnegative(right)
    return tree is not None and tree.type.kind == "U"


def _widens(tree: il.Convert) -> bool:
    return tree.type.size >= tree.operand.type.size and _is_nonnegative(tree.operand)


# ------------------------------------------------------------------------------------------------ other operators


def check_subscript(ctx: Context, node: ArrayRef, index_type: CType, index: il.Expr) -> None:
    """Warn of an index that may be negative without being meant so, or is a constant outside of its array."""
    if index_type.__class__ is Arithmetic and index_type == ctx.types.char and not isinstance(index, il.Const):
        ctx.report.warning(node.subscript.coord, "char-subscripts", "array subscript has type 'char'")
    if "array-bounds" not in ctx.report.wanted or not isinstance(index, il.Const) or not isinstance(node.name, ID):
        return
    symbol = ctx.scope.lookup(node.name.name)
    if symbol is None or symbol.is_dynamic or type(symbol.type) is not Array or not symbol.type.length:
        return
    at, most = int(index.value), symbol.type.length - (node is not ctx.address_operand)
    if not 0 <= at <= most:
        message = f"array subscript {at} is outside array bounds of '{symbol.type}'"
        ctx.report.warning(node.subscript.coord, "array-bounds", message)


def check_constant(ctx: Context, target: CType, value: Value, node: Node) -> None:
    """Warn of a constant that its new type cannot hold."""
    source, tree = value.type, value.tree
    if not isinstance(tree, il.Const) or not is_integer(target) or not is_integer(source) or target.rank == RANK_BOOL:
        return
    number = int(tree.value)
    either = (_range(il.Type("I", target.size)), _range(il.Type("U", target.size)))
    if any(least <= number <= most for least, most in either):
        return
    bits = 8 * target.size
    kept = number & ((1 << bits) - 1)
    kept -= (kept >> (bits - 1) << bits) if target.il.is_signed else 0
    message = f"conversion from '{source}' to '{target}' changes value from '{number}' to '{kept}'"
    ctx.report.warning(node.coord, "overflow", message)


def check_arithmetic(ctx: Context, operator: str, common: Arithmetic, left: il.Expr, right: il.Expr, node: Node) -> None:
    """Warn of a constant result that its type cannot hold."""
    if not common.il.is_signed or not isinstance(left, il.Const) or not isinstance(right, il.Const):
        return
    a, b = int(left.value), int(right.value)
    result = a + b if operator == "+" else a - b if operator == "-" else a * b if operator == "*" else 0
    least, most = _range(common.il)
    if not least <= result <= most:
        ctx.report.warning(node.coord, "overflow", f"integer overflow in expression of type '{common}'")


def check_shift(ctx: Context, ctype: Arithmetic, value: int, count: int, node: Node) -> None:
    """Warn of a constant shifted to the left that is negative, or needs more bits than its type has beside the sign."""
    if ctx.standard.edition < 1999:
        return
    if value < 0:
        ctx.report.warning(node.coord, "shift-negative-value", "left shift of negative value")
    elif value.bit_length() + count > 8 * ctype.size:
        wanted = f"result of '{value} << {count}' requires {value.bit_length() + count + 1} bits to represent"
        message = f"{wanted}, but '{ctype}' only has {8 * ctype.size} bits"
        ctx.report.warning(node.coord, "shift-overflow", message)


def check_returned(ctx: Context, value: Value, node: Node) -> None:
    """Warn of a local variable whose address a function returns."""
    tree = value.tree
    while isinstance(tree, il.Binary) and tree.operator in ("add", "sub") and isinstance(value.type, Pointer):
        tree = tree.left
    if isinstance(tree, il.AddrLocal) and any(symbol.local is tree.local for symbol in ctx.state.entered):
        name = tree.local.name
        ctx.report.warning(node.coord, "return-local-addr", f"function returns address of local variable '{name}'")


def check_switch(ctx: Context, node: Switch, ctype: CType, state: SwitchState) -> None:
    """Warn of the values of an enumeration that a switch over it without a default does not handle."""
    values = ctx.enumerations.values.get(str(unqualified(ctype)), {}) if state.default is None else {}
    for name, value in values.items():
        if value not in state.cases and not any(low <= value <= high for low, high, _ in state.ranges):
            ctx.report.warning(node.coord, "switch", f"enumeration value '{name}' not handled in switch")
