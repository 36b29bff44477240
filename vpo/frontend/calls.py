"""Function calls and the few built-in functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from vpo import il
from vpo.frontend import conversions, trees
from vpo.frontend.context import Context, lowers_expression
from vpo.frontend.declarators import type_name
from vpo.frontend.expressions import index_address
from vpo.frontend.types import (
    RANK_DOUBLE,
    RANK_INT,
    Arithmetic,
    Array,
    CType,
    Func,
    Pointer,
    Record,
    Void,
    is_complete,
    is_empty,
    is_integer,
    is_scalar,
    scalars,
    unqualified,
)
from vpo.frontend.values import Value


@lowers_expression("FuncCall")
def _call(ctx: Context, node: Any) -> Value:
    arguments = list(node.args.exprs) if node.args is not None else []
    name = node.name.name if type(node.name).__name__ == "ID" else ""
    if name and ctx.scope.lookup(name) is None:
        builtin = _BUILTINS.get(name)
        if builtin is not None:
            return builtin(ctx, node, arguments)
        ctx.report.fail(node.coord, f"implicit declaration of function '{name}'")
    callee = conversions.rvalue(ctx, node.name)
    ctype = callee.type
    if not isinstance(ctype, Pointer) or not isinstance(ctype.target, Func) or callee.tree is None:
        what = f"'{name}'" if name else "object"
        ctx.report.fail(node.coord, f"called {what} is not a function or function pointer")
    return _emit_call(ctx, node, ctype.target, callee.tree, arguments)


def _emit_call(ctx: Context, node: Any, function: Func, callee: il.Expr, arguments: list[Any]) -> Value:
    _check_count(ctx, node, function, len(arguments))
    mark = ctx.mark
    lowered = _arguments(ctx, function, arguments, node)
    callee = ctx.settle(mark, callee)
    ctx.line = node.coord.line
    result_type = unqualified(function.result)
    if not isinstance(result_type, Void) and not is_complete(result_type):
        ctx.report.fail(node.coord, f"invalid use of incomplete type '{result_type}'")
    result: il.Local | None = None
    empty = is_empty(result_type)
    flattened: tuple[tuple[int, il.Type], ...] = ()
    if is_scalar(result_type):
        result = ctx.temporary(result_type.il)
    elif isinstance(result_type, Record) and not empty:
        result = ctx.aggregate_temporary(result_type)
        flattened = tuple(scalars(result_type))
    fixed = sum(not is_empty(parameter) for parameter in function.parameters or ()) if function.variadic else 0
    unprototyped = function.parameters is None
    ctx.emit(il.Call(callee, tuple(lowered), result, ctx.line, function.variadic, fixed, flattened, unprototyped))
    if empty:
        return Value(result_type, None, ctx.address_of(ctx.aggregate_temporary(result_type)))
    if result is None:
        return Value(ctx.types.void)
    if is_scalar(result_type):
        return Value(result_type, ctx.load_local(result))
    return Value(result_type, None, ctx.address_of(result))


def _check_count(ctx: Context, node: Any, function: Func, count: int) -> None:
    parameters = function.parameters
    if parameters is None:
        return
    name = f" '{node.name.name}'" if type(node.name).__name__ == "ID" else ""
    if count < len(parameters):
        ctx.report.fail(node.coord, f"too few arguments to function{name}")
    if count > len(parameters) and not function.variadic:
        ctx.report.fail(node.coord, f"too many arguments to function{name}")


def _arguments(ctx: Context, function: Func, nodes: list[Any], call: Any) -> list[il.Expr | il.Block]:
    """Lower arguments from left to right; all are evaluated before the call.  Empty ones are not passed."""
    lowered: list[il.Expr | il.Block] = []
    marks: list[int] = []
    parameters = function.parameters or ()
    name = call.name.name if type(call.name).__name__ == "ID" else "function"
    for position, node in enumerate(nodes):
        value = conversions.rvalue(ctx, node)
        if position < len(parameters):
            what = f"passing argument {position + 1} of '{name}'"
            value = conversions.assign(ctx, parameters[position], value, node, what)
        if is_empty(value.type):
            continue
        lowered.append(promoted(ctx, value, node, position >= len(parameters)))
        marks.append(ctx.mark)
    if marks and marks[0] != ctx.mark:
        for position in reversed(range(len(lowered))):
            lowered[position] = _settled(ctx, marks[position], lowered[position])
    return lowered


def _settled(ctx: Context, mark: int, argument: il.Expr | il.Block) -> il.Expr | il.Block:
    if not isinstance(argument, il.Block):
        return ctx.settle(mark, argument)
    address = argument.address
    if len(ctx.state.body) == mark or argument.owned:
        return argument
    local = il.Local(f"{trees.TEMPORARY}block", None, argument.size, argument.align)
    ctx.state.locals.append(local)
    kept = ctx.address_of(local)
    ctx.state.body.insert(mark, il.Copy(kept, address, argument.size, argument.align, ctx.line))
    return il.Block(kept, argument.size, argument.align, argument.scalars, owned=True)


def block(ctype: CType, address: il.Expr) -> il.Block:
    """An aggregate as an argument or result; a temporary is used once."""
    owned = isinstance(address, il.AddrLocal) and address.local.name.startswith(trees.TEMPORARY)
    return il.Block(address, ctype.size, ctype.align, tuple(scalars(ctype)), owned)


def promoted(ctx: Context, value: Value, node: Any, unnamed: bool) -> il.Expr | il.Block:
    """A value as an argument: integers narrower than int are widened, a float that no prototype names to double."""
    ctype = value.type
    if isinstance(ctype, Record):
        assert value.address is not None
        return block(ctype, value.address)
    ctype, tree = conversions.require_scalar(ctx, value, node)
    if isinstance(ctype, Arithmetic) and not ctype.is_float:
        return trees.convert(ctx.types.promote(ctype).il, tree)
    if unnamed and unqualified(ctype) == ctx.types.float_:
        return trees.convert(ctx.types.double.il, tree)
    return tree


# ------------------------------------------------------------------------------------------------------ built-ins


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
        ctx.report.warning(node.coord, f"'{ctype}' is promoted when passed through '...'")
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


_BUILTINS: dict[str, Builtin] = {
    "__ease_syscall": _system_call,
    "__builtin_sqrt": _floating("sqrt"),
    "__builtin_fabs": _floating("abs"),
    "__builtin_va_start": _va_start,
    "__builtin_va_arg": _va_arg,
    "__builtin_expect": _expectation,
    "offsetof": _offsetof,
}
