"""What is known of a program without a run, as data: its functions, and the kinds of RTLs that they consist of.

`ease.model.static_program` finds it out.  Nothing of the compiler is imported here, so that reports of what is known begin at
once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

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


@dataclass(frozen=True, slots=True)
class Kind:
    """What RTLs with the same effects and cause are.

    `size` is in bytes, `latency` in cycles.  Not `counted` is a part of another instruction.  `transfers`: calls or transfers
    control.  `arguments` has, of a call, how many registers carry arguments.
    """

    instruction: str
    cause: str
    size: int
    latency: int
    counted: bool
    transfers: bool
    operands: tuple[OperandField, ...] = ()
    references: tuple[Reference, ...] = ()
    registers: tuple[Access, ...] = ()
    condition_codes: tuple[Access, ...] = ()
    constants: tuple[Constant, ...] = ()
    arguments: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class StaticFunction:
    """A function: for each RTL the number of its kind and its first source line; where each block begins.

    `branches` has the position of the conditional branch of each block that ends with one; `ends` the positions, among counted
    RTLs, behind which a transfer of control, with its delay slots, is over; `windows` the positions of RTLs that move the
    register window, with the direction ('enter' or 'leave').  `labels` has those of the blocks, if they are known.
    """

    name: str
    file: str
    kinds: tuple[int, ...]
    lines: tuple[int, ...]
    blocks: tuple[int, ...]
    branches: Mapping[int, int] = field(default_factory=dict)
    ends: frozenset[int] = frozenset()
    windows: Mapping[int, str] = field(default_factory=dict)
    labels: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class StaticProgram:
    """A program; `spilled` has, for both directions, the references that a trap of register windows makes."""

    machine: str
    kinds: Sequence[Kind]
    functions: Mapping[str, StaticFunction]
    spilled: Mapping[str, tuple[Reference, ...]]
