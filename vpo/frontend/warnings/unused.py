"""Warnings about names that nothing uses, and values that nothing wants."""

from __future__ import annotations

from vpo.frontend.context import Context
from vpo.frontend.declare.initialisers import is_constant
from vpo.frontend.scope import Symbol
from vpo.frontend.syntax.nodes import (
    ID,
    ArrayRef,
    BinaryOp,
    Cast,
    Constant,
    Expression,
    ExprList,
    FuncCall,
    SizeOf,
    StructRef,
    UnaryOp,
)
from vpo.frontend.types.types import CType, Func, Void

_VALUES = BinaryOp | ID | Constant | ArrayRef | StructRef | UnaryOp | SizeOf | Cast  # without effects themselves


def check_locals(ctx: Context, parameters: int) -> None:
    """Warn of names of the function at hand that nothing uses; the first `parameters` of them are its parameters."""
    for position, symbol in enumerate(ctx.state.entered):
        if position < parameters:
            _check(ctx, symbol, "unused-parameter", f"unused parameter '{symbol.name}'", "unused-but-set-parameter")
        else:
            _check(ctx, symbol, "unused-variable", f"unused variable '{symbol.name}'", "unused-but-set-variable")
    for symbol in ctx.state.typedefs:
        if not symbol.uses and not ctx.has_mark(symbol.coord, "unused"):
            message = f"typedef '{symbol.name}' locally defined but not used"
            ctx.report.warning(symbol.coord, "unused-local-typedefs", message)
    for name, label in ctx.state.labels.items():
        if label.used is None and label.defined is not None and not ctx.has_mark(label.defined, "unused"):
            ctx.report.warning(label.defined, "unused-label", f"label '{name}' defined but not used")


def _check(ctx: Context, symbol: Symbol, flag: str, message: str, stored: str) -> None:
    if symbol.uses > symbol.stores or ctx.has_mark(symbol.coord, "unused"):
        return
    if symbol.stores == 0:
        ctx.report.warning(symbol.coord, flag, message)
    else:
        what = stored.rpartition("-")[2]
        ctx.report.warning(symbol.coord, stored, f"{what} '{symbol.name}' set but not used")


def check_statics(ctx: Context) -> None:
    """Warn of the names that a file keeps to itself and does not use."""
    for symbol in ctx.linkage.externals.values():
        is_defined = symbol.defined or symbol.name in ctx.linkage.tentative
        if not symbol.static or symbol.uses or not is_defined or ctx.notes.by_attribute["unused"].get(symbol.name) is not None:
            continue
        if isinstance(symbol.type, Func):
            if not symbol.is_inline:
                ctx.report.warning(symbol.coord, "unused-function", f"'{symbol.name}' defined but not used")
        elif not ctx.has_mark(symbol.coord, "unused"):
            constant = is_constant(symbol.type)
            if not constant or symbol.coord.file == ctx.file:  # headers have constants that not every file needs
                flag = "unused-const-variable" if constant else "unused-variable"
                ctx.report.warning(symbol.coord, flag, f"'{symbol.name}' defined but not used")


def check_effects(ctx: Context, node: Expression, ctype: CType | None) -> None:
    """Warn of what an expression that is a statement, or parts of it between commas, computes for nothing."""
    if not isinstance(node, ExprList):
        if ctype is not None:
            check_statement(ctx, node, ctype)
        return
    for position, part in enumerate(node.exprs):
        side = "right" if position else "left"
        if isinstance(part, ExprList | FuncCall):
            check_effects(ctx, part, ctx.types.int_)
        elif isinstance(part, _VALUES) and not _has_effect(part) and not _may_be_volatile(ctx, part):
            message = f"{side}-hand operand of comma expression has no effect"
            ctx.report.warning(part.coord, "unused-value", message)


def _may_be_volatile(ctx: Context, node: Expression) -> bool:
    """True if reading what an expression names may be an effect."""
    if not isinstance(node, ID):
        return isinstance(node, StructRef | ArrayRef | UnaryOp | SizeOf | Cast)
    symbol = ctx.scope.lookup(node.name)
    return node.name.startswith("__") or (symbol is not None and symbol.type.volatile)  # the former in macros of headers


def _declared(text: str) -> str:
    """Return how a function was declared whose result is not to be ignored: as `nodiscard`, perhaps with a reason, or not."""
    _, is_standard, why = text.partition("nodiscard")
    if not is_standard:
        return " declared with attribute 'warn_unused_result'"
    why = why.strip("()")
    return f", declared with attribute 'nodiscard'{': ' if why else ''}{why}"


def check_statement(ctx: Context, node: Expression, ctype: CType) -> None:
    """Warn if an expression that is a statement does nothing, or if the result of a call is not to be ignored."""
    if isinstance(node, FuncCall):
        name = node.name.name if isinstance(node.name, ID) else ""
        if name in ctx.notes.by_attribute["warn_unused_result"] and not isinstance(ctype, Void):
            message = f"ignoring return value of '{name}'{_declared(ctx.notes.by_attribute['warn_unused_result'][name])}"
            ctx.report.warning(node.coord, "unused-result", message)
    elif isinstance(node, _VALUES) and not ctype.volatile and not _has_effect(node):
        ctx.report.warning(node.coord, "unused-value", "statement with no effect")
    elif _computes(node, ctype):
        ctx.report.warning(node.coord, "unused-value", "value computed is not used")


def _computes(node: Expression, ctype: CType) -> bool:
    """True if an operator applies to what has effects, and its result is lost."""
    match node:
        case UnaryOp():
            return node.op in ("*", "-", "~", "!") and not ctype.volatile
        case BinaryOp():
            return node.op not in ("&&", "||")
        case Cast():
            return not isinstance(ctype, Void)
    return False


def _has_effect(node: Expression) -> bool:
    """True if an expression does something, or may do."""
    match node:
        case ID() | Constant() | SizeOf():
            return False
        case BinaryOp():
            return _has_effect(node.left) or _has_effect(node.right)
        case ArrayRef():
            return _has_effect(node.name) or _has_effect(node.subscript)
        case StructRef():
            return _has_effect(node.name)
        case UnaryOp(op="-" | "+" | "!" | "~" | "&" | "*"):
            return _has_effect(node.expr)
    return True
