"""Functions defined in functions, as gcc has them, and how they get at the variables of those around them.

For each such variable there is a static pointer to it: the function that it belongs to sets the pointer when it begins, and
puts back the old value before it returns.  So the variables are those of its latest activation, and a pointer to a nested
function is an ordinary one.  A function that calls itself and is called back through such a pointer by an inner activation
therefore sees the inner one's variables, which is where this differs from gcc.
"""

from __future__ import annotations

from vpo import il
from vpo.frontend.context import Context, OuterGoto, UserLabel
from vpo.frontend.lower import trees
from vpo.frontend.scope import Symbol
from vpo.frontend.syntax.nodes import Coord, Decl
from vpo.frontend.types.types import Array, Func
from vpo.il.traversal import expressions_of, walk

# ----------------------------------------------------------------------------------------------------------------------
# A goto out of a nested function, to a label that a function around it declares by `__label__`.
#
# It is a longjmp: the function with the label calls setjmp when it begins, and goes on at the label whose number it gets.  Its
# context is found through a static pointer for each such label, which is set and put back as those to its variables are
# (`nested_functions.py`).  Such a function keeps its locals in memory, as others that call setjmp do.


VALUE = "__setjmp_value"  # of the library: what the setjmp that returns gives


def leave_for(ctx: Context, name: str, label: UserLabel) -> None:
    """Emit a label of a nested function from which control goes to that of a function around it."""
    goto = ctx.nesting.gotos.get(name)
    assert label.used is not None
    if goto is None:
        link, kind = ctx.unique(f"{name.partition('.')[0]}.link"), ctx.types.address
        ctx.data[link] = il.Data(link, kind.size, kind.size, [], static=True)
        goto = ctx.nesting.gotos[name] = OuterGoto(link, len(ctx.nesting.gotos) + 1, label.used)
    pointer = ctx.types.address
    label.defined, end = label.used, ctx.label()
    ctx.jump(end)
    ctx.place(label.name)
    context = il.Load(pointer, il.AddrGlobal(pointer, goto.link))
    number = trees.constant(ctx.types.int_.il, goto.number)
    ctx.emit(il.Call(il.AddrGlobal(pointer, "longjmp"), (context, number), None, label.used.line))
    ctx.jump(label.name)  # which longjmp does not come back to
    ctx.place(end)


def find_targets(ctx: Context) -> None:
    """Note which labels of the function nested ones go to; complains of the others after the outermost function."""
    for name, goto in ctx.nesting.gotos.items():
        label = ctx.state.labels.get(name)
        if label is not None and label.scope is not None:
            goto.found = True
            label.used = label.used or goto.used
            ctx.state.landings[goto.number] = (goto.link, label.name)
    if ctx.function not in ctx.nesting.functions:
        for name, goto in ctx.nesting.gotos.items():
            if not goto.found:
                ctx.report.error(goto.used, f"label '{name.partition('.')[0]}' used but not defined")
                goto.found = True


def context_type(ctx: Context) -> Array:
    """Return the type of what setjmp fills."""
    units = -(-int(ctx.model.macros["__CONTEXT_SIZE__"]) // ctx.types.llong.size)
    return Array(ctx.types.llong, units)


def save_context(ctx: Context, context: il.Local) -> il.Local:
    """Emit a call of setjmp; the local has its value."""
    kind, pointer = ctx.types.int_.il, ctx.types.address
    value = ctx.temporary(kind)
    ctx.emit(il.Store(il.AddrGlobal(pointer, VALUE), trees.constant(kind, 0), ctx.line))
    ctx.emit(il.Call(il.AddrGlobal(pointer, "__setjmp"), (ctx.address_of(context),), None, ctx.line))
    ctx.store_local(value, il.Load(kind, il.AddrGlobal(pointer, VALUE)))
    return value


def land(ctx: Context, value: il.Local) -> None:
    """Emit what goes to the label with the number that setjmp gave, or on where it gave 0."""
    begin = ctx.label()
    cases = tuple((number, label) for number, (_, label) in ctx.state.landings.items())
    ctx.emit(il.Switch(ctx.load_local(value), cases, begin, ctx.line))
    ctx.place(begin)


# ----------------------------------------------------------------------------------------------------------------------


def nested_symbol(ctx: Context, node: Decl, ctype: Func) -> Symbol:
    """Return the symbol of a nested function, which an `auto` declaration may have entered before."""
    assert node.name is not None
    found = ctx.scope.names.get(node.name)
    if found is None or found not in ctx.nesting.functions:
        found = Symbol("function", node.name, ctype, node.coord, symbol=ctx.unique(node.name), static=True)
        ctx.scope.names[node.name] = found
        ctx.nesting.functions.append(found)
    found.type = ctype
    return found


def is_outside(ctx: Context, symbol: Symbol) -> bool:
    """Return whether a local object belongs to a function around the current one."""
    return symbol.owner is not None and symbol.owner is not ctx.state.entered


def address_outside(ctx: Context, symbol: Symbol) -> il.Expr:
    """Return the address of an object of a function around the current one."""
    assert symbol.owner is not None
    kind = ctx.types.address
    links = ctx.nesting.links.setdefault(id(symbol.owner), {})
    if symbol not in links:
        links[symbol] = ctx.unique(f"{symbol.name}.link")
        ctx.data[links[symbol]] = il.Data(links[symbol], kind.size, kind.size, [], static=True)
    address = il.Load(kind, il.AddrGlobal(kind, links[symbol]))
    return il.Load(kind, address) if symbol.is_dynamic else address


def finish_links(ctx: Context) -> None:
    """Let a function set the pointers to those of its variables that nested functions use, and put back the old ones."""
    links = {name: symbol.local for symbol, name in ctx.nesting.links.pop(id(ctx.state.entered), {}).items()}
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


def check_locals_are_own(ctx: Context, function: il.Function, coord: Coord) -> None:
    """Complain of a nested function that needs the length of an array of the function around it."""
    own = {id(local) for local in (*function.parameters, *function.locals)}
    for statement in function.body:
        for tree in expressions_of(statement):
            for part in walk(tree):
                if isinstance(part, il.AddrLocal) and id(part.local) not in own:
                    ctx.report.fail(coord, "a nested function cannot use the length of an array of the function around it")
