"""How to write the check at a site, as an earlier run tells."""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import dataclass, field
from enum import Enum


class Strategy(Enum):
    """`BRANCHING`: a test in line, and a call if it fails.  `BRANCHLESS`: all in line.  `CALLED`: nothing in line."""

    BRANCHING = 0
    BRANCHLESS = 1
    CALLED = 2


@dataclass(frozen=True, slots=True)
class Feedback:
    """Sites whose checks a host predicts badly (`hard`), and sites hardly ever come to (`cold`), where less code is better.

    `apart` are those of data that are often in another line than what lies beside them.  `trip_counts` tells how often loops are
    iterated each time, by the sites of their first instructions.
    """

    hard: Container[int] = frozenset()
    cold: Container[int] = frozenset()
    apart: Container[int] = frozenset()
    trip_counts: Mapping[int, int] = field(default_factory=dict)

    def strategy(self, site: int) -> Strategy:
        """Return how to write the check of a site."""
        return Strategy.CALLED if site in self.cold else Strategy.BRANCHLESS if site in self.hard else Strategy.BRANCHING
