"""Literal pools: words in the text, near the instructions that read them as `L[LIT[e]]`.

Where they stand follows from the code alone: behind a function, and before that behind an RTL that never lets control
pass, wherever the next such place would be out of reach; on machines that reach backwards only, in front of the function,
which is aligned behind it.  A pool holds a literal once.  It is aligned as pointers are; what is between it and the code
before it is filler.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from vpo.analysis.cfg import transfer_of
from vpo.machines.machine import Machine
from vpo.rtl import Branch, Half, Rtl
from vpo.rtl.function import Function

NO_LIMIT = 1 << 62


@dataclass(eq=False, slots=True)
class Pool:
    """The literals read in the blocks from `first` to `last`, behind which they lie, at or, where aligned, behind `offset`.

    None may lie beyond `deadline`.
    """

    first: int
    last: int
    offset: int = 0
    literals: dict[Half, None] = field(default_factory=dict)
    deadline: int = NO_LIMIT
    before: bool = False  # in front of the function

    def add(self, rtl: Rtl, machine: Machine) -> None:
        """Add the literals of an RTL at `offset`, which becomes that behind it."""
        for literal in literals_of(rtl):
            self.literals[literal] = None
            reach = machine.reach(rtl)
            self.deadline = min(self.deadline, self.offset + reach[1] if reach else NO_LIMIT)
        self.offset += machine.record(rtl).size

    def start(self, machine: Machine, room: int = 0) -> int:
        """Return the offset of the first literal, with `room` bytes before the pool."""
        if self.before:
            return -room_before(self, machine)
        alignment = machine.literal_alignment
        return -(-(self.offset + room) // alignment) * alignment

    def end(self, machine: Machine) -> int:
        """Return the offset behind the last literal."""
        return self.start(machine) + len(self.literals) * machine.literal_size

    def span(self, machine: Machine) -> range:
        """Return the offsets of the literals and of the filler beside them."""
        return range(self.start(machine), 0) if self.before else range(self.offset, self.end(machine))

    def is_late(self, machine: Machine, room: int = 0) -> bool:
        """Whether a literal is out of reach, with `room` bytes before the pool."""
        if self.before:
            return False
        last = self.start(machine, room) + (len(self.literals) - 1) * machine.literal_size
        return bool(self.literals) and last > self.deadline


def room_before(pool: Pool, machine: Machine) -> int:
    """Return the bytes from the first literal of a pool to the function behind it."""
    alignment = machine.syntax.function_align
    return -(-len(pool.literals) * machine.literal_size // alignment) * alignment


def literals_of(rtl: Rtl) -> list[Half]:
    """Return the literals that an RTL reads."""
    return [cell.address for cell in rtl.loads if type(cell.address) is Half and cell.address.is_literal]


def literal_pools(function: Function, machine: Machine) -> list[Pool]:
    """Return the pools of a function, in order."""
    if not machine.capabilities.literals:
        return []
    if machine.capabilities.literals_before:
        pool = Pool(0, len(function.blocks) - 1, before=True)
        for segment in _segments(function, machine):
            pool.literals |= segment.literals
        return [pool] if pool.literals else []
    pools: list[Pool] = []
    waiting = Pool(0, 0)
    for segment in _segments(function, machine):
        both = _joined(waiting, segment)
        if both.is_late(machine) and waiting.literals:
            pools.append(waiting)
            both = _joined(Pool(segment.first, segment.first, waiting.end(machine)), segment)
        waiting = both
    return [*pools, waiting] if waiting.literals else pools


def _joined(before: Pool, after: Pool) -> Pool:
    """Return the pool for the literals of two stretches of code; the offsets of the second are from its start."""
    return Pool(
        before.first if before.literals else after.first, after.last, before.offset + after.offset,
        {**before.literals, **after.literals}, min(before.deadline, before.offset + after.deadline),
    )  # fmt: skip


def _segments(function: Function, machine: Machine) -> Iterator[Pool]:
    """Yield the literals that are read between two places for a pool, with offsets from the first."""
    segment, end = Pool(0, 0), len(function.blocks) - 1
    for index, block in enumerate(function.blocks):
        for rtl in block.rtls:
            segment.add(rtl, machine)
        transfer = transfer_of(block, function.stage == "final")
        if index == end or (transfer is not None and not isinstance(transfer.transfer, Branch)):
            segment.last = index
            yield segment
            segment = Pool(index + 1, index + 1)
