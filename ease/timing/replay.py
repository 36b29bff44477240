"""Estimate cycles with memory plainly: a recorded run goes through the plain clock and a simulator that has a clock, too.

For memory, time passes at instructions that refer to data and at the last of each segment, between their fetch and their
data.  It is the time that they and the instructions before them take in their segment alone.  The cost of a branch that is
taken or annuls its slots passes behind the branch, or behind its last slot if slots are executed in any case.
"""

from __future__ import annotations

from collections.abc import Mapping

from cache_sim.config import MemorySystem
from cache_sim.reference import TimedSimulator
from ease.model.results import Spent
from ease.timing.estimate import annulled_cycles, time_passes
from ease.timing.memory import NOWHERE
from ease.timing.reference import Clock, Instruction
from vpo.interpret.interpreter import interpret
from vpo.program import Program

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
            elif kind == "read":
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
        found = dict(self.clock.spent())
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
