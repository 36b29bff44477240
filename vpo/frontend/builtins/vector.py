"""Built-in functions that move the elements of vectors about, and convert them: gcc's and clang's."""

from __future__ import annotations

from vpo import il
from vpo.frontend.builtins.call import BuiltinCall
from vpo.frontend.context import Context
from vpo.frontend.declare.constant_expressions import constant_expression
from vpo.frontend.declare.declarators import type_name
from vpo.frontend.lower import conversions, trees, vectors
from vpo.frontend.lower.values import Value
from vpo.frontend.syntax.nodes import Argument, Typename
from vpo.frontend.types.types import Vector, is_integer, unqualified


def _vector(ctx: Context, node: Argument) -> tuple[Vector, Value]:
    """Return a vector that may be read again and again, and its type."""
    value = conversions.rvalue(ctx, node)
    ctype = unqualified(value.type)
    if not isinstance(ctype, Vector):
        ctx.report.fail(node.coord, f"a vector is needed here, not '{value.type}'")
    copy = ctx.address_of(ctx.aggregate_temporary(ctype))
    assert value.address is not None
    ctx.emit(il.Copy(copy, value.address, ctype.size, 1, ctx.line))
    return ctype, Value(ctype, None, copy)


def _shuffle(ctx: Context, call: BuiltinCall) -> Value:
    """Lower `__builtin_shuffle`: numbers of elements are taken modulo how many there are."""
    if len(call.arguments) not in (2, 3):
        ctx.report.fail(call.coord, "'__builtin_shuffle' takes two or three arguments")
    lowered = [_vector(ctx, argument) for argument in call.arguments]
    ctype, (mask_type, mask) = lowered[0][0], lowered[-1]
    if len(lowered) == 3 and lowered[1][0] != ctype:
        ctx.report.fail(call.arguments[1].coord, f"the vectors differ in type: '{ctype}' and '{lowered[1][0]}'")
    alike = (mask_type.length, mask_type.element.size) == (ctype.length, ctype.element.size)
    if not alike or not is_integer(mask_type.element):
        message = f"the mask must have integers as many and as large as the elements of '{ctype}'"
        ctx.report.fail(call.arguments[-1].coord, message)
    source, length = _joined(ctx, ctype, [value for _, value in lowered[:-1]])
    kind = il.Type("U", ctx.types.address.size)

    def chosen(position: int) -> il.Expr:
        number = trees.convert(kind, vectors.element(mask, position))
        number = trees.binary("and", kind, number, trees.constant(kind, length - 1))
        distance = trees.binary("mul", kind, number, trees.constant(kind, ctype.element.size))
        address = trees.binary("add", ctx.types.address, source, trees.convert(ctx.types.address, distance))
        return il.Load(ctype.element.il, address)

    return vectors.built(ctx, ctype, chosen)


def _shuffle_vector(ctx: Context, call: BuiltinCall) -> Value:
    """Lower `__builtin_shufflevector`: constants say which elements of two vectors make a new one; -1 is any."""
    if len(call.arguments) < 3:
        ctx.report.fail(call.coord, "'__builtin_shufflevector' takes two vectors and the numbers of elements")
    (ctype, first), (other_type, other) = (_vector(ctx, argument) for argument in call.arguments[:2])
    if other_type.element != ctype.element:
        ctx.report.fail(call.arguments[1].coord, f"the vectors differ in type: '{ctype}' and '{other_type}'")
    numbers = [constant_expression(ctx, argument, "number of an element") for argument in call.arguments[2:]]
    for number, argument in zip(numbers, call.arguments[2:], strict=True):
        if not -1 <= number < ctype.length + other_type.length:
            ctx.report.fail(argument.coord, f"there is no element {number}")
    if len(numbers) & (len(numbers) - 1):
        ctx.report.fail(call.coord, f"a vector has a power of 2 of elements, not {len(numbers)}")

    def chosen(position: int) -> il.Expr:
        number = max(numbers[position], 0)
        return vectors.element(*((first, number) if number < ctype.length else (other, number - ctype.length)))

    return vectors.built(ctx, Vector(ctype.element, len(numbers)), chosen)


def _convert_vector(ctx: Context, call: BuiltinCall) -> Value:
    """Lower `__builtin_convertvector`: each element is converted as by a cast."""
    match call.arguments:
        case [vector, Typename() as name]:
            ctype, value = _vector(ctx, vector)
            target = unqualified(type_name(ctx, name))
        case _:
            ctx.report.fail(call.coord, "'__builtin_convertvector' takes a vector and a type name")
    if not isinstance(target, Vector) or target.length != ctype.length:
        ctx.report.fail(name.coord, f"a vector type of {ctype.length} elements is needed here, not '{target}'")
    return vectors.built(ctx, target, lambda position: vectors.element(value, position))


def _joined(ctx: Context, ctype: Vector, values: list[Value]) -> tuple[il.Expr, int]:
    """Return the address of vectors of one type that lie one behind the other, and how many elements they have."""
    whole = Vector(ctype.element, ctype.length * len(values))
    base = ctx.address_of(ctx.aggregate_temporary(whole))
    for number, value in enumerate(values):
        assert value.address is not None
        ctx.emit(il.Copy(trees.offset(base, number * ctype.size), value.address, ctype.size, 1, ctx.line))
    return base, whole.length


VECTOR_BUILTINS = {
    "__builtin_shuffle": _shuffle,
    "__builtin_shufflevector": _shuffle_vector,
    "__builtin_convertvector": _convert_vector,
}
