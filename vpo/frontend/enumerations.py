"""Enumerations: their constants, and the integer types that hold them."""

from __future__ import annotations

from typing import Any

from vpo.frontend import trees
from vpo.frontend.constant_expressions import constant_expression
from vpo.frontend.context import Context
from vpo.frontend.scope import Symbol
from vpo.frontend.types import RANK_INT, Arithmetic, CType, Record


def enumeration(ctx: Context, node: Any) -> CType:
    """Return the type of an enum specifier; enter its constants."""
    int_type = ctx.types.int_
    if node.values is None:
        found = ctx.scope.lookup_tag(node.name)
        if found is None:  # to be defined later, as gcc lets it
            found = ctx.scope.tags[node.name] = Arithmetic(f"enum {node.name}", int_type.il, RANK_INT, int_type.align, True)
            ctx.scope.forward.add(node.name)
        if isinstance(found, Record):
            ctx.report.fail(node.coord, f"'{node.name}' defined as wrong kind of tag")
        return found
    if node.name in ctx.scope.tags and node.name not in ctx.scope.forward:
        ctx.report.fail(node.coord, f"redefinition of 'enum {node.name}'")
    value, least, greatest = 0, 0, 0
    values = ctx.enumerators.setdefault(f"enum {node.name}", {})
    for enumerator in node.values.enumerators:
        if enumerator.value is not None:
            value = constant_expression(ctx, enumerator.value, f"enumerator value for '{enumerator.name}'")
        if trees.wrap(int_type.il, value) != value:
            if value >= 1 << (8 * int_type.size):
                ctx.report.error(enumerator.coord, "enumerator value is not representable in 'int'")
            value = trees.wrap(int_type.il, value)
        if enumerator.name in ctx.scope.names:
            ctx.report.error(enumerator.coord, f"redeclaration of enumerator '{enumerator.name}'")
        values[enumerator.name] = value
        ctx.scope.names[enumerator.name] = Symbol("constant", enumerator.name, int_type, enumerator.coord, value=value)
        least, greatest = min(least, value), max(greatest, value)
        value += 1
    if node.name in ctx.scope.forward:
        ctx.scope.forward.remove(node.name)
        return ctx.scope.tags[node.name]
    like = _smallest(ctx, least, greatest) if node.packed else int_type
    ctype = Arithmetic(f"enum {node.name or '<anonymous>'}", like.il, like.rank, like.align, least >= 0)
    if node.name is not None:
        ctx.scope.tags[node.name] = ctype
    return ctype


def _smallest(ctx: Context, least: int, greatest: int) -> Arithmetic:
    """Return the smallest integer type that has all values of a packed enum."""
    types = ctx.types
    for ctype in (types.uchar, types.ushort) if least >= 0 else (types.schar, types.short):
        if trees.wrap(ctype.il, least) == least and trees.wrap(ctype.il, greatest) == greatest:
            return ctype
    return types.int_
