"""How often Python's collector looks for cycles: seldom while code is compiled, for most of what is made then lives on.

A file of its own, since the commands set it for all that they do, and the compiler for those who compile without a command.
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")
COLLECT_AFTER = 1_000_000  # objects that are made until the collector looks at them
LOOKS = 3  # after which it looks at those again that have survived


def seldom_collected(work: Callable[P, R]) -> Callable[P, R]:
    """Let the collector look seldom while a function is at work, and as often as before behind it."""

    @wraps(work)
    def at_work(*args: P.args, **named: P.kwargs) -> R:
        before = gc.get_threshold()
        if before[0] == 0 or before[0] >= COLLECT_AFTER:  # it is off, or looks seldom as it is
            return work(*args, **named)
        gc.set_threshold(COLLECT_AFTER, min(LOOKS, before[1]), before[2])
        try:
            return work(*args, **named)
        finally:
            gc.set_threshold(*before)

    return at_work
