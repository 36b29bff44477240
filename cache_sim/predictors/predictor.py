"""What a branch predictor is.  Those that there are, are dataclasses: fields that can be given are their configuration."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from cache_sim.config import ConfigurationError, demand_power_of_two


class Kind(StrEnum):
    """A transfer of control that has to be predicted: where it goes is known only when it is executed."""

    BRANCH = "branch"  # conditional, to a known target
    JUMP = "jump"  # to an address worked out
    CALL = "call"  # likewise
    RETURN = "return"


BRANCHES = frozenset({Kind.BRANCH})
MOST_ENTRIES = 1 << 20  # what a run keeps of them has to find room in memory


def demand_entries(entries: int) -> None:
    """Raise ConfigurationError for a number of entries that is no power of two, or too large."""
    demand_power_of_two("entries", entries)
    if entries > MOST_ENTRIES:
        message = f"{entries:,} entries are more than the {MOST_ENTRIES:,} that a predictor may have"
        raise ConfigurationError(message, "entries")


class Predictor(ABC):
    """Predicts transfers of some kinds.

    `address` is where in the program the transfer is (the same each time), `target` where a branch goes if it is taken
    (0 for other kinds).  An outcome is whether a branch was taken (0 or 1); for other kinds, the address gone to.
    """

    kinds: ClassVar[frozenset[Kind]] = BRANCHES

    @abstractmethod
    def predict(self, address: int, target: int) -> int | None:
        """Return the outcome expected; None if nothing is known."""

    def update(self, address: int, target: int, outcome: int) -> None:  # noqa: B027  some learn nothing
        """Be told the outcome, after `predict`."""

    def called(self, back: int) -> None:  # noqa: B027  calls need not matter
        """Be told of any call, direct or not, and of the address that it is to return to."""


@dataclass
class Static(Predictor):
    """A predictor of branches that does not change its mind: what it mispredicts follows from counts."""

    @property
    def known(self) -> bool:
        """Whether it is known before the run what is predicted."""
        return True

    def mispredicted(self, address: int, target: int, executed: int, taken: int) -> int:
        """Return how often a branch was mispredicted that was executed and taken so often."""
        return executed - taken if self.predict(address, target) else taken
