"""Objects whose type is that of what initialises them: `__auto_type`, and `auto` of C23."""

from __future__ import annotations

from typing import Any

from vpo.frontend.context import Context
from vpo.frontend.lower import conversions
from vpo.frontend.lower.conditions import Held
from vpo.frontend.lower.values import Value
from vpo.frontend.types.types import CType, is_variably_modified, qualified, unqualified


def is_inferred(node: Any) -> bool:
    """Return whether a declaration names no type but that of its initialiser."""
    inner = node.type
    while type(inner).__name__ in ("PtrDecl", "ArrayDecl", "FuncDecl"):
        inner = inner.type
    names = getattr(getattr(inner, "type", None), "names", ())
    return "__auto_type" in names


def inferred_type(ctx: Context, node: Any) -> CType:
    """Return the type of an object by its initialiser, with the qualifiers of the declaration."""
    if type(node.type).__name__ != "TypeDecl":
        ctx.report.fail(node.coord, f"'{node.name}' takes its whole type from its initializer")
    if node.init is None or type(node.init).__name__ == "InitList":
        ctx.report.fail(node.coord, f"declaration of '{node.name}' needs an initializer to take its type from")
    with ctx.scratch(unevaluated=True):
        found = unqualified(conversions.rvalue(ctx, node.init).type)
    if is_variably_modified(found):  # the type is that of this very evaluation
        ctype, tree = conversions.scalar_rvalue(ctx, node.init)
        found, node.init = unqualified(ctype), Held(Value(ctype, ctx.save(tree)), node.coord)
    return qualified(found, "const" in node.quals, "volatile" in node.quals)
