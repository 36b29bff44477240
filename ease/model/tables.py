"""Tables that add."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

K = TypeVar("K", bound=Hashable)


def add_tables(mine: Mapping[K, Any], theirs: Mapping[K, Any]) -> dict[K, Any]:
    """Add the counts of two tables."""
    result = dict(mine)
    for key, count in theirs.items():
        result[key] = result[key] + count if key in result else count
    return result


# ----------------------------------------------------------------------------------------------------------------------
# What counts are kept by: the keys of the tables of a measurement.


DATA_TYPES = {"B": "BYTE", "W": "WORD", "L": "LONG", "Q": "QUAD", "F": "FLOAT", "D": "DOUBLE", "C": "CC", "G": "CC"}
WINDOW = "window"  # the cause of what is stored and loaded because there are not enough register windows
CAUSE_GROUPS = {  # why data are referenced, as Figure 12 of the paper, which does not say where arguments on the stack are
    "argument": "arguments",
    **dict.fromkeys(("save", "callsave", WINDOW), "save/restore"),
    **dict.fromkeys(("linkage", "startup"), "linkage"),
}
OTHER_CAUSES = "variables"


@dataclass(frozen=True, slots=True, order=True)
class Constant:
    """A constant in an instruction: what it is used for ('immediate', 'displacement'), and the bits that it needs, signed."""

    use: str
    bits: int


@dataclass(frozen=True, slots=True, order=True)
class OperandField:
    """A line of the operand field table (Table VI of the paper)."""

    instruction: str
    field: str
    mode: str
    type: str


@dataclass(frozen=True, slots=True, order=True)
class Reference:
    """A kind of reference to memory: 'read' or 'write', why, of what data type, through which addressing mode."""

    direction: str
    cause: str
    type: str
    mode: str

    @property
    def group(self) -> str:
        """The group of causes, as in Figure 12 of the paper, but for arguments."""
        return CAUSE_GROUPS.get(self.cause, OTHER_CAUSES)


@dataclass(frozen=True, slots=True, order=True)
class Access:
    """The use of a register, or of a condition code by an instruction: 'read' or 'write'."""

    register: str
    direction: str
    instruction: str = ""


@dataclass(frozen=True, slots=True, order=True)
class Line:
    """A source line; number 0 stands for what no line is known of."""

    file: str
    number: int

    def __str__(self) -> str:
        return f"{self.file}:{self.number}"


# ----------------------------------------------------------------------------------------------------------------------
# How often things stand in a program and happen in its run: numbers of a kind, which add.


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
