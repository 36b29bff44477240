"""Assignments, compound assignments, and steps by one."""

from __future__ import annotations

from vpo import il
from vpo.frontend.context import Context
from vpo.frontend.lower import complex_numbers, conversions, stored_scalars, trees, vectors
from vpo.frontend.lower.operators import arithmetic
from vpo.frontend.lower.values import Value
from vpo.frontend.syntax.nodes import ID, Assignment, Expression, StructRef, UnaryOp
from vpo.frontend.types import types

STEPS = frozenset(("++", "--", "p++", "p--"))  # operators


def modifiable(ctx: Context, node: Expression, what: str) -> Value:
    """Lower an expression that is to be assigned to."""
    value = ctx.expression(node)
    ctype = value.type
    if value.address is None or not value.lvalue:
        ctx.report.fail(node.coord, f"lvalue required as {what}")
    if isinstance(ctype, types.Array):
        ctx.report.fail(node.coord, "assignment to expression with array type")
    if not types.is_complete(ctype):
        ctx.report.fail(node.coord, f"'{ctype}' is an incomplete type")
    if ctype.const or (isinstance(ctype, types.Record) and ctype.tag.has_const):
        ctx.report.fail(node.coord, f"assignment of read-only {_place(node)}")
    return value


def _place(node: Expression) -> str:
    match node:
        case ID():
            return f"variable '{node.name}'"
        case StructRef():
            return f"member '{node.field.name}'"
    return "location"


def assign(ctx: Context, node: Assignment, used: bool = True) -> Value:
    """Lower an assignment; `used`: something wants its value."""
    target = modifiable(ctx, node.lvalue, "left operand of assignment")
    if node.op != "=":
        return _compound(ctx, node, target, used)
    if not used and isinstance(node.lvalue, ID) and (symbol := ctx.scope.lookup(node.lvalue.name)) is not None:
        symbol.stores += 1
    mark = ctx.mark
    value = conversions.assign(ctx, target.type, conversions.rvalue(ctx, node.rvalue), node)
    assert target.address is not None
    target.address = ctx.settle(mark, target.address)
    if isinstance(target.type, types.Complex):
        return _store_complex(ctx, target, value)
    if value.tree is None:
        assert value.address is not None
        ctx.line = node.coord.line
        conversions.copy(ctx, target.address, value.address, target.type, bool(target.unaligned))
        return Value(types.unqualified(target.type), None, target.address)
    ctx.line = node.coord.line
    return _finish(ctx, target, value.tree, used)


def _store_complex(ctx: Context, target: Value, value: Value) -> Value:
    assert target.address is not None
    value = complex_numbers.saved(ctx, value)
    complex_numbers.store(ctx, target.address, value, target.type.volatile, bool(target.unaligned))
    return value


def _finish(ctx: Context, target: Value, tree: il.Expr, used: bool) -> Value:
    """Store, and say what the assignment's value is."""
    ctype = types.unqualified(target.type)
    assert types.is_scalar(ctype)
    if not used:
        stored_scalars.store(ctx, target, tree)
        return Value(ctype, tree)
    if target.bits is None and not target.type.volatile and isinstance(target.address, il.AddrLocal):
        stored_scalars.store(ctx, target, tree)
        result: il.Expr = il.Load(ctype.il, target.address)
    else:
        tree = ctx.save(tree)
        stored_scalars.store(ctx, target, tree)
        result = stored_scalars.stored_value(ctx, target, tree)
    if target.bits is not None and isinstance(ctype, types.Arithmetic):
        promoted = stored_scalars.field_type(ctx, ctype, target.bits)
        return Value(promoted, trees.convert(promoted.il, result))
    return Value(ctype, result)


def _stable(ctx: Context, target: Value) -> None:
    """Make the address of an object fit to be written twice."""
    assert target.address is not None
    if not trees.is_cheap(target.address):
        target.address = ctx.save(target.address)


def _compound(ctx: Context, node: Assignment, target: Value, used: bool) -> Value:
    mark = ctx.mark
    right = conversions.rvalue(ctx, node.rvalue)
    if not types.is_compound(right.type):
        conversions.require_scalar(ctx, right, node.rvalue)
    assert target.address is not None
    target.address = ctx.settle(mark, target.address)
    _stable(ctx, target)
    old = conversions.decay(ctx, target, node)
    if not types.is_compound(old.type):
        conversions.require_scalar(ctx, old, node.lvalue)
    ctx.line = node.coord.line
    result = arithmetic(ctx, node.op[:-1], old, right, node)
    converted = conversions.assign(ctx, target.type, result, node)
    if isinstance(target.type, types.Complex):
        return _store_complex(ctx, target, converted)
    if isinstance(target.type, types.Vector):
        assert converted.address is not None
        conversions.copy(ctx, target.address, converted.address, target.type, bool(target.unaligned))
        return Value(types.unqualified(target.type), None, target.address)
    assert converted.tree is not None
    return _finish(ctx, target, converted.tree, used)


def increment(ctx: Context, node: UnaryOp, used: bool = True) -> Value:
    """Lower a step by one; `used`: something wants its value."""
    postfix, operator = node.op[0] == "p", node.op[-1]
    what = "increment" if operator == "+" else "decrement"
    target = modifiable(ctx, node.expr, f"{what} operand")
    _stable(ctx, target)
    old = conversions.decay(ctx, target, node)
    if types.is_compound(old.type):
        return _compound_increment(ctx, target, old, node)
    old_type, tree = conversions.require_scalar(ctx, old, node)
    ctx.line = node.coord.line
    if postfix and used:
        tree = ctx.save(tree)
    one = Value(ctx.types.int_, trees.constant(ctx.types.int_.il, 1))
    result = arithmetic(ctx, operator, Value(old_type, tree), one, node)
    ctype = types.unqualified(target.type)
    assert types.is_scalar(ctype)
    assert result.tree is not None
    fresh = conversions.to_type(ctx, ctype, result.tree)
    if postfix:
        stored_scalars.store(ctx, target, fresh)
        return Value(old_type, tree)
    return _finish(ctx, target, fresh, used)


def _compound_increment(ctx: Context, target: Value, old: Value, node: UnaryOp) -> Value:
    """Step a complex number, or each element of a vector."""
    assert target.address is not None
    if isinstance(target.type, types.Complex):
        old = complex_numbers.saved(ctx, old)
    elif node.op[0] == "p":
        assert isinstance(target.type, types.Vector)
        old = vectors.reinterpreted(ctx, target.type, old)
    one = Value(ctx.types.int_, trees.constant(ctx.types.int_.il, 1))
    fresh = conversions.assign(ctx, target.type, arithmetic(ctx, node.op[-1], old, one, node), node)
    if isinstance(target.type, types.Complex):
        fresh = _store_complex(ctx, target, fresh)
    else:
        assert fresh.address is not None
        conversions.copy(ctx, target.address, fresh.address, target.type, bool(target.unaligned))
    return old if node.op[0] == "p" else fresh
