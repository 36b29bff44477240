"""Simulate memory systems with write buffers in host code: the program tells the simulator how much time has passed.

`tests/timing/plain_clock.py` defines when time passes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cache_sim.config import MemorySystem
from cache_sim.native.check_code import Alignment, Check
from cache_sim.native.clock import TIME, ClockedCheckCode
from cache_sim.native.code import Field, State
from ease.host.instruments.instrument import Site, Thread
from ease.host.memory.caching import Caching
from ease.host.memory.check_plan import CheckWriter
from ease.host.translation.ir_builder import SIZE
from ease.timing.estimate import Scoreboard, annulled_cycles, steps_of, time_passes, timed_segments
from ease.timing.memory import Waits
from vpo.analysis.cfg import delay_slots
from vpo.analysis.references import Reference
from vpo.program import Program
from vpo.rtl import Branch
from vpo.rtl.function import Function

if TYPE_CHECKING:
    from ease.host.process.run import RunResult


class Clocked(Caching):
    """Simulates a memory system that has delays and write buffers."""

    coalesces = False  # each write goes to a buffer
    fetches_apart = False  # the bus is one: fetches wait for data, and data for fetches

    def __init__(self, program: Program, system: MemorySystem) -> None:
        super().__init__(program, system)
        self.threads = (*self.threads, Thread("i64", TIME, 0))

    def make_check_code(self, state: State, large: State, alignment: Alignment) -> ClockedCheckCode:
        """Return the writer of checks."""
        self.clocked = ClockedCheckCode(self.system, state, large, self.program.numbers + len(self.sites), alignment)
        return self.clocked

    def function(self, site: Site) -> FunctionClock:
        """Return the instrument of one function."""
        return FunctionClock(self, site)

    def waits(self, run: RunResult) -> Waits:
        """Return the cycles waited in a run."""
        clock = self.clocked.clock

        def table(field: Field) -> dict[int, int]:
            return {site: cycles for site, cycles in enumerate(run.read(field)) if cycles}

        return Waits(table(clock.fills), table(clock.waits), run.read(clock.full)[0])


class FunctionClock(CheckWriter):
    """Writes the checks of one function, and the time that passes between them."""

    def __init__(self, caching: Clocked, site: Site) -> None:
        super().__init__(caching, site)
        self.clock = caching.clocked.clock
        self.held = ""  # the cost of a branch whose slots are executed before it passes
        self.passing = time_by_place(caching.program, site.function)
        places = ((number, index) for number, block in enumerate(site.function.blocks) for index in range(len(block.rtls)))
        self.steps = dict(zip(places, steps_of(caching.program, site.function), strict=True))

    def before(self, block: int, index: int) -> None:
        """Write the checks of an RTL; time passes between its fetch and its data."""
        self.due = self.passing.get((block, index), 0)
        self.ends = index == len(self.site.function.blocks[block].rtls) - 1
        super().before(block, index)
        self._pass()

    def _pass(self) -> None:
        if self.due:
            self.clock.pass_(self.site.emitter, str(self.due))
        if self.ends and self.held:  # the last slot
            self.clock.pass_(self.site.emitter, self.held)
            self.held = ""
        self.due = 0

    def _data(self, check: Check, reference: Reference) -> None:
        self._pass()
        super()._data(check, reference)

    def _check_data(self, check: Check, reference: Reference, address: str) -> None:
        if reference.write:
            self.clock.write(self.site.emitter, check.site, SIZE[reference.cell.type])
        super()._check_data(check, reference, address)

    def transfer(self, block: int, index: int, value: str) -> None:
        """Write that the cycles of a branch pass."""
        rtl = self.site.function.blocks[block].rtls[index]
        if not isinstance(rtl.transfer, Branch):
            return
        machine = self.caching.program.machine
        taken = self.steps[block, index].taken
        other = annulled_cycles(machine, rtl) if rtl.annuls else 0
        if not (taken or other):
            return
        cost = self.site.emitter.put(f"select i1 {value}, i64 {taken}, i64 {other}")
        if delay_slots(machine, self.site.function, rtl) and not rtl.annuls:
            self.held = cost
        else:
            self.clock.pass_(self.site.emitter, cost)


def time_by_place(program: Program, function: Function) -> dict[tuple[int, int], int]:
    """Return the cycles that pass, for memory, at RTLs of a function, by (block, index)."""
    found: dict[tuple[int, int], int] = {}
    rtls, steps = function.rtls(), steps_of(program, function)
    starts = function.block_starts()
    pending = 0
    for segment in timed_segments(program, function):
        board = Scoreboard()
        for position in range(segment.first, segment.end):
            rtl, step = rtls[position], steps[position]
            waits = board.issue(step)
            pending += waits.registers + waits.unit + step.issue + (0 if isinstance(rtl.transfer, Branch) else step.taken)
            if time_passes(segment, position, rtl):
                found[segment.block, position - starts[segment.block]] = pending
                pending = 0
    return found
