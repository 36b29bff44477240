"""Vector types: operators are applied to their elements, one after another.

In vectors of integers narrower than int that fit into a word, sums, differences, logic and tests for equality are those of
whole words.  No carry leaves its element (Lamport, Multiple byte processing with full-word instructions, 1975); where there
are two elements, it is taken back:

    a + b   =>   ((a & 0x7f7f7f7f) + (b & 0x7f7f7f7f)) ^ ((a ^ b) & 0x80808080)
    a + b   =>   (a + b) - ((a + b ^ a ^ b) & 0x10000)

An instruction of the machine with such lanes means the same, so it is selected.  What was computed one by one stays so within
an expression.
"""

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
_OF_WORDS = frozenset(("+", "-", "&", "|", "^", "==", "!="))
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
    return Value(ctype, None, base, by_elements=True)


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
    if operator in _OF_WORDS and all(_in_word(ctx, ctype, each) for each in (left, right)):
        return _of_words(ctx, operator, ctype, left, right)
    kind = _working(ctx, ctype.element)

    def operands(position: int) -> tuple[il.Expr, il.Expr]:
        return trees.convert(kind, element(left, position)), trees.convert(kind, element(right, position))

    if operator in RELATIONS:
        truth = _truth(ctx, ctype)
        return built(ctx, truth, lambda at: _all_ones(ctx, truth, RELATIONS[operator], *operands(at)))
    return built(ctx, ctype, lambda at: trees.binary(_OPERATORS[operator], kind, *operands(at)))


# ------------------------------------------------------------------------------------------------------------ whole words


def _in_word(ctx: Context, ctype: Vector, value: Value) -> bool:
    """Whether an operand of a vector's type, or a number for all elements, is read as one integer."""
    if value.tree is not None:
        return isinstance(value.tree, il.Const)
    own = value.type
    return (
        ctype.length > 1 and ctype.size <= ctx.model.sizes["pointer"] and ctype.size.bit_count() == 1
        and not ctype.element.is_float and isinstance(own, Vector) and own.align >= own.size and not own.volatile
        and not value.by_elements and ctype.element.size < ctx.types.int_.size
    )  # fmt: skip


def _of_words(ctx: Context, operator: str, ctype: Vector, left: Value, right: Value) -> Value:
    """Apply an operator to all elements of two vectors that are words at once."""
    kind = il.Type("U", max(ctype.size, ctx.types.int_.size))
    width = 8 * ctype.element.size
    ones = sum(1 << width * position for position in range(ctype.length))
    high, low = (trees.constant(kind, ones * part) for part in (1 << (width - 1), (1 << (width - 1)) - 1))
    a, b = (_word(ctx, kind, ctype, ones, value) for value in (left, right))

    def of(name: str, x: il.Expr, y: il.Expr) -> il.Expr:
        return trees.binary(name, kind, x, y)

    match operator:
        case "+" | "-" if ctype.length == 2:
            whole = ctx.save(of(_OPERATORS[operator], a, b))
            carry = of("and", of("xor", of("xor", a, b), whole), trees.constant(kind, 1 << width))
            result = of("sub" if operator == "+" else "add", whole, carry)
        case "+":
            result = of("xor", of("add", of("and", a, low), of("and", b, low)), of("and", of("xor", a, b), high))
        case "-":
            sign = of("and", of("xor", a, trees.unary("not", kind, b)), high)
            result = of("xor", of("sub", of("or", a, high), of("and", b, low)), sign)
        case "==" | "!=":
            ctype = _truth(ctx, ctype)
            other = ctx.save(of("xor", a, b))
            unequal = of("or", of("add", of("and", other, low), low), other)  # the high bit of an element tells
            told = unequal if operator == "!=" else trees.unary("not", kind, unequal)
            told = ctx.save(of("and", told, high))
            result = of("sub", of("shl", told, trees.constant(kind, 1)), of("shr", told, trees.constant(kind, width - 1)))
        case _:
            result = of(_OPERATORS[operator], a, b)
    base = ctx.address_of(ctx.aggregate_temporary(ctype))
    ctx.emit(il.Store(base, trees.convert(il.Type("U", ctype.size), result), ctx.line))
    return Value(ctype, None, base)


def _word(ctx: Context, kind: il.Type, ctype: Vector, ones: int, value: Value) -> il.Expr:
    """Return a vector as an integer, or the integer with a number in all elements."""
    if isinstance(value.tree, il.Const):
        return trees.constant(kind, ones * (int(value.tree.value) & ((1 << 8 * ctype.element.size) - 1)))
    assert value.address is not None
    return ctx.save(trees.convert(kind, il.Load(il.Type("U", ctype.size), value.address)))


def _bad(ctx: Context, operator: str, left: Value, right: Value, node: Node) -> NoReturn:
    ctx.report.fail(node.coord, f"invalid operands to binary {operator} (have '{left.type}' and '{right.type}')")


def _steady(ctx: Context, ctype: Vector, value: Value) -> Value:
    """Return an operand that may be read again and again: a number converted to the elements' type."""
    if value.tree is None:
        assert value.address is not None
        address = value.address if trees.is_cheap(value.address) else ctx.save(value.address)
        return Value(value.type, None, address, by_elements=value.by_elements)
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
    if _in_word(ctx, ctype, value):
        number = Value(ctype.element, trees.constant(ctype.element.il, 0 if operator == "-" else -1))
        return _of_words(ctx, "-" if operator == "-" else "^", ctype, number, value)
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
