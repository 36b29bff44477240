"""Constant objects in the initialisers of static ones: `static const int a = 5, b = a + 1;`, as gcc has it since version 8.

In C the value of such an object is no constant expression; an implementation may take it for one (6.6, 10).
"""

from __future__ import annotations

from vpo import il
from vpo.frontend import trees
from vpo.frontend.context import Context


def folded(ctx: Context, tree: il.Expr) -> il.Expr:
    """Return a tree with the values of scalar constant objects of the file in place of their loads."""
    match tree:
        case il.Load(type=kind, address=il.AddrGlobal(name=name, offset=0), volatile=False):
            return _value(ctx.data.get(name), kind) or tree
        case il.Convert(type=kind, operand=operand):
            return trees.convert(kind, folded(ctx, operand))
        case il.Unary(operator=operator, type=kind, operand=operand):
            return trees.unary(operator, kind, folded(ctx, operand))
        case il.Binary(operator=operator, type=kind, left=left, right=right):
            return trees.binary(operator, kind, folded(ctx, left), folded(ctx, right))
        case il.Compare(relation=relation, type=kind, left=left, right=right):
            return trees.compare(relation, kind, folded(ctx, left), folded(ctx, right))
    return tree


def _value(data: il.Data | None, kind: il.Type) -> il.Const | None:
    """Return what a constant scalar holds, None if the object is none."""
    if data is None or not data.constant or data.weak or data.size != kind.size:
        return None
    match data.items:
        case []:
            return trees.constant(kind, 0)
        case [il.IntItem(value=value)] if kind.kind != "F":
            return trees.constant(kind, value)
        case [il.FloatItem(value=number)] if kind.kind == "F":
            return trees.constant(kind, number)
    return None
