"""The transfers of control whose outcome is known only when they are executed, and where in a program they are.

The interpreter's observer of transfers and the simulators in host code go by this.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import gcd

from vpo.analysis.call_graph import INDIRECT, callee_of
from vpo.analysis.cfg import OUTSIDE, transfer_of
from vpo.program import Program
from vpo.rtl import Branch, Call, Effect, IndirectJump, Return
from vpo.rtl.function import Function


@dataclass(frozen=True, slots=True)
class Transfer:
    """A transfer of a 'branch' (conditional), 'jump', 'call' (both indirect) or 'return': the RTL at `index` of a block.

    `number` is the RTL's in the program, as host code numbers them, `position` the one in its function.  `address` is that
    of the instruction's last byte: it tells instructions apart also on a machine whose instructions are bytes, and is
    known to a machine that has fetched one.  `target`: where a branch goes if taken, else 0.
    """

    kind: str
    function: str
    block: int
    index: int
    position: int
    number: int
    address: int
    target: int


def kind_of(effect: Effect, program: Program) -> str:
    """Return what kind of transfer an effect is; '' for what always goes the same way."""
    match effect:
        case Branch():
            return "branch"
        case IndirectJump():
            return "jump"
        case Return():
            return "return"
        case Call():
            return "call" if callee_of(program, effect) == INDIRECT else ""
    return ""


def transfers(program: Program) -> Iterator[Transfer]:
    """Yield the transfers of a program in the order of its instructions."""
    for name, function in program.functions.items():
        fetched = program.fetched[name]
        for block_number, (block, start) in enumerate(zip(function.blocks, function.block_starts(), strict=True)):
            for index, rtl in enumerate(block.rtls):
                effect = rtl.transfer or rtl.call
                kind = kind_of(effect, program) if effect is not None else ""
                if kind:
                    position = start + index
                    target = program.labels[name, effect.label] if isinstance(effect, Branch) else 0
                    place = fetched[position][1] - 1
                    yield Transfer(kind, name, block_number, index, position, program.number(name, position), place, target)


def unit(program: Program) -> int:
    """Return the largest number of bytes of which the size of every instruction is a multiple."""
    return gcd(*(end - start for fetched in program.fetched.values() for start, end in fetched)) or 1


# ----------------------------------------------------------------------------------------------------------------------
# Jump tables that several blocks of a function jump by, as the dispatches of a threaded interpreter do.
#
# Each has a number below that of any block, so that edges can lead over it: with 250 dispatches of 250 operations, 500 edges
# stand for 62,500.


@dataclass(frozen=True, slots=True)
class JumpTable:
    """The labels of a table, the blocks that jump by it, and its number, which is less than OUTSIDE."""

    number: int
    labels: tuple[str, ...]
    blocks: tuple[int, ...]


def shared_tables(function: Function) -> dict[tuple[str, ...], JumpTable]:
    """Return the tables that more than one block jumps by, by their labels."""
    users: dict[tuple[str, ...], list[int]] = {}
    for number, block in enumerate(function.blocks):
        rtl = transfer_of(block, function.stage == "final")
        if rtl is not None and isinstance(rtl.transfer, IndirectJump):
            users.setdefault(rtl.transfer.labels, []).append(number)
    shared = {labels: blocks for labels, blocks in users.items() if len(blocks) > 1}
    return {labels: JumpTable(OUTSIDE - 1 - i, labels, tuple(shared[labels])) for i, labels in enumerate(shared)}
