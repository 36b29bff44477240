"""Estimate cycles plainly, one instruction after the other as they are executed: the definition of `ease.timing.estimate`.

The estimate observes a run in the interpreter.  Nothing here is fast, and nothing uses counts.
"""

from __future__ import annotations

from collections import Counter

from ease.model.results import Spent
from ease.model.run_identity import file_name
from ease.model.tables import Line
from ease.timing.estimate import TimedSegment, steps_of, timed_segments
from ease.timing.scoreboard import IDLE, Scoreboard, State, Step
from vpo.analysis.cfg import delay_slots
from vpo.program import Program
from vpo.rtl import Branch, IndirectJump, Return, Rtl
from vpo.rtl.function import Function


class Instruction:
    """An RTL, its place, and what is known of it before the run."""

    def __init__(
        self, program: Program, function: Function, position: int, rtl: Rtl, segment: TimedSegment, step: Step
    ) -> None:
        self.function, self.position, self.rtl, self.segment = function, position, rtl, segment
        self.address = program.addresses[function.name][position]
        self.step = step
        self.slots = delay_slots(program.machine, function, rtl)
        transfer = rtl.transfer
        self.target = program.labels[function.name, transfer.label] if isinstance(transfer, Branch) else None
        move = program.machine.window_move(rtl.effects)
        self.windows = {"enter": 1, "leave": -1, "": 0}[move]

    def spent(self, cause: str) -> Spent:
        """Return the place to which cycles of a cause are attributed."""
        line = Line(file_name(self.function.file), self.rtl.lines[0])
        return Spent(cause, self.function.name.removeprefix("_"), line)


class Clock:
    """An observer of the interpreter that adds up cycles."""

    def __init__(self, program: Program) -> None:
        self.program, self.machine = program, program.machine
        self.cycles: Counter[Spent] = Counter()
        self.by_address: dict[int, Instruction] = {}
        for function in program.functions.values():
            rtls, fetched, steps = function.rtls(), program.fetched[function.name], steps_of(program, function)
            for segment in timed_segments(program, function):
                for position in range(segment.first, segment.end):
                    start, end = fetched[position]
                    if end > start:
                        self.by_address[start] = Instruction(
                            program, function, position, rtls[position], segment, steps[position]
                        )
        self.board = self.alone = Scoreboard()
        self.last: Instruction | None = None
        self.own = 0  # cycles that the last one takes in its segment alone, branches as if they were not taken
        self.branch: tuple[Instruction, int] | None = None  # a branch, and how many of its slots are to come
        self.resident = 0  # register windows, without that of the start-up code

    def fetch(self, address: int, size: int) -> None:
        """Issue an instruction."""
        now = self.by_address[address]
        self._resolve(now)
        if self.last is None or now.segment is not self.last.segment or now.position <= self.last.position:
            self.board, self.alone = Scoreboard(self._state_before(now)), Scoreboard()
        waits, alone = self.board.issue(now.step), self.alone.issue(now.step)
        self.own = alone.registers + alone.unit + now.step.issue + (now.step.taken if now.target is None else 0)
        self.cycles[now.spent("interlock")] += waits.registers
        self.cycles[now.spent("unit")] += waits.unit
        self.cycles[now.spent("instruction" if now.rtl.effects else "delay slot")] += min(now.step.issue, 1)
        self.cycles[now.spent("multi-cycle")] += max(now.step.issue - 1, 0)
        if now.target is not None:
            self.branch = now, now.slots
        else:
            self.cycles[now.spent("taken")] += now.step.taken
        self._move_window(now)
        self.last = now

    def data(self, address: int, size: int, write: bool) -> None:
        """Do nothing: this clock does not wait for data."""

    def _state_before(self, now: Instruction) -> State:
        """Return what the last segment leaves in the pipeline when run alone; IDLE behind a call, return or indirect jump."""
        if self.last is None or self.last.function is not now.function:
            return IDLE
        segment = self.last.segment
        for rtl in now.function.rtls()[segment.first : segment.end]:
            if rtl.call is not None or rtl.system_call is not None or isinstance(rtl.transfer, Return | IndirectJump):
                return IDLE
        return self.alone.left()

    def _resolve(self, now: Instruction) -> None:
        """Decide whether the last branch was taken, after its delay slots."""
        if self.branch is None:
            return
        branch, slots = self.branch
        in_slot = now.function is branch.function and branch.position < now.position <= branch.position + branch.slots
        if slots and in_slot:
            self.branch = branch, slots - 1
            return
        self.branch = None
        if branch.rtl.annuls and slots:
            self.cycles[branch.spent("delay slot")] += branch.slots
        elif now.address == branch.target:
            self.cycles[branch.spent("taken")] += branch.step.taken

    def _move_window(self, now: Instruction) -> None:
        windows = self.machine.convention.windows
        if windows is None or not now.windows:
            return
        if self.resident == (windows.count - 1 if now.windows > 0 else 1):
            self.cycles[now.spent("window")] += self.machine.timing.window_trap
        else:
            self.resident += now.windows

    def spent(self) -> dict[Spent, int]:
        """Return the cycles so far, by place and cause."""
        return {key: number for key, number in sorted(self.cycles.items()) if number}
