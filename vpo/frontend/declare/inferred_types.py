"""Objects whose type is that of what initialises them: `__auto_type`, and `auto` of C23."""

from __future__ import annotations

from vpo.frontend.context import Context
from vpo.frontend.lower import conversions
from vpo.frontend.lower.values import Held, Value
from vpo.frontend.syntax.nodes import ArrayDecl, Decl, FuncDecl, IdentifierType, InitList, PtrDecl, TypeDecl
from vpo.frontend.syntax.stream import INFERRED
from vpo.frontend.types.types import CType, is_variably_modified, qualified, unqualified


def is_inferred(node: Decl) -> bool:
    """Return whether a declaration names no type but that of its initialiser."""
    inner = node.type
    while isinstance(inner, PtrDecl | ArrayDecl | FuncDecl):
        inner = inner.type
    return isinstance(inner, TypeDecl) and isinstance(inner.type, IdentifierType) and INFERRED in inner.type.names


def inferred_type(ctx: Context, node: Decl) -> CType:
    """Return the type of an object by its initialiser, with the qualifiers of the declaration."""
    if not isinstance(node.type, TypeDecl):
        ctx.report.fail(node.coord, f"'{node.name}' takes its whole type from its initializer")
    if node.init is None or isinstance(node.init, InitList):
        ctx.report.fail(node.coord, f"declaration of '{node.name}' needs an initializer to take its type from")
    with ctx.scratch(unevaluated=True):
        found = unqualified(conversions.rvalue(ctx, node.init).type)
    if is_variably_modified(found):  # the type is that of this very evaluation
        ctype, tree = conversions.scalar_rvalue(ctx, node.init)
        found, node.init = unqualified(ctype), Held(Value(ctype, ctx.save(tree)), node.coord)
    return qualified(found, "const" in node.quals, "volatile" in node.quals)
