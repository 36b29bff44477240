"""Warnings about names that nothing uses, and values that nothing wants."""

from __future__ import annotations

from vpo.frontend.context import Context
from vpo.frontend.declare.initialisers import is_constant
from vpo.frontend.syntax import nodes
from vpo.frontend.types.types import CType, Func, Void

_KEYS = ("unused-variable", "unused-but-set-variable")
_VALUES = (
    nodes.BinaryOp | nodes.ID | nodes.Constant | nodes.ArrayRef | nodes.StructRef | nodes.UnaryOp | nodes.SizeOf | nodes.Cast
)  # without effects themselves


def check_locals(ctx: Context, parameters: int) -> None:
    """Warn of names of the function at hand that nothing uses; the first `parameters` of them are its parameters."""
    for position, symbol in enumerate(ctx.state.entered):
        keys = ("unused-parameter", "unused-but-set-parameter") if position < parameters else _KEYS
        if symbol.uses <= symbol.stores and not ctx.has_mark(symbol.coord, "unused"):
            ctx.report.warning(symbol.coord, keys[symbol.stores > 0], symbol.name)
    for symbol in ctx.state.typedefs:
        if not symbol.uses and not ctx.has_mark(symbol.coord, "unused"):
            ctx.report.warning(symbol.coord, "unused-local-typedefs", symbol.name)
    for name, label in ctx.state.labels.items():
        if label.used is None and label.defined is not None and not ctx.has_mark(label.defined, "unused"):
            ctx.report.warning(label.defined, "unused-label", name)


def check_statics(ctx: Context) -> None:
    """Warn of the names that a file keeps to itself and does not use."""
    for symbol in ctx.linkage.externals.values():
        is_defined = symbol.defined or symbol.name in ctx.linkage.tentative
        if not symbol.static or symbol.uses or not is_defined or ctx.notes.by_attribute["unused"].get(symbol.name) is not None:
            continue
        if isinstance(symbol.type, Func):
            if not symbol.is_inline:
                ctx.report.warning(symbol.coord, "unused-function", symbol.name)
        elif not ctx.has_mark(symbol.coord, "unused"):
            constant = is_constant(symbol.type)
            if not constant or symbol.coord.file == ctx.file:  # headers have constants that not every file needs
                key = "unused-const-variable" if constant else "unused-variable:static"
                ctx.report.warning(symbol.coord, key, symbol.name)


def _declared(text: str) -> str:
    """Return how a function was declared whose result is not to be ignored: as `nodiscard`, perhaps with a reason, or not."""
    _, is_standard, why = text.partition("nodiscard")
    if not is_standard:
        return " declared with attribute 'warn_unused_result'"
    why = why.strip("()")
    return f", declared with attribute 'nodiscard'{': ' if why else ''}{why}"


def check_effects(ctx: Context, node: nodes.Expression, ctype: CType | None) -> None:
    """Warn if an expression that is a statement does nothing, or if the result of a call is not to be ignored."""
    if isinstance(node, nodes.ExprList):
        for part in node.exprs:
            if isinstance(part, nodes.ExprList | nodes.FuncCall):
                check_effects(ctx, part, ctx.types.int_)
    elif ctype is None:
        return
    elif isinstance(node, nodes.FuncCall):
        declared = (
            ctx.notes.by_attribute["warn_unused_result"].get(node.name.name) if isinstance(node.name, nodes.ID) else None
        )
        if declared is not None and isinstance(node.name, nodes.ID) and not isinstance(ctype, Void):
            ctx.report.warning(node.coord, "unused-result", node.name.name, _declared(declared))
    elif isinstance(node, _VALUES) and not ctype.volatile and not _has_effect(node):
        ctx.report.warning(node.coord, "unused-value")
    elif _computes(node, ctype):
        ctx.report.warning(node.coord, "unused-value:computed")


def _computes(node: nodes.Expression, ctype: CType) -> bool:
    """True if an operator applies to what has effects, and its result is lost."""
    match node:
        case nodes.UnaryOp(op=operator):
            return operator in ("*", "-", "~", "!") and not ctype.volatile
        case nodes.BinaryOp(op=operator):
            return operator not in ("&&", "||")
    return isinstance(node, nodes.Cast) and not isinstance(ctype, Void)


def _has_effect(node: nodes.Expression) -> bool:
    """True if an expression does something, or may do."""
    match node:
        case nodes.ID() | nodes.Constant() | nodes.SizeOf():
            return False
        case nodes.BinaryOp(left=one, right=other) | nodes.ArrayRef(name=one, subscript=other):
            return _has_effect(one) or _has_effect(other)
        case nodes.StructRef(name=part) | nodes.UnaryOp(op="-" | "+" | "!" | "~" | "&" | "*", expr=part):
            return _has_effect(part)
    return True
