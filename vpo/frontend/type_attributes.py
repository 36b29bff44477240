"""Attributes that make another type of one: `mode` and `vector_size`, and alignments of typedefs."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from vpo.frontend.constant_expressions import constant_expression
from vpo.frontend.context import Context
from vpo.frontend.type_table import TypeTable
from vpo.frontend.types import RANK_BOOL, Arithmetic, CType, Pointer, Record, Vector, qualified, unqualified

_SIZES = {"QI": 1, "byte": 1, "HI": 2, "SI": 4, "DI": 8, "TI": 16, "SF": 4, "DF": 8}


def changed_type(ctx: Context, node: Any, ctype: CType) -> CType:
    """Return the type that attributes make of the one that specifiers name."""
    for name, arguments in node.attributes.items():
        ctype = _CHANGES[name](ctx, node, ctype, arguments)
    return ctype


def _mode(ctx: Context, node: Any, ctype: CType, arguments: list[Any]) -> CType:
    """Return the integer or floating type of a size that gcc has a name for."""
    mode = arguments[0].name.strip("_") if arguments and type(arguments[0]).__name__ == "ID" else ""
    size = ctx.types.address.size if mode in ("word", "pointer", "unwind_word") else _SIZES.get(mode)
    if isinstance(ctype, Arithmetic):
        found = next((c for c in _candidates(ctx.types, ctype, mode) if c.size == size), None)
        if found is not None:
            return replace(found, const=ctype.const, volatile=ctype.volatile)
    ctx.report.fail(node.coord, f"there is no type of mode '{mode}' for '{ctype}'")


def _candidates(types: TypeTable, ctype: Arithmetic, mode: str) -> tuple[Arithmetic, ...]:
    if mode in ("SF", "DF"):
        return (types.float_, types.double, types.ldouble) if ctype.is_float else ()
    if ctype.is_float:
        return ()
    if ctype.il.is_signed and ctype.rank != RANK_BOOL:
        return types.schar, types.short, types.int_, types.long, types.llong, *([types.int128] if types.has_int128 else [])
    return types.uchar, types.ushort, types.uint, types.ulong, types.ullong, *([types.uint128] if types.has_int128 else [])


def _vector(ctx: Context, node: Any, ctype: CType, arguments: list[Any]) -> CType:
    """Return the type of vectors of so many bytes."""
    size = constant_expression(ctx, arguments[0], "vector size") if arguments else 0
    if not isinstance(ctype, Arithmetic) or size <= 0 or size % ctype.size:
        ctx.report.fail(node.coord, f"there are no vectors of {size} bytes of '{ctype}'")
    vector = Vector(unqualified(ctype), size // ctype.size)
    return qualified(vector, ctype.const, ctype.volatile)


_CHANGES = {"mode": _mode, "vector_size": _vector}


def aligned_type(ctype: CType, align: int) -> CType:
    """Return a type with another alignment, as a typedef gives it."""
    if isinstance(ctype, Arithmetic | Pointer | Record | Vector) and align:
        return replace(ctype, alignment=align)
    return ctype
