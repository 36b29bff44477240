"""Warnings about declarations: hidden names, missing prototypes, values of what is `extern`."""

from __future__ import annotations

from vpo.frontend.context import Context
from vpo.frontend.scope import Symbol
from vpo.frontend.syntax.nodes import Decl, FuncDef
from vpo.frontend.types.types import Func, Pointer


def check_shadow(ctx: Context, symbol: Symbol) -> None:
    """Warn of a local name that hides another one."""
    scope = ctx.scope.parent
    old = scope.lookup(symbol.name) if scope is not None else None
    if old is None or ctx.scope.prototype or symbol.name.startswith(".") or old.kind == "wrong":
        return
    is_called = isinstance(symbol.type, Func) or (isinstance(symbol.type, Pointer) and isinstance(symbol.type.target, Func))
    if old.kind == "function" and not is_called:
        return
    is_local = old.owner is not None and old.owner is ctx.state.entered
    what = "a previous local" if is_local else "a global declaration"
    note = (old.coord, "shadowed declaration is here")
    ctx.report.warning(symbol.coord, "shadow", f"declaration of '{symbol.name}' shadows {what}", note)


def check_definition(ctx: Context, node: FuncDef, old: Symbol | None, symbol: Symbol) -> None:
    """Warn of a function that is defined without a prototype before that others can see."""
    type_ = old.type if old is not None else None
    if symbol.static or symbol.is_inline or symbol.name == "main" or ctx.function is not None:
        return
    if not isinstance(type_, Func) or type_.parameters is None:
        ctx.report.warning(node.decl.coord, "missing-prototypes", f"no previous prototype for '{symbol.name}'")


def check_global(ctx: Context, node: Decl, symbol: Symbol, is_new: bool) -> None:
    """Warn of an object that is `extern` and has a value."""
    if node.init is not None and "extern" in node.storage and is_new:
        ctx.report.warning(node.coord, "declarations", f"'{symbol.name}' initialized and declared 'extern'")

