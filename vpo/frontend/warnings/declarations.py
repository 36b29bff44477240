"""Warnings about declarations: hidden names, missing prototypes, repetitions, lists that end too early."""

from __future__ import annotations

from typing import Any

from vpo import il
from vpo.frontend.context import Context
from vpo.frontend.scope import Symbol
from vpo.frontend.types.types import Array, CType, Func, Pointer, Record, is_complete
from vpo.frontend.warnings.diagnostics import Recover

# ----------------------------------------------------------------------------------------------------------------------
# Warnings about declarations: names that hide others, functions without prototypes, declarations that say nothing new.


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


def check_linked(ctx: Context, node: Any, symbol: Symbol, is_new: bool) -> None:
    """Warn of a declaration with linkage that another one has made needless, or that had better stand elsewhere."""
    if ctx.function is not None:
        ctx.report.warning(node.coord, "nested-externs", f"nested extern declaration of '{symbol.name}'")
    elif not is_new and not symbol.implicit and node.init is None and getattr(node, "attributes", None) in (None, {}):
        note = (symbol.coord, f"previous declaration of '{symbol.name}'")
        ctx.report.warning(node.coord, "redundant-decls", f"redundant redeclaration of '{symbol.name}'", note)


def check_definition(ctx: Context, node: Any, old: Symbol | None, symbol: Symbol, is_old_style: bool) -> None:
    """Warn of a function that is defined in the old style, or without a declaration before that others can see."""
    name, type_ = symbol.name, old.type if old is not None else None
    if is_old_style:
        ctx.report.warning(node.decl.coord, "old-style-definition", f"old-style function definition of '{name}'")
    if symbol.static or symbol.is_inline or name == "main" or ctx.function is not None:
        return
    if "missing-prototypes" in ctx.report.wanted and (not isinstance(type_, Func) or type_.parameters is None):
        ctx.report.warning(node.decl.coord, "missing-prototypes", f"no previous prototype for '{name}'")
    elif old is None:
        ctx.report.warning(node.decl.coord, "missing-declarations", f"no previous declaration for '{name}'")


def check_global(ctx: Context, node: Any, symbol: Symbol, is_new: bool) -> None:
    """Warn of an object that is `extern` and has a value."""
    if node.init is not None and "extern" in node.storage and is_new:
        ctx.report.warning(node.coord, "declarations", f"'{symbol.name}' initialized and declared 'extern'")



# ----------------------------------------------------------------------------------------------------------------------
# Warning of lists in braces that end before the members of their structure do.


def check_missing(ctx: Context, ctype: Record, index: int, items: list[Any]) -> None:
    """Warn if a list without designators leaves out members from `index` on.

    As with gcc, members without size may be missing, and `{0}` sets everything to zero on purpose.
    """
    if not ctx.report.wanted or ctype.tag.keyword != "struct":
        return
    sized = (member for member in ctype.members[index:] if member.name is None or not _is_empty(member.type))
    first = next(sized, None)
    if first is None or first.name is None or (len(items) == 1 and _is_zero(ctx, items[0])):
        return
    message = f"missing initializer for field '{first.name}' of '{ctype}'"
    ctx.report.warning(getattr(items[-1], "coord", None), "missing-field-initializers", message)


def _is_empty(ctype: CType) -> bool:
    """True for types without size: flexible arrays, those of length 0 and structures without members."""
    return isinstance(ctype, Array | Record) and (not is_complete(ctype) or ctype.size == 0)


def _is_zero(ctx: Context, node: Any) -> bool:
    if type(node).__name__ not in ("Constant", "ID", "Cast", "UnaryOp", "BinaryOp"):
        return False
    try:
        with ctx.scratch(unevaluated=True):
            tree = ctx.expression(node).tree
    except Recover:
        return True  # the error has been told
    return isinstance(tree, il.Const) and tree.value == 0 and not isinstance(tree.value, float)
