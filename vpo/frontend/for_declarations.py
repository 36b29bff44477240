"""What the first clause of a `for` may declare."""

from __future__ import annotations

from typing import Any

from vpo.frontend.context import Context


def check_for_declaration(ctx: Context, node: Any) -> None:
    """Complain about what a `for` declares beside variables of its own (6.8.5, 3)."""
    for declaration in getattr(node, "decls", ()):
        if type(declaration).__name__ == "StaticAssert":
            continue
        for storage in sorted({"static", "extern", "typedef"} & set(declaration.storage or ())):
            what = "type" if storage == "typedef" else f"'{storage}' variable"
            ctx.report.error(declaration.coord, f"declaration of {what} '{declaration.name}' in 'for' loop")
        declared = declaration.type
        while type(declared).__name__ in ("TypeDecl", "PtrDecl", "ArrayDecl", "FuncDecl"):
            declared = declared.type
        has_body = getattr(declared, "decls", None) is not None
        if has_body and declared.name is not None and ctx.standard.edition < 2023:
            keyword = type(declared).__name__.lower()
            ctx.report.error(declaration.coord, f"'{keyword} {declared.name}' declared in 'for' loop initial declaration")
