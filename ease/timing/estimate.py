"""Estimate cycles from exact counts: the cost of each segment after each predecessor, times how often that happened.

A segment finds the pipeline as its predecessor leaves it when run alone.  So the cost of segments and of the edges between
them is known before the run, and the program counts nothing more.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from cache_sim.results import Results
from ease.model.results import Counts, Spent, TimingMeasurement
from ease.model.run_identity import file_name
from ease.model.tables import Line
from ease.timing.memory import Waits as MemoryWaits
from ease.timing.memory import memory_assumptions, memory_cycles
from ease.timing.scoreboard import IDLE, Scoreboard, State, Waits
from ease.timing.timed_segments import TimedSegment, linked_segments, steps_of
from vpo.analysis.program import Program
from vpo.machines.machine import Machine
from vpo.rtl import Branch, Rtl
from vpo.rtl.function import Function

Cycles = dict[tuple[str, int], int]  # by cause and position in the function


def estimate(
    program: Program, counts: Counts, memory: Results | None = None, waits: MemoryWaits | None = None
) -> TimingMeasurement:
    """Return the estimated cycles of a run, with those of a memory system that has delays."""
    spent: defaultdict[Spent, int] = defaultdict(int)
    instructions = 0
    for name, function in program.functions.items():
        if not any(counts.rtls[name]):
            continue
        cycles = FunctionTiming(program, function, counts).cycles()
        rtls, file = function.rtls(), file_name(function.file)
        for (cause, position), number in cycles.items():
            spent[Spent(cause, name.removeprefix("_"), Line(file, rtls[position].lines[0]))] += number
        for rtl, count in zip(rtls, counts.rtls[name], strict=True):
            instructions += count * program.machine.record(rtl).counted
    texts = assumptions(program.machine)
    if memory is not None:
        texts += memory_assumptions(memory.system)
        if memory.system.delays is not None:
            spent.update(memory_cycles(program, counts, memory, waits))
    table = {key: number for key, number in sorted(spent.items()) if number}
    return TimingMeasurement(instructions, table, texts, None if waits is None else waits.full)


def assumptions(machine: Machine) -> tuple[str, ...]:
    """Return sentences about what an estimate for a machine assumes."""
    timing = machine.timing
    how = "one instruction begins after the other, results come later" if timing.overlap else "one instruction after the other"
    basis = (f"numbers: {timing.basis}",) if timing.basis else ()
    if not timing.stated:
        basis = (f"the description of {machine.name} has no timing section: nothing but the latencies of its instructions",)
    return (f"{how}; what a piece of code waits for was begun in it or in the piece just before", *basis)


class FunctionTiming:
    """Estimates the cycles of one function."""

    def __init__(self, program: Program, function: Function, counts: Counts) -> None:
        self.program, self.function, self.counts = program, function, counts
        self.rtls = function.rtls()
        self.executed, self.taken = counts.rtls[function.name], counts.taken[function.name]
        self.segments = linked_segments(program, function, counts)
        self.steps = steps_of(program, function)
        self.left: dict[int, State] = {}  # how segments leave the pipeline, by their numbers

    def cycles(self) -> Cycles:
        """Return the cycles of each position by cause."""
        found: defaultdict[tuple[str, int], int] = defaultdict(int)
        for segment in self.segments:
            if not self.executed[segment.first]:
                continue
            for state, times in self._arrivals(segment):
                for position, waits in enumerate(self._run(segment, state)[0], segment.first):
                    found["interlock", position] += times * waits.registers
                    found["unit", position] += times * waits.unit
            for position in range(segment.first, segment.end):
                for cause, number in self._own(segment, position):
                    found[cause, position] += number
        self._add_traps(found)
        return found

    def _arrivals(self, segment: TimedSegment) -> Iterator[tuple[State, int]]:
        """Yield each state in which a segment finds the pipeline, with how often it does."""
        rest = self.executed[segment.first]
        for number, times in segment.before.items():
            if number not in self.left:
                self.left[number] = self._run(self.segments[number], IDLE)[1]
            yield self.left[number], times
            rest -= times
        if rest > 0:
            yield IDLE, rest

    def _run(self, segment: TimedSegment, state: State) -> tuple[list[Waits], State]:
        """Return what each instruction of a segment waits for, and what is unfinished at the end of the segment."""
        board = Scoreboard(state)
        return [board.issue(step) for step in self.steps[segment.first : segment.end]], board.left()

    def _own(self, segment: TimedSegment, position: int) -> Iterator[tuple[str, int]]:
        """Yield, by cause, the cycles that an instruction takes in every state of the pipeline."""
        rtl, step, executed = self.rtls[position], self.steps[position], self.executed[position]
        yield ("delay slot" if not rtl.effects else "instruction"), executed * min(step.issue, 1)
        yield "multi-cycle", executed * max(step.issue - 1, 0)
        if isinstance(rtl.transfer, Branch):
            taken = self.taken[segment.block]
            yield "taken", taken * step.taken
            if rtl.annuls:
                yield "delay slot", (executed - taken) * annulled_cycles(self.program.machine, rtl)
        else:
            yield "taken", executed * step.taken

    def _add_traps(self, found: defaultdict[tuple[str, int], int]) -> None:
        timing = self.program.machine.timing
        for position, times in self.counts.traps.get(self.function.name, {}).items():
            found["window", position] += times * timing.window_trap


def annulled_cycles(machine: Machine, rtl: Rtl) -> int:
    """Return the cycles of a branch's delay slots if it annuls them: they are fetched but not executed."""
    return machine.record(rtl).slots
