"""The segments of a function in time: where each is, and how often each other segment came before it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from ease.model.results import Counts
from ease.timing.scoreboard import Step, step_of
from vpo.analysis.cfg import delay_slots, transfer_of
from vpo.analysis.program import Program
from vpo.analysis.references import references
from vpo.analysis.segments import segments
from vpo.rtl import Branch, Jump, Rtl
from vpo.rtl.function import Function


@dataclass(slots=True)
class TimedSegment:
    """RTLs [first, end) of a function, by their positions in it.

    `last`: the segment is the last one of its block.  `leaves`: it calls a function or the system at its end.

    `before` has how often each other segment, by its number, came directly before.  In all other cases the predecessor is
    unknown: the function was entered, a call or the system came back, or an indirect jump arrived.
    """

    block: int
    first: int
    end: int
    last: bool = False
    leaves: bool = False
    before: dict[int, int] = field(default_factory=dict)


def timed_segments(program: Program, function: Function) -> list[TimedSegment]:
    """Return the segments of a function, with predecessors not yet counted."""
    found = []
    for number, (block, position) in enumerate(zip(function.blocks, function.block_starts(), strict=True)):
        for segment in segments(program.machine, function, block):
            last = segment.end == len(block.rtls)
            found.append(TimedSegment(number, position + segment.first, position + segment.end, last, segment.leaves))
    return found


def steps_of(program: Program, function: Function) -> list[Step]:
    """Return the steps of all RTLs of a function; a branch to the instruction behind it costs nothing when taken."""
    steps, fetched = [], program.fetched[function.name]
    for position, rtl in enumerate(function.rtls()):
        step, transfer = step_of(program.machine, rtl), rtl.transfer
        if isinstance(transfer, Branch):
            behind = fetched[position + delay_slots(program.machine, function, rtl)][1]
            step = replace(step, taken=0) if program.labels[function.name, transfer.label] == behind else step
        steps.append(step)
    return steps


def time_passes(segment: TimedSegment, position: int, rtl: Rtl) -> bool:
    """True if, for memory, time passes at an RTL of a segment; at a system call only at the end of a block."""
    return bool(references(rtl)) or (position == segment.end - 1 and (segment.last or rtl.system_call is None))


def linked_segments(program: Program, function: Function, counts: Counts) -> list[TimedSegment]:
    """Return the segments of a function, with predecessors counted from a run."""
    linker = _Linker(program, function, counts)
    for number in range(len(linker.segments)):
        linker.link(number)
    return linker.segments


class _Linker:
    """Counts the predecessors of the segments of one function."""

    def __init__(self, program: Program, function: Function, counts: Counts) -> None:
        self.function, self.rtls = function, function.rtls()
        self.segments = timed_segments(program, function)
        self.taken, self.executed = counts.taken[function.name], counts.rtls[function.name]
        self.heads: list[int | None] = [None] * (len(function.blocks) + 1)  # the segment at which each block begins
        for number in reversed(range(len(self.segments))):
            self.heads[self.segments[number].block] = number
        for number in reversed(range(len(function.blocks))):
            if not function.blocks[number].rtls:
                self.heads[number] = self.heads[number + 1]
        self.labels = {block.label: number for number, block in enumerate(function.blocks)}

    def link(self, number: int) -> None:
        """Count a segment as a predecessor of its successors."""
        segment, executed = self.segments[number], self.executed[self.segments[number].end - 1]
        taken = self.taken[segment.block]
        transfer = transfer_of(self.function.blocks[segment.block], self.function.stage == "final")
        target = transfer.transfer if transfer is not None else None
        if self.rtls[segment.end - 1].annuls and self._same_block(number, number + 1):
            self._link(number, number + 1, taken)
            self._link(number, self.heads[segment.block + 1], executed - taken)
        elif self._same_block(number, number + 1) or segment.leaves:
            return
        elif isinstance(target, Branch) and self._same_block(number - 1, number) and self.rtls[segment.first - 1].annuls:
            self._link(number, self.heads[self.labels[target.label]], taken)
        elif isinstance(target, Branch):
            self._link(number, self.heads[segment.block + 1], executed - taken)
            self._link(number, self.heads[self.labels[target.label]], taken)
        elif isinstance(target, Jump):
            self._link(number, self.heads[self.labels[target.label]], executed)
        elif target is None:
            self._link(number, self.heads[segment.block + 1], executed)

    def _same_block(self, number: int, other: int) -> bool:
        if number < 0 or other >= len(self.segments):
            return False
        return self.segments[number].block == self.segments[other].block

    def _link(self, number: int, to: int | None, times: int) -> None:
        if to is not None and times > 0:
            before = self.segments[to].before
            before[number] = before.get(number, 0) + times
