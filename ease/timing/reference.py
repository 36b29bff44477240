"""The plain estimate, one instruction after the other in the order of execution: the definition of what `estimate` finds.

It watches a run in the interpreter; nothing here is fast, and it knows nothing of counts.
"""

from __future__ import annotations

from collections import Counter

from ease.reference_kinds import file_name
from ease.results import Line, Spent
from ease.timing.pieces import Piece, pieces_of, steps_of
from ease.timing.scoreboard import IDLE, Scoreboard, State, Step
from vpo.analysis.delay_slots import delay_slots
from vpo.function import Function
from vpo.program import Program
from vpo.rtl import Branch, IndirectJump, Return, Rtl


class Instruction:
    """An RTL, where it stands, and what is known of it before the run."""

    def __init__(self, program: Program, function: Function, position: int, rtl: Rtl, piece: Piece, step: Step) -> None:
        self.function, self.position, self.rtl, self.piece = function, position, rtl, piece
        self.address = program.addresses[function.name][position]
        self.step = step
        self.slots = delay_slots(program.machine, function, rtl)
        transfer = rtl.transfer
        self.target = program.labels[function.name, transfer.label] if isinstance(transfer, Branch) else None
        move = program.machine.window_move(rtl.effects)
        self.windows = {"enter": 1, "leave": -1, "": 0}[move]

    def spent(self, cause: str) -> Spent:
        """Return where cycles of a cause go."""
        line = Line(file_name(self.function.file), self.rtl.lines[0])
        return Spent(cause, self.function.name.removeprefix("_"), line)


class Clock:
    """An observer of the interpreter, which adds up cycles."""

    def __init__(self, program: Program) -> None:
        self.program, self.machine = program, program.machine
        self.cycles: Counter[Spent] = Counter()
        self.by_address: dict[int, Instruction] = {}
        for function in program.functions.values():
            rtls, addresses, steps = function.rtls(), program.addresses[function.name], steps_of(program, function)
            for piece in pieces_of(program, function):
                for position in range(piece.first, piece.end):
                    if addresses[position + 1] > addresses[position]:
                        found = Instruction(program, function, position, rtls[position], piece, steps[position])
                        self.by_address[addresses[position]] = found
        self.board = self.alone = Scoreboard()
        self.last: Instruction | None = None
        self.own = 0  # cycles that the last one takes in its piece alone, branches as if they were not taken
        self.branch: tuple[Instruction, int] | None = None  # a branch, and how many of its slots are to come
        self.resident = 0  # register windows, without that of the start-up code

    def fetch(self, address: int, size: int) -> None:
        """Issue an instruction."""
        now = self.by_address[address]
        self._resolve(now)
        if self.last is None or now.piece is not self.last.piece or now.position <= self.last.position:
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
        """Data are not waited for."""

    def _state_before(self, now: Instruction) -> State:
        """What the piece just executed leaves, run alone, unless a call, a return or an indirect jump lies between."""
        if self.last is None or self.last.function is not now.function:
            return IDLE
        piece = self.last.piece
        for rtl in now.function.rtls()[piece.first : piece.end]:
            if rtl.call is not None or rtl.system_call is not None or isinstance(rtl.transfer, Return | IndirectJump):
                return IDLE
        return self.alone.left()

    def _resolve(self, now: Instruction) -> None:
        """See whether the last branch was taken, once what stands in its slots is behind us."""
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
        """Return the cycles so far by what they went to."""
        return {key: number for key, number in sorted(self.cycles.items()) if number}
