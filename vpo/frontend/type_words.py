"""From the words of a declaration's specifiers to types: names of types, `unsigned long`, `double _Complex`..."""

from __future__ import annotations

from typing import Any

from vpo.frontend.context import Context
from vpo.frontend.diagnostics import Recover
from vpo.frontend.suspicious_calls import check_use
from vpo.frontend.syntax.declaration_nodes import IdentifierType
from vpo.frontend.types import Arithmetic, Complex, CType

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


def named_type(ctx: Context, node: Any) -> CType:
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
            if ctx.marks:
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
