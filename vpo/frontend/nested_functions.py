"""Functions defined in functions, as gcc has them, and how they get at the variables of those around them.

For each such variable there is a static pointer to it: the function that it belongs to sets the pointer when it begins, and
puts back the old value before it returns.  So the variables are those of its latest activation, and a pointer to a nested
function is an ordinary one.  A function that calls itself and is called back through such a pointer by an inner activation
therefore sees the inner one's variables, which is where this differs from gcc.
"""

from __future__ import annotations

from typing import Any

from vpo import il
from vpo.frontend.context import Context
from vpo.frontend.outer_gotos import context_type, land, save_context
from vpo.frontend.scope import Symbol
from vpo.frontend.types import Func
from vpo.il_traversal import expressions_of, walk


def nested_symbol(ctx: Context, node: Any, ctype: Func) -> Symbol:
    """Return the symbol of a nested function, which an `auto` declaration may have entered before."""
    found = ctx.scope.names.get(node.name)
    if found is None or found not in ctx.nested:
        found = Symbol("function", node.name, ctype, node.coord, symbol=ctx.unique(node.name), static=True)
        ctx.scope.names[node.name] = found
        ctx.nested.append(found)
    found.type = ctype
    return found


def is_outside(ctx: Context, symbol: Symbol) -> bool:
    """Return whether a local object belongs to a function around the current one."""
    return symbol.owner is not None and symbol.owner is not ctx.state.entered


def address_outside(ctx: Context, symbol: Symbol) -> il.Expr:
    """Return the address of an object of a function around the current one."""
    assert symbol.owner is not None
    kind = ctx.types.address
    links = ctx.links.setdefault(id(symbol.owner), {})
    if symbol not in links:
        links[symbol] = ctx.unique(f"{symbol.name}.link")
        ctx.data[links[symbol]] = il.Data(links[symbol], kind.size, kind.size, [], static=True)
    address = il.Load(kind, il.AddrGlobal(kind, links[symbol]))
    return il.Load(kind, address) if symbol.is_dynamic else address


def finish_links(ctx: Context) -> None:
    """Let a function set the pointers to those of its variables that nested functions use, and put back the old ones."""
    links = {name: symbol.local for symbol, name in ctx.links.pop(id(ctx.state.entered), {}).items()}
    landings = ctx.state.landings
    if landings:
        context = ctx.aggregate_temporary(context_type(ctx))
        links |= {link: context for link, _ in landings.values()}
    if not links:
        return
    lowered, kind, line = ctx.state.body, ctx.types.address, ctx.line
    ctx.state.body, saved = [], []
    for name in links:
        old = ctx.temporary(kind)
        ctx.store_local(old, il.Load(kind, il.AddrGlobal(kind, name)))
        saved.append((name, old))
    landing = save_context(ctx, context) if landings else None
    for name, local in links.items():  # anew when control comes back: activations that are left have not put them back
        assert local is not None
        ctx.emit(il.Store(il.AddrGlobal(kind, name), ctx.address_of(local), line))
    if landing is not None:
        land(ctx, landing)
    for statement in lowered:
        if isinstance(statement, il.Return):
            value = statement.value
            if value is not None and not isinstance(value, il.Block):
                ctx.line = statement.line
                value = ctx.save(value)
            for name, old in saved:
                ctx.emit(il.Store(il.AddrGlobal(kind, name), ctx.load_local(old), statement.line))
            statement = il.Return(value, statement.line)
        ctx.emit(statement)
    ctx.line = line


def check_locals_are_own(ctx: Context, function: il.Function, coord: Any) -> None:
    """Complain of a nested function that needs the length of an array of the function around it."""
    own = {id(local) for local in (*function.parameters, *function.locals)}
    for statement in function.body:
        for tree in expressions_of(statement):
            for part in walk(tree):
                if isinstance(part, il.AddrLocal) and id(part.local) not in own:
                    ctx.report.fail(coord, "a nested function cannot use the length of an array of the function around it")
