"""Function definitions."""

from __future__ import annotations

from typing import Any

from vpo import il
from vpo.frontend import trees
from vpo.frontend.context import Context, FunctionState
from vpo.frontend.declarations import declare_function, local_parameter
from vpo.frontend.declarators import declared_type, function_type, parameter_type
from vpo.frontend.diagnostics import Recover
from vpo.frontend.scope import Scope, Symbol
from vpo.frontend.statements import lower_block
from vpo.frontend.types import Arithmetic, CType, Func, Record, Void, is_complete, is_scalar, scalars, unqualified


def define_function(ctx: Context, node: Any) -> None:
    """Lower a function definition."""
    declarator = node.decl.type
    if type(declarator).__name__ != "FuncDecl":
        ctx.report.fail(node.coord, "a function definition needs a function declarator")
    try:
        ctype = function_type(ctx, declarator)
    except Recover:
        ctx.poison(node.decl.name, node.decl.coord)
        raise
    symbol = declare_function(ctx, node.decl, ctype)
    if symbol.defined:
        ctx.report.fail(node.decl.coord, f"redefinition of '{symbol.name}'")
    symbol.defined = True
    result = ctype.result
    if not isinstance(result, Void) and not is_complete(result):
        ctx.report.fail(node.coord, f"return type '{result}' is an incomplete type")
    saved_scope, saved_state = ctx.scope, ctx.state
    ctx.scope, ctx.state, ctx.function = Scope(ctx.scope), FunctionState(symbol.name, result), symbol
    ctx.line = node.decl.coord.line
    try:
        _define(ctx, node, symbol, ctype)
    finally:
        ctx.scope, ctx.state, ctx.function = saved_scope, saved_state, None


def _define(ctx: Context, node: Any, symbol: Symbol, ctype: Func) -> None:
    declarator = node.decl.type
    old_style = declarator.args is not None and type(declarator.args.params[0]).__name__ == "ID"
    types = _old_parameters(ctx, node) if old_style else _new_parameters(ctx, declarator)
    locals_of = _old_locals(ctx, types) if old_style else _new_locals(ctx, types)
    lower_block(ctx, node.body)
    _check_labels(ctx)
    _close(ctx)
    result = ctype.result
    function = il.Function(
        symbol.symbol,
        locals_of,
        result.il if is_scalar(result) else None,
        ctx.state.body,
        ctx.state.locals,
        node.decl.coord.file or ctx.file,
        node.decl.coord.line,
        ctype.variadic,
        symbol.static,
    )
    if isinstance(result, Record):
        function.result_size, function.result_align = result.size, result.align
        function.result_scalars = tuple(scalars(result))
    for position, (_, parameter, _) in enumerate(types):
        if isinstance(parameter, Record):
            function.parameter_scalars[position] = tuple(scalars(parameter))
    ctx.functions.append(function)


def _new_parameters(ctx: Context, declarator: Any) -> list[tuple[str, CType, Any]]:
    found: list[tuple[str, CType, Any]] = []
    for parameter in declarator.args.params if declarator.args is not None else ():
        if type(parameter).__name__ == "EllipsisParam":
            continue
        ctype = parameter_type(ctx, parameter)
        if isinstance(ctype, Void):
            continue
        name = getattr(parameter, "name", None)
        if not name:
            ctx.report.fail(parameter.coord or declarator.coord, "parameter name omitted")
        found.append((name, ctype, parameter.coord))
    return found


def _new_locals(ctx: Context, types: list[tuple[str, CType, Any]]) -> list[il.Local]:
    return [local_parameter(ctx, name, ctype, coord) for name, ctype, coord in types]


def _old_parameters(ctx: Context, node: Any) -> list[tuple[str, CType, Any]]:
    """The declared types of the parameters of an old-style definition."""
    declared: dict[str, tuple[CType, Any]] = {}
    names = [parameter.name for parameter in node.decl.type.args.params]
    for declaration in node.param_decls or ():
        if type(declaration).__name__ != "Decl" or declaration.name is None:
            declared_type(ctx, declaration.type)
            continue
        if declaration.name not in names:
            ctx.report.error(declaration.coord, f"declaration for parameter '{declaration.name}' but no such parameter")
        declared[declaration.name] = (parameter_type(ctx, declaration), declaration.coord)
    return [
        (parameter.name, *declared.get(parameter.name, (ctx.types.int_, parameter.coord)))
        for parameter in node.decl.type.args.params
    ]


def _old_locals(ctx: Context, types: list[tuple[str, CType, Any]]) -> list[il.Local]:
    """Parameters arrive in their promoted types and are converted at entry."""
    parameters: list[il.Local] = []
    for name, ctype, coord in types:
        local = local_parameter(ctx, name, ctype, coord)
        if isinstance(ctype, Arithmetic):
            arriving = _promoted(ctx, ctype)
            if arriving.il != ctype.il:
                ctx.state.locals.append(local)
                parameter = il.Local(name, arriving.il, arriving.size, arriving.align)
                ctx.store_local(local, trees.convert(ctype.il, ctx.load_local(parameter)))
                local = parameter
        parameters.append(local)
    return parameters


def _promoted(ctx: Context, ctype: Arithmetic) -> Arithmetic:
    if not ctype.is_float:
        return ctx.types.promote(ctype)
    return ctx.types.double if unqualified(ctype) == ctx.types.float_ else ctype


def _check_labels(ctx: Context) -> None:
    for name, label in ctx.state.labels.items():
        if label.defined is None:
            ctx.report.error(label.used, f"label '{name}' used but not defined")


def _close(ctx: Context) -> None:
    """Return at the end, unless control cannot get there."""
    body, result = ctx.state.body, ctx.state.result
    if body and isinstance(body[-1], il.Return | il.Jump | il.Switch):
        return
    value: il.Expr | il.Block | None = None
    if is_scalar(result):
        value = trees.constant(result.il, 0)
    elif isinstance(result, Record):
        local = ctx.aggregate_temporary(result)
        value = il.Block(ctx.address_of(local), result.size, result.align, tuple(scalars(result)))
    ctx.emit(il.Return(value, ctx.line))
