"""How simulators count: always, or only while a run is being measured (`Gauge`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from cache_sim.native.code import STATE, Writer
from cache_sim.native.state import Field


class Counting(Protocol):
    """How numbers are increased that are no state of a simulator."""

    @property
    def partial(self) -> bool:
        """Whether a part of a run is not counted."""
        ...

    def weighted(self, out: Writer, amount: str) -> str:
        """Write code for the part of an i64 that counts; return it."""
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

    def weighted(self, out: Writer, amount: str) -> str:
        """Return the amount."""
        return amount

    def count(self, out: Writer, pointer: str, amount: str, column: str = "") -> None:
        """Write the increase."""
        increase(out, pointer, amount)


ALWAYS = Always()


@dataclass(frozen=True, slots=True)
class Gauge:
    """Counts while the word `weight` is 1, and not while it is 0; `columns` are the places of sums.

    `partial`: the word is 0 at times.
    """

    weight: Field
    columns: Mapping[str, str]
    partial: bool

    def weighted(self, out: Writer, amount: str) -> str:
        """Write the multiplication by the weight, unless that is always 1."""
        if not self.partial:
            return amount
        weight = out.put(f"load i64, ptr {self.weight.pointer}, {STATE}")
        return out.put(f"mul i64 {amount}, {weight}")

    def count(self, out: Writer, pointer: str, amount: str, column: str = "") -> None:
        """Write the weighted increase."""
        weighted = self.weighted(out, amount)
        increase(out, pointer, weighted)
        if column in self.columns:
            increase(out, self.columns[column], weighted)


@dataclass(frozen=True, slots=True)
class RowCounting:
    """Counts always, and adds to the sums of the row of a table that is under way.

    The word `base` has the address of the row; `offsets` are the places of sums in a row, in words.
    """

    base: Field
    offsets: Mapping[str, int]
    partial = False

    def weighted(self, out: Writer, amount: str) -> str:
        """Return the amount."""
        return amount

    def count(self, out: Writer, pointer: str, amount: str, column: str = "") -> None:
        """Write the increase of a number, and of its sum in the row."""
        increase(out, pointer, amount)
        if column in self.offsets:
            increase(out, self.place(out, column), amount)

    def place(self, out: Writer, column: str) -> str:
        """Write code that finds the place of a sum; return the pointer."""
        row = out.put(f"load i64, ptr {self.base.pointer}, {STATE}")
        return out.put(f"inttoptr i64 {out.put(f'add i64 {row}, {8 * self.offsets[column]}')} to ptr")
