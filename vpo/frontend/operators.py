"""Arithmetic, assignments, increments, addresses and sizes."""

from __future__ import annotations

from typing import Any

from vpo import il
from vpo.frontend import conditions, conversions, suspicious, trees
from vpo.frontend.context import Context, lowers_expression
from vpo.frontend.declarators import type_name
from vpo.frontend.expressions import element_size, index_address, lowers_effect
from vpo.frontend.types import (
    Arithmetic,
    Array,
    CType,
    Func,
    Pointer,
    Record,
    VariableArray,
    Void,
    is_complete,
    is_integer,
    is_scalar,
    unqualified,
)
from vpo.frontend.values import Value

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


@lowers_expression("BinaryOp")
def _binary(ctx: Context, node: Any) -> Value:
    operator = node.op
    if operator in ("&&", "||"):
        return conditions.logical(ctx, node)
    int_type = ctx.types.int_
    if operator in conditions.RELATIONS:
        relation, left_tree, right_tree = conditions.comparison(ctx, node)
        return Value(int_type, trees.compare(relation, int_type.il, left_tree, right_tree))
    left_type, left = conversions.scalar_rvalue(ctx, node.left)
    mark = ctx.mark
    right_type, right = conversions.scalar_rvalue(ctx, node.right)
    left = ctx.settle(mark, left)
    return arithmetic(ctx, operator, Value(left_type, left), Value(right_type, right), node)


def arithmetic(ctx: Context, operator: str, left: Value, right: Value, node: Any) -> Value:
    """Apply a binary operator of arithmetic to two scalar values."""
    a, b, x, y = left.type, right.type, left.tree, right.tree
    assert x is not None
    assert y is not None
    if not (isinstance(a, Arithmetic) and isinstance(b, Arithmetic)):
        return _pointer_arithmetic(ctx, operator, left, right, node)
    if operator in _INTEGER_ONLY and (a.is_float or b.is_float):
        _bad_operands(ctx, operator, a, b, node)
    if operator in ("<<", ">>"):
        return _shift(ctx, operator, a, x, b, y, node)
    common = ctx.types.usual(a, b)
    if "overflow" in ctx.report.wanted:
        suspicious.check_arithmetic(ctx, operator, common, x, y, node)
    x, y = trees.convert(common.il, x), trees.convert(common.il, y)
    if operator in ("/", "%") and not common.is_float and isinstance(y, il.Const) and y.value == 0:
        ctx.report.warning(node.coord, "div-by-zero", "division by zero")
    return Value(common, trees.binary(_ARITHMETIC[operator], common.il, x, y))


def _bad_operands(ctx: Context, operator: str, a: CType, b: CType, node: Any) -> None:
    ctx.report.fail(node.coord, f"invalid operands to binary {operator} (have '{a}' and '{b}')")


def _shift(ctx: Context, operator: str, a: Arithmetic, x: il.Expr, b: Arithmetic, y: il.Expr, node: Any) -> Value:
    result, count = ctx.types.promote(a), ctx.types.promote(b)
    y = trees.convert(count.il, y)
    if isinstance(y, il.Const) and not 0 <= y.value < 8 * result.size:
        flag = "shift-count-overflow" if y.value > 0 else "shift-count-negative"
        ctx.report.warning(node.coord, flag, "shift count out of the width of the type")
    return Value(result, trees.binary(_ARITHMETIC[operator], result.il, trees.convert(result.il, x), y))


def _pointer_arithmetic(ctx: Context, operator: str, left: Value, right: Value, node: Any) -> Value:
    a, b, x, y = left.type, right.type, left.tree, right.tree
    assert x is not None
    assert y is not None
    if operator == "+" and isinstance(b, Pointer):
        a, b, x, y = b, a, y, x
    if isinstance(a, Pointer) and operator in ("+", "-") and is_integer(b):
        index = trees.convert(ctx.types.promote(b).il, y)
        if operator == "+":
            return Value(a, index_address(ctx, a, x, index, node))
        address, step = ctx.types.address, element_size(ctx, a, node)
        scaled = trees.binary("mul", step.type, trees.convert(step.type, index), step)
        return Value(a, trees.binary("sub", address, x, trees.convert(address, scaled)))
    if isinstance(a, Pointer) and isinstance(b, Pointer) and operator == "-":
        return _pointer_difference(ctx, a, x, b, y, node)
    _bad_operands(ctx, operator, left.type, right.type, node)
    raise AssertionError


def _pointer_difference(ctx: Context, a: Pointer, x: il.Expr, b: Pointer, y: il.Expr, node: Any) -> Value:
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


@lowers_expression("UnaryOp")
def _unary(ctx: Context, node: Any) -> Value:
    operator = node.op
    match operator:
        case "++" | "--" | "p++" | "p--":
            return _increment(ctx, node, used=True)
        case "&":
            return _address(ctx, node)
        case "*":
            return _dereference(ctx, node)
        case "!":
            return conditions.truth(ctx, node.expr, inverted=True)
        case "sizeof" | "_Alignof":
            return _size(ctx, node)
    ctype, tree = conversions.scalar_rvalue(ctx, node.expr)
    if not isinstance(ctype, Arithmetic) or (operator == "~" and ctype.is_float):
        ctx.report.fail(node.coord, f"wrong type argument to unary {operator} ('{ctype}')")
    result = ctype if ctype.is_float else ctx.types.promote(ctype)
    tree = trees.convert(result.il, tree)
    if operator == "+":
        return Value(result, tree)
    return Value(result, trees.unary("neg" if operator == "-" else "not", result.il, tree))


def _address(ctx: Context, node: Any) -> Value:
    operand = node.expr
    if type(operand).__name__ == "UnaryOp" and operand.op == "*":
        value = conversions.rvalue(ctx, operand.expr)
        if isinstance(value.type, Pointer):
            return value
    ctx.address_operand = operand
    value = ctx.expression(operand)
    if value.bits is not None:
        ctx.report.fail(node.coord, "cannot take address of bit-field")
    if value.is_register:
        ctx.report.fail(node.coord, "address of register variable requested")
    if value.address is None or not (value.lvalue or isinstance(value.type, Func)):
        ctx.report.fail(node.coord, "lvalue required as unary '&' operand")
    return Value(ctx.types.pointer(value.type), value.address)


def _dereference(ctx: Context, node: Any) -> Value:
    value = conversions.rvalue(ctx, node.expr)
    ctype = value.type
    if not isinstance(ctype, Pointer):
        ctx.report.fail(node.coord, f"invalid type argument of unary '*' (have '{ctype}')")
    if isinstance(ctype.target, Func):
        return Value(ctype.target, None, value.tree)
    if isinstance(ctype.target, Void):
        return Value(ctype.target, None, None)
    return Value(ctype.target, None, value.tree, lvalue=True, effective=value.effective, unaligned=value.unaligned)


def _size(ctx: Context, node: Any) -> Value:
    operand, size_t = node.expr, ctx.types.size_t
    is_name = type(operand).__name__ == "Typename"
    with ctx.scratch(unevaluated=True):
        value = Value(type_name(ctx, operand)) if is_name else ctx.expression(operand)
    if value.bits is not None:
        ctx.report.fail(node.coord, "'sizeof' applied to a bit-field")
    ctype = value.type
    if node.op == "_Alignof":
        return Value(size_t, trees.constant(size_t.il, ctype.align))
    if isinstance(ctype, Void | Func):
        return Value(size_t, trees.constant(size_t.il, 1))
    if not is_complete(ctype):
        ctx.report.fail(node.coord, f"invalid application of 'sizeof' to incomplete type '{ctype}'")
    if isinstance(ctype, VariableArray):
        ctype = type_name(ctx, operand) if is_name else ctx.expression(operand).type  # now its length is computed
    return Value(size_t, ctx.size_of(ctype))


# --------------------------------------------------------------------------------------------------- assignments


def modifiable(ctx: Context, node: Any, what: str) -> Value:
    """Lower an expression that is to be assigned to."""
    value = ctx.expression(node)
    ctype = value.type
    if value.address is None or not value.lvalue:
        ctx.report.fail(node.coord, f"lvalue required as {what}")
    if isinstance(ctype, Array):
        ctx.report.fail(node.coord, "assignment to expression with array type")
    if not is_complete(ctype):
        ctx.report.fail(node.coord, f"'{ctype}' is an incomplete type")
    if ctype.const or (isinstance(ctype, Record) and ctype.tag.has_const):
        ctx.report.fail(node.coord, f"assignment of read-only {_place(node)}")
    return value


def _place(node: Any) -> str:
    match type(node).__name__:
        case "ID":
            return f"variable '{node.name}'"
        case "StructRef":
            return f"member '{node.field.name}'"
    return "location"


@lowers_effect("Assignment")
def _assignment_effect(ctx: Context, node: Any) -> bool:
    _assign(ctx, node, used=False)
    return True


@lowers_expression("Assignment")
def _assignment(ctx: Context, node: Any) -> Value:
    return _assign(ctx, node, used=True)


def _assign(ctx: Context, node: Any, used: bool) -> Value:
    target = modifiable(ctx, node.lvalue, "left operand of assignment")
    if node.op != "=":
        return _compound(ctx, node, target, used)
    if not used and type(node.lvalue).__name__ == "ID" and (symbol := ctx.scope.lookup(node.lvalue.name)) is not None:
        symbol.stores += 1
    mark = ctx.mark
    value = conversions.assign(ctx, target.type, conversions.rvalue(ctx, node.rvalue), node)
    assert target.address is not None
    target.address = ctx.settle(mark, target.address)
    if value.tree is None:
        assert value.address is not None
        ctx.line = node.coord.line
        conversions.copy(ctx, target.address, value.address, target.type)
        return Value(unqualified(target.type), None, target.address)
    ctx.line = node.coord.line
    return _finish(ctx, target, value.tree, used)


def _finish(ctx: Context, target: Value, tree: il.Expr, used: bool) -> Value:
    """Store, and say what the assignment's value is."""
    ctype = unqualified(target.type)
    assert is_scalar(ctype)
    if not used:
        conversions.store(ctx, target, tree)
        return Value(ctype, tree)
    if target.bits is None and not target.type.volatile and isinstance(target.address, il.AddrLocal):
        conversions.store(ctx, target, tree)
        result: il.Expr = il.Load(ctype.il, target.address)
    else:
        tree = ctx.save(tree)
        conversions.store(ctx, target, tree)
        result = conversions.stored_value(ctx, target, tree)
    if target.bits is not None and isinstance(ctype, Arithmetic):
        promoted = conversions.field_type(ctx, ctype, target.bits)
        return Value(promoted, trees.convert(promoted.il, result))
    return Value(ctype, result)


def _stable(ctx: Context, target: Value) -> None:
    """Make the address of an object fit to be written twice."""
    assert target.address is not None
    if not trees.is_cheap(target.address):
        target.address = ctx.save(target.address)


def _compound(ctx: Context, node: Any, target: Value, used: bool) -> Value:
    mark = ctx.mark
    right_type, right = conversions.scalar_rvalue(ctx, node.rvalue)
    assert target.address is not None
    target.address = ctx.settle(mark, target.address)
    _stable(ctx, target)
    old = conversions.decay(ctx, target, node)
    old_type, old_tree = conversions.require_scalar(ctx, old, node.lvalue)
    ctx.line = node.coord.line
    result = arithmetic(ctx, node.op[:-1], Value(old_type, old_tree), Value(right_type, right), node)
    converted = conversions.assign(ctx, target.type, result, node)
    assert converted.tree is not None
    return _finish(ctx, target, converted.tree, used)


@lowers_effect("UnaryOp")
def _increment_effect(ctx: Context, node: Any) -> bool:
    if node.op not in ("++", "--", "p++", "p--"):
        return False
    _increment(ctx, node, used=False)
    return True


def _increment(ctx: Context, node: Any, used: bool) -> Value:
    postfix, operator = node.op[0] == "p", node.op[-1]
    what = "increment" if operator == "+" else "decrement"
    target = modifiable(ctx, node.expr, f"{what} operand")
    _stable(ctx, target)
    old = conversions.decay(ctx, target, node)
    old_type, tree = conversions.require_scalar(ctx, old, node)
    ctx.line = node.coord.line
    if postfix and used:
        tree = ctx.save(tree)
    one = Value(ctx.types.int_, trees.constant(ctx.types.int_.il, 1))
    result = arithmetic(ctx, operator, Value(old_type, tree), one, node)
    ctype = unqualified(target.type)
    assert is_scalar(ctype)
    assert result.tree is not None
    fresh = conversions.to_type(ctx, ctype, result.tree)
    if postfix:
        conversions.store(ctx, target, fresh)
        return Value(old_type, tree)
    return _finish(ctx, target, fresh, used)
