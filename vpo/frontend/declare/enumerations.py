"""Enumerations: their constants, and the integer types that hold them."""

from __future__ import annotations

from dataclasses import replace

from vpo.frontend.context import Context
from vpo.frontend.declare.constant_expressions import constant_expression
from vpo.frontend.lower import trees
from vpo.frontend.scope import Symbol
from vpo.frontend.syntax.nodes import Enum
from vpo.frontend.types.types import Arithmetic, CType, Record, is_integer, unqualified


def enumeration(ctx: Context, node: Enum, base: CType | None) -> CType:
    """Return the type of an enum specifier; enter its constants.  `base` is the type behind a colon, if there is one."""
    if base is not None and not is_integer(base):
        ctx.report.fail(node.coord, f"the underlying type of an enum must be an integer type, not '{base}'")
    if node.values is None:
        return _known(ctx, node, base)
    old = ctx.scope.tags.get(node.name) if node.name is not None else None
    forward = node.name in ctx.scope.forward
    if old is not None and not forward:
        if ctx.standard.edition >= 2023 and _says_the_same(ctx, node, old, base):
            return old
        ctx.report.fail(node.coord, f"redefinition of 'enum {node.name}'")
    if base is None and isinstance(old, Arithmetic):
        base = old
    symbols = _constants(ctx, node, base)
    values = [symbol.value for symbol in symbols]
    like = base
    if like is None:
        like = _fitting(ctx, min(values), max(values), node.packed or ctx.standard.short_enums)
        if like is None:
            ctx.report.fail(node.coord, "enumeration values exceed range of largest integer")
        for symbol in symbols if like.size > ctx.types.int_.size else ():
            symbol.type = like
    if old is not None:
        ctx.scope.forward -= {node.name}
        return old
    ctype = _like(ctx, node, like, min(values) >= 0)
    if node.name is not None:
        ctx.scope.tags[node.name] = ctype
    if base is not None or (ctx.standard.edition >= 2023 and any(s.type != ctx.types.int_ for s in symbols)):
        for symbol in symbols:
            symbol.type = ctype
    return ctype


def _says_the_same(ctx: Context, node: Enum, old: Record | Arithmetic, base: Arithmetic | None) -> bool:
    """Return whether an enum has the constants and values of one that was declared before with its tag (C23, 6.7.3.4)."""
    known = dict(ctx.enumerations.values.get(f"enum {node.name}", {}))
    with ctx.block():
        again = {symbol.name: symbol.value for symbol in _constants(ctx, node, base)}
    return again == known and isinstance(old, Arithmetic) and (base is None or base.il == old.il)


def _like(ctx: Context, node: Enum, like: Arithmetic, unsigned_fields: bool) -> Arithmetic:
    name = f"enum {node.name or '<anonymous>'}"
    ctx.enumerations.count += 1
    return replace(unqualified(like), name=name, unsigned_fields=unsigned_fields, enumeration=ctx.enumerations.count)


def _known(ctx: Context, node: Enum, base: Arithmetic | None) -> CType:
    """Return the type of an enum that is defined elsewhere; perhaps later, as gcc lets it."""
    assert node.name is not None
    found = ctx.scope.lookup_tag(node.name)
    if found is None:
        found = ctx.scope.tags[node.name] = _like(ctx, node, base or ctx.types.uint, base is None or not base.il.is_signed)
        ctx.scope.forward.add(node.name)
    if isinstance(found, Record):
        ctx.report.fail(node.coord, f"'{node.name}' defined as wrong kind of tag")
    return found


def _constants(ctx: Context, node: Enum, base: Arithmetic | None) -> list[Symbol]:
    """Enter the constants of an enum: of its type if it has a base, else of int while their values fit."""
    value, found = 0, []
    values = ctx.enumerations.values.setdefault(f"enum {node.name}", {})
    for enumerator in node.values or ():
        if enumerator.value is not None:
            value = constant_expression(ctx, enumerator.value, f"enumerator value for '{enumerator.name}'")
        if base is not None and trees.wrap(base.il, value) != value:
            ctx.report.error(enumerator.coord, f"enumerator value is not representable in '{base}'")
            value = trees.wrap(base.il, value)
        if enumerator.name in ctx.scope.names:
            ctx.report.error(enumerator.coord, f"redeclaration of enumerator '{enumerator.name}'")
        values[enumerator.name] = value
        ctype = base or _constant_type(ctx, value)
        symbol = Symbol("constant", enumerator.name, ctype, enumerator.coord, value=value)
        ctx.scope.names[enumerator.name] = symbol
        found.append(symbol)
        value += 1
    return found


def _constant_type(ctx: Context, value: int) -> Arithmetic:
    types = ctx.types
    candidates = (types.int_, types.uint, types.long, types.ulong, types.llong)
    return next((ctype for ctype in candidates if trees.wrap(ctype.il, value) == value), types.ullong)


def _fitting(ctx: Context, least: int, greatest: int, packed: bool) -> Arithmetic | None:
    """Return the integer type that has all values of an enum: unsigned without negative ones; the smallest if it is packed."""
    types = ctx.types
    if least >= 0:
        candidates = (types.uchar, types.ushort, types.uint, types.ulong, types.ullong)
    else:
        candidates = (types.schar, types.short, types.int_, types.long, types.llong)
    fitting = (
        ctype for ctype in candidates[0 if packed else 2 :]
        if trees.wrap(ctype.il, least) == least and trees.wrap(ctype.il, greatest) == greatest
    )  # fmt: skip
    return next(fitting, None)
