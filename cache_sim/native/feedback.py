"""Profile feedback: what an earlier run measured at each site, and which strategy a check gets by it."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass
from enum import Enum


class Strategy(Enum):
    """How a check is written.

    `BRANCHING`: a test in line, and a call if it fails.  `BRANCHLESS`: everything in line.  `CALLED`: always a call.
    """

    BRANCHING = 0
    BRANCHLESS = 1
    CALLED = 2


@dataclass(frozen=True, slots=True)
class Feedback:
    """What an earlier run measured, by site.

    `hard`: the host predicts the test of the check badly.  `cold`: the check is hardly ever made, so small code is better.
    `apart`: the reference is often in another line than the reference with which it would be coalesced.
    """

    hard: Container[int] = frozenset()
    cold: Container[int] = frozenset()
    apart: Container[int] = frozenset()

    def strategy(self, site: int) -> Strategy:
        """Return the strategy for the check of a site."""
        return Strategy.CALLED if site in self.cold else Strategy.BRANCHLESS if site in self.hard else Strategy.BRANCHING
