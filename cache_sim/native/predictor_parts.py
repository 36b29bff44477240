"""What all branch predictors in host code share: places, numbers of mistakes, the interface; and static predictors."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from cache_sim.native.code import Writer
from cache_sim.native.gauge import Counting
from cache_sim.native.state import Field, Read
from cache_sim.predictors.predictor import Kind, Static

STEP, WRONG, TAKEN = 16, 64, 8  # of a counter, of a mistake, of a branch that is taken, in a word


@dataclass(frozen=True, slots=True)
class Place:
    """A transfer of control in the program; `number` counts them."""

    number: int
    kind: Kind
    address: int
    target: int


@dataclass(frozen=True, slots=True)
class Past:
    """A history that the whole program shares: an i64 in a variable of each function, 0 at the start."""

    variable: str


@dataclass(frozen=True, slots=True)
class Mistakes:
    """The number of mistakes of each transfer, and how they are counted; their sum is a column of that."""

    wrong: Field
    counting: Counting
    name: str

    def count(self, out: Writer, place: Place, amount: str) -> None:
        """Write the count of mistakes."""
        self.counting.count(out, self.wrong.element(place.number), amount, mistakes_column(self.name))

    def count_in(self, out: Writer, place: Place, change: str) -> None:
        """Write the count of a mistake, if a change contains one: only then it is at least half of WRONG."""
        rounded = out.put(f"add i8 {change}, {WRONG // 2 - STEP}")
        self.count(out, place, out.put(f"zext i8 {out.put(f'lshr i8 {rounded}, {WRONG.bit_length() - 1}')} to i64"))


def mistakes_column(name: str) -> str:
    """Return the name of the sum of a predictor's mistakes."""
    return f"mistakes {name}"


class PredictorCode(Protocol):
    """A predictor whose memory is laid out."""

    past: Sequence[Past]

    def transfer(self, out: Writer, place: Place, outcome: str) -> None:
        """Write the prediction and update for a transfer; the outcome is an i1 for a branch, else an i64."""
        ...

    def called(self, out: Writer, back: int) -> None:
        """Write the update for a call; `back` is the address to which it returns."""
        ...

    def is_alone(self, place: Place, others: Collection[Place]) -> bool:
        """True if none of the `others` changes the state that predicts a branch."""
        ...

    def take(self, out: Writer, place: Place, variable: str) -> None:
        """Write the load of the word of a branch into a variable, an i64, where it stays during a loop."""
        ...

    def put_back(self, out: Writer, place: Place, variable: str) -> None:
        """Write the store of that variable back into the word."""
        ...

    def change(self, out: Writer, variable: str, outcome: str) -> None:
        """Write the update of a word that is in a variable."""
        ...

    def repeat(self, out: Writer, place: Place, times: str, taken: bool, left: bool) -> None:
        """Write `times` updates (an i64) for equal outcomes of a branch, and then one for the other outcome if it `left`."""
        ...

    def functions(self) -> str:
        """Return the functions that the program calls."""
        ...

    def mistakes(self, place: Place, read: Read, executed: int, taken: int) -> int:
        """Return how often a transfer was mispredicted, given how often it was executed and taken."""
        ...


@dataclass(eq=False)
class BaseCode:
    """The default for each method: most predictors have neither calls nor words in variables."""

    past: Sequence[Past] = ()

    def called(self, out: Writer, back: int) -> None:
        """Write nothing."""

    def is_alone(self, place: Place, others: Collection[Place]) -> bool:
        """Return False: every other branch changes the state."""
        return False

    def take(self, out: Writer, place: Place, variable: str) -> None:
        """Write nothing: it is never called."""

    def put_back(self, out: Writer, place: Place, variable: str) -> None:
        """Write nothing: it is never called."""

    def change(self, out: Writer, variable: str, outcome: str) -> None:
        """Write nothing: it is never called."""

    def repeat(self, out: Writer, place: Place, times: str, taken: bool, left: bool) -> None:
        """Write nothing: it is never called."""

    def functions(self) -> str:
        """Return nothing."""
        return ""


@dataclass(eq=False)
class StaticCode(BaseCode):
    """A static predictor: its mistakes follow from counts; `made`, if sums are wanted during the run."""

    predictor: Static = field(kw_only=True)
    made: Mistakes | None = None

    def transfer(self, out: Writer, place: Place, outcome: str) -> None:
        """Write the count of a mistake, if there is a sum of them and it is known during the run what is predicted."""
        expected = self.predictor.predict(place.address, place.target)
        if self.made is not None and expected is not None:
            wrong = out.put(f"icmp ne i1 {outcome}, {expected}")
            self.made.count(out, place, out.put(f"zext i1 {wrong} to i64"))

    def mistakes(self, place: Place, read: Read, executed: int, taken: int) -> int:
        """Return the mistakes, from how often the transfer was executed and taken."""
        return self.predictor.mispredicted(place.address, place.target, executed, taken)
