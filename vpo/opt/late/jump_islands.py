"""Jumps by way of other jumps, where no form of a jump reaches its target.

PC=L9; ... (L9 too far)     =>     PC=L20; ... PC=L21; L20: PC=L9; L21: ...

An island is a block of one jump to which only jumps come.  It stands behind an unconditional transfer, or else code jumps over
it.  Jumps to one target share islands.
"""

from __future__ import annotations

from collections.abc import Iterator

from vpo.analysis.cfg import transfer_of
from vpo.machines.machine import Machine
from vpo.opt.state import FunctionState
from vpo.rtl import Branch, Jump, Rtl
from vpo.rtl.function import Block

Layout = tuple[dict[str, int], list[int]]  # offsets of labels, and of RTLs, from the start of the function
Place = tuple[Block, int]  # in front of an RTL of a block


class JumpIslands:
    """Puts islands into a function; `kept` are the labels of blocks before and in which none may stand."""

    def __init__(self, state: FunctionState, kept: set[str]) -> None:
        self.state, self.function, self.machine, self.kept = state, state.function, state.machine, kept
        self.targets: dict[str, str] = {}  # by label of an island: the label to which it leads
        self.most = len(self.function.rtls())

    def redirect(self, block: Block, rtl: Rtl, here: int, layout: Layout) -> bool:
        """Let a jump that does not reach its target go to an island, an old or a new one; return whether there can be one."""
        jump, reach = rtl.transfer, self.machine.record(rtl).reach
        assert isinstance(jump, Jump)
        assert reach is not None
        target = self.targets.get(jump.label, jump.label)
        if len(self.targets) > self.most:
            return False
        label = self._near(target, here, reach, layout) or self._build(target, rtl, here, reach, layout)
        if not label:
            return False
        effects = tuple(Jump(label) if effect is jump else effect for effect in rtl.effects)
        return self.state.replace(block, rtl, effects)

    def _near(self, target: str, here: int, reach: tuple[int, int], layout: Layout) -> str:
        """Return the label of the island nearest to a target within the reach of a jump to it; '' if there is none."""
        labels, _ = layout
        distance = abs(labels[target] - here)
        known = [label for label, end in self.targets.items() if end == target]
        fit = [label for label in known if reach[0] <= labels[label] - here <= reach[1]]
        closer = {label: abs(labels[target] - labels[label]) for label in fit}
        best = min(closer, key=closer.__getitem__, default="")
        return best if best and closer[best] < distance else ""

    def _build(self, target: str, rtl: Rtl, here: int, reach: tuple[int, int], layout: Layout) -> str:
        """Put an island for a jump where it can reach it; returns its label, or '' if there is no place."""
        ahead = layout[0][target] > here
        room = reach[1] if ahead else -reach[0]
        usable = room * 3 // 4  # islands that come later move this one away
        found: dict[bool, tuple[int, Place]] = {}  # by whether code falls into the place: the farthest
        for offset, place, falls in self._places(layout):
            far = offset - here if ahead else here - offset
            if 0 < far <= usable and (falls not in found or far > found[falls][0]):
                found[falls] = far, place
        if not found:
            return ""
        free, split = found.get(False), found.get(True)
        if free is not None and (split is None or 2 * free[0] >= split[0]):
            return self._insert(target, rtl, free[1], False)
        assert split is not None
        return self._insert(target, rtl, split[1], True)

    def _places(self, layout: Layout) -> Iterator[tuple[int, Place, bool]]:
        """Yield where islands may stand: offset, place, and whether code falls into it."""
        offsets, falls, kept = iter(layout[1]), True, False
        for block in self.function.blocks:
            kept = block.label in self.kept
            slots, falls_out = 0, True
            for index, rtl in enumerate(block.rtls):
                offset = next(offsets)
                if not kept and not slots and falls_out:
                    yield offset, (block, index), falls if index == 0 else True
                slots = slots - 1 if slots else slots_of(rtl, self.machine)
                falls_out = falls_out and rtl.transfer is None
            falls = falls_through(block)  # an empty one may be a target, too

    def _insert(self, target: str, rtl: Rtl, place: Place, falls: bool) -> str:
        """Insert an island in front of an RTL, and a jump over it if code falls into it; returns its label."""
        block, index = place
        function, label = self.function, self.function.label()
        number = next(i for i, other in enumerate(function.blocks) if other is block)
        self.targets[label] = target
        before: list[Block] = []
        if index:  # the block goes on behind the island
            rest = Block(function.label(), block.rtls[index:])
            self.state.splice(block, index, len(block.rtls), self._jump(rest.label, rtl))
            self.state.insert_block(number + 1, rest)
            number += 1
        elif falls:
            before = [Block(function.label(), self._jump(block.label, rtl))]
        for position, new in enumerate([*before, Block(label, self._jump(target, rtl))], number):
            self.state.insert_block(position, new)
        return label

    def _jump(self, label: str, rtl: Rtl) -> list[Rtl]:
        jump = Rtl((Jump(label),), rtl.lines, rtl.cause)
        return [jump, *padding(jump, self.machine)]


def falls_through(block: Block) -> bool:
    """Whether control may go from the end of a block to the next."""
    transfer = transfer_of(block, delayed=True)
    return transfer is None or isinstance(transfer.transfer, Branch)


def slots_of(rtl: Rtl, machine: Machine) -> int:
    """Return how many of the RTLs behind one are in its delay slots."""
    return machine.record(rtl).slots if rtl.transfer is not None or rtl.call is not None else 0


def padding(rtl: Rtl, machine: Machine) -> list[Rtl]:
    """Return no-operations for the delay slots of an RTL."""
    return [Rtl((), rtl.lines, "delay") for _ in range(machine.record(rtl).slots)]
