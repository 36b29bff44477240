"""A goto out of a nested function, to a label that a function around it declares by `__label__`.

It is a longjmp: the function with the label calls setjmp when it begins, and goes on at the label whose number it gets.  Its
context is found through a static pointer for each such label, which is set and put back as those to its variables are
(`nested_functions.py`).  Such a function keeps its locals in memory, as others that call setjmp do.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from vpo import il
from vpo.frontend import trees
from vpo.frontend.context import Context, UserLabel
from vpo.frontend.types import Array

VALUE = "__setjmp_value"  # of the library: what the setjmp that returns gives


@dataclass(slots=True)
class OuterGoto:
    """A label to which nested functions go: the pointer to its function's context, its number, where it is first used."""

    link: str
    number: int
    used: Any
    found: bool = False


def leave_for(ctx: Context, name: str, label: UserLabel) -> None:
    """Emit a label of a nested function from which control goes to that of a function around it."""
    goto = ctx.outer_gotos.get(name)
    if goto is None:
        link, kind = ctx.unique(f"{name.partition('.')[0]}.link"), ctx.types.address
        ctx.data[link] = il.Data(link, kind.size, kind.size, [], static=True)
        goto = ctx.outer_gotos[name] = OuterGoto(link, len(ctx.outer_gotos) + 1, label.used)
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
    for name, goto in ctx.outer_gotos.items():
        label = ctx.state.labels.get(name)
        if label is not None and label.scope is not None:
            goto.found = True
            label.used = label.used or goto.used
            ctx.state.landings[goto.number] = (goto.link, label.name)
    if ctx.function not in ctx.nested:
        for name, goto in ctx.outer_gotos.items():
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
