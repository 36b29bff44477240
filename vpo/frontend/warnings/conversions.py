"""Warnings about conversions that may change a value or a sign, constants that do not fit, and casts of pointers."""

from __future__ import annotations

import math
import struct

from vpo import il
from vpo.frontend.context import Context
from vpo.frontend.lower.values import Value
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
        _check_constant(ctx, target, source, tree, node)
    elif source.is_float and (not target.is_float or target.size < source.size):
        ctx.report.warning(node.coord, "float-conversion", source, target)
    elif target.is_float and not source.is_float:
        low, high = value_range(tree)
        if max(-low, high).bit_length() > _PRECISION[target.size] + (low < 0):
            ctx.report.warning(node.coord, "conversion", source, target)
    elif is_integer(target) and is_integer(source):
        _check_integers(ctx, target, source, tree, node)


def _check_constant(ctx: Context, target: Arithmetic, source: Arithmetic, tree: il.Const, node: Node) -> None:
    """Warn of a constant that becomes another number; what does not fit at all is an overflow."""
    if target.is_float:
        exact = struct.unpack("f", struct.pack("f", tree.value))[0] if target.size == 4 and _fits_float(tree.value) else None
        if exact is not None and exact != tree.value and tree.value == tree.value:
            key = "float-conversion:constant" if source.is_float else "conversion:constant"
            ctx.report.warning(node.coord, key, source, target, tree.value, exact)
        return
    least, most = limits(target.il)
    if source.is_float and math.isfinite(tree.value) and tree.value != int(tree.value) and least <= tree.value <= most:
        ctx.report.warning(node.coord, "float-conversion:constant", source, target, tree.value, int(tree.value))
    elif not source.is_float and target.il.is_signed != source.il.is_signed and not least <= tree.value <= most:
        either = limits(il.Type("I" if not target.il.is_signed else "U", target.size))
        if either[0] <= tree.value <= either[1]:
            kept = int(tree.value) + (-1 if target.il.is_signed else 1) * (1 << (8 * target.size))
            ctx.report.warning(node.coord, "sign-conversion:constant", source, target, tree.value, kept)


def _fits_float(value: float) -> bool:
    return abs(value) < 2.0**128 and math.isfinite(value)


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
    """Warn of a constant that its new type cannot hold."""
    source, tree = value.type, value.tree
    if not isinstance(tree, il.Const) or not is_integer(target) or not is_integer(source) or target.rank == RANK_BOOL:
        return
    number = int(tree.value)
    either = (limits(il.Type("I", target.size)), limits(il.Type("U", target.size)))
    if any(least <= number <= most for least, most in either):
        return
    bits = 8 * target.size
    kept = number & ((1 << bits) - 1)
    kept -= (kept >> (bits - 1) << bits) if target.il.is_signed else 0
    ctx.report.warning(node.coord, "overflow", source, target, number, kept)


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
    """Warn of a cast between a pointer and an integer of another size, and of one between pointers that loses something."""
    source = value.type
    differs = target.size != source.size and not isinstance(value.tree, il.Const)
    if isinstance(source, Pointer) and is_integer(target):
        if differs and target.rank != RANK_BOOL:
            ctx.report.warning(node.coord, "pointer-to-int-cast")
    elif isinstance(target, Pointer) and is_integer(source):
        if differs:
            ctx.report.warning(node.coord, "int-to-pointer-cast")
    elif isinstance(target, Pointer) and isinstance(source, Pointer):
        to, of = target.target, source.target
        lost = [name for name in ("const", "volatile") if getattr(of, name) and not getattr(to, name)]
        if lost:
            ctx.report.warning(node.coord, "cast-qual", lost[0])
