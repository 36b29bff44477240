"""Predictions that are made before the program runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from cache_sim.predictors.predictor import Static


@dataclass
class Taken(Static):
    """Every branch is taken."""

    def predict(self, address: int, target: int) -> int:
        """Return 1."""
        return 1


@dataclass
class NotTaken(Static):
    """No branch is taken."""

    def predict(self, address: int, target: int) -> int:
        """Return 0."""
        return 0


@dataclass
class Backward(Static):
    """Branches backward are taken, as they close loops; those forward are not (J. E. Smith, 1981)."""

    def predict(self, address: int, target: int) -> int:
        """Return whether the target lies before the branch."""
        return int(target <= address)


@dataclass
class Profile(Static):
    """Each branch goes where it went more often: in an earlier run, if `directions` says where that was, by address.

    Otherwise in the very run that is predicted, which no static predictor can beat.  Then there is no telling during
    the run.  Branches that `directions` does not name are not taken.
    """

    directions: Mapping[int, int] | None = field(default=None, repr=False)

    @property
    def known(self) -> bool:
        """Whether there was an earlier run."""
        return self.directions is not None

    def predict(self, address: int, target: int) -> int | None:
        """Return where the branch went in the earlier run; None without one."""
        return None if self.directions is None else self.directions.get(address, 0)

    def mispredicted(self, address: int, target: int, executed: int, taken: int) -> int:
        """Return how often the branch went the other way."""
        if self.directions is None:
            return min(taken, executed - taken)
        return super().mispredicted(address, target, executed, taken)
