"""Function definitions."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeGuard

from vpo import il
from vpo.frontend.context import Context, FunctionUnderWay
from vpo.frontend.declare.compatibility import compatible
from vpo.frontend.declare.constant_expressions import static_assertion
from vpo.frontend.declare.declaration_rules import check_words
from vpo.frontend.declare.declarations import declare_function, local_parameter
from vpo.frontend.declare.declarators import declared_type, function_type, parameter_type
from vpo.frontend.declare.dynamic_objects import finish_dynamic, kept
from vpo.frontend.declare.linker_symbols import definition_name
from vpo.frontend.declare.nested_functions import check_locals_are_own, finish_links, nested_symbol
from vpo.frontend.lower import cleanups, trees
from vpo.frontend.lower.jumps import finish_labels
from vpo.frontend.lower.statements import lower_block
from vpo.frontend.scope import Scope, Symbol, plain_name
from vpo.frontend.syntax import nodes
from vpo.frontend.types import types
from vpo.frontend.types.layout import scalars
from vpo.frontend.warnings.diagnostics import Recover
from vpo.frontend.warnings.flow import check_flow
from vpo.frontend.warnings.unused import check_locals

# ----------------------------------------------------------------------------------------------------------------------
# Calls of the user's functions where functions begin and end (`-finstrument-functions`, as in gcc).


ENTER, EXIT = "__cyg_profile_func_enter", "__cyg_profile_func_exit"


def instrument(ctx: Context, symbol: Symbol) -> None:
    """Let the function just lowered call what is told of its beginning and its ends, unless its attributes forbid it.

    The second argument, where it was called from, is null: no machine's instructions have addresses while trees are made.
    """
    if not ctx.standard.instruments or symbol.name in ctx.notes.by_attribute["no_instrument_function"]:
        return
    own = il.AddrGlobal(ctx.types.address, definition_name(symbol))
    arguments = (own, trees.constant(ctx.types.address, 0))

    def call(name: str) -> None:
        ctx.emit(il.Call(il.AddrGlobal(ctx.types.address, name), arguments, None, ctx.line))

    lowered, ctx.state.body = ctx.state.body, []
    call(ENTER)
    for statement in lowered:
        if isinstance(statement, il.Return):
            statement = il.Return(kept(ctx, statement.value), statement.line)
            call(EXIT)
        ctx.emit(statement)


# ----------------------------------------------------------------------------------------------------------------------


def nested_function(ctx: Context, node: nodes.FuncDef) -> None:
    """Lower a function definition in a function."""
    line = ctx.line
    define_function(ctx, node)
    ctx.line = line


def define_function(ctx: Context, node: nodes.FuncDef) -> None:
    """Lower a function definition."""
    declarator, name = node.decl.type, node.decl.name
    assert isinstance(declarator, nodes.FuncDecl)
    assert name is not None
    try:
        ctype = function_type(ctx, declarator)
    except Recover:
        ctx.poison(name, node.decl.coord)
        raise
    is_old_style = isinstance(declarator.args, nodes.NameList)
    old = ctx.linkage.externals.get(name)
    replaces = old is not None and old.replaceable
    if old is not None and not old.implicit and is_old_style and _says_more(old.type, ctype):
        ctype = replace(old.type, result=ctype.result)
    if ctx.function is not None:
        symbol = nested_symbol(ctx, node.decl, ctype)
    else:
        symbol = declare_function(ctx, node.decl, ctype, defines=True)
    if symbol.defined and replaces:
        ctx.functions[:] = [function for function in ctx.functions if function.name != definition_name(symbol)]
        symbol.replaceable = False
    elif symbol.defined:
        ctx.report.fail(node.decl.coord, f"redefinition of '{symbol.name}'")
    symbol.defined = True
    result = ctype.result
    if symbol.name == "main" and types.unqualified(result) != ctx.types.int_:
        ctx.report.warning(node.coord, "main")
    if not isinstance(result, types.Void) and not types.is_complete(result):
        ctx.report.fail(node.coord, f"return type '{result}' is an incomplete type")
    saved = ctx.scope, ctx.state, ctx.function
    ctx.scope, ctx.state, ctx.function = Scope(ctx.scope), FunctionUnderWay(symbol.name, result, around=ctx.scope), symbol
    ctx.line = node.decl.coord.line
    try:
        _define(ctx, node, declarator, symbol, ctype)
    finally:
        ctx.scope, ctx.state, ctx.function = saved


def _define(ctx: Context, node: nodes.FuncDef, declarator: nodes.FuncDecl, symbol: Symbol, ctype: types.Func) -> None:
    if isinstance(declarator.args, nodes.NameList):
        parameters = _old_parameters(ctx, node, declarator.args.names, ctype.parameters)
    else:
        parameters = _new_parameters(ctx, declarator.args)
    ctx.state.locals += [local for local, parameter in parameters if types.is_empty(parameter)]
    parameters = [pair for pair in parameters if not types.is_empty(pair[1])]
    if symbol.name == "main" and len(parameters) > 2:
        _enter_environment(ctx, parameters)
    count = len(ctx.state.entered)
    lower_block(ctx, node.body)
    cleanups.call(ctx, cleanups.pending(ctx.scope, ctx.state.around))
    finish_labels(ctx)
    if ctx.report.wanted:
        check_locals(ctx, count)
        check_flow(ctx, node, ctype)
    _close(ctx)
    instrument(ctx, symbol)
    finish_dynamic(ctx)
    finish_links(ctx)
    result = ctype.result
    function = il.Function(
        definition_name(symbol),
        [local for local, _ in parameters],
        result.il if types.is_scalar(result) else None,
        ctx.state.body,
        ctx.state.locals,
        node.decl.coord.file or ctx.file,
        node.decl.coord.line,
        ctype.variadic,
        symbol.static,
        "inline" in node.decl.funcspec,
        symbol.is_separate,
        contracts=ctx.standard.fuses,
    )
    if types.is_in_memory(result):
        function.result_size, function.result_align = result.size, result.align
        function.result_scalars = scalars(result)
    for position, (_, parameter) in enumerate(parameters):
        if types.is_in_memory(parameter):
            function.parameter_scalars[position] = scalars(parameter)
    if symbol in ctx.nesting.functions:
        check_locals_are_own(ctx, function, node.decl.coord)
    ctx.functions.append(function)


def _new_parameters(ctx: Context, parameters: nodes.ParamList | None) -> list[tuple[il.Local, types.CType]]:
    """Enter the parameters of a prototype; each is in scope in the declarations of the next."""
    found: list[tuple[il.Local, types.CType]] = []
    for parameter in parameters.params if parameters is not None else ():
        if isinstance(parameter, nodes.EllipsisParam):
            continue
        ctype = parameter_type(ctx, parameter)
        if isinstance(ctype, types.Void):
            continue
        name = parameter.name if isinstance(parameter, nodes.Decl) else None
        coord = parameter.coord
        is_register = isinstance(parameter, nodes.Decl) and "register" in parameter.storage
        found.append((local_parameter(ctx, name or f".unnamed{len(found)}", ctype, coord, is_register), ctype))
    return found


def _enter_environment(ctx: Context, parameters: list[tuple[il.Local, types.CType]]) -> None:
    """Make the third parameter of main a local that begins as `environ`: start-up code passes two."""
    address = ctx.types.address
    environment, kind = parameters.pop(2)
    ctx.state.locals.append(environment)
    if isinstance(kind, types.Pointer):
        ctx.store_local(environment, il.Load(address, il.AddrGlobal(address, "environ")))


def _says_more(prototype: types.CType, definition: types.Func) -> TypeGuard[types.Func]:
    """Return whether the parameters of an old-style definition are those of a prototype before it, as in gcc."""
    return isinstance(prototype, types.Func) and prototype.parameters is not None and definition.parameters is None


def _old_parameters(
    ctx: Context, node: nodes.FuncDef, params: list[nodes.ID], prototype: tuple[types.CType, ...] | None
) -> list[tuple[il.Local, types.CType]]:
    """Enter the parameters of an old-style definition; one that is not declared is an int.

    They arrive promoted, unless a `prototype` before the definition says otherwise.
    """
    names = [parameter.name for parameter in params]
    declared = {declaration.name for declaration in node.param_decls if isinstance(declaration, nodes.Decl | nodes.Typedef)}
    if prototype is not None and len(prototype) != len(names):
        ctx.report.fail(node.coord, "number of arguments doesn't match prototype")
    wanted = dict(zip(names, prototype or (), strict=False))
    implicit = [p for p in params if p.name not in declared]
    for parameter in implicit if ctx.standard.edition >= 1999 else ():
        ctx.report.warning(parameter.coord, "implicit-int:parameter", parameter.name)
    found = {p.name: _old_parameter(ctx, p.name, ctx.types.int_, p.coord, wanted.get(p.name)) for p in implicit}
    for declaration in node.param_decls:
        if isinstance(declaration, nodes.StaticAssert):
            static_assertion(ctx, declaration)
            continue
        if isinstance(declaration, nodes.FuncDef):
            ctx.report.fail(declaration.coord, "a function cannot be defined among the declarations of parameters")
        if isinstance(declaration, nodes.Typedef) or declaration.name is None:
            declared_type(ctx, declaration.type)
            continue
        ctype = parameter_type(ctx, declaration)
        check_words(ctx, declaration, ctype, "parameter")
        if declaration.init is not None:
            ctx.report.error(declaration.coord, f"parameter '{declaration.name}' is initialized")
        if declaration.name not in names:
            ctx.report.error(declaration.coord, f"declaration for parameter '{declaration.name}' but no such parameter")
        else:
            found[declaration.name] = _old_parameter(
                ctx, declaration.name, ctype, declaration.coord, wanted.get(declaration.name)
            )
    for parameter in params:
        if names.count(parameter.name) > 1:
            ctx.report.fail(parameter.coord, f"redeclaration of '{parameter.name}'")
    return [found[name] for name in names]


def _old_parameter(
    ctx: Context, name: str, ctype: types.CType, coord: nodes.Coord, wanted: types.CType | None
) -> tuple[il.Local, types.CType]:
    """Enter a parameter that arrives in its promoted type and is converted at entry, or in that of a prototype."""
    local = local_parameter(ctx, name, ctype, coord)
    arriving = _promoted(ctx, ctype) if isinstance(ctype, types.Arithmetic) else ctype
    if wanted is not None and compatible(types.unqualified(wanted), types.unqualified(ctype)):
        return local, ctype
    if wanted is not None and not compatible(types.unqualified(wanted), types.unqualified(arriving)):
        ctx.report.error(coord, f"argument '{name}' doesn't match prototype")
    if not isinstance(arriving, types.Arithmetic) or arriving.il == local.type:
        return local, ctype
    ctx.state.locals.append(local)
    parameter = il.Local(plain_name(name), arriving.il, arriving.size, arriving.align)
    ctx.store_local(local, trees.convert(local.type or arriving.il, ctx.load_local(parameter)))
    return parameter, ctype


def _promoted(ctx: Context, ctype: types.Arithmetic) -> types.Arithmetic:
    if not ctype.is_float:
        return ctx.types.promote(ctype)
    return ctx.types.double if types.unqualified(ctype) == ctx.types.float_ else ctype


def _close(ctx: Context) -> None:
    """Return at the end, unless control cannot get there."""
    body, result = ctx.state.body, ctx.state.result
    if body and isinstance(body[-1], il.Return | il.Jump | il.Switch):
        return
    value: il.Expr | il.Block | None = None
    if types.is_scalar(result):
        value = trees.constant(result.il, 0)
    elif types.is_in_memory(result) and not types.is_empty(result):
        local = ctx.aggregate_temporary(result)
        value = il.Block(ctx.address_of(local), result.size, result.align, scalars(result))
    ctx.emit(il.Return(value, ctx.line))
