"""Estimate cycles from exact counts: the cost of each segment after each predecessor, times how often that happened.

A segment finds the pipeline as its predecessor leaves it when run alone.  So the cost of segments and of the edges between
them is known before the run, and the program counts nothing more.

How instructions are issued in order comes first, and what each segment costs.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from cache_sim.results import Results
from ease.model.results import Counts, Line, SpacesMeasurement, Spent, TimingMeasurement
from ease.model.run_identity import file_name
from ease.model.static_program import accesses
from ease.timing.memory import Waits as MemoryWaits
from ease.timing.memory import memory_assumptions, memory_cycles
from vpo.analysis.cfg import build_cfg, delay_slots, segments, transfer_of
from vpo.analysis.references import references
from vpo.machines.machine import Machine
from vpo.program import Program
from vpo.rtl import Branch, IndirectJump, Jump, Register, Return, Rtl
from vpo.rtl.function import Function

# ----------------------------------------------------------------------------------------------------------------------
# Issue instructions in order: when registers and units are free, and how long an instruction waits for them.


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


# ----------------------------------------------------------------------------------------------------------------------
# The segments of a function in time: where each is, and how often each other segment came before it.


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


# ----------------------------------------------------------------------------------------------------------------------
# The estimate.


Cycles = dict[tuple[str, int], int]  # by cause and position in the function


def estimate(
    program: Program, counts: Counts, memory: Results | None = None, waits: MemoryWaits | None = None,
    spaces: SpacesMeasurement | None = None,
) -> TimingMeasurement:
    """Return the estimated cycles of a run, with those of a memory system that has delays, and of memories that wait."""
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
    waiting = {} if spaces is None else {space.name: space.wait for space in spaces.spaces if space.wait}
    for site, count in spaces.sites.items() if spaces is not None else ():
        spent[Spent("memory", site.function, site.line)] += count * waiting.get(site.memory, 0)
    texts += tuple(f"memory '{name}': a reference waits {cycles} cycles" for name, cycles in waiting.items())
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


# ----------------------------------------------------------------------------------------------------------------------
# What each execution of a segment, and of an edge between blocks, costs: the estimate of `ease.timing.estimate` in parts.
#
# So the cycles of a part of a run are known while it runs, as sums.


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
