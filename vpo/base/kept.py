"""What is computed of an object once: of a machine, a linked program.

A file of its own, since every part of the compiler uses it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

O = TypeVar("O")  # noqa: E741 - the owner
P = ParamSpec("P")
R = TypeVar("R")


def kept(compute: Callable[Concatenate[O, P], R]) -> Callable[Concatenate[O, P], R]:
    """Keep the result of a function in its first argument, as `functools.cached_property` does, so that both go together.

    The other arguments must follow from the first: they are looked at once.  The first must be no object with slots.
    All that is kept in a process beside the cache on disk is kept so, or by `functools.cache` where it belongs to nobody.
    """
    name = f"{compute.__module__}.{compute.__qualname__}"

    @wraps(compute)
    def remembered(owner: O, /, *others: P.args, **named: P.kwargs) -> R:
        known: dict[str, Any] = vars(owner)
        if name not in known:
            known[name] = compute(owner, *others, **named)
        result: R = known[name]
        return result

    return remembered
