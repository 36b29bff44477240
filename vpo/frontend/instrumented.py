"""Calls of the user's functions where functions begin and end (`-finstrument-functions`, as in gcc)."""

from __future__ import annotations

from vpo import il
from vpo.frontend import trees
from vpo.frontend.context import Context
from vpo.frontend.dynamic_objects import kept
from vpo.frontend.scope import Symbol
from vpo.frontend.weak_symbols import definition_name

ENTER, EXIT = "__cyg_profile_func_enter", "__cyg_profile_func_exit"


def instrument(ctx: Context, symbol: Symbol) -> None:
    """Let the function just lowered call what is told of its beginning and its ends, unless its attributes forbid it.

    The second argument, where it was called from, is null: no machine's instructions have addresses while trees are made.
    """
    if not ctx.standard.instruments or symbol.name in ctx.noted["no_instrument_function"]:
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
