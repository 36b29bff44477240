"""How simulators count: always, never, or only while a run is being measured (`Gauge`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from cache_sim.native.code import STATE, Field, Writer


class Counting(Protocol):
    """How numbers are increased that are no state of a simulator."""

    @property
    def partial(self) -> bool:
        """Whether a part of a run is not counted."""
        ...

    @property
    def counts(self) -> bool:
        """Whether the code that is being written counts."""
        ...

    def count(self, out: Writer, pointer: str, amount: str, column: str = "") -> None:
        """Write the increase of a number by an i64, and of the sum `column`, if there is one of the name."""
        ...


def increase(out: Writer, pointer: str, amount: str) -> None:
    """Write the increase of a number in memory by an i64."""
    value = out.put(f"add i64 {out.put(f'load i64, ptr {pointer}, {STATE}')}, {amount}")
    out.lines.append(f"store i64 {value}, ptr {pointer}, {STATE}")


class Always:
    """Counts everything."""

    partial = False
    counts = True

    def count(self, out: Writer, pointer: str, amount: str, column: str = "") -> None:
        """Write the increase."""
        increase(out, pointer, amount)


ALWAYS = Always()


class Never:
    """Counts nothing, as simulators that are only kept warm."""

    partial = True
    counts = False

    def count(self, out: Writer, pointer: str, amount: str, column: str = "") -> None:
        """Write nothing."""


NEVER = Never()


@dataclass(slots=True)
class Gauge:
    """Counts in the version of a program that is measured; `columns` are the places of sums.

    `partial`: there are other versions.  `counts` is set to false while one of these is written.
    """

    columns: Mapping[str, str]
    partial: bool
    counts: bool = True

    def count(self, out: Writer, pointer: str, amount: str, column: str = "") -> None:
        """Write the increase of a number, and of its sum."""
        if not self.counts:
            return
        increase(out, pointer, amount)
        if column in self.columns:
            increase(out, self.columns[column], amount)


@dataclass(frozen=True, slots=True)
class RowCounting:
    """Counts always, and adds to the sums of the row of a table that is under way.

    The word `base` has the address of the row; `offsets` are the places of sums in a row, in words.
    """

    base: Field
    offsets: Mapping[str, int]
    partial = False
    counts = True

    def count(self, out: Writer, pointer: str, amount: str, column: str = "") -> None:
        """Write the increase of a number, and of its sum in the row."""
        increase(out, pointer, amount)
        if column in self.offsets:
            increase(out, self.place(out, column), amount)

    def place(self, out: Writer, column: str) -> str:
        """Write code that finds the place of a sum; return the pointer."""
        row = out.put(f"load i64, ptr {self.base.pointer}, {STATE}")
        return out.put(f"inttoptr i64 {out.put(f'add i64 {row}, {8 * self.offsets[column]}')} to ptr")
