"""Numbering the improving changes, so that `-max-changes N` can stop after the Nth (vpoiso's idea).

A `FunctionState` asks `permitted()` once for each improving change that a phase makes through it; those without which code
would be wrong (`FunctionState.required`) are not counted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from vpo.rtl import Rtl
from vpo.rtl.function import Function, Phi
from vpo.text import show_effects, show_phi


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



# ----------------------------------------------------------------------------------------------------------------------
# A record of a function before and after each change, for those who want to watch phases at work, as xvpodb let them.


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a function: a label (number 0, no source line), or an RTL, which keeps its number while it is changed."""

    number: int
    text: str
    lines: tuple[int, ...] = ()
    cause: str = ""


@dataclass(frozen=True, slots=True)
class Step:
    """A function after a change: `change` is its number in the compilation, 0 where code without it would be wrong.

    `run` is the number of the phase in the order of running, from 1; 0 stands for the expander.
    """

    run: int
    phase: str
    change: int
    rows: tuple[Row, ...]


class ChangeRecord:
    """Follows the function of a name through the phases; steps that change nothing are left out."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.file = ""
        self.steps: list[Step] = []
        self.numbers: dict[Rtl | Phi, int] = {}  # keeps them alive, so that none gets the place of another
        self.function: Function | None = None
        self.run, self.phase, self.change = 0, "expand", 0

    def begin(self, function: Function) -> None:
        """Note how the function is before the first phase."""
        self.function, self.file = function, function.file
        self._note()

    @contextmanager
    def during(self, run: int, phase: str) -> Iterator[None]:
        """Note each change that a phase makes inside the block."""
        self.run, self.phase, self.change = run, phase, 0
        with observed(self._before):
            yield
        self._note()

    def _before(self, change: int) -> None:
        """Note what was done until now; a change follows."""
        self._note()
        self.change = change

    def _note(self) -> None:
        rows = self._rows()
        if not self.steps or rows != self.steps[-1].rows:
            self.steps.append(Step(self.run, self.phase, self.change, rows))
        self.change = 0

    def _rows(self) -> tuple[Row, ...]:
        assert self.function is not None
        rows = []
        for block in self.function.blocks:
            rows.append(Row(0, block.label))
            rows += [Row(self._number(phi), show_phi(phi), phi.lines, phi.cause) for phi in block.phis]
            rows += [Row(self._number(rtl), show_effects(rtl.effects), rtl.lines, rtl.cause) for rtl in block.rtls]
        return tuple(rows)

    def _number(self, line: Rtl | Phi) -> int:
        return self.numbers.setdefault(line, len(self.numbers) + 1)
