"""Where the time of a command goes: seconds by step, and whose they are, the program's or the library's."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")
PROGRAM, LIBRARY = "program", "library"


class Clock:
    """The clock of a process, which stands still unless somebody wants to know.

    Time within an inner step is that step's alone.  It is the time that passes, so that of other processes is in it.
    """

    def __init__(self) -> None:
        self.seconds: dict[str, dict[str, float]] = {}  # by step, in the order in which they began, and whose
        self.goes, self.whose, self._inside = False, PROGRAM, 0.0

    def start(self) -> None:
        """Let it go; what the process took until now is its start."""
        self.seconds, self.goes = {}, True
        self.add("start", time.process_time())

    def stop(self) -> str:
        """Let it stand still; return what it told."""
        self.goes = False
        return self.told()

    def add(self, step: str, seconds: float, before: str = "") -> None:
        """Add seconds to a step, in place of the one `before` if they were taken for part of that."""
        for name, some in ((step, seconds), (before, -seconds)):
            if name and self.goes:
                known = self.seconds.setdefault(name, {})
                known[self.whose] = known.get(self.whose, 0.0) + some

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        """Take the time of what is done meanwhile."""
        if not self.goes:
            yield
            return
        outer, self._inside = self._inside, 0.0
        self.add(name, 0.0)
        start = time.perf_counter()
        try:
            yield
        finally:
            took = time.perf_counter() - start
            self.add(name, took - self._inside)
            self._inside = outer + took

    @contextmanager
    def of(self, whose: str) -> Iterator[None]:
        """Count what is done meanwhile as somebody's."""
        before, self.whose = self.whose, whose
        try:
            yield
        finally:
            self.whose = before

    def told(self) -> str:
        """Return a table: the seconds of each step by whose they are, and those of all."""
        total = {whose: sum(each.get(whose, 0.0) for each in self.seconds.values()) for whose in (PROGRAM, LIBRARY)}
        rows = [(name, *(f"{each.get(whose, 0.0):.2f}" for whose in total)) for name, each in self.seconds.items()]
        rows = [("seconds", *total), *rows, ("in all", *(f"{seconds:.2f}" for seconds in total.values()))]
        width = max(len(name) for name, *_ in rows)
        return "".join(f"{name:{width}}  {own:>7}  {library:>7}\n" for name, own, library in rows)


CLOCK = Clock()


def timed(step: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Let the clock take the time of a function."""

    def decorated(work: Callable[P, R]) -> Callable[P, R]:
        @wraps(work)
        def watched(*args: P.args, **named: P.kwargs) -> R:
            if not CLOCK.goes:
                return work(*args, **named)
            with CLOCK.step(step):
                return work(*args, **named)

        return watched

    return decorated
