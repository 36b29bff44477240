"""Control flow of a function: edges between blocks, reverse postorder, segments.  Computed, never stored on blocks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from vpo.algebra import reverse
from vpo.machines.machine import Machine
from vpo.rtl import CODE_TYPES, RELATIONS, Branch, Const, IndirectJump, Jump, Op, Register, Rtl
from vpo.rtl.function import Block, Function

# ----------------------------------------------------------------------------------------------------------------------
# Control flow of a function: edges between blocks, reverse postorder.  Computed, never stored on blocks.


OUTSIDE = -1  # in place of a block: where control comes from when a function is entered, and goes to when it is left


def transfer_of(block: Block, delayed: bool = False) -> Rtl | None:
    """Return the RTL that ends a block by a transfer of control, or None if it falls through.

    With `delayed`, the RTL may stand before those in its delay slots.
    """
    if not block.rtls:
        return None
    if not delayed:
        last = block.rtls[-1]
        return last if last.transfer is not None else None
    for rtl in reversed(block.rtls[-3:]):
        if rtl.transfer is not None:
            return rtl
    return None


def branch_of(block: Block) -> Branch | None:
    """Return the branch at the end of a block that does nothing else."""
    rtl = transfer_of(block)
    effect = rtl.effects[0] if rtl is not None and len(rtl.effects) == 1 else None
    return effect if type(effect) is Branch else None


def tested_truth(block: Block) -> tuple[Op, Rtl] | None:
    """Return the relation whose truth the branch at the end of a block tests in a hard register, and the RTL that compares.

    `t[0]=r[t1]>r[t2]; PC=t[0]==0,L5;` branches if r[t1]<=r[t2].  Some machines have one such register for all.
    """
    branch = branch_of(block)
    if branch is None or branch.condition.op not in ("==", "!=") or branch.condition.args[-1] is not Const(0):
        return None
    truth, changed = branch.condition.args[0], set[Register]()
    if type(truth) is not Register or truth.pseudo or truth.type in CODE_TYPES:
        return None
    for rtl in block.rtls[-2::-1]:
        if truth in rtl.sets:
            source = rtl.single_set.source if rtl.single_set is not None else None
            if type(source) is not Op or source.op not in RELATIONS or not changed.isdisjoint(source.uses):
                return None
            relation = Op(source.op, "", *source.args)
            return (relation if branch.condition.op == "!=" else reverse(relation)), rtl
        if truth in rtl.uses or rtl.call is not None:
            return None
        changed.update(rtl.sets)
    return None


def jumps_computed(block: Block) -> bool:
    """Whether a block ends by a jump to a computed address: what its table holds cannot be changed."""
    rtl = transfer_of(block)
    return rtl is not None and isinstance(rtl.transfer, IndirectJump)


def falls_through(block: Block, delayed: bool = False) -> bool:
    """Whether control may go from the end of a block to the next one; `delayed` as `transfer_of` has it."""
    rtl = transfer_of(block, delayed)
    return rtl is None or isinstance(rtl.transfer, Branch)


def end_of(block: Block) -> int:
    """Return the place behind the last RTL of a block but a transfer."""
    return len(block.rtls) - (transfer_of(block) is not None)


def annulled_slots(block: Block) -> int:
    """Return how many RTLs at the end of a block stand in delay slots that its branch may annul."""
    for count, rtl in enumerate(reversed(block.rtls[-3:])):
        if rtl.annuls:
            return count
    return 0


@dataclass(frozen=True)
class Cfg:
    """Edges by block index: `successors[i]` lists the fall-through first, then the targets.

    Blocks that jump by the same table share one list of successors: an interpreter may have hundreds of them.
    """

    labels: dict[str, int]
    successors: list[list[int]]
    predecessors: list[list[int]]
    _order: list[int] = field(default_factory=list, init=False, repr=False, compare=False)  # once it is asked for
    _reached: set[int] = field(default_factory=set, init=False, repr=False, compare=False)

    def reachable(self) -> set[int]:
        """Return the blocks that control can reach from the entry; nobody may change it."""
        if self._reached:
            return self._reached
        seen = self._reached
        seen.add(0)
        stack = [0]
        while stack:
            for successor in self.successors[stack.pop()]:
                if successor not in seen:
                    seen.add(successor)
                    stack.append(successor)
        return seen

    def reverse_postorder(self) -> list[int]:
        """Return the reachable blocks so that a block precedes its successors but for back edges; nobody may change it."""
        if not self._order:
            self._order.extend(self._postorder()[::-1])
        return self._order

    def _postorder(self) -> list[int]:
        order: list[int] = []
        successors, seen = self.successors, [False] * len(self.successors)
        work = [0]
        while work:
            block = work.pop()
            if block < 0:  # all that it leads to is there
                order.append(~block)
            elif not seen[block]:
                seen[block] = True
                work.append(~block)
                work += successors[block][::-1]
        return order


def build_cfg(function: Function) -> Cfg:
    """Find the edges of a function.

    Raises KeyError for a jump to a label that is not there.
    """
    blocks = function.blocks
    delayed = function.stage == "final"
    labels = {block.label: index for index, block in enumerate(blocks)}
    successors: list[list[int]] = []
    tables: dict[tuple[str, ...], list[int]] = {}
    last = len(blocks) - 1
    for index, block in enumerate(blocks):
        rtls, after = block.rtls, [index + 1] if index < last else []
        if delayed:
            rtl = transfer_of(block, True)
            effect = rtl.transfer if rtl is not None else None
        else:
            effect = rtls[-1].transfer if rtls else None
        if effect is None:
            successors.append(after)
        elif type(effect) is Branch:
            goal = labels[effect.label]
            successors.append(after if goal in after else [*after, goal])
        elif type(effect) is Jump:
            successors.append([labels[effect.label]])
        elif type(effect) is IndirectJump:
            names = effect.labels
            if names not in tables:
                tables[names] = list(dict.fromkeys(labels[name] for name in names))
            successors.append(tables[names])
        else:
            successors.append([])
    predecessors: list[list[int]] = [[] for _ in blocks]
    for index, targets in enumerate(successors):
        for target in targets:
            predecessors[target].append(index)
    return Cfg(labels, successors, predecessors)


# ----------------------------------------------------------------------------------------------------------------------
# Delay slots: how many RTLs behind a transfer or call are executed before control goes.


def delay_slots(machine: Machine, function: Function, rtl: Rtl) -> int:
    """Return how many delay slots follow an RTL."""
    if function.stage != "final" or (rtl.transfer is None and rtl.call is None):
        return 0
    return machine.record(rtl).slots


def units(machine: Machine, function: Function, block: Block) -> Iterator[tuple[int, int, int]]:
    """Yield (first, cut, end) for each RTL of a block together with what stands in its delay slots.

    RTLs [first, cut) are all executed or none; those of [cut, end) stand in slots that the first may annul.
    """
    first = 0
    while first < len(block.rtls):
        rtl = block.rtls[first]
        end = min(first + 1 + delay_slots(machine, function, rtl), len(block.rtls))
        yield first, first + 1 if rtl.annuls else end, end
        first = end


# ----------------------------------------------------------------------------------------------------------------------
# Cut blocks into segments: straight-line code of which either all is executed, or none.
#
# A segment ends behind a call or system call and its delay slots, from which the program may never come back.  Delay slots
# that a branch may annul are a segment of their own.


@dataclass(slots=True)
class Segment:
    """RTLs [first, end) of a block.

    `annullable`: they stand in delay slots that a branch may annul.  `call` is the RTL at the end that calls a function, -1 if
    none does.  `system_call`: an RTL at the end is a system call.
    """

    first: int
    end: int
    annullable: bool = False
    call: int = -1
    system_call: bool = False

    @property
    def leaves(self) -> bool:
        """Whether control leaves the function at the end, to come back behind it."""
        return self.call >= 0 or self.system_call


def segments(machine: Machine, function: Function, block: Block) -> Iterator[Segment]:
    """Yield the segments of a block; an empty block has none."""
    first = 0
    for index, cut, end in units(machine, function, block):
        if cut < end:
            yield Segment(first, cut)
            first = cut
        calls = block.rtls[index].call is not None
        asks_system = any(rtl.system_call is not None for rtl in block.rtls[index:end])
        if cut < end or calls or asks_system or end == len(block.rtls):
            yield Segment(first, end, cut < end, index if calls else -1, asks_system)
            first = end
