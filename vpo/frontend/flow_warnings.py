"""Warnings from the control flow of a function: ends without a value, cases that fall through, reads before any store."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from vpo import il
from vpo.frontend.context import Context
from vpo.frontend.cpp.directives import read
from vpo.frontend.dangling_pointers import check_freed, check_returned_pointers
from vpo.frontend.types import Func, Void
from vpo.frontend.uninitialized import OF_READS, check_reads

FLAGS = frozenset(("return-type", "implicit-fallthrough", "use-after-free")) | OF_READS
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
    is_asked = bool(ctx.state.suspected) or not FLAGS.isdisjoint(ctx.report.wanted)
    if not is_asked or ctx.report.errors or ctx.state.computed or len(body) > MAX_STATEMENTS:
        return
    no_return = _NO_RETURN | ctx.noted["noreturn"].keys()
    flow = _Flow(body, no_return, ctx.state.unreachable)
    ends = not isinstance(ctype.result, Void) and len(body) in flow.reached
    if ends and ctx.state.name != "main":
        message = f"control reaches end of non-void function '{ctx.state.name}'"
        ctx.report.warning(node.decl.coord, "return-type", message)
    _check_cases(ctx, flow)
    if not OF_READS.isdisjoint(ctx.report.wanted):
        check_reads(ctx, _Flow(body, no_return | ctx.never_return, ctx.state.unreachable) if ctx.never_return else flow)
    for at, coord, flag, message in ctx.state.suspected:
        if at in flow.reached:
            ctx.report.warning(coord, flag, message)
    if "use-after-free" in ctx.report.wanted:
        check_freed(ctx, body)
        check_returned_pointers(ctx, body)
    if len(body) not in flow.reached and not any(isinstance(body[at], il.Return) for at in flow.reached):
        ctx.never_return.add(ctx.state.name)


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
