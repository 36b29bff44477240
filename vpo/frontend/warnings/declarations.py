"""Warnings about names: hidden, deprecated, left out by a switch; about addresses that are returned."""

from __future__ import annotations

import re

from vpo import il
from vpo.frontend.context import Context, SwitchState
from vpo.frontend.lower.values import Value
from vpo.frontend.scope import Symbol
from vpo.frontend.syntax.nodes import Decl, Node, Struct
from vpo.frontend.syntax.statement_nodes import Return, Switch
from vpo.frontend.types.types import CType, Func, Pointer, unqualified


def check_shadow(ctx: Context, symbol: Symbol) -> None:
    """Warn of a local name that hides another one."""
    scope = ctx.scope.parent
    old = scope.lookup(symbol.name) if scope is not None else None
    if old is None or ctx.scope.prototype or symbol.name.startswith(".") or old.kind == "wrong":
        return
    is_called = isinstance(symbol.type, Func) or (isinstance(symbol.type, Pointer) and isinstance(symbol.type.target, Func))
    if old.kind == "function" and not is_called:
        return
    is_local = old.owner is not None and old.owner is ctx.state.entered
    what = "a previous local" if is_local else "a global declaration"
    ctx.report.warning(symbol.coord, "shadow", symbol.name, what, note=(old.coord, "shadowed declaration is here"))


def check_global(ctx: Context, node: Decl, symbol: Symbol, is_new: bool) -> None:
    """Warn of an object that is `extern` and has a value."""
    if node.init is not None and "extern" in node.storage and is_new:
        ctx.report.warning(node.coord, "declarations:extern", symbol.name)


def check_tag(ctx: Context, node: Struct) -> None:
    """Warn of a structure that is declared within parameters, where nothing else can use it."""
    if ctx.scope.prototype and node.name is not None:
        ctx.report.warning(node.coord, "parameter-tags", node.keyword, node.name)


def check_use(ctx: Context, symbol: Symbol, node: Node) -> None:
    """Warn of a name that its declaration says is deprecated; one that is unavailable is an error."""
    texts = ctx.notes.marks.get((symbol.coord.file, symbol.coord.line, symbol.coord.column), [])
    if symbol.kind == "function":
        attributes = [ctx.notes.by_attribute[name] for name in ("deprecated", "unavailable")]
        texts = [texts_of[symbol.name] for texts_of in attributes if symbol.name in texts_of]
    for text in texts:
        found = re.search(r"\b_*(deprecated|unavailable)_*\b", text)
        if found is None:
            continue
        why = "".join(re.findall(r'"((?:\\.|[^"\\])*)"', text[found.end() :].partition(")")[0]))
        more = f": {why}" if why else ""
        if found[1] == "unavailable":
            ctx.report.error(node.coord, f"'{symbol.name}' is unavailable{more}")
        else:
            ctx.report.warning(node.coord, "deprecated-declarations", symbol.name, more)
        return


def check_returned(ctx: Context, value: Value, node: Return) -> None:
    """Warn of a local variable whose address a function returns."""
    tree = value.tree
    while isinstance(tree, il.Binary) and tree.operator in ("add", "sub") and isinstance(value.type, Pointer):
        tree = tree.left
    if isinstance(tree, il.AddrLocal) and any(symbol.local is tree.local for symbol in ctx.state.entered):
        ctx.report.warning(node.coord, "return-local-addr", tree.local.name)


def check_switch(ctx: Context, node: Switch, ctype: CType, state: SwitchState) -> None:
    """Warn of the values of an enumeration that a switch over it without a default does not handle."""
    values = ctx.enumerations.values.get(str(unqualified(ctype)), {}) if state.default is None else {}
    for name, value in values.items():
        if value not in state.cases and not any(low <= value <= high for low, high, _ in state.ranges):
            ctx.report.warning(node.coord, "switch", name)
