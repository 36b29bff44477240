"""Simulate a memory system in host code: write the checks that `ease.host.memory.check_plan` has planned into a program.

A site is a number to which misses are attributed.  The site of a fetch is the number of its RTL.  The sites of references
to data follow those of all fetches.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from cache_sim.config import MemorySystem
from cache_sim.native.cache import KINDS
from cache_sim.native.check import Check
from cache_sim.native.check_code import EXACT, LEFT, MISSED, VERSIONED, CheckCode
from cache_sim.native.collect import collect
from cache_sim.native.feedback import Feedback
from cache_sim.native.fetch_code import FetchCode
from cache_sim.native.state import Read, State
from cache_sim.results import Kinds, Results
from ease.host.instrument import Site, Thread
from ease.host.ir_builder import SIZE
from ease.host.memory.check_plan import CheckPlan
from ease.host.memory.known_lines import FunctionFetching
from ease.host.memory.switch_checks import Place
from ease.host.memory.trip_counts import measured_trip_counts, trips_fit
from ease.results import Counts
from vpo.analysis.delay_slots import units
from vpo.analysis.references import Reference, references
from vpo.program import Program
from vpo.rtl import Return, Rtl

if TYPE_CHECKING:
    from ease.host.run import RunResult

APART = 20  # accesses are not coalesced if they are in two lines at least once in so many times
RARELY = 1_000_000  # a site is cold if at most one in so many instructions is executed there


@dataclass(frozen=True, slots=True)
class DataSite:
    """A reference to data: `number` is the number of its RTL, `position` its place among the references of that RTL."""

    number: int
    position: int
    reference: Reference


def data_sites(program: Program) -> list[DataSite]:
    """Return the references to data of a program, in the order of their sites."""
    found: list[DataSite] = []
    for name, function in program.functions.items():
        for number, rtl in enumerate(function.rtls(), program.first(name)):
            found += [DataSite(number, position, reference) for position, reference in enumerate(references(rtl))]
    return found


class Caching:
    """Simulates a memory system while a program runs.

    `feedback` is what an earlier run of the program has measured.
    """

    joins = True  # consecutive fetches of one line may share a check
    learns = True  # a run without feedback measures what feedback needs
    coalesces = True  # adjacent references to data may share a check
    fetches_apart = True  # fetches may be checked apart from data

    def __init__(self, program: Program, system: MemorySystem, feedback: Feedback | None = None) -> None:
        self.program, self.system = program, system
        self.feedback, self.has_feedback = feedback or Feedback(), feedback is not None
        self.sites: dict[tuple[int, int], int] = {}
        largest = 1
        for site, found in enumerate(data_sites(program), program.numbers):
            self.sites[found.number, found.position] = site
            largest = max(largest, SIZE[found.reference.cell.type])
        shortest = min((cache.line for cache in system.caches), default=1)
        self.straddles = program.machine.misaligned or largest > shortest
        start = system.switch.every if system.switch is not None else 0
        self.threads = (Thread("i64", LEFT, start),) if system.switch is not None else ()

    def place(self, state: State, large: State) -> None:
        """Lay out the memory of the simulator."""
        self.check_code = self.make_check_code(state, large, self.straddles or self._instructions_straddle())
        self.check_code.learns, self.check_code.has_feedback = self.learns and not self.has_feedback, self.has_feedback
        self.check_code.aligned = max(self.program.machine.model.aligns.values())
        self.coalescing = self._may_coalesce()
        self.state = state
        self.fetches: FetchCode | None = None
        if self.fetches_apart and FetchCode.suits(self.check_code.code):
            self.fetches = FetchCode(self.check_code.code, state, self.program.numbers, self.has_feedback)

    def _may_coalesce(self) -> bool:
        """True if adjacent references to data may share one check: if the fetches between them do not touch the data cache."""
        code = self.check_code.code
        apart = set(code.path("fetch")).isdisjoint(code.path("read"))
        in_order = code.second is not None and code.instruction is not None  # both sides share the second level
        return self.coalesces and apart and not in_order

    def make_check_code(self, state: State, large: State, straddles: bool) -> CheckCode:
        """Return the writer of checks; `straddles` is true if a reference may touch several lines."""
        return CheckCode(self.system, state, large, self.program.numbers + len(self.sites), straddles, KINDS)

    def _instructions_straddle(self) -> bool:
        """True if some instruction lies in two lines."""
        caches = [cache for cache in (self.system.instruction, self.system.instruction_tlb) if cache is not None]
        shortest = min((cache.line for cache in caches), default=0)
        return bool(shortest) and any(
            start // shortest != (end - 1) // shortest
            for addresses in self.program.addresses.values()
            for start, end in pairwise(addresses)
            if end > start
        )

    def function(self, site: Site) -> FunctionCaching:
        """Return the instrument of one function."""
        return FunctionCaching(self, site)

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
            for name, addresses in self.program.addresses.items()
            for (start, end), count in zip(pairwise(addresses), counts.rtls[name], strict=True)
            if end > start
        )

    def learn(self, counts: Counts, run: RunResult) -> Feedback:
        """Return the feedback that a run without feedback gives for the next one."""
        entered = run.read(self.check_code.entered)
        fetched = run.read(self.fetches.entered) if self.fetches is not None else ()
        rarely = counts.instructions // RARELY
        parted = run.read(self.check_code.apart)
        hard: set[int] = set()
        cold: set[int] = set()
        apart: set[int] = set()
        trip_counts: dict[int, int] = {}
        for name, function in self.program.functions.items():
            first = self.program.first(name)
            if self.check_code.code.switching:
                made_at = measured_trip_counts(function, counts.rtls[name])
                trip_counts.update((first + header, number) for header, number in made_at if number > 1)
            for number, (rtl, made) in enumerate(zip(function.rtls(), counts.rtls[name], strict=True), first):
                sites = {number: "fetch"}
                for place, reference in enumerate(references(rtl)):
                    sites[self.sites[number, place]] = "write" if reference.write else "read"
                if made <= rarely:
                    cold.update(sites)
                    continue
                apart.update(site for site in sites if parted[site] * APART > made)
                hard.update(site for site, kind in sites.items() if self.check_code.is_hard(kind, entered[site], made))
                if self.fetches is not None and self.fetches.cache.is_hard(fetched[number], made):
                    hard.add(number)
        return Feedback(frozenset(hard), frozenset(cold), frozenset(apart), trip_counts)

    def references(self, counts: Counts, read: Read) -> Kinds:
        """Return how many references the run made, by kind."""
        return self._certain(counts) + Kinds(**dict(zip(KINDS, read(self.check_code.guarded), strict=True)))

    def _certain(self, counts: Counts) -> Kinds:
        """Return how many references without guards the run made: one for each execution of their RTL."""
        made = dict.fromkeys(KINDS, 0)
        for name, function in self.program.functions.items():
            addresses = self.program.addresses[name]
            for rtl, start, end, count in zip(function.rtls(), addresses, addresses[1:], counts.rtls[name], strict=False):
                made["fetch"] += count * (end > start)
                for reference in references(rtl):
                    made["write" if reference.write else "read"] += count * (not reference.guards)
        return Kinds(**made)

    def text(self) -> str:
        """Return the LLVM functions of the simulator."""
        apart = self.fetches.functions() if self.fetches is not None else ""
        return "\n".join([self.check_code.functions(), apart])


class FunctionCaching:
    """Writes the checks of one function.

    With context switches, a function has two copies: a fast one, and an exact one that follows each reference.  A function
    that hardly ever runs has the exact copy only.
    """

    def __init__(self, caching: Caching, site: Site) -> None:
        self.caching, self.site, self.check_code = caching, site, caching.check_code
        self.addresses = caching.program.addresses[site.function.name]
        self.leaving = set(self._slots_of_calls())
        self.written = {"": 0, EXACT: 0}  # switch checks on edges in each copy, in the same order
        if self.check_code.code.switching:
            numbers = range(site.first, site.first + len(self.addresses) - 1)
            site.copies = (EXACT,) if all(number in caching.feedback.cold for number in numbers) else ("", EXACT)
        self.plan = CheckPlan(caching, site.function, site.first, site.copies)
        if self.plan.versioned:
            site.parts[VERSIONED] = frozenset().union(*(loop.blocks for loop in self.plan.versioned.values()))
        fetched = self.plan.fetched
        self.fetching = FunctionFetching(fetched, site.emitter, caching.feedback) if fetched is not None else None

    def variables(self) -> list[tuple[str, str]]:
        """Return the variables of the function, without the thread."""
        return [("i64", MISSED)] if self.check_code.code.penalty else []

    def enter(self) -> None:
        """Set the misses that wait for settlement to 0, at the head of the function and behind calls."""
        if self.check_code.code.penalty:
            self.site.emitter.lines.append(f"store i64 0, ptr {MISSED}")

    def begin(self, block: int) -> None:
        """Write the switch check at the head of a block; it stands before counters, so that it can be the head of a loop."""
        if (block, 0) in self.plan.switch_checks and self.site.copy != VERSIONED:
            self._switch_check((block, 0))

    def before(self, block: int, index: int) -> None:
        """Write the checks of an RTL."""
        emitter, place, exact = self.site.emitter, (block, index), self.site.copy == EXACT
        if index and place in self.plan.switch_checks:
            self._switch_check(place)
        if not exact:
            self.check_code.begin(emitter, self.plan.costs.get(place, 0))
            if self.fetching is not None:
                self.fetching.before(block, index)
        write = self.check_code.follow if exact else self.check_code.check
        probe = None
        for probe in (self.plan.followed if exact else self.plan.checks).get(place, ()):
            if probe.reference is None:
                write(emitter, probe.check, str(probe.check.address))
            else:
                self._data(probe.check, probe.reference)
        if probe is not None and place in self.leaving:
            self.check_code.settle(emitter)

    def edge(self, source: int, target: int) -> None:
        """Write the checks that stand on an edge, and the test that enters a versioned loop."""
        self._ahead(source, target)
        loop = self.plan.versioned.get(target)
        if loop is None or source in loop.blocks or self.site.copy == EXACT:
            return
        emitter = self.site.emitter
        self.check_code.settle(emitter)
        test = trips_fit(emitter, loop.trip_count, loop.most, loop.after, emitter.put(f"load i64, ptr {LEFT}"))
        tested = emitter.label()
        versioned = self.site.function.blocks[target].label + VERSIONED
        emitter.lines += [f"br i1 {test}, label %{versioned}, label %{tested}", f"{tested}:"]

    def _ahead(self, source: int, target: int) -> None:
        """Write the fetches of a loop that are checked on an edge into it."""
        ahead = self.fetching.plan.edges.get((source, target)) if self.fetching is not None else None
        if self.fetching is None or ahead is None:
            return
        exact = self.site.copy == EXACT
        if self.check_code.code.switching:
            name = f"edge.{self.written[self.site.copy]}"
            self.written[self.site.copy] += 1
            self._land(name)
            if not exact:
                self.check_code.switch_check(self.site.emitter, ahead.worst, name + EXACT)
        if not exact:
            self.fetching.edge(source, target)

    def _switch_check(self, place: Place) -> None:
        """Write a switch check.

        The other copy jumps to the label of the block if the check stands at the head of the block.  A label of its own would
        be a second entry into loops, and LLVM recognises no loop with two entries.
        """
        block, index = place
        name = f"switch_check.{block}.{index}" if index else self.site.function.blocks[block].label
        switch_check, emitter = self.plan.switch_checks[place], self.site.emitter
        if index:
            self._land(name)
        if self.site.copy != EXACT:
            self.check_code.switch_check(emitter, switch_check.enough, name + EXACT)
        elif switch_check.returns:
            lines_resident = self.fetching.lines_resident(*place) if self.fetching is not None else ""
            self.check_code.switch_check_back(emitter, switch_check.enough, name, lines_resident)

    def _land(self, name: str) -> None:
        """Write the label to which the other copy jumps."""
        label = name + self.site.copy
        self.site.emitter.lines += [f"br label %{label}", f"{label}:"]

    def transfer(self, block: int, index: int, value: str) -> None:
        """Settle misses before a call or return, which hands on the units that are left."""
        if _leaves(self.site.function.blocks[block].rtls[index]):
            self.check_code.settle(self.site.emitter)

    def _slots_of_calls(self) -> Iterator[Place]:
        """Yield the places of the delay slots of calls and returns."""
        for number, block in enumerate(self.site.function.blocks):
            for first, _, end in units(self.caching.program.machine, self.site.function, block):
                if _leaves(block.rtls[first]):
                    yield from ((number, index) for index in range(first + 1, end))

    def _data(self, check: Check, reference: Reference) -> None:
        """Write the check of a reference to data, and around it a test of the guards of the reference."""
        emitter = self.site.emitter
        after = emitter.label() if reference.guards else ""
        for test, holds in reference.guards:
            inside, condition = emitter.label(), emitter.condition(test)
            targets = (inside, after) if holds else (after, inside)
            emitter.lines += [f"br i1 {condition}, label %{targets[0]}, label %{targets[1]}", f"{inside}:"]
        address = emitter.value(reference.cell.address, emitter.word)
        if emitter.bits > 32:
            address = emitter.put(f"trunc i{emitter.bits} {address} to i32")
        write = self.check_code.follow if self.site.copy == EXACT else self.check_code.check
        write(emitter, check, address)
        if after:
            emitter.lines += [f"br label %{after}", f"{after}:"]


def _leaves(rtl: Rtl) -> bool:
    """True if an RTL is a call or a return."""
    return rtl.call is not None or isinstance(rtl.transfer, Return)
