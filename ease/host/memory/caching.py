"""Simulate memory systems in host code: one, every LRU cache of a grid, or with counts at moments of the run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cache_sim.config import MemorySystem
from cache_sim.history import MOST
from cache_sim.native.cache import KINDS
from cache_sim.native.check_code import LEFT, Alignment, Check, CheckCode, Feedback
from cache_sim.native.code import STATE, UNLIKELY, Read, State
from cache_sim.native.collect import collect
from cache_sim.native.fetch_code import FetchCode
from cache_sim.native.gauge import ALWAYS, Counting
from cache_sim.native.history import MOMENT, HistoryCode
from cache_sim.native.sweep import SweepCode, collect_sweep
from cache_sim.results import History, Kinds, Results
from cache_sim.sweeps import Grid, Swept
from ease.host.instruments.instrument import Site, Thread
from ease.host.memory.check_plan import CheckWriter
from ease.host.translation.ir_builder import SIZE
from ease.model.results import Counts
from vpo.analysis.references import Reference, data_sites, known_address, references
from vpo.program import Program

if TYPE_CHECKING:
    from ease.host.process.run import RunResult


# ----------------------------------------------------------------------------------------------------------------------
# Simulate a memory system in host code; a run may learn how a later one is faster.


APART = 20  # accesses are not coalesced if they are in two lines at least once in so many times
RARELY = 1_000_000  # a site is cold if at most one in so many instructions is executed there


class Caching:
    """Simulates a memory system while a program runs.

    `feedback` is what an earlier run of the program has measured.
    """

    follows_cut = False
    counting: Counting = ALWAYS
    joins = True  # consecutive fetches of one line may share a check
    learns = True  # a run without feedback measures what feedback needs
    coalesces = True  # adjacent references to data may share a check
    fetches_apart = True  # fetches may be checked apart from data
    peels = True  # the first turn of a loop may be apart from the others, whose fetches then need no checks

    def __init__(self, program: Program, system: MemorySystem, feedback: Feedback | None = None) -> None:
        self.program, self.system = program, system
        self.feedback, self.has_feedback = feedback or Feedback(), feedback is not None
        self.sites: dict[tuple[int, int], int] = {}
        largest = 1
        for site, found in enumerate(data_sites(program), program.numbers):
            self.sites[found.number, found.position] = site
            largest = max(largest, SIZE[found.reference.cell.type])
        shortest = min((cache.line for cache in system.caches), default=1)
        straddles = program.machine.misaligned or largest > shortest or self._instructions_straddle()
        self.alignment = Alignment(straddles, max(program.machine.model.aligns.values()))
        start = system.switch.every if system.switch is not None else 0
        self.threads = (Thread("i64", LEFT, start),) if system.switch is not None else ()

    def place(self, state: State, large: State) -> None:
        """Lay out the memory of the simulator."""
        self.check_code = self.make_check_code(state, large, self.alignment)
        self.coalescing = self._may_coalesce()
        self.fetches: FetchCode | None = None
        if self.fetches_apart and FetchCode.suits(self.check_code.code):
            self.fetches = FetchCode(self.check_code.code, state, self.program.numbers, self.has_feedback)

    @property
    def writers(self) -> tuple[CheckCode, FetchCode | None]:
        """The writers of checks in the version of the program that is being written, and of fetches that are checked apart."""
        return self.check_code, self.fetches

    def _may_coalesce(self) -> bool:
        """True if adjacent references to data may share one check: if the fetches between them do not touch the data cache."""
        code = self.check_code.code
        apart = set(code.path("fetch")).isdisjoint(code.path("read"))
        in_order = code.second is not None and code.instruction is not None  # both sides share the second level
        return self.coalesces and apart and not in_order

    def sees(self, reference: Reference) -> bool | None:
        """Return whether the memory system sees a reference to data; None if that is another thing each time."""
        if not self.system.uncached:
            return True
        address = known_address(self.program, reference)
        return None if address is None else self.system.sees(address)

    def make_check_code(self, state: State, large: State, alignment: Alignment) -> CheckCode:
        """Return the writer of checks."""
        sites, learns = self.program.numbers + len(self.sites), not self.has_feedback
        return CheckCode(
            self.system, state, large, sites, alignment, learns=learns, has_feedback=not learns, counting=self.counting
        )  # fmt: skip

    def _instructions_straddle(self) -> bool:
        """True if some instruction lies in two lines."""
        caches = [cache for cache in (self.system.instruction, self.system.instruction_tlb) if cache is not None]
        shortest = min((cache.line for cache in caches), default=0)
        return bool(shortest) and any(
            start // shortest != (end - 1) // shortest
            for fetched in self.program.fetched.values()
            for start, end in fetched
            if end > start
        )

    def function(self, site: Site) -> CheckWriter:
        """Return the instrument of one function."""
        return CheckWriter(self, site)

    def results(self, counts: Counts, run: RunResult) -> Results:
        """Return what the simulator counted in a run."""
        split = self._split_fetches(counts) if self.fetches is not None else None
        read = self.fetches.counted(run.read) if self.fetches is not None else run.read
        return collect(self.check_code.code, self.references(counts, run.read), read, split)

    def _split_fetches(self, counts: Counts) -> int:
        """Return how many lines instructions touched, without the first line of each instruction."""
        assert self.system.instruction is not None
        line = self.system.instruction.line
        return sum(
            count * ((end - 1) // line - start // line)
            for name, fetched in self.program.fetched.items()
            for (start, end), count in zip(fetched, counts.rtls[name], strict=True)
            if end > start
        )

    def learn(self, counts: Counts, run: RunResult) -> Feedback:
        """Return the feedback that a run without feedback gives for the next one."""
        entered = run.read(self.check_code.called.entered)
        fetched = run.read(self.fetches.entered) if self.fetches is not None else ()
        rarely = counts.instructions // RARELY
        parted = run.read(self.check_code.apart)
        hard: set[int] = set()
        cold: set[int] = set()
        apart: set[int] = set()
        times: dict[int, int] = {}
        for name, function in self.program.functions.items():
            first = self.program.first(name)
            for number, (rtl, made) in enumerate(zip(function.rtls(), counts.rtls[name], strict=True), first):
                sites = {number: "fetch"}
                for place, reference in enumerate(references(rtl)):
                    sites[self.sites[number, place]] = "write" if reference.write else "read"
                if made <= rarely:
                    cold.update(sites)
                    continue
                times[number] = made
                apart.update(site for site in sites if parted[site] * APART > made)
                hard.update(site for site, kind in sites.items() if self.check_code.code.is_hard(kind, entered[site], made))
                if self.fetches is not None and self.fetches.cache.is_hard(fetched[number], made):
                    hard.add(number)
        return Feedback(frozenset(hard), frozenset(cold), frozenset(apart), times if self.fetches is not None else {})

    def references(self, counts: Counts, read: Read) -> Kinds:
        """Return how many references the run made, by kind."""
        return self._certain(counts) + Kinds(**dict(zip(KINDS, read(self.check_code.called.guarded), strict=True)))

    def _certain(self, counts: Counts) -> Kinds:
        """Return how many references without guards the run made: one for each execution of their RTL."""
        made = dict.fromkeys(KINDS, 0)
        for name, function in self.program.functions.items():
            fetched = self.program.fetched[name]
            for rtl, (start, end), count in zip(function.rtls(), fetched, counts.rtls[name], strict=True):
                made["fetch"] += count * (end > start)
                for reference in references(rtl):
                    certain = not reference.guards and self.sees(reference) is True
                    made["write" if reference.write else "read"] += count * certain
        return Kinds(**made)

    def text(self) -> str:
        """Return the LLVM functions of the simulator."""
        apart = self.fetches.functions() if self.fetches is not None else ""
        return "\n".join([self.check_code.functions(), apart])


# ----------------------------------------------------------------------------------------------------------------------
# Simulate every LRU cache of a grid in one run (`cache_sim.native.sweep`).
#
# Checks stand at the same places as for a memory system.


class SweepCheckCode(CheckCode):
    """Writes the checks for a grid of caches."""

    def __init__(self, grid: Grid, state: State, large: State, alignment: Alignment) -> None:
        self.grid = grid
        super().__init__(grid.smallest, state, large, 1, alignment)

    def make_code(self, state: State, large: State, sites: int, kinds: tuple[str, ...]) -> SweepCode:
        """Return the simulator, laid out in memory."""
        self.sweep = SweepCode(self.grid, state, large, "i32", self.alignment.straddles, kinds)
        return self.sweep


class Sweeping(Caching):
    """Simulates a grid of caches while a program runs."""

    learns = fetches_apart = False

    def __init__(self, program: Program, grid: Grid) -> None:
        super().__init__(program, grid.smallest)
        self.grid = grid

    def make_check_code(self, state: State, large: State, alignment: Alignment) -> SweepCheckCode:
        """Return the writer of checks."""
        self.sweep = SweepCheckCode(self.grid, state, large, alignment)
        return self.sweep

    def swept(self, counts: Counts, run: RunResult) -> Swept:
        """Return what the simulator counted in a run."""
        return collect_sweep(self.sweep.sweep, self.references(counts, run.read), run.read)


# ----------------------------------------------------------------------------------------------------------------------
# Simulate a memory system and record its counts at moments of the run (`cache_sim.history`).
#
# Each instruction has a check of its own, and a reference is counted before it is made.  So all counts are right at every
# moment, even at a context switch between two references of one instruction.


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
        if not check.guarded:
            self._count(check.kind)
        super()._data(check, reference)
