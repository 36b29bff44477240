"""What is known of a program without a run, as data: its functions, and the kinds of RTLs that they consist of.

`ease.model.static_program` finds it out.  Nothing of the compiler is imported here, so that reports of what is known begin at
once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ease.model.results import Access, Constant, OperandField, Reference


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
