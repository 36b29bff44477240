"""Warnings about names that nothing uses, and values that nothing wants."""

from __future__ import annotations

from typing import Any

from vpo.frontend.context import Context
from vpo.frontend.initialisers import is_constant
from vpo.frontend.scope import Symbol
from vpo.frontend.types import CType, Func

_VALUES = frozenset(("BinaryOp", "ID", "Constant", "ArrayRef", "StructRef", "UnaryOp", "Cast"))  # without effects themselves


def check_locals(ctx: Context, parameters: int) -> None:
    """Warn of names of the function at hand that nothing uses; the first `parameters` of them are its parameters."""
    for position, symbol in enumerate(ctx.state.entered):
        if position < parameters:
            _check(ctx, symbol, "unused-parameter", f"unused parameter '{symbol.name}'", "")
        else:
            stored = f"variable '{symbol.name}' set but not used"
            _check(ctx, symbol, "unused-variable", f"unused variable '{symbol.name}'", stored)
    for name, label in ctx.state.labels.items():
        if label.used is None and label.defined is not None and not ctx.has_mark(label.defined, "unused"):
            ctx.report.warning(label.defined, "unused-label", f"label '{name}' defined but not used")


def _check(ctx: Context, symbol: Symbol, flag: str, message: str, stored: str) -> None:
    if symbol.uses > symbol.stores or ctx.has_mark(symbol.coord, "unused"):
        return
    if symbol.stores == 0:
        ctx.report.warning(symbol.coord, flag, message)
    elif stored:
        ctx.report.warning(symbol.coord, "unused-but-set-variable", stored)


def check_statics(ctx: Context) -> None:
    """Warn of the names that a file keeps to itself and does not use."""
    for symbol in ctx.externals.values():
        is_defined = symbol.defined or symbol.name in ctx.tentative
        if not symbol.static or symbol.uses or not is_defined or ctx.noted["unused"].get(symbol.name) is not None:
            continue
        if isinstance(symbol.type, Func):
            if not symbol.is_inline:
                ctx.report.warning(symbol.coord, "unused-function", f"'{symbol.name}' defined but not used")
        elif not is_constant(symbol.type) and not ctx.has_mark(symbol.coord, "unused"):
            ctx.report.warning(symbol.coord, "unused-variable", f"'{symbol.name}' defined but not used")


def check_statement(ctx: Context, node: Any, ctype: CType) -> None:
    """Warn if an expression that is a statement does nothing, or if the result of a call is not to be ignored."""
    kind = type(node).__name__
    if kind == "FuncCall":
        name = getattr(node.name, "name", None)
        if isinstance(name, str) and name in ctx.noted["warn_unused_result"]:
            message = f"ignoring return value of '{name}' declared with attribute 'warn_unused_result'"
            ctx.report.warning(node.coord, "unused-result", message)
    elif kind in _VALUES and not ctype.volatile and not _has_effect(node):
        ctx.report.warning(node.coord, "unused-value", "statement with no effect")
    elif kind == "UnaryOp" and node.op == "*" and not ctype.volatile:
        ctx.report.warning(node.coord, "unused-value", "value computed is not used")


def _has_effect(node: Any) -> bool:
    """True if an expression does something, or may do."""
    match type(node).__name__:
        case "ID" | "Constant":
            return False
        case "BinaryOp":
            return _has_effect(node.left) or _has_effect(node.right)
        case "ArrayRef":
            return _has_effect(node.name) or _has_effect(node.subscript)
        case "StructRef":
            return _has_effect(node.name)
        case "UnaryOp" if node.op in ("-", "+", "!", "~", "&", "*"):
            return _has_effect(node.expr)
    return type(node).__name__ != "UnaryOp" or node.op not in ("sizeof", "_Alignof")
