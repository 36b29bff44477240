"""From the words of a declaration's specifiers to types: names of types, `unsigned long`, `double _Complex`..."""

from __future__ import annotations

from dataclasses import replace

from vpo.frontend.context import Context
from vpo.frontend.declare.constant_expressions import constant_expression
from vpo.frontend.syntax.nodes import ID, ChangedType, Expression, IdentifierType
from vpo.frontend.types.type_table import TypeTable
from vpo.frontend.types.types import RANK_BOOL, Arithmetic, Complex, CType, Pointer, Record, Vector, qualified, unqualified
from vpo.frontend.warnings.declarations import check_use
from vpo.frontend.warnings.diagnostics import Recover

_SPECIFIERS: dict[str, str] = {
    "void": "void",
    "_Bool": "bool_",
    "char": "char",
    "char signed": "schar",
    "char unsigned": "uchar",
    "float": "float_",
    "double": "double",
    "double long": "ldouble",
}


def _integer_specifiers() -> None:
    for words, name in (("short", "short"), ("", "int_"), ("long", "long"), ("long long", "llong"), ("__int128", "int128")):
        for sign in ("", "signed", "unsigned"):
            for int_word in ("", "int"):
                key = " ".join(sorted(f"{words} {sign} {int_word}".split()))
                if key:
                    _SPECIFIERS[key] = ("u" + name.rstrip("_")) if sign == "unsigned" else name


_integer_specifiers()


def named_type(ctx: Context, node: IdentifierType) -> CType:
    """Return the type that an `IdentifierType` stands for; fails where its words do not go together."""
    names = node.names
    if len(names) == 1:
        symbol = ctx.scope.lookup(names[0])
        if symbol is not None and symbol.kind == "wrong":
            raise Recover
        if symbol is not None and symbol.kind != "typedef":
            symbol = ctx.scope.lookup_type(names[0])
        if symbol is not None:
            symbol.uses += 1
            if ctx.notes.marks:
                check_use(ctx, symbol, node)
            return symbol.type
    if "_Complex" in names:
        part = named_type(ctx, IdentifierType([name for name in names if name != "_Complex"] or ["double"], node.coord))
        if not isinstance(part, Arithmetic):
            ctx.report.fail(node.coord, f"there are no complex numbers of '{part}'")
        return Complex(part)
    key = names[0] if len(names) == 1 else " ".join(sorted(names))
    attribute = _SPECIFIERS.get(key)
    if attribute is None:
        if len(names) == 1:
            ctx.report.fail(node.coord, f"unknown type name '{names[0]}'")
        ctx.report.fail(node.coord, f"invalid combination of type specifiers '{' '.join(names)}'")
    if "__int128" in names and not ctx.types.has_int128:
        ctx.report.fail(node.coord, "'__int128' is not supported on this target: its addresses have less than 64 bits")
    found: CType = getattr(ctx.types, attribute)
    return found


# ----------------------------------------------------------------------------------------------------------------------
# Attributes that make another type of one: `mode` and `vector_size`, and alignments of typedefs.


_SIZES = {"QI": 1, "byte": 1, "HI": 2, "SI": 4, "DI": 8, "TI": 16, "SF": 4, "DF": 8}


def changed_type(ctx: Context, node: ChangedType, ctype: CType) -> CType:
    """Return the type that attributes make of the one that specifiers name."""
    for name, arguments in node.attributes.items():
        ctype = _CHANGES[name](ctx, node, ctype, arguments)
    return ctype


def _mode(ctx: Context, node: ChangedType, ctype: CType, arguments: list[Expression]) -> CType:
    """Return the integer or floating type of a size that gcc has a name for."""
    mode = arguments[0].name.strip("_") if arguments and isinstance(arguments[0], ID) else ""
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


def _vector(ctx: Context, node: ChangedType, ctype: CType, arguments: list[Expression]) -> CType:
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
