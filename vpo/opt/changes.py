"""Numbering the improving changes, so that `-max-changes N` can stop after the Nth (vpoiso's idea).

A `FunctionState` asks `permitted()` once for each improving change that a phase makes through it; those without which code
would be wrong (`FunctionState.required`) are not counted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager


class _Counter:
    """How many changes were made and how many may be; who wants to know of each before it is made."""

    def __init__(self) -> None:
        self.made = 0
        self.limit: int | None = None
        self.observer: Callable[[int], None] | None = None


_counter = _Counter()


def permitted() -> bool:
    """Whether one more change may be made; counts it if so."""
    if _counter.limit is not None and _counter.made >= _counter.limit:
        return False
    _counter.made += 1
    if _counter.observer is not None:
        _counter.observer(_counter.made)
    return True


def made() -> int:
    """Return how many changes were made in the current compilation."""
    return _counter.made


@contextmanager
def limited(limit: int | None) -> Iterator[None]:
    """Count from zero, and allow at most `limit` changes (None: any number) inside the block."""
    saved = _counter.made, _counter.limit
    _counter.made, _counter.limit = 0, limit
    try:
        yield
    finally:
        _counter.limit = saved[1]


@contextmanager
def observed(observer: Callable[[int], None]) -> Iterator[None]:
    """Call a function with the number of each change inside the block, before it is made."""
    saved, _counter.observer = _counter.observer, observer
    try:
        yield
    finally:
        _counter.observer = saved


@contextmanager
def unlimited() -> Iterator[None]:
    """Neither count nor limit changes inside the block."""
    saved = _counter.made, _counter.limit
    _counter.limit = None
    try:
        yield
    finally:
        _counter.made, _counter.limit = saved
