"""Constant objects in the initialisers of static ones: `static const int a = 5, b = a + 1;`, as gcc has it since version 8.

Elements of constant arrays, members of constant structures and characters of literals are such, too.

In C the value of such an object is no constant expression; an implementation may take it for one (6.6, 10).
"""

from __future__ import annotations

from vpo import il
from vpo.frontend.context import Context
from vpo.frontend.lower import trees


def folded(ctx: Context, tree: il.Expr) -> il.Expr:
    """Return a tree with the values of scalar constant objects of the file in place of their loads."""
    match tree:
        case il.Load(type=kind, address=il.AddrGlobal(name=name, offset=offset), volatile=False):
            data = ctx.data.get(name)
            is_literal = ctx.function is None and name.startswith("compound.")  # what its braces say, as in gcc
            if data is None or data.weak or not (data.constant or is_literal):
                return tree
            return part(data, offset, kind, ctx.model.big_endian) or tree
        case il.Convert(type=kind, operand=operand):
            return trees.convert(kind, folded(ctx, operand))
        case il.Unary(operator=operator, type=kind, operand=operand):
            return trees.unary(operator, kind, folded(ctx, operand))
        case il.Binary(operator=operator, type=kind, left=left, right=right):
            return trees.binary(operator, kind, folded(ctx, left), folded(ctx, right))
        case il.Compare(relation=relation, type=kind, left=left, right=right):
            return trees.compare(relation, kind, folded(ctx, left), folded(ctx, right))
    return tree


def part(data: il.Data, offset: int, kind: il.Type, big_endian: bool) -> il.Const | None:
    """Return a scalar of a type that an object holds; None if it is an address, or parts of others."""
    if not 0 <= offset <= data.size - kind.size:
        return None
    for item in data.items:
        match item:
            case il.IntItem(offset=at, size=size, value=value) if at == offset and size == kind.size and kind.kind != "F":
                return trees.constant(kind, value)
            case il.FloatItem(offset=at, size=size, value=number) if at == offset and size == kind.size and kind.kind == "F":
                return trees.constant(kind, number)
            case il.BytesItem(offset=at, data=run) if kind.kind != "F" and at <= offset <= at + len(run) - kind.size:
                inside = run[offset - at : offset - at + kind.size]
                return trees.constant(kind, int.from_bytes(inside, "big" if big_endian else "little"))
        if item.offset < offset + kind.size and offset < item.offset + _size(item, kind):
            return None
    return trees.constant(kind, 0)


def _size(item: il.Item, kind: il.Type) -> int:
    """Return the bytes of an item; those of an address are as many as what is looked for, at least."""
    match item:
        case il.BytesItem(data=data):
            return len(data)
        case il.IntItem(size=size) | il.FloatItem(size=size):
            return size
    return max(kind.size, 8)
