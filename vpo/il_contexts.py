"""Functions that call setjmp, which may return to them twice.

No phase knows of the way from a call of longjmp back to setjmp.  So all locals of such a function stay in memory and are
accessed just when the source says so: they have then what C promises of those that do not change in between, and of volatile
ones.  Addresses and constants may be in registers, since longjmp restores these.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields, replace
from typing import TypeVar

from vpo import il
from vpo.il_traversal import walk
from vpo.program import SAVE_CONTEXT

_Node = TypeVar("_Node")


def returns_twice(function: il.Function) -> bool:
    """Return whether a function calls setjmp."""
    called = (statement.function for statement in function.body if isinstance(statement, il.Call))
    return any(isinstance(callee, il.AddrGlobal) and callee.name == SAVE_CONTEXT[1:] for callee in called)


def keep_locals_in_memory(functions: Iterable[il.Function]) -> None:
    """Make the locals of those functions volatile to which setjmp may return twice."""
    for function in filter(returns_twice, functions):
        for local in (*function.parameters, *function.locals):
            local.volatile = True
        function.body = [_kept(statement) for statement in function.body]


def _kept(node: _Node) -> _Node:
    """Return a statement, or a part of one, whose accesses of locals are volatile."""
    if isinstance(node, tuple):
        return tuple(map(_kept, node))  # type: ignore[return-value]
    if not isinstance(node, il.Expr | il.Statement | il.Block):
        return node
    changes = {field.name: _kept(getattr(node, field.name)) for field in fields(node)}
    if isinstance(node, il.Load | il.Store) and any(isinstance(part, il.AddrLocal) for part in walk(node.address)):
        changes["volatile"] = True
    return replace(node, **changes)  # type: ignore[type-var]
