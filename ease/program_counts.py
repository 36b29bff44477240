"""How often things stand in a program and happen in its run: numbers of a kind, which add."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Count:
    """How often something stands in the program, and how often it happened when the program ran."""

    static: int = 0
    dynamic: int = 0

    def __add__(self, other: Count) -> Count:
        return Count(self.static + other.static, self.dynamic + other.dynamic)


NO_COUNT = Count()


@dataclass(frozen=True, slots=True)
class BranchCount:
    """A conditional branch: how often in the program, executed and taken."""

    static: int = 0
    dynamic: int = 0
    taken: int = 0

    def __add__(self, other: BranchCount) -> BranchCount:
        return BranchCount(self.static + other.static, self.dynamic + other.dynamic, self.taken + other.taken)


@dataclass(frozen=True, slots=True)
class SlotCount:
    """A delay slot: how often in the program, executed and annulled."""

    static: int = 0
    dynamic: int = 0
    annulled: int = 0

    def __add__(self, other: SlotCount) -> SlotCount:
        return SlotCount(self.static + other.static, self.dynamic + other.dynamic, self.annulled + other.annulled)
