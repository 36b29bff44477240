"""Functions that are called without a declaration."""

from __future__ import annotations

from vpo.base.suggestions import suggested
from vpo.frontend.builtins.names import PREFIX, unsized
from vpo.frontend.context import Context
from vpo.frontend.scope import Symbol
from vpo.frontend.syntax.nodes import ID
from vpo.frontend.types.library_functions import built_in_function, library_function
from vpo.frontend.types.types import Func

_UNSUPPORTED = (PREFIX, "__sync_", "__atomic_")
# Functions of the library that have other names than gcc's built-in ones.
_ALIASES = {
    "trap": "abort",
    "pow10": "exp10",
    "powi": "__powidf2",
    "powif": "__powisf2",
    "powil": "__powidf2",
    "printf_unlocked": "printf",
    "fprintf_unlocked": "fprintf",
    "puts_unlocked": "puts",
}


def implicit_function(ctx: Context, node: ID) -> Symbol:
    """Return the function that an undeclared name stands for: one of the library, or one that returns int.

    `__builtin_NAME` is the library's function NAME, whatever the program declares under that name.
    """
    name = node.name
    if name.startswith(_UNSUPPORTED):
        return built_in_symbol(ctx, node)
    if "implicit-function-declaration" in ctx.report.wanted:
        implicit = {other.name for other in ctx.linkage.externals.values() if other.implicit}
        known = (other for other in ctx.scope.known() if other not in implicit)
        ctx.report.warning(node.coord, "implicit-function-declaration", name, suggested(name, known))
    symbol = ctx.linkage.externals.get(name)
    if symbol is None:
        symbol = _entered(ctx, node, name, library_function(name, ctx.types) or Func(ctx.types.int_, None))
    ctx.file_scope.names.setdefault(name, symbol)
    return symbol


def built_in_symbol(ctx: Context, node: ID) -> Symbol:
    """Return the function of the library that a name behind `__builtin_` stands for.

    Where the program declares the function with an asm name, that is meant, as in gcc.
    """
    name = unsized(node.name).removeprefix(PREFIX)
    name = _ALIASES.get(name, name)
    ctype = built_in_function(name, ctx.types)
    if ctype is None:
        ctx.report.fail(node.coord, f"built-in function '{node.name}' is not supported")
    declared = ctx.linkage.externals.get(name)
    symbol = declared.symbol if declared is not None and not declared.static else name
    return Symbol("function", name, ctype, node.coord, symbol=symbol, linkage=True)


def _entered(ctx: Context, node: ID, name: str, ctype: Func) -> Symbol:
    symbol = Symbol("function", name, ctype, node.coord, symbol=name, linkage=True, implicit=True)
    ctx.linkage.externals[name] = symbol
    return symbol
