"""Objects that are declared constexpr (C23, 6.7.2): scalars stand for their values, and so do members of structures.

A file of its own, since expressions ask it as well as declarations.
"""

from __future__ import annotations

from vpo import il
from vpo.frontend.context import Context
from vpo.frontend.declare.constant_objects import part
from vpo.frontend.declare.flatten import flatten
from vpo.frontend.declare.initialisers import static_object
from vpo.frontend.lower import conversions
from vpo.frontend.scope import Symbol
from vpo.frontend.syntax.nodes import Decl, Initializer
from vpo.frontend.types.types import Arithmetic, CType, Record, is_scalar


def note_constant(ctx: Context, node: Decl, symbol: Symbol) -> None:
    """Keep the value of an object that is declared constexpr; report one that is not constant."""
    if "constexpr" not in node.storage or node.init is None:
        return
    if isinstance(symbol.type, Record):
        _note_contents(ctx, node.init, symbol)
    elif is_scalar(symbol.type):
        with ctx.scratch() as state:
            first = flatten(ctx, symbol.type, node.init)[0][0].expression  # which may stand in braces
            value = conversions.assign(ctx, symbol.type, conversions.rvalue(ctx, first), first, "initialization")
        if isinstance(value.tree, il.Const) and not state.body:
            symbol.constant = value.tree
        elif not isinstance(value.tree, il.AddrGlobal):
            ctx.report.error(node.init.coord, "initializer element is not constant")


def _note_contents(ctx: Context, node: Initializer, symbol: Symbol) -> None:
    """Keep what a structure contains, as the data that a static one would be."""
    name = ctx.unique(f"{symbol.name}.value")
    with ctx.scratch():
        static_object(ctx, name, symbol.type, node, symbol.coord, static=True)
    data = ctx.data.pop(name, None)
    if data is not None:
        ctx.contents[symbol.symbol if symbol.local is None else symbol.local] = data


def known_member(ctx: Context, address: il.Expr, ctype: CType) -> il.Const | None:
    """Return the value of a member, which is no bit-field, of an object that is declared constexpr; None of others."""
    match address:
        case il.AddrGlobal(name=name, offset=offset) if name in ctx.contents:
            data = ctx.contents[name]
        case il.AddrLocal(local=local, offset=offset) if local in ctx.contents:
            data = ctx.contents[local]
        case _:
            return None
    if not isinstance(ctype, Arithmetic):
        return None
    return part(data, offset, ctype.il, ctx.model.big_endian)
