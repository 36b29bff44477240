"""Vector types: operators are applied to their elements, one after another."""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn

from vpo import il
from vpo.frontend.context import Context
from vpo.frontend.lower import trees
from vpo.frontend.lower.values import Value
from vpo.frontend.syntax.nodes import Node
from vpo.frontend.types.types import Arithmetic, Vector, is_integer, unqualified

_OPERATORS = {
    "+": "add", "-": "sub", "*": "mul", "/": "div", "%": "mod", "&": "and", "|": "or", "^": "xor", "<<": "shl", ">>": "shr",
}  # fmt: skip
_INTEGER_ONLY = frozenset(("%", "&", "|", "^", "<<", ">>"))
RELATIONS = {"==": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge"}


def element(value: Value, position: int) -> il.Expr:
    """Return an element of a vector, or a scalar as it is."""
    if value.tree is not None:
        return value.tree
    ctype = value.type
    assert isinstance(ctype, Vector)
    assert value.address is not None
    return il.Load(ctype.element.il, trees.offset(value.address, position * ctype.element.size), ctype.volatile)


def built(ctx: Context, ctype: Vector, make: Callable[[int], il.Expr]) -> Value:
    """Return a vector of elements that are made one by one."""
    ctype = unqualified(ctype)
    base = ctx.address_of(ctx.aggregate_temporary(ctype))
    for position in range(ctype.length):
        tree = trees.convert(ctype.element.il, make(position))
        ctx.emit(il.Store(trees.offset(base, position * ctype.element.size), tree, ctx.line))
    return Value(ctype, None, base)


def operation(ctx: Context, operator: str, left: Value, right: Value, node: Node) -> Value:
    """Apply a binary operator, or a relation, to two vectors of one type, or to a vector and a number."""
    left_type, right_type = unqualified(left.type), unqualified(right.type)
    ctype = left_type if isinstance(left_type, Vector) else right_type
    assert isinstance(ctype, Vector)
    for other in (left_type, right_type):
        alike = isinstance(other, Vector) and (other.length, other.element.size) == (ctype.length, ctype.element.size)
        if not alike and not (isinstance(other, Arithmetic) and (is_integer(other) or ctype.element.is_float)):
            _bad(ctx, operator, left, right, node)
    if operator in _INTEGER_ONLY and ctype.element.is_float:
        _bad(ctx, operator, left, right, node)
    left, right = _steady(ctx, ctype, left), _steady(ctx, ctype, right)
    kind = _working(ctx, ctype.element)

    def operands(position: int) -> tuple[il.Expr, il.Expr]:
        return trees.convert(kind, element(left, position)), trees.convert(kind, element(right, position))

    if operator in RELATIONS:
        truth = _truth(ctx, ctype)
        return built(ctx, truth, lambda at: _all_ones(ctx, truth, RELATIONS[operator], *operands(at)))
    return built(ctx, ctype, lambda at: trees.binary(_OPERATORS[operator], kind, *operands(at)))


def _bad(ctx: Context, operator: str, left: Value, right: Value, node: Node) -> NoReturn:
    ctx.report.fail(node.coord, f"invalid operands to binary {operator} (have '{left.type}' and '{right.type}')")


def _steady(ctx: Context, ctype: Vector, value: Value) -> Value:
    """Return an operand that may be read again and again: a number converted to the elements' type."""
    if value.tree is None:
        assert value.address is not None
        address = value.address if trees.is_cheap(value.address) else ctx.save(value.address)
        return Value(value.type, None, address)
    return Value(ctype.element, ctx.save(trees.convert(ctype.element.il, value.tree)))


def _working(ctx: Context, ctype: Arithmetic) -> il.Type:
    """Return the type in which elements are computed: no narrower than int."""
    return ctype.il if ctype.is_float else ctx.types.promote(ctype).il


def _truth(ctx: Context, ctype: Vector) -> Vector:
    """Return the type of comparisons of vectors: signed integers of the elements' size."""
    types = ctx.types
    candidates = (types.schar, types.short, types.int_, types.long, types.llong)
    return Vector(next(c for c in candidates if c.size == ctype.element.size), ctype.length)


def _all_ones(ctx: Context, truth: Vector, relation: str, left: il.Expr, right: il.Expr) -> il.Expr:
    kind = ctx.types.int_.il
    holds = trees.compare(relation, kind, left, right)
    return trees.convert(truth.element.il, trees.unary("neg", kind, holds))


def unary(ctx: Context, operator: str, value: Value, node: Node) -> Value:
    """Apply `-`, `+`, `~` or `!` to a vector."""
    ctype = value.type
    assert isinstance(ctype, Vector)
    if operator == "~" and ctype.element.is_float:
        ctx.report.fail(node.coord, f"wrong type argument to unary ~ ('{ctype}')")
    value = _steady(ctx, ctype, value)
    kind = _working(ctx, ctype.element)
    if operator == "!":
        truth, zero = _truth(ctx, ctype), trees.constant(kind, 0)
        return built(ctx, truth, lambda at: _all_ones(ctx, truth, "eq", trees.convert(kind, element(value, at)), zero))
    if operator == "+":
        return value
    name = "neg" if operator == "-" else "not"
    return built(ctx, ctype, lambda at: trees.unary(name, kind, trees.convert(kind, element(value, at))))


def reinterpreted(ctx: Context, target: Vector, value: Value) -> Value:
    """Return the bytes of a vector, or of a number, as a vector of another type and the same size."""
    address = value.address
    if address is None:
        assert value.tree is not None
        local = ctx.temporary(value.tree.type)
        ctx.store_local(local, value.tree)
        address = ctx.address_of(local)
    copy = ctx.address_of(ctx.aggregate_temporary(target))
    ctx.emit(il.Copy(copy, address, target.size, 1, ctx.line))
    return Value(unqualified(target), None, copy)
