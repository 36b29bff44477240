"""Interlocks that the machine leaves to the compiler: a result that comes late, sources that are still being read.

An independent RTL is moved in between, from before or after; if there is none, a no-operation.

r[2]=r[2]+4;                     r[8]=L[r[9]];
r[8]=L[r[9]];          =>        r[2]=r[2]+4;       (the load's result comes one instruction late)
r[3]=r[8]+1;                     r[3]=r[8]+1;
"""

from __future__ import annotations

from vpo.analysis.cfg import transfer_of
from vpo.analysis.liveness import Access, access, kept_bits, numbering_of
from vpo.machines.machine import Machine
from vpo.machines.match.record import MOST_SLOTS
from vpo.opt.state import ALIASES, FunctionState
from vpo.rtl import Register, Rtl
from vpo.rtl.function import Block

DISTANCE = MOST_SLOTS  # how far off an RTL to move in between may be: as far as results come late


def separate_hazards(state: FunctionState) -> None:
    """Keep instructions whose results come late apart from the uses; the code must be final."""
    function, machine = state.function, state.machine
    if not any(_hazardous(rtl, machine) for rtl in function.rtls()):
        return
    separator = _Separator(state)
    before: list[Rtl] = []  # the last RTLs of the blocks from which control falls into the next
    previous: Block | None = None
    for block in function.blocks:
        separator.separate(block)
        if previous is not None and before:
            separator.fall_into(before, previous, block)
        falls = transfer_of(block, delayed=True) is None
        before = [*before, *block.rtls][-DISTANCE:] if falls else []
        previous = block


def _hazardous(rtl: Rtl, machine: Machine) -> bool:
    record = machine.record(rtl)
    return bool(record.load_slots or record.hold_slots)


class _Separator:
    """Separates the RTLs of the blocks of one function."""

    def __init__(self, state: FunctionState) -> None:
        self.state, self.machine, self.aliases = state, state.machine, state.get(ALIASES)
        self.numbering = numbering_of(state.function, state.machine)

    def reads(self, rtl: Rtl) -> int:
        """Return the registers that an RTL needs, without those of which it sets a part and keeps the rest."""
        effect = rtl.single_set
        if effect is not None and type(effect.target) is Register and kept_bits(effect) is not None:
            return access(rtl, self.numbering).uses & ~self.numbering.mask((effect.target,))
        return access(rtl, self.numbering).uses

    def too_near(self, first: Rtl, second: Rtl, between: int) -> bool:
        """Whether two RTLs with so many instructions between them disturb each other."""
        record = self.machine.record(first)
        earlier, later = access(first, self.numbering), access(second, self.numbering)
        if between < record.load_slots and (earlier.sets | earlier.clobbers) & self.reads(second):
            return True
        return between < record.hold_slots and bool(earlier.uses & (later.sets | later.clobbers))

    def hazard(self, rtls: list[Rtl]) -> tuple[int, int] | None:
        """Return the first two RTLs in a list that are too near to each other, the later one as early as possible.

        What follows a transfer is unknown: it ends only when nothing is under way.
        """
        for second, rtl in enumerate(rtls):
            slots = self.machine.record(rtl).slots if rtl.transfer is not None or rtl.call is not None else -1
            for first in range(max(0, second - DISTANCE), second):
                if self.too_near(rtls[first], rtl, second - first - 1):
                    return first, second
                record = self.machine.record(rtls[first])
                if slots >= 0 and max(record.load_slots, record.hold_slots) > second - first + slots:
                    return first, second
        return None

    def separate(self, block: Block) -> None:
        """Separate the RTLs of one block."""
        while (found := self.hazard(block.rtls)) is not None:
            first, second = found
            moved = self.moved(block.rtls, first, second)
            if moved is None or not self.state.change({block: moved}):
                self._pad(block, second - self.depth(block.rtls, second), block.rtls[first])

    def _pad(self, block: Block, place: int, late: Rtl) -> None:
        """Insert a no-operation, which an RTL with a late result needs."""
        with self.state.required():
            self.state.insert(block, place, [Rtl((), late.lines, "delay")])

    def fall_into(self, before: list[Rtl], previous: Block, block: Block) -> None:
        """Separate the RTLs before a block, which may be of several short blocks, from its beginning; pad the previous one."""
        begin = block.rtls[:DISTANCE]
        while any(
            self.too_near(earlier, later, len(before) - 1 - i + j)
            for i, earlier in enumerate(before)
            for j, later in enumerate(begin)
        ):
            self._pad(previous, len(previous.rtls), before[-1])
            before.append(previous.rtls[-1])

    def moved(self, rtls: list[Rtl], first: int, second: int) -> list[Rtl] | None:
        """Move an independent RTL between two that are too near, without bringing others too near; None if none can."""
        if self.depth(rtls, second):
            return None
        for position in range(first - 1, max(-1, first - 1 - DISTANCE), -1):
            if self.depth(rtls, position) or not self.movable(rtls[position]):
                break
            if self.independent(rtls[position], rtls[position + 1 : second]):
                new = [*rtls[:position], *rtls[position + 1 : second], rtls[position], *rtls[second:]]
                if self.better(new, second):
                    return new
        for position in range(second + 1, min(len(rtls), second + 1 + DISTANCE)):
            if not (self.movable(rtls[position]) and self.movable(rtls[position - 1])):
                break
            if self.independent(rtls[position], rtls[second:position], earlier=True):
                new = [*rtls[:second], rtls[position], *rtls[second:position], *rtls[position + 1 :]]
                if self.better(new, second):
                    return new
        return None

    def depth(self, rtls: list[Rtl], position: int) -> int:
        """Return how far behind a transfer an RTL stands in one of its delay slots; 0 if it does not."""
        for distance in range(1, min(DISTANCE, position) + 1):
            if self.machine.record(rtls[position - distance]).slots >= distance:
                return distance
        return 0

    def better(self, rtls: list[Rtl], position: int) -> bool:
        """Whether all is well up to and including a position."""
        found = self.hazard(rtls[: position + 1])
        return found is None

    def movable(self, rtl: Rtl) -> bool:
        """Whether an RTL may move at all."""
        record = self.machine.record(rtl)
        special = rtl.call is not None or rtl.transfer is not None or record.slots or not rtl.effects
        return not (special or rtl.system_call is not None)

    def independent(self, rtl: Rtl, others: list[Rtl], earlier: bool = False) -> bool:
        """Whether an RTL may change places with all of some others, which are behind it or `earlier`."""
        pointer = self.machine.stack_pointer
        mine = self._with_stack(rtl)
        for other in others:
            theirs = self._with_stack(other)
            if mine.sets & (theirs.sets | theirs.uses) or mine.uses & theirs.sets:
                return False
            if self.aliases.conflict(other, rtl) if earlier else self.aliases.conflict(rtl, other):
                return False
            if not self.movable(other) and other.effects:
                return False
        return pointer not in rtl.sets

    def _with_stack(self, rtl: Rtl) -> Access:
        """Return what an RTL reads and changes, the stack pointer among it (as the bit before all others)."""
        entry, pointer = access(rtl, self.numbering), self.machine.stack_pointer
        uses = entry.uses << 1 | (pointer in rtl.uses)
        return Access(uses, (entry.sets | entry.clobbers) << 1 | (pointer in rtl.sets), 0)
