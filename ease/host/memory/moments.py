"""Simulate a memory system and record its counts at moments of the run (`cache_sim.history`).

Each instruction has a check of its own, and a reference is counted before it is made.  So all counts are right at every
moment, even at a context switch between two references of one instruction.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cache_sim.config import MemorySystem
from cache_sim.history import MOST, History
from cache_sim.native.cache import KINDS
from cache_sim.native.check_code import Check
from cache_sim.native.code import STATE, UNLIKELY
from cache_sim.native.history import MOMENT, HistoryCode
from cache_sim.native.state import Read, State
from cache_sim.results import Kinds, Results
from ease.host.instruments.instrument import Site
from ease.host.memory.caching import Caching
from ease.host.memory.check_writer import CheckWriter
from ease.model.results import Counts
from vpo.analysis.program import Program
from vpo.analysis.references import Reference

if TYPE_CHECKING:
    from ease.host.process.run import RunResult


class Recording(Caching):
    """Simulates a memory system and records up to `most` moments.

    A moment comes after `every` instructions; if `every` is 0, each context switch is one.
    """

    joins = coalesces = fetches_apart = False

    def __init__(self, program: Program, system: MemorySystem, every: int, most: int = MOST) -> None:
        super().__init__(program, system)
        self.every, self.most = every, most

    def place(self, state: State, large: State) -> None:
        """Lay out the memory of the simulator and of the rows that are recorded."""
        super().place(state, large)
        self.rows = HistoryCode(self.check_code, state, self.every, self.most)

    def function(self, site: Site) -> CheckWriter:
        """Return the instrument of one function."""
        return FunctionRecording(self, site)

    def text(self) -> str:
        """Return the LLVM functions of the simulator and of recording."""
        return super().text() + self.rows.functions()

    def references(self, counts: Counts, read: Read) -> Kinds:
        """Return how many references the run made; this is exact even for a run that was cut short."""
        return self.rows.references(read)

    def history(self, run: RunResult, end: Results) -> History:
        """Return the recorded moments of a run; `end` has its final results."""
        return self.rows.history(run.read, end)


class FunctionRecording(CheckWriter):
    """Writes the checks of one function, the counts of references, and the moments."""

    def __init__(self, recording: Recording, site: Site) -> None:
        super().__init__(recording, site)
        self.rows = recording.rows
        self.starts = site.function.block_starts()
        switch = recording.system.switch
        self.switch_first = switch is not None and switch.unit == "instructions"  # the switch comes before the fetch

    def before(self, block: int, index: int) -> None:
        """Write the test for a moment, then the checks of an RTL."""
        start, end = self.fetches[self.starts[block] + index]
        fetched = end > start
        if fetched and self.rows.every:
            self._moment()
        if fetched and not self.switch_first:
            self._count("fetch")
        super().before(block, index)
        if fetched and self.switch_first:
            self._count("fetch")

    def _moment(self) -> None:
        emitter = self.site.emitter
        made = emitter.put(f"load i64, ptr {self.rows.made.element(KINDS.index('fetch'))}, {STATE}")
        due = emitter.put(f"load i64, ptr {self.rows.due.pointer}, {STATE}")
        now, after = emitter.label(), emitter.label()
        test = emitter.put(f"icmp eq i64 {made}, {due}")
        emitter.lines += [f"br i1 {test}, label %{now}, label %{after}, {UNLIKELY}", f"{now}:", MOMENT]
        emitter.lines += [f"br label %{after}", f"{after}:"]

    def _count(self, kind: str) -> None:
        emitter, pointer = self.site.emitter, self.rows.made.element(KINDS.index(kind))
        made = emitter.put(f"load i64, ptr {pointer}, {STATE}")
        emitter.lines.append(f"store i64 {emitter.put(f'add i64 {made}, 1')}, ptr {pointer}, {STATE}")

    def _data(self, check: Check, reference: Reference) -> None:
        """Count a reference without guards, then write its check; the simulator counts references with guards itself."""
        if not reference.guards:
            self._count(check.kind)
        super()._data(check, reference)
