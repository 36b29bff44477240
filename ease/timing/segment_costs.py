"""What each execution of a segment, and of an edge between blocks, costs: the estimate of `ease.timing.estimate` in parts.

So the cycles of a part of a run are known while it runs, as sums.
"""

from __future__ import annotations

from collections.abc import Mapping

from ease.timing.estimate import annulled_cycles
from ease.timing.scoreboard import IDLE, Scoreboard, State
from ease.timing.timed_segments import steps_of, timed_segments
from vpo.analysis.cfg import build_cfg
from vpo.analysis.program import Program
from vpo.rtl import Branch, IndirectJump, Return
from vpo.rtl.function import Function


class SegmentCosts:
    """The cycles of one function in parts.

    `segments` has the cycles of a segment whose predecessor is unknown, by the position of its first RTL.  `edges` has what an
    edge between blocks adds to the segment at its end.  `taken` and `passed` have what a branch adds if it is taken and if it
    is not, by block.
    """

    def __init__(self, program: Program, function: Function) -> None:
        self.program, self.function = program, function
        self.rtls, self.steps = function.rtls(), steps_of(program, function)
        self.all = timed_segments(program, function)
        self.heads = self._heads()
        self.segments = {segment.first: self._idle(number) for number, segment in enumerate(self.all)}
        self.edges: dict[tuple[int, int], int] = {}
        self.taken: dict[int, int] = {}
        self.passed: dict[int, int] = {}
        self._branches()
        self._find_edges()

    def _heads(self) -> list[int | None]:
        """Return the segment at which each block begins; an empty block begins with that of the next one."""
        heads: list[int | None] = [None] * (len(self.function.blocks) + 1)
        for number in reversed(range(len(self.all))):
            heads[self.all[number].block] = number
        for block in reversed(range(len(self.function.blocks))):
            if not self.function.blocks[block].rtls:
                heads[block] = heads[block + 1]
        return heads

    def _run(self, number: int, state: State) -> tuple[int, State]:
        """Return how long the instructions of a segment wait, and what is unfinished at its end."""
        segment, board = self.all[number], Scoreboard(state)
        waits = [board.issue(step) for step in self.steps[segment.first : segment.end]]
        return sum(each.registers + each.unit for each in waits), board.left()

    def _idle(self, number: int) -> int:
        segment = self.all[number]
        own = 0
        for rtl, step in zip(self.rtls[segment.first : segment.end], self.steps[segment.first : segment.end], strict=True):
            own += step.issue + (0 if isinstance(rtl.transfer, Branch) else step.taken)
        return own + self._run(number, IDLE)[0]

    def _added(self, before: int, number: int | None) -> int:
        """Return how much longer a segment waits behind another one than behind an unknown one."""
        if number is None:
            return 0
        return self._run(number, self._run(before, IDLE)[1])[0] - self._run(number, IDLE)[0]

    def _branches(self) -> None:
        for segment in self.all:
            for position in range(segment.first, segment.end):
                rtl = self.rtls[position]
                if isinstance(rtl.transfer, Branch):
                    self.taken[segment.block] = self.steps[position].taken
                    self.passed[segment.block] = annulled_cycles(self.program.machine, rtl) if rtl.annuls else 0

    def _find_edges(self) -> None:
        cfg = build_cfg(self.function)
        for block, numbers in self._of_blocks().items():
            last, rtls = self.all[numbers[-1]], self.function.blocks[block].rtls
            transfer = next((rtl.transfer for rtl in reversed(rtls[-3:]) if rtl.transfer is not None), None)
            if last.leaves or isinstance(transfer, IndirectJump | Return):
                continue
            annulling = len(numbers) > 1 and self.rtls[self.all[numbers[-2]].end - 1].annuls
            for target in cfg.successors[block]:
                head = self.heads[target]
                if annulling and target == block + 1:
                    self.edges[block, target] = self._added(numbers[-2], head)
                elif annulling:
                    self.edges[block, target] = self._added(numbers[-2], numbers[-1]) + self._added(numbers[-1], head)
                else:
                    self.edges[block, target] = self._added(numbers[-1], head)

    def _of_blocks(self) -> Mapping[int, list[int]]:
        found: dict[int, list[int]] = {}
        for number, segment in enumerate(self.all):
            found.setdefault(segment.block, []).append(number)
        return found
