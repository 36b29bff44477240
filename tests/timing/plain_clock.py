"""Estimate cycles plainly, as a run goes on: the definition of `ease.timing.estimate`, without memory and with it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from cache_sim.config import MemorySystem
from cache_sim.reference import TimedSimulator
from ease.model.results import Line, Spent
from ease.model.run_identity import file_name
from ease.timing.estimate import (
    IDLE,
    Scoreboard,
    State,
    Step,
    TimedSegment,
    annulled_cycles,
    steps_of,
    time_passes,
    timed_segments,
)
from ease.timing.memory import NOWHERE
from vpo.analysis.cfg import delay_slots
from vpo.interpret.fast.interpreter import interpret
from vpo.program import Program
from vpo.rtl import Branch, IndirectJump, Return, Rtl
from vpo.rtl.function import Function

# ----------------------------------------------------------------------------------------------------------------------
# Estimate cycles plainly, one instruction after the other as they are executed: the definition of `ease.timing.estimate`.
#
# The estimate observes a run in the interpreter.  Nothing here is fast, and nothing uses counts.


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


# ----------------------------------------------------------------------------------------------------------------------
# Estimate cycles with memory plainly: a recorded run goes through the plain clock and a simulator that has a clock, too.
#
# For memory, time passes at instructions that refer to data and at the last of each segment, between their fetch and their
# data.  It is the time that they and the instructions before them take in their segment alone.  The cost of a branch that is
# taken or annuls its slots passes behind the branch, or behind its last slot if slots are executed in any case.


Event = tuple[int, int, str]  # address, size, and 'fetch', 'read' or 'write'


class Recorder:
    """An observer that records all references."""

    def __init__(self) -> None:
        self.events: list[Event] = []

    def fetch(self, address: int, size: int) -> None:
        """Record a fetch."""
        self.events.append((address, size, "fetch"))

    def data(self, address: int, size: int, write: bool) -> None:
        """Record a reference to data."""
        self.events.append((address, size, "write" if write else "read"))


class Replay:
    """A recorded run that goes through a memory system, instruction by instruction."""

    def __init__(self, program: Program, system: MemorySystem) -> None:
        self.program = program
        self.clock, self.memory = Clock(program), TimedSimulator(system)
        self.sites: list[tuple[Instruction, str]] = []
        self.numbers: dict[tuple[int, str], int] = {}
        self.pending = 0
        self.held: tuple[Instruction, int] | None = None  # a branch with slots, and its cost
        self.spaces: dict[Spent, int] = {}  # what memories beside the main one take

    def run(self, events: list[Event]) -> dict[Spent, int]:
        """Return the cycles by place and cause."""
        fetched = [address for address, _, kind in events if kind == "fetch"]
        number, after = -1, 0
        for address, size, kind in events:
            if kind == "fetch":
                self.memory.advance(after)
                number += 1
                now = self.clock.by_address[address]
                self.clock.fetch(address, size)
                self.memory.fetch(address, size, self._site(now, kind))
                self._pass(now)
                after = self._behind(now, fetched[number + 1 : number + 2 + now.slots])
                if now.target is not None and now.slots and not now.rtl.annuls:
                    self.held, after = (now, after), 0
                continue
            for space in self.program.machine.layout.spaces:
                place = now.spent("memory")
                self.spaces[place] = self.spaces.get(place, 0) + space.wait * (address in space.addresses)
            if kind == "read":
                self.memory.read(address, size, self._site(now, kind))
            else:
                self.memory.write(address, size, self._site(now, kind))
        return self._spent()

    def _site(self, now: Instruction, kind: str) -> int:
        """Number the sites of an instruction."""
        key = now.address, kind
        if key not in self.numbers:
            self.numbers[key] = len(self.sites)
            self.sites.append((now, kind))
        return self.numbers[key]

    def _pass(self, now: Instruction) -> None:
        """Let time pass at an instruction, if it does there."""
        self.pending += self.clock.own
        if self.held is not None and now.position == self.held[0].position + self.held[0].slots:
            self.pending += self.held[1]
            self.held = None
        if time_passes(now.segment, now.position, now.rtl):
            self.memory.advance(self.pending)
            self.pending = 0

    def _behind(self, now: Instruction, fetched: list[int]) -> int:
        """Return the cycles that pass behind an instruction, given the addresses fetched next."""
        if now.target is None:
            return 0
        slots = [address for address in fetched[: now.slots] if self._in_slot(now, address)]
        if now.rtl.annuls and len(slots) < now.slots:
            return annulled_cycles(self.program.machine, now.rtl)
        return now.step.taken if fetched[len(slots) :][:1] == [now.target] else 0

    def _in_slot(self, now: Instruction, address: int) -> bool:
        other = self.clock.by_address[address]
        return other.function is now.function and now.position < other.position <= now.position + now.slots

    def _spent(self) -> dict[Spent, int]:
        """Add up the cycles of instructions and of memory."""
        found = dict(self.clock.spent()) | self.spaces
        parts: list[tuple[str, Mapping[int, int]]] = [
            ("{} miss", self.memory.fills), ("write", self.memory.waits), ("TLB miss", self.memory.pages),
        ]  # fmt: skip
        for cause, table in parts:
            for site, cycles in table.items():
                now, kind = self.sites[site]
                key = now.spent(cause.format(kind))
                found[key] = found.get(key, 0) + cycles
        found[Spent("write back", "", NOWHERE)] = self.memory.victims
        return {key: number for key, number in sorted(found.items()) if number}


def plain_estimate(program: Program, system: MemorySystem, arguments: list[str]) -> tuple[dict[Spent, int], Replay]:
    """Run a program in the interpreter; return its cycles, and the assumptions behind them."""
    recorder, replay = Recorder(), Replay(program, system)
    interpret(program, arguments, capture=True, observer=recorder)
    return replay.run(recorder.events), replay
