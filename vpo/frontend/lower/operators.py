"""Arithmetic, assignments, increments, addresses and sizes."""

from __future__ import annotations

from typing import NoReturn

from vpo import il
from vpo.frontend.context import Context
from vpo.frontend.declare.declarators import type_name
from vpo.frontend.lower import complex_numbers, conditions, conversions, trees, vectors
from vpo.frontend.lower.expressions import anywhere, element_size, index_address, wide_index
from vpo.frontend.lower.values import Value
from vpo.frontend.syntax.nodes import ID, BinaryOp, Node, SizeOf, Typename, UnaryOp
from vpo.frontend.types import types
from vpo.frontend.types.bit_precise import width_of
from vpo.frontend.types.type_table import has_null_type
from vpo.frontend.warnings.conversions import check_arithmetic, check_conversion, check_shift

_ARITHMETIC = {
    "+": "add",
    "-": "sub",
    "*": "mul",
    "/": "div",
    "%": "mod",
    "&": "and",
    "|": "or",
    "^": "xor",
    "<<": "shl",
    ">>": "shr",
}
_INTEGER_ONLY = {"%", "&", "|", "^", "<<", ">>"}


def binary(ctx: Context, node: BinaryOp) -> Value:
    """Lower a binary operator that assigns nothing."""
    operator = node.op
    if operator in ("&&", "||"):
        return conditions.logical(ctx, node)
    if operator in conditions.RELATIONS:
        return conditions.relation(ctx, node)
    left = conversions.rvalue(ctx, node.left)
    if not types.is_compound(left.type):
        conversions.require_scalar(ctx, left, node.left)
    mark = ctx.mark
    right = conversions.rvalue(ctx, node.right)
    if not types.is_compound(right.type):
        conversions.require_scalar(ctx, right, node.right)
    left = ctx.settle_value(mark, left)
    return arithmetic(ctx, operator, left, right, node)


def arithmetic(ctx: Context, operator: str, left: Value, right: Value, node: Node) -> Value:
    """Apply a binary operator of arithmetic to two values."""
    for value, other in ((left, right), (right, left)):
        if isinstance(value.type, types.Vector):
            return vectors.operation(ctx, operator, left, right, node)
        if isinstance(value.type, types.Complex) and isinstance(other.type, types.Arithmetic | types.Complex):
            return complex_numbers.arithmetic(ctx, operator, left, right, node)
    a, b, x, y = left.type, right.type, left.tree, right.tree
    assert x is not None
    assert y is not None
    if not (isinstance(a, types.Arithmetic) and isinstance(b, types.Arithmetic)):
        return _pointer_arithmetic(ctx, operator, left, right, node)
    if operator in _INTEGER_ONLY and (a.is_float or b.is_float):
        _bad_operands(ctx, operator, a, b, node)
    if operator in ("<<", ">>"):
        return _shift(ctx, operator, a, x, b, y, node)
    common = ctx.types.usual(a, b)
    if "overflow" in ctx.report.wanted:
        check_arithmetic(ctx, operator, common, x, y, node)
    if "conversion" in ctx.report.wanted:
        left_node, right_node = (node.left, node.right) if isinstance(node, BinaryOp) else (node, node)
        check_conversion(ctx, common, left, left_node)
        check_conversion(ctx, common, right, right_node)
    x, y = conversions.to_type(ctx, common, x), conversions.to_type(ctx, common, y)
    if operator in ("/", "%") and not common.is_float and isinstance(y, il.Const) and y.value == 0:
        ctx.report.warning(node.coord, "div-by-zero")
    return Value(common, conversions.operate(ctx, common, _ARITHMETIC[operator], x, y))


def _bad_operands(ctx: Context, operator: str, a: types.CType, b: types.CType, node: Node) -> NoReturn:
    ctx.report.fail(node.coord, f"invalid operands to binary {operator} (have '{a}' and '{b}')")


def _shift(ctx: Context, operator: str, a: types.Arithmetic, x: il.Expr, b: types.Arithmetic, y: il.Expr, node: Node) -> Value:
    result, count = ctx.types.promote(a), ctx.types.promote(b)
    y = trees.convert(count.il, y)
    if isinstance(y, il.Const) and not 0 <= y.value < width_of(result):
        ctx.report.warning(node.coord, "shift-count-overflow" if y.value > 0 else "shift-count-negative")
    elif operator == "<<" and result.il.is_signed and isinstance(x, il.Const) and isinstance(y, il.Const):
        check_shift(ctx, result, int(x.value), int(y.value), node)
    return Value(result, conversions.operate(ctx, result, _ARITHMETIC[operator], trees.convert(result.il, x), y))


def _pointer_arithmetic(ctx: Context, operator: str, left: Value, right: Value, node: Node) -> Value:
    a, b, x, y = left.type, right.type, left.tree, right.tree
    assert x is not None
    assert y is not None
    if operator == "+" and isinstance(b, types.Pointer):
        a, b, x, y = b, a, y, x
    if has_null_type(a, b):
        _bad_operands(ctx, operator, left.type, right.type, node)
    if isinstance(a, types.Pointer) and operator in ("+", "-") and types.is_integer(b):
        if isinstance(a.target, types.Void | types.Func):
            ctx.report.warning(node.coord, "pointer-arith", a)
        index = trees.convert(ctx.types.promote(b).il, y)
        if operator == "+":
            return Value(a, index_address(ctx, a, x, index, node))
        address, step = ctx.types.address, element_size(ctx, a, node)
        scaled = trees.binary("mul", step.type, wide_index(step.type, index), step)
        return Value(a, trees.binary("sub", address, x, trees.convert(address, scaled)))
    if isinstance(a, types.Pointer) and isinstance(b, types.Pointer) and operator == "-":
        return _pointer_difference(ctx, a, x, b, y, node)
    _bad_operands(ctx, operator, left.type, right.type, node)


def _pointer_difference(ctx: Context, a: types.Pointer, x: il.Expr, b: types.Pointer, y: il.Expr, node: Node) -> Value:
    if conversions.pointer_union(ctx, a, b) is None:
        _bad_operands(ctx, "-", a, b, node)
    result = ctx.types.ptrdiff_t
    kind = result.il
    if isinstance(x, il.AddrGlobal) and isinstance(y, il.AddrGlobal) and x.name == y.name:
        distance: il.Expr = trees.constant(kind, x.offset - y.offset)
    else:
        distance = trees.convert(kind, trees.binary("sub", ctx.types.address, x, y))
    step = trees.convert(kind, element_size(ctx, a, node))
    if isinstance(step, il.Const) and step.value == 0:
        return Value(result, distance)  # elements of no bytes
    if not isinstance(step, il.Const):
        return Value(result, trees.binary("div", kind, distance, step))
    return Value(result, _exact_quotient(kind, distance, int(step.value)))


def _exact_quotient(kind: il.Type, multiple: il.Expr, size: int) -> il.Expr:
    """Divide a multiple of a size: shift by the power of two in it, and multiply by the inverse of the odd rest."""
    power = (size & -size).bit_length() - 1
    inverse = pow(size >> power, -1, 1 << (8 * kind.size))
    shifted = trees.binary("shr", kind, multiple, trees.constant(kind, power))
    return trees.binary("mul", kind, shifted, trees.constant(kind, inverse))


# --------------------------------------------------------------------------------------------------------- unary


def unary(ctx: Context, node: UnaryOp) -> Value:
    """Lower a unary operator that changes nothing."""
    operator = node.op
    match operator:
        case "&":
            return _address(ctx, node)
        case "*":
            return _dereference(ctx, node)
        case "__real__" | "__imag__":
            return _part(ctx, node)
        case "!":
            return conditions.truth(ctx, node.expr, inverted=True)
    value = conversions.rvalue(ctx, node.expr)
    if isinstance(value.type, types.Vector):
        return vectors.unary(ctx, operator, value, node)
    if isinstance(value.type, types.Complex):
        return value if operator == "+" else complex_numbers.negated(value, operator)
    ctype, tree = conversions.require_scalar(ctx, value, node.expr)
    if not isinstance(ctype, types.Arithmetic) or (operator == "~" and ctype.is_float):
        ctx.report.fail(node.coord, f"wrong type argument to unary {operator} ('{ctype}')")
    result = ctype if ctype.is_float else ctx.types.promote(ctype)
    tree = trees.convert(result.il, tree)
    if operator == "+":
        return Value(result, tree)
    return Value(result, conversions.operate(ctx, result, "neg" if operator == "-" else "not", tree))


def _part(ctx: Context, node: UnaryOp) -> Value:
    """Lower `__real__` or `__imag__`; of a complex object it is an object, too."""
    value, position = ctx.expression(node.expr), int(node.op == "__imag__")
    if isinstance(value.type, types.Complex) and value.tree is None:
        return complex_numbers.part_of(value, position)
    if isinstance(value.type, types.Complex):
        return Value(value.type.part, value.imaginary if position else value.tree)
    if not isinstance(value.type, types.Arithmetic):
        ctx.report.fail(node.coord, f"wrong type argument to {node.op} ('{value.type}')")
    if not position:
        return value
    return Value(types.unqualified(value.type), trees.constant(value.type.il, 0))


def _address(ctx: Context, node: UnaryOp) -> Value:
    operand = node.expr
    if isinstance(operand, UnaryOp) and operand.op == "*":
        value = conversions.rvalue(ctx, operand.expr)
        if isinstance(value.type, types.Pointer):
            return value
    ctx.address_operand = operand
    value = ctx.expression(operand)
    if value.bits is not None:
        ctx.report.fail(node.coord, "cannot take address of bit-field")
    if value.is_register:
        ctx.report.fail(node.coord, "address of register variable requested")
    if value.address is None or not (value.lvalue or isinstance(value.type, types.Func)):
        ctx.report.fail(node.coord, "lvalue required as unary '&' operand")
    return Value(ctx.types.pointer(value.type), value.address, unaligned=value.unaligned)


def _dereference(ctx: Context, node: UnaryOp) -> Value:
    value = conversions.rvalue(ctx, node.expr)
    ctype = value.type
    if not isinstance(ctype, types.Pointer) or has_null_type(ctype):
        ctx.report.fail(node.coord, f"invalid type argument of unary '*' (have '{ctype}')")
    if isinstance(ctype.target, types.Func):
        return Value(ctype.target, None, value.tree)
    if isinstance(ctype.target, types.Void):
        return Value(ctype.target, None, None)
    unaligned = value.unaligned or anywhere(ctx, ctype.target)
    return Value(ctype.target, None, value.tree, lvalue=True, effective=value.effective, unaligned=unaligned)


def size(ctx: Context, node: SizeOf) -> Value:
    """Lower `sizeof` or `_Alignof`."""
    operand, size_t = node.expr, ctx.types.size_t
    with ctx.scratch(unevaluated=True):
        value = Value(type_name(ctx, operand)) if isinstance(operand, Typename) else ctx.expression(operand)
    if value.bits is not None:
        ctx.report.fail(node.coord, "'sizeof' applied to a bit-field")
    ctype = value.type
    if node.op == "_Alignof":
        if not isinstance(ctype, types.Void | types.Func) and not types.is_complete(ctype):
            ctx.report.fail(node.coord, f"invalid application of '_Alignof' to incomplete type '{ctype}'")
        symbol = ctx.scope.lookup(operand.name) if isinstance(operand, ID) else None
        align = max(ctype.align, symbol.value) if symbol is not None and symbol.kind == "object" else ctype.align
        return Value(size_t, trees.constant(size_t.il, align))
    if isinstance(ctype, types.Void | types.Func):
        ctx.report.warning(node.coord, "pointer-arith:sizeof", ctype)
        return Value(size_t, trees.constant(size_t.il, 1))
    if not types.is_complete(ctype):
        ctx.report.fail(node.coord, f"invalid application of 'sizeof' to incomplete type '{ctype}'")
    if isinstance(ctype, types.VariableArray):
        # now its length is computed
        ctype = type_name(ctx, operand) if isinstance(operand, Typename) else ctx.expression(operand).type
    return Value(size_t, ctx.size_of(ctype))
