"""Numbering the improving changes, so that `-max-changes N` can stop after the Nth (vpoiso's idea).

A `FunctionState` asks its `Changes` for leave once for each improving change that a phase makes through it; those without
which code would be wrong (`FunctionState.required`) are not counted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from vpo.rtl import Rtl
from vpo.rtl.function import Function, Phi
from vpo.text import show_effects, show_phi


@dataclass(eq=False)
class Changes:
    """The improving changes of one compilation: how many were made, and how many may be (None: any number).

    `observer` is called with the number of each change before it is made.
    """

    limit: int | None = None
    made: int = 0
    observer: Callable[[int], None] | None = None

    def permits(self) -> bool:
        """Return whether one more change may be made; it is counted if so."""
        if self.limit is not None and self.made >= self.limit:
            return False
        self.made += 1
        if self.observer is not None:
            self.observer(self.made)
        return True


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
    def during(self, run: int, phase: str, changes: Changes) -> Iterator[None]:
        """Note each change that a phase makes inside the block."""
        self.run, self.phase, self.change = run, phase, 0
        changes.observer = self._before
        try:
            yield
        finally:
            changes.observer = None
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
