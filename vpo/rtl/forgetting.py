"""What is interned and referred to no more is forgotten, so that memory does not grow with the number of functions.

Nodes are interned: two of the same parts are one object, and a table for each kind finds it.  Weak tables would do the
same by themselves, at a cost for each node that is made; here a look at the large tables, now and then, counts references.
"""

from __future__ import annotations

from collections.abc import Callable
from sys import getrefcount
from typing import Any, ClassVar

from vpo.rtl.effects import Branch, Set
from vpo.rtl.nodes import Half, Mem, Op, Register, Variable

# wholes before their parts, and parts twice, since they are of each other; with the attribute by which a node has itself
_LOOKS: tuple[tuple[Any, str], ...] = (
    (Set, ""), (Branch, ""), (Mem, "memory"), (Op, ""), (Half, ""), (Mem, "memory"), (Op, ""), (Register, "uses"),
)  # fmt: skip


MANY = 100_000  # effects and operators that are made until it is worth a look


class _Next:
    """When the next look is due."""

    at: ClassVar[int] = MANY


def forget_some(remembered: Callable[[], None]) -> None:
    """Forget the nodes that only the tables refer to, if many were made since that was done.

    `remembered` lets go what is remembered of nodes before.
    """
    if interned() > _Next.at:
        remembered()
        for kind, own in _LOOKS:
            _forget(kind._table, own)
        _Next.at = interned() + MANY


def interned() -> int:
    """Return how many nodes of the kinds are known of which there are most."""
    return len(Set._table) + len(Op._table)


def _forget(table: dict[Any, Any], own: str) -> None:
    probe: Any = Variable("")
    probe.uses = (probe,)
    alone, itself = _references({(): object()}, ()), _references_of(probe, "uses")
    keys = list(table)
    while keys:
        key = keys.pop()  # the latest first, and its parts are not held by the list when they are looked at
        if not own:
            if _references(table, key) == alone:
                del table[key]
        elif _references(table, key) == alone + 1 and _references_of(table[key], own) == itself:
            setattr(table.pop(key), own, ())


def _references(table: dict[Any, Any], key: Any) -> int:
    return getrefcount(table[key])


def _references_of(node: Any, attribute: str) -> int:
    return getrefcount(getattr(node, attribute))
