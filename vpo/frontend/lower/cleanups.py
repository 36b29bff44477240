"""Objects with the attribute `cleanup`: a function is called with their address when control leaves their scope."""

from __future__ import annotations

from vpo import il
from vpo.frontend.context import Context
from vpo.frontend.lower.values import Held, Value
from vpo.frontend.scope import Cleanup, Scope, Symbol
from vpo.frontend.syntax.nodes import ID, Decl, FuncCall


def enter_cleanup(ctx: Context, node: Decl, symbol: Symbol) -> None:
    """Note the function that is to be called for a local object, if its declaration names one."""
    arguments = node.attributes.get("cleanup")
    if arguments is None:
        return
    match arguments:
        case [ID() as name]:
            function = ctx.scope.lookup(name.name)
        case _:
            function = None
    if function is None or function.kind != "function":
        ctx.report.fail(node.coord, "attribute 'cleanup' takes the name of a function")
    function.uses += 1
    symbol.uses += 1
    ctx.scope.cleanups.append(Cleanup(function, symbol, node.coord))


def pending(scope: Scope, outer: Scope | None) -> list[Cleanup]:
    """Return what is to be called when control goes from a scope to one around it, in order."""
    found: list[Cleanup] = []
    inner: Scope | None = scope
    while inner is not None and inner is not outer:
        found += reversed(inner.cleanups)
        inner = inner.parent
    return found


def call(ctx: Context, cleanups: list[Cleanup]) -> None:
    """Emit calls."""
    for cleanup in cleanups:
        local = cleanup.object.local
        assert local is not None
        address = ctx.load_local(local) if cleanup.object.is_dynamic else ctx.address_of(local)
        argument = Held(Value(ctx.types.pointer(cleanup.object.type), address), cleanup.coord)
        function = il.AddrGlobal(ctx.types.address, cleanup.function.symbol)
        callee = Held(Value(cleanup.function.type, None, function), cleanup.coord)
        line = ctx.line
        ctx.expression(FuncCall(callee, [argument], cleanup.coord))
        ctx.line = line


def leave_function(ctx: Context, value: il.Expr | il.Block | None) -> il.Expr | il.Block | None:
    """Emit the calls that are due before a return; return its value, which they do not change."""
    due = pending(ctx.scope, ctx.state.around)
    if not due:
        return value
    if isinstance(value, il.Block):
        local = il.Local("t.result", None, value.size, value.align)
        ctx.state.locals.append(local)
        address = ctx.address_of(local)
        ctx.emit(il.Copy(address, value.address, value.size, value.align, ctx.line))
        value = il.Block(address, value.size, value.align, value.scalars)
    elif value is not None:
        kept = ctx.temporary(value.type)
        ctx.store_local(kept, value)
        value = ctx.load_local(kept)
    call(ctx, due)
    return value
