"""Warnings from the control flow of a function: ends without a value, reads before any store, cases that fall through."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from vpo import il
from vpo.frontend.context import Context
from vpo.frontend.cpp.directives import read
from vpo.frontend.types import Func, Void
from vpo.il_traversal import children, expressions_of

FLAGS = frozenset(("return-type", "uninitialized", "implicit-fallthrough"))
_NO_RETURN = frozenset(
    ("exit", "abort", "_Exit", "_exit", "longjmp", "siglongjmp", "quick_exit", "thrd_exit", "__assert_fail")
)
_SAID = re.compile(r"fall[\s_-]*(s|ing)?[\s_-]*thr(ough|u)|else.*fall|case.*fall", re.IGNORECASE)
_COMMENT = re.compile(r"\s*($|/[*/]|\*)")
MAX_STATEMENTS = 20_000  # of a function that is looked at


class _Flow:
    """The statements of a function that control can reach, and the order in which it does."""

    def __init__(self, body: list[il.Statement], no_return: frozenset[str], unreachable: set[str]) -> None:
        self.body, self._no_return, self._unreachable = body, no_return, unreachable
        self._labels = {statement.name: at for at, statement in enumerate(body) if isinstance(statement, il.Label)}
        self.reached: set[int] = set()
        work = [0]
        while work:
            at = work.pop()
            if at not in self.reached:
                self.reached.add(at)
                work += self.after(at)

    def position(self, label: str) -> int:
        """Return where a label stands."""
        return self._labels[label]

    def after(self, at: int) -> Iterator[int]:
        """Yield the positions where control may go from one; the end of the function is one."""
        if at >= len(self.body):
            return
        statement = self.body[at]
        match statement:
            case il.Jump(label=label):
                yield self._labels[label]
            case il.Switch(cases=cases, default=default):
                yield from (self._labels[label] for _, label in cases)
                yield self._labels[default]
            case il.Return():
                pass
            case il.Label(name=name) if name in self._unreachable:
                pass
            case il.Call(function=il.AddrGlobal(name=name)) if name in self._no_return:
                pass
            case il.Branch(label=label):
                yield self._labels[label]
                yield at + 1
            case _:
                yield at + 1


def check_flow(ctx: Context, node: Any, ctype: Func) -> None:
    """Warn about the function just lowered, whose end is not closed by a return yet."""
    body = ctx.state.body
    if not FLAGS & ctx.report.wanted or ctx.report.errors or ctx.state.computed or len(body) > MAX_STATEMENTS:
        return
    flow = _Flow(body, _NO_RETURN | ctx.noted["noreturn"].keys(), ctx.state.unreachable)
    ends = not isinstance(ctype.result, Void) and len(body) in flow.reached
    if ends and ctx.state.name != "main":
        message = f"control reaches end of non-void function '{ctx.state.name}'"
        ctx.report.warning(node.decl.coord, "return-type", message)
    _check_cases(ctx, flow)
    if "uninitialized" in ctx.report.wanted:
        _check_reads(ctx, flow)


# ----------------------------------------------------------------------------------------------------- cases


def _check_cases(ctx: Context, flow: _Flow) -> None:
    """Warn of cases that control enters from the statement before."""
    labels = ctx.state.case_labels
    for at, statement in enumerate(flow.body if "implicit-fallthrough" in ctx.report.wanted else ()):
        if not isinstance(statement, il.Label) or statement.name not in labels:
            continue
        coord, before = labels[statement.name]
        if _falls(flow, at, labels) and not _is_said(coord):
            ctx.report.warning(before or coord, "implicit-fallthrough", "this statement may fall through", (coord, "here"))


def _falls(flow: _Flow, at: int, labels: dict[str, Any]) -> bool:
    """True if control enters a case from a statement before it, and not only to leave the switch."""
    before, behind = flow.body[at - 1], at
    if isinstance(before, il.Switch | il.Jump) or (isinstance(before, il.Label) and before.name in labels):
        return False
    if isinstance(before, il.Branch) and flow.position(before.label) > at:  # the case stands in an if
        return False
    while behind < len(flow.body) and isinstance(flow.body[behind], il.Label):
        behind += 1
    if behind == len(flow.body) or isinstance(flow.body[behind], il.Jump | il.Return):
        return False
    return at - 1 in flow.reached and at in flow.after(at - 1)


def _is_said(coord: Any) -> bool:
    """True if a comment or attribute before a case says that control falls into it."""
    try:
        lines = read(coord.file).split("\n")[: coord.line]
    except OSError:
        return False
    before = [lines.pop()[: coord.column - 1]] if len(lines) == coord.line else []
    while lines and _COMMENT.match(before[-1] if before else ""):
        before.append(lines.pop())
    return any(map(_SAID.search, before))


# ------------------------------------------------------------------------------------------------------ reads


def _check_reads(ctx: Context, flow: _Flow) -> None:
    """Warn of variables that are read where nothing can have been stored in them."""
    state = ctx.state
    declared = {id(symbol.local) for symbol in state.entered if symbol.local is not None and not symbol.is_dynamic}
    tracked = [local for local in state.locals if id(local) in declared and local.type is not None and not local.volatile]
    names = {id(local): local.name for local in tracked}
    reads: dict[int, list[int]] = defaultdict(list)  # variables, by position
    stores: dict[int, int] = {}  # the variable that a position stores to
    for at, statement in enumerate(flow.body):
        for local, how in _accesses(statement):
            if how == "store":
                stores[at] = id(local)
            elif how == "read":
                reads[at].append(id(local))
            else:
                names.pop(id(local), None)
    bits = {variable: 1 << number for number, variable in enumerate(names)}
    stored = _stored_before(flow, {at: bits.get(variable, 0) for at, variable in stores.items()})
    for at in sorted(reads):
        for variable in reads[at] if at in stored else ():
            if variable in bits and not stored[at] & bits[variable]:
                _report_read(ctx, variable, names[variable], flow.body[at])
                del bits[variable]  # is said once


def _stored_before(flow: _Flow, stores: dict[int, int]) -> dict[int, int]:
    """Return, by position, the variables that may have been stored to before, as bits."""
    before = {0: 0}
    work = [0]
    while work:
        at = work.pop()
        behind = before[at] | stores.get(at, 0)
        for successor in flow.after(at):
            old = before.get(successor)
            if old is None or behind | old != old:
                before[successor] = behind | (old or 0)
                work.append(successor)
    return before


def _report_read(ctx: Context, variable: int, name: str, statement: il.Statement) -> None:
    line = getattr(statement, "line", 0)
    places = [coord for local, coord in ctx.state.mentions if id(local) == variable]
    place = next((coord for coord in places if coord.line == line), places[0] if places else None)
    if place is not None:
        ctx.report.warning(place, "uninitialized", f"'{name}' is used uninitialized")


def _accesses(statement: il.Statement) -> Iterator[tuple[il.Local, str]]:
    """Yield the locals that a statement reads, stores to as a whole, or takes the address of."""
    work = expressions_of(statement)
    if isinstance(statement, il.Store) and isinstance(statement.address, il.AddrLocal):
        yield statement.address.local, "store"
        work = [statement.value]
        if isinstance(statement.value, il.Load) and isinstance(statement.value.address, il.AddrLocal):
            work = (
                [] if statement.value.address.local is statement.address.local else work
            )  # `int x = x;` says that it is meant
    elif isinstance(statement, il.Call | il.Syscall | il.VaArg) and statement.result is not None:
        yield statement.result, "store"
    while work:
        node = work.pop()
        if isinstance(node, il.Load) and isinstance(node.address, il.AddrLocal):
            yield node.address.local, "read"
        elif isinstance(node, il.AddrLocal):
            yield node.local, "address"
        else:
            work += children(node)
