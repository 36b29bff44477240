"""Issue instructions in order: when registers and units are free, and how long an instruction waits for them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ease.model.static_program import accesses
from vpo.machines.machine import Machine
from vpo.rtl import Register, Rtl

Place = tuple[str, int]  # bank and index of a register; or a unit, with index -1
State = Mapping[Place, int]  # cycles from now until it is free; what is free now is not in it
IDLE: State = {}


@dataclass(frozen=True, slots=True)
class Step:
    """What the scoreboard needs of an instruction: the registers it reads and writes, and its cycles."""

    reads: tuple[Place, ...] = ()
    writes: tuple[Place, ...] = ()
    issue: int = 1
    latency: int = 1
    unit: str = ""
    taken: int = 0


@dataclass(frozen=True, slots=True)
class Waits:
    """The cycles that an instruction waits: for registers, then for its unit."""

    registers: int
    unit: int


def step_of(machine: Machine, rtl: Rtl) -> Step:
    """Return the step of an RTL.  An RTL that is part of another instruction takes no cycles."""
    record = machine.record(rtl)
    if not (record.counted and record.size):
        return Step(issue=0, latency=0)
    read, written = accesses(rtl)
    occupancy = record.occupancy
    issue = machine.timing.issue(record.latency) if occupancy.issue is None else occupancy.issue
    return Step(_places(machine, read), _places(machine, written), issue, record.latency, occupancy.unit, occupancy.taken)


def _places(machine: Machine, registers: set[Register]) -> tuple[Place, ...]:
    places = {place for register in registers if register not in machine.zero for place in machine.storage(register)}
    return tuple(sorted(places))


class Scoreboard:
    """The state of registers and units while instructions are issued."""

    def __init__(self, state: State = IDLE) -> None:
        self.now = 0
        self.free: dict[Place, int] = dict(state)

    def issue(self, step: Step) -> Waits:
        """Issue an instruction as early as possible; its issue cycles pass.  Return what it waited for.

        The instruction waits until its operands are available, until its results come no earlier than older results in the
        same registers, and until its unit is free.
        """
        ready = max([self.now, *(self.free.get(place, 0) for place in step.reads)])
        ready = max([ready, *(self.free.get(place, 0) - step.latency for place in step.writes)])
        unit = (step.unit, -1)
        start = max(ready, self.free.get(unit, 0)) if step.unit else ready
        waits = Waits(ready - self.now, start - ready)
        for place in step.writes:
            self.free[place] = start + step.latency
        if step.unit:
            self.free[unit] = start + step.latency
        self.now = start + step.issue
        return waits

    def left(self) -> State:
        """Return what is still busy."""
        return {place: time - self.now for place, time in self.free.items() if time > self.now}
