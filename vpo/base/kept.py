"""What is computed of an object once: of a machine, a linked program, a function.

A file of its own, since every part of the compiler uses it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar
from weakref import WeakKeyDictionary

O = TypeVar("O")  # noqa: E741 - the owner
P = ParamSpec("P")
R = TypeVar("R")


def kept(compute: Callable[Concatenate[O, P], R]) -> Callable[Concatenate[O, P], R]:
    """Keep the result of a function with its first argument, by identity or its own equality, for as long as that lives.

    The other arguments must follow from the first: they are looked at once.  A result that refers to its owner keeps it alive.
    All that is kept in a process beside the cache on disk is kept so, or by `functools.cache` where it belongs to nobody.
    """
    known: WeakKeyDictionary[O, R] = WeakKeyDictionary()

    @wraps(compute)
    def remembered(owner: O, /, *others: P.args, **named: P.kwargs) -> R:
        if owner not in known:
            known[owner] = compute(owner, *others, **named)
        return known[owner]

    return remembered
