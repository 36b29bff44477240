"""Constraints on the words of declarations (C11, 6.7.1, 6.7.4, 6.7.5): which of them may stand together, and about what."""

from __future__ import annotations

from vpo.frontend.context import Context
from vpo.frontend.scope import Symbol
from vpo.frontend.syntax.nodes import Coord, Decl, FuncDecl, NameList, Typedef
from vpo.frontend.types.types import Array, CType, Func, Pointer

_BESIDES = frozenset(("_Thread_local", "constexpr"))  # storage classes that others may stand beside


def check_words(ctx: Context, node: Decl | Typedef, ctype: CType, kind: str) -> None:
    """Report words that cannot stand in a declaration of a kind: `variable`, `function`, `typedef` or `parameter`."""
    if node.storage:
        _check_storage(ctx, node, kind)
    if kind != "function" and isinstance(node, Decl) and node.funcspec:
        word = node.funcspec[0]
        ctx.report.error(node.coord, f"{kind} '{node.name}' declared '{word}'")
    if node.align:
        _check_alignment(ctx, node, kind)


def _check_storage(ctx: Context, node: Decl | Typedef, kind: str) -> None:
    storage = node.storage
    alone = [word for word in storage if word not in _BESIDES and not (word == "auto" and ctx.standard.edition >= 2023)]
    if len(alone) > 1:
        message = f"duplicate '{alone[0]}'" if alone[0] == alone[1] else "multiple storage classes in declaration specifiers"
        ctx.report.error(node.coord, message)
    if kind == "parameter" and storage != ["register"]:
        ctx.report.error(node.coord, f"storage class specified for parameter '{node.name}'")
    if "_Thread_local" not in storage:
        return
    if kind == "function":
        ctx.report.error(node.coord, f"invalid storage class for function '{node.name}'")
    elif ctx.function is not None and len(storage) == 1:
        ctx.report.error(node.coord, f"function-scope '{node.name}' implicitly auto and declared '_Thread_local'")


def _check_alignment(ctx: Context, node: Decl | Typedef, kind: str) -> None:
    """Report an `_Alignas`, which unlike the attribute is about objects only, and never makes an alignment smaller."""
    words = [specifier for specifier in node.align if not specifier.is_attribute]
    if not words:
        return
    what = "'register' object" if "register" in node.storage else kind
    if what != "variable":
        ctx.report.error(node.coord, f"alignment specified for {what} '{node.name}'")


def check_alignment_value(ctx: Context, node: Decl, ctype: CType, wanted: int) -> None:
    """Report an `_Alignas` that asks for less than the type does."""
    if 0 < wanted < ctype.align and node.align and not any(specifier.is_attribute for specifier in node.align):
        ctx.report.error(node.coord, f"'_Alignas' specifiers cannot reduce alignment of '{node.name}'")


def check_restrict(ctx: Context, coord: Coord, ctype: CType) -> None:
    """Report `restrict` on anything but a pointer to objects."""
    while isinstance(ctype, Array):
        ctype = ctype.element
    if not isinstance(ctype, Pointer) or isinstance(ctype.target, Func):
        ctx.report.error(coord, "invalid use of 'restrict'")


def check_function(ctx: Context, node: Decl, symbol: Symbol, defines: bool) -> None:
    """Warn of a declaration with names instead of parameters, which says nothing."""
    if isinstance(node.type, FuncDecl) and isinstance(node.type.args, NameList) and not defines:
        ctx.report.warning(node.coord, "declarations:parameters")


# ----------------------------------------------------------------------------------- functions for inlining (6.7.4)


def note_static(ctx: Context, name: str, coord: Coord, ctype: CType, what: str) -> None:
    """Remember a static object or function in an inline function that is perhaps not static."""
    function = ctx.function
    while isinstance(ctype, Array):
        ctype = ctype.element
    if function is None or not function.inline_only or function.static:
        return
    if ctx.unevaluated or (what == "declared" and ctype.const):
        return
    ctx.notes.inline_statics.append((function, coord, name, what))


def check_inline(ctx: Context) -> None:
    """Warn of what functions for inlining refer to that other files do not have, and of those that are not there."""
    for function, coord, name, what in ctx.notes.inline_statics:
        if function.inline_only:
            ctx.report.warning(coord, "declarations:static", name, what, function.name)
    for symbol in ctx.linkage.externals.values():
        is_promised = symbol.is_inline and not symbol.replaceable and not symbol.static
        if is_promised and symbol.kind == "function" and not symbol.defined:
            ctx.report.warning(symbol.coord, "declarations:inline", symbol.name)
