"""Why a cache misses (Hill's three Cs, and context switches)."""

from __future__ import annotations

from enum import Enum


class Cause(Enum):
    """The first that applies: the cache was never asked for the line; not since the last context switch; it would not
    be in a fully associative LRU cache of the same size either; it would.
    """

    COMPULSORY = "compulsory"
    SWITCH = "switch"
    CAPACITY = "capacity"
    CONFLICT = "conflict"


class CauseFinder:
    """Follows the accesses of a cache of so many lines, with a fully associative LRU cache beside it."""

    def __init__(self, lines: int) -> None:
        self.lines = lines
        self.ever: set[int] = set()
        self.since_switch: set[int] = set()
        self.associative: dict[int, None] = {}  # in the order of use: the last used is last

    def ask(self, line: int, enters: bool) -> Cause:
        """Return the cause of a miss, if this access is one, and remember the access.

        `enters`: whether the line is brought in if it is absent (a write may not allocate).
        """
        cause = self._cause(line)
        self.ever.add(line)
        self.since_switch.add(line)
        if line in self.associative or enters:
            self.associative.pop(line, None)
            self.associative[line] = None
            if len(self.associative) > self.lines:
                del self.associative[next(iter(self.associative))]
        return cause

    def switch(self) -> None:
        """Empty the cache."""
        self.since_switch.clear()
        self.associative.clear()

    def _cause(self, line: int) -> Cause:
        if line not in self.ever:
            return Cause.COMPULSORY
        if line not in self.since_switch:
            return Cause.SWITCH
        return Cause.CONFLICT if line in self.associative else Cause.CAPACITY
