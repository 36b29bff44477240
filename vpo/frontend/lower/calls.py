"""Function calls."""

from __future__ import annotations

import re
from dataclasses import replace

from vpo import il
from vpo.frontend.builtins.builtins import find_builtin
from vpo.frontend.builtins.call import BuiltinCall
from vpo.frontend.context import Context
from vpo.frontend.lower import complex_numbers, conversions, trees
from vpo.frontend.lower.implicit import implicit_function
from vpo.frontend.lower.values import Value
from vpo.frontend.syntax.nodes import ID, Argument, FuncCall, Node
from vpo.frontend.types import types
from vpo.frontend.types.bit_precise import working
from vpo.frontend.types.layout import scalars
from vpo.frontend.warnings.formats import FORMATS, check_format, declared_format
from vpo.il.routine_names import FUNCTIONS, is_not_negative
from vpo.system.faults import SIGNALS

# What sets actions of signals, and what does so for signals that no fault becomes; signal.h declares both.
_ACTIONS = {"signal": "__set_handler", "sigaction": "__set_action"}


def call(ctx: Context, node: FuncCall) -> Value:
    """Lower a call, of a function or of what the compiler knows itself."""
    called = node.name
    name = called.name if isinstance(called, ID) else ""
    known = ctx.scope.lookup(name) if name else None
    if isinstance(called, ID) and (known is None or (name == "alloca" and not known.defined)):  # no function can do this
        if name == "__builtin_unreachable":
            unreachable = ctx.label()
            ctx.state.unreachable.add(unreachable)
            ctx.place(unreachable)
        builtin = find_builtin(ctx, name)
        if builtin is not None:
            return builtin(ctx, BuiltinCall(name, node.args, node.coord))
        if ctx.model.instructions is not None and (problem := ctx.model.instructions.why_none(name)):
            ctx.report.fail(called.coord, problem)
        symbol = implicit_function(ctx, called)
        callee = conversions.decay(ctx, Value(symbol.type, None, il.AddrGlobal(ctx.types.address, symbol.symbol)), called)
    else:
        callee = conversions.rvalue(ctx, called)
    ctype = callee.type
    if not isinstance(ctype, types.Pointer) or not isinstance(ctype.target, types.Func) or callee.tree is None:
        what = f"'{name}'" if name else "object"
        ctx.report.fail(node.coord, f"called {what} is not a function or function pointer")
    return _emit_call(ctx, node, ctype.target, callee.tree)


def _emit_call(ctx: Context, node: FuncCall, function: types.Func, callee: il.Expr) -> Value:
    _check_count(ctx, node, function, len(node.args))
    mark = ctx.mark
    lowered = _arguments(ctx, function, node)
    callee = _without_faults(ctx, ctx.settle(mark, callee), lowered)
    ctx.line = node.coord.line
    result_type = types.unqualified(function.result)
    if not isinstance(result_type, types.Void) and not types.is_complete(result_type):
        ctx.report.fail(node.coord, f"invalid use of incomplete type '{result_type}'")
    result: il.Local | None = None
    empty = types.is_empty(result_type)
    flattened: tuple[tuple[int, il.Type], ...] = ()
    align = 1
    if types.is_scalar(result_type):
        result = ctx.temporary(result_type.il)
    elif types.is_in_memory(result_type) and not empty:
        result = ctx.aggregate_temporary(result_type)
        flattened, align = scalars(result_type), result_type.align
    if result is not None and (root := _root(ctx, callee, result.type, lowered)) is not None:
        return Value(result_type, root)
    fixed = sum(not types.is_empty(parameter) for parameter in function.parameters or ()) if function.variadic else 0
    unprototyped = function.parameters is None
    ctx.emit(il.Call(callee, tuple(lowered), result, ctx.line, function.variadic, fixed, flattened, unprototyped, align))
    if empty:
        return Value(result_type, None, ctx.address_of(ctx.aggregate_temporary(result_type)))
    if result is None:
        return Value(ctx.types.void)
    if types.is_scalar(result_type):
        return Value(result_type, ctx.load_local(result))
    return Value(result_type, None, ctx.address_of(result))


def _root(ctx: Context, callee: il.Expr, type_: il.Type | None, arguments: list[il.Expr | il.Block]) -> il.Expr | None:
    """Return a square root without a call, if the program does not ask for errno or the number is not negative."""
    if not isinstance(callee, il.AddrGlobal) or type_ is None or type_ != FUNCTIONS.get(callee.name) or len(arguments) != 1:
        return None
    symbol, number = ctx.linkage.externals.get(callee.name), arguments[0]
    if isinstance(number, il.Block) or number.type != type_ or (symbol is not None and (symbol.static or symbol.defined)):
        return None
    return trees.unary("sqrt", type_, number) if not ctx.standard.math_errno or is_not_negative(number) else None


def _without_faults(ctx: Context, callee: il.Expr, arguments: list[il.Expr | il.Block]) -> il.Expr:
    """Return what is called to set the action of a signal: if no fault becomes it, what is not prepared for faults."""
    if not isinstance(callee, il.AddrGlobal) or not arguments:
        return callee
    number, other = arguments[0], _ACTIONS.get(callee.name, "")
    if other not in ctx.linkage.externals or not isinstance(number, il.Const) or number.value in SIGNALS.values():
        return callee
    return replace(callee, name=other)


def _check_count(ctx: Context, node: FuncCall, function: types.Func, count: int) -> None:
    parameters = function.parameters
    if parameters is None:
        return
    name = f" '{node.name.name}'" if isinstance(node.name, ID) else ""
    if count < len(parameters):
        ctx.report.fail(node.coord, f"too few arguments to function{name}")
    if count > len(parameters) and not function.variadic:
        ctx.report.fail(node.coord, f"too many arguments to function{name}")


def _arguments(ctx: Context, function: types.Func, call: FuncCall) -> list[il.Expr | il.Block]:
    """Lower arguments from left to right; all are evaluated before the call.  Empty ones are not passed."""
    lowered: list[il.Expr | il.Block] = []
    given: list[types.CType] = []
    marks: list[int] = []
    parameters = function.parameters or ()
    name, nodes = call.name.name if isinstance(call.name, ID) else "function", call.args
    for position, node in enumerate(nodes):
        value = conversions.rvalue(ctx, node)
        given.append(value.type)
        if position < len(parameters):
            what = f"passing argument {position + 1} of '{name}'"
            value = conversions.assign(ctx, parameters[position], value, node, what)
        if types.is_empty(value.type):
            continue
        lowered.append(promoted(ctx, value, node, position >= len(parameters)))
        marks.append(ctx.mark)
    if name in ctx.notes.by_attribute["warning"] and not ctx.unevaluated:
        said = "".join(re.findall(r'"((?:\\.|[^"\\])*)"', ctx.notes.by_attribute["warning"][name]))
        ctx.report.warning(call.coord, "attribute-warning", name, said)
    if "format" in ctx.report.wanted:
        _check_format(ctx, name, nodes, given)
    if marks and marks[0] != ctx.mark:
        for position in reversed(range(len(lowered))):
            lowered[position] = _settled(ctx, marks[position], lowered[position])
    return lowered


def _check_format(ctx: Context, name: str, nodes: list[Argument], given: list[types.CType]) -> None:
    """Check the arguments of a call against its format, if the function called takes one."""
    symbol = ctx.linkage.externals.get(name)
    declared = ctx.notes.by_attribute["format"].get(name)
    if declared is not None:
        found = declared_format(declared)
    else:
        found = FORMATS.get(name.removeprefix("__builtin_")) if symbol is None or not symbol.static else None
    if found is not None:
        check_format(ctx, found, nodes, given)


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


def block(ctype: types.CType, address: il.Expr) -> il.Block:
    """An aggregate as an argument or result; a temporary is used once."""
    owned = isinstance(address, il.AddrLocal) and address.local.name.startswith(trees.TEMPORARY)
    return il.Block(address, ctype.size, ctype.align, scalars(ctype), owned)


def promoted(ctx: Context, value: Value, node: Node, unnamed: bool) -> il.Expr | il.Block:
    """A value as an argument: integers narrower than int are widened, a float that no prototype names to double."""
    ctype = value.type
    if isinstance(ctype, types.Complex):
        return block(ctype, complex_numbers.in_memory(ctx, value))
    if isinstance(ctype, types.Record | types.Vector):
        assert value.address is not None
        return block(ctype, value.address)
    ctype, tree = conversions.require_scalar(ctx, value, node)
    if isinstance(ctype, types.Arithmetic) and not ctype.is_float:
        promoted = ctx.types.promote(ctype)
        return trees.convert(working(ctx.model, promoted), tree)
    if unnamed and types.unqualified(ctype) == ctx.types.float_:
        return trees.convert(ctx.types.double.il, tree)
    return tree
