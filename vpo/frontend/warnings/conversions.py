"""Warnings about conversions that may change a value or a sign, constants that do not fit, casts of pointers, comparisons."""

from __future__ import annotations

import math
import struct

from vpo import il
from vpo.frontend.context import Context
from vpo.frontend.lower.values import Value
from vpo.frontend.syntax import nodes
from vpo.frontend.syntax.nodes import Assignment, BinaryOp, Node, TernaryOp
from vpo.frontend.types.types import RANK_BOOL, Arithmetic, CType, Pointer, is_integer

OF_CONVERSIONS = frozenset(("conversion", "sign-conversion", "float-conversion"))
_PRECISION = {4: 24, 8: 53}  # bits of the fraction of a floating number, by its size


def limits(kind: il.Type) -> tuple[int, int]:
    """Return the least and the greatest number of an integer type."""
    bits = 8 * kind.size
    return (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if kind.is_signed else (0, (1 << bits) - 1)


def check_conversion(ctx: Context, target: Arithmetic, value: Value, node: Node) -> None:
    """Warn of an implicit conversion of a number."""
    source, tree = value.type, value.tree
    if not isinstance(source, Arithmetic) or tree is None or target.rank == RANK_BOOL:
        return
    match node.rvalue if isinstance(node, Assignment) else node:
        case TernaryOp() | BinaryOp(op="&&" | "||"):
            return  # the operands are not known here
    if isinstance(tree, il.Const):
        check_constant(ctx, target, value, node)
    elif source.is_float and (not target.is_float or target.size < source.size):
        ctx.report.warning(node.coord, "float-conversion", source, target)
    elif target.is_float and not source.is_float:
        low, high = value_range(tree)
        if max(-low, high).bit_length() > _PRECISION[target.size] + (low < 0):
            ctx.report.warning(node.coord, "conversion", source, target)
    elif is_integer(target) and is_integer(source):
        _check_integers(ctx, target, source, tree, node)


def _check_integers(ctx: Context, target: Arithmetic, source: Arithmetic, tree: il.Expr, node: Node) -> None:
    low, high = value_range(tree)
    least, most = limits(target.il)
    if (least <= low and high <= most) or _has_fitting_operands(tree, least, most):
        return
    if target.size < source.size:
        ctx.report.warning(node.coord, "conversion", source, target)
    elif target.il.is_signed != source.il.is_signed:
        ctx.report.warning(node.coord, "sign-conversion", source, target)


def _has_fitting_operands(tree: il.Expr, least: int, most: int) -> bool:
    """True if an operator of arithmetic applies to numbers that the target has, so that its result is likely to fit."""
    if not isinstance(tree, il.Binary) or tree.operator not in ("add", "sub", "mul", "div", "mod", "shl", "shr"):
        return False
    operands = [tree.left] if tree.operator in ("shl", "shr") else [tree.left, tree.right]
    return all(least <= low and high <= most for low, high in map(value_range, operands))


def value_range(tree: il.Expr) -> tuple[int, int]:
    """Return between which numbers the value of an integer tree is, as its operators alone tell."""
    least, most = limits(tree.type)
    match tree:
        case il.Const(value=value):
            return int(value), int(value)
        case il.Compare():
            return 0, 1
        case il.Convert(operand=operand) if operand.type.kind != "F":
            low, high = value_range(operand)
            return (low, high) if least <= low and high <= most else (least, most)
        case il.Binary(operator="and" | "or" | "xor" as operator, left=left, right=right):
            ranges = (value_range(left), value_range(right))
            bounds = [high for low, high in ranges if low >= 0]
            if operator == "and" and bounds:
                return 0, min(bounds)
            bits = max(max(high.bit_length(), (-low - 1).bit_length() if low < 0 else 0) for low, high in ranges)
            return (0 if len(bounds) == 2 else -(1 << bits)), (1 << bits) - 1
        case il.Binary(operator="shr", left=left, right=il.Const(value=count)) if count >= 0:
            low, high = value_range(left)
            return low >> int(count), high >> int(count)
        case il.Binary(operator="mod", left=left, right=il.Const(value=divisor)) if divisor > 0:
            return (0 if value_range(left)[0] >= 0 else 1 - int(divisor)), int(divisor) - 1
        case il.Binary(operator="div", left=left, right=il.Const(value=divisor)) if divisor > 0:
            low, high = value_range(left)
            return -(-low // int(divisor)) if low < 0 else low // int(divisor), high // int(divisor)
    return least, most


# ------------------------------------------------------------------------------------------- constants that do not fit


def check_constant(ctx: Context, target: CType, value: Value, node: Node) -> None:
    """Warn of a constant that its new type cannot hold, or that becomes another number."""
    source, tree = value.type, value.tree
    if not isinstance(tree, il.Const) or not isinstance(target, Arithmetic) or target.rank == RANK_BOOL:
        return
    number = tree.value
    if not isinstance(source, Arithmetic) or not math.isfinite(number):
        return
    if target.is_float:
        kept = struct.unpack("f", struct.pack("f", number))[0] if target.size == 4 and abs(number) < 2.0**128 else number
        key = "float-conversion:constant" if source.is_float else "conversion:constant"
    elif source.is_float:
        least, most = limits(target.il)
        kept, key = int(number) if least <= number <= most else number, "float-conversion:constant"
    else:
        kept, key = _kept(int(number), target.il), _key_of_integer(int(number), source.il, target.il)
    if kept != number and key:
        ctx.report.warning(node.coord, key, source, target, number, kept)


def _kept(number: int, kind: il.Type) -> int:
    """Return what an integer type makes of a number."""
    low = number & ((1 << 8 * kind.size) - 1)
    return low - (low >> (8 * kind.size - 1) << 8 * kind.size) if kind.is_signed else low


def _key_of_integer(number: int, source: il.Type, target: il.Type) -> str:
    """Return the key of what is told of a constant; '' of one that fits an integer of the other signedness, as its source."""
    either = (limits(il.Type("I", target.size)), limits(il.Type("U", target.size)))
    if not any(least <= number <= most for least, most in either):
        return "overflow"
    return "sign-conversion:constant" if source.is_signed != target.is_signed else ""


def check_arithmetic(ctx: Context, operator: str, common: Arithmetic, left: il.Expr, right: il.Expr, node: Node) -> None:
    """Warn of a constant result that its type cannot hold."""
    if not common.il.is_signed or not isinstance(left, il.Const) or not isinstance(right, il.Const):
        return
    a, b = int(left.value), int(right.value)
    result = a + b if operator == "+" else a - b if operator == "-" else a * b if operator == "*" else 0
    least, most = limits(common.il)
    if not least <= result <= most:
        ctx.report.warning(node.coord, "overflow:result", common)


def check_shift(ctx: Context, ctype: Arithmetic, value: int, count: int, node: Node) -> None:
    """Warn of a constant shifted to the left that is negative, or needs more bits than its type has beside the sign."""
    needed, bits = value.bit_length() + count, 8 * ctype.size
    if ctx.standard.edition < 1999:
        return
    if value < 0:
        ctx.report.warning(node.coord, "shift-negative-value")
    elif needed > bits:
        ctx.report.warning(node.coord, "shift-overflow", value, count, needed + 1, ctype, bits)


def check_cast(ctx: Context, target: CType, value: Value, node: Node) -> None:
    """Warn of a cast between a pointer and an integer of another size."""
    source = value.type
    differs = target.size != source.size and not isinstance(value.tree, il.Const)
    if isinstance(source, Pointer) and is_integer(target):
        if differs and target.rank != RANK_BOOL:
            ctx.report.warning(node.coord, "pointer-to-int-cast")
    elif isinstance(target, Pointer) and is_integer(source) and differs:
        ctx.report.warning(node.coord, "int-to-pointer-cast")



# ----------------------------------------------------------------------------------------------------------------------
# Warnings about comparisons: of a number that may be negative with one that cannot, of what `!` gives with a number.


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
