"""Built-in functions: those of the language's headers, gcc's common ones, and system calls."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from vpo import il
from vpo.frontend import conversions, overflow_builtins, trees
from vpo.frontend.bit_builtins import bit_builtin
from vpo.frontend.compatibility import compatible
from vpo.frontend.context import Context
from vpo.frontend.declarators import type_name
from vpo.frontend.dynamic_objects import allocate
from vpo.frontend.expressions import discard, index_address
from vpo.frontend.types import (
    RANK_DOUBLE,
    RANK_INT,
    Arithmetic,
    Array,
    CType,
    Func,
    Pointer,
    Record,
    is_complete,
    is_empty,
    is_integer,
    is_scalar,
    unqualified,
)
from vpo.frontend.values import Value

PREFIX = "__builtin_"


def _expect(ctx: Context, node: Any, arguments: list[Any], least: int, most: int) -> None:
    if not least <= len(arguments) <= most:
        few = "few" if len(arguments) < least else "many"
        ctx.report.fail(node.coord, f"too {few} arguments to function '{node.name.name}'")


def _system_call(ctx: Context, node: Any, arguments: list[Any]) -> Value:
    _expect(ctx, node, arguments, 1, 7)
    long, word = ctx.types.long, ctx.types.ptrdiff_t.il
    lowered: list[il.Expr] = []
    for argument in arguments:
        mark = ctx.mark
        ctype, tree = conversions.scalar_rvalue(ctx, argument)
        lowered = [ctx.settle(mark, old) for old in lowered]
        if isinstance(ctype, Arithmetic) and ctype.is_float:
            ctx.report.fail(argument.coord, "a system call takes integers and pointers")
        lowered.append(trees.convert(word, tree))
    result = ctx.temporary(long.il)
    ctx.emit(il.Syscall(lowered[0], tuple(lowered[1:]), result, node.coord.line))
    return Value(long, ctx.load_local(result))


Builtin = Callable[[Context, Any, list[Any]], Value]


def _floating(operator: str) -> Builtin:
    def lower(ctx: Context, node: Any, arguments: list[Any]) -> Value:
        _expect(ctx, node, arguments, 1, 1)
        double = ctx.types.double
        value = conversions.assign(ctx, double, conversions.rvalue(ctx, arguments[0]), arguments[0])
        assert value.tree is not None
        return Value(double, trees.unary(operator, double.il, value.tree))

    return lower


def _list_address(ctx: Context, node: Any) -> il.Expr:
    value = ctx.expression(node)
    if value.address is None or not isinstance(value.type, Pointer):
        ctx.report.fail(node.coord, "a va_list variable is needed here")
    return value.address


def _va_start(ctx: Context, node: Any, arguments: list[Any]) -> Value:
    _expect(ctx, node, arguments, 1, 2)
    function = ctx.function
    ctype = function.type if function is not None else None
    if not isinstance(ctype, Func) or not ctype.variadic:
        ctx.report.fail(node.coord, "'va_start' used in function with fixed arguments")
    ctx.emit(il.VaStart(_list_address(ctx, arguments[0]), node.coord.line))
    return Value(ctx.types.void)


def _va_arg(ctx: Context, node: Any, arguments: list[Any]) -> Value:
    _expect(ctx, node, arguments, 2, 2)
    address = _list_address(ctx, arguments[0])
    with ctx.scratch(unevaluated=True):
        pointer = conversions.rvalue(ctx, arguments[1]).type
    if not isinstance(pointer, Pointer) or not is_complete(pointer.target):
        ctx.report.fail(node.coord, "second argument to 'va_arg' is of incomplete type")
    ctype = pointer.target
    narrow = isinstance(ctype, Arithmetic) and (ctype.rank < RANK_INT or RANK_INT + 2 < ctype.rank < RANK_DOUBLE)
    if narrow:
        ctx.report.warning(node.coord, "va-arg", f"'{ctype}' is promoted when passed through '...'")
    if is_empty(ctype):
        return Value(pointer, ctx.address_of(ctx.aggregate_temporary(ctype)))
    kind = ctype.il if is_scalar(ctype) else None
    result = ctx.temporary(ctx.types.address)
    ctx.emit(il.VaArg(address, kind, ctype.size, ctype.align, result, node.coord.line))
    return Value(pointer, ctx.load_local(result))


def _offsetof(ctx: Context, node: Any, arguments: list[Any]) -> Value:
    _expect(ctx, node, arguments, 2, 2)
    ctype = type_name(ctx, arguments[0])
    _, address = _designated(ctx, ctype, arguments[1])
    size_t = ctx.types.size_t
    return Value(size_t, trees.convert(size_t.il, address))


def _designated(ctx: Context, ctype: CType, node: Any) -> tuple[CType, il.Expr]:
    """The type and offset, as an address from 0, of a member designator."""
    address: il.Expr = trees.constant(ctx.types.address, 0)
    kind = type(node).__name__
    if kind == "ArrayRef":
        outer, address = _designated(ctx, ctype, node.name)
        index_type, index = conversions.scalar_rvalue(ctx, node.subscript)
        if not isinstance(outer, Array) or not is_integer(index_type):
            ctx.report.fail(node.coord, "bad array index in 'offsetof'")
        return outer.element, index_address(ctx, ctx.types.pointer(outer.element), address, index, node)
    if kind == "StructRef":
        ctype, address = _designated(ctx, ctype, node.name)
    name = node.field.name if kind == "StructRef" else node.name
    if not isinstance(ctype, Record) or ctype.tag.members is None:
        ctx.report.fail(node.coord, f"request for member '{name}' in something not a structure or union")
    member = ctype.tag.by_name.get(name)
    if member is None:
        ctx.report.fail(node.coord, f"'{ctype}' has no member named '{name}'")
    if member.bits is not None:
        ctx.report.fail(node.coord, f"attempt to take address of bit-field '{name}'")
    return member.type, trees.offset(address, member.offset)


def _expectation(ctx: Context, node: Any, arguments: list[Any]) -> Value:
    _expect(ctx, node, arguments, 2, 2)
    return conversions.rvalue(ctx, arguments[0])


def _constant_p(ctx: Context, node: Any, arguments: list[Any]) -> Value:
    _expect(ctx, node, arguments, 1, 1)
    with ctx.scratch(unevaluated=True):
        value = conversions.rvalue(ctx, arguments[0])
    int_type = ctx.types.int_
    return Value(int_type, trees.constant(int_type.il, int(isinstance(value.tree, il.Const))))


def _for_effects(ctx: Context, node: Any, arguments: list[Any]) -> Value:
    """Lower a hint: its arguments are evaluated and it does nothing else."""
    for argument in arguments:
        discard(ctx, argument)
    return Value(ctx.types.void)


def _alloca(ctx: Context, node: Any, arguments: list[Any]) -> Value:
    _expect(ctx, node, arguments, 1, 1)
    size = conversions.assign(ctx, ctx.types.size_t, conversions.rvalue(ctx, arguments[0]), arguments[0])
    assert size.tree is not None
    return Value(ctx.types.pointer(ctx.types.void), ctx.load_local(allocate(ctx, size.tree)))


def _types_compatible(ctx: Context, node: Any, arguments: list[Any]) -> Value:
    _expect(ctx, node, arguments, 2, 2)
    if any(type(argument).__name__ != "Typename" for argument in arguments):
        ctx.report.fail(node.coord, f"'{node.name.name}' takes two type names")
    first, second = (unqualified(type_name(ctx, argument)) for argument in arguments)
    int_type = ctx.types.int_
    return Value(int_type, trees.constant(int_type.il, int(compatible(first, second))))


_BUILTINS: dict[str, Builtin] = {
    "alloca": _alloca,
    "__builtin_types_compatible_p": _types_compatible,
    "__ease_syscall": _system_call,
    "__builtin_sqrt": _floating("sqrt"),
    "__builtin_fabs": _floating("abs"),
    "__builtin_va_start": _va_start,
    "__builtin_va_arg": _va_arg,
    "__builtin_alloca": _alloca,
    "__builtin_expect": _expectation,
    "__builtin_constant_p": _constant_p,
    "__builtin_prefetch": _for_effects,
    "__builtin_unreachable": _for_effects,
    "offsetof": _offsetof,
}


def find_builtin(ctx: Context, name: str) -> Builtin | None:
    """Return the lowering of a built-in function; None if there is none of that name."""
    if name in _BUILTINS or not name.startswith(PREFIX):
        return _BUILTINS.get(name)
    if overflow_builtins.NAME.fullmatch(name):
        return overflow_builtins.overflow_builtin
    lower = bit_builtin(name.removeprefix(PREFIX), ctx)
    if lower is None:
        return None

    def lower_call(ctx: Context, node: Any, arguments: list[Any]) -> Value:
        _expect(ctx, node, arguments, 1, 1)
        return lower(ctx, arguments[0])

    return lower_call
