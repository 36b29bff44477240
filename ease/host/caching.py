"""Memory systems simulated while the program runs: checks are woven into its code, as `ease.host.checks` has planned them.

A site is a number to which misses are attributed: the number of an RTL for its fetch; behind those come the references to
data.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from cache_sim.config import MemorySystem
from cache_sim.native.advice import Advice
from cache_sim.native.cache import KINDS
from cache_sim.native.collect import collect
from cache_sim.native.fetches import Fetches
from cache_sim.native.inline import EXACT, FREE, LEFT, MISSED, Check, Inline
from cache_sim.native.state import Read, State
from cache_sim.results import Kinds, Results
from ease.host.checks import CheckPlan
from ease.host.emitter import SIZE
from ease.host.fetching import FunctionFetching
from ease.host.instrument import Site, Thread
from ease.host.switch_checks import Place
from ease.host.trip_counts import fits, rounds_made
from ease.results import Counts
from vpo.analysis.delay_slots import units
from vpo.analysis.references import Reference, references
from vpo.program import Program
from vpo.rtl import Return, Rtl

if TYPE_CHECKING:
    from ease.host.run import RunResult

APART = 20  # references are not checked together if one of so many times they are in two lines
RARELY = 1_000_000  # a site is cold if at most one of so many instructions is executed there


@dataclass(frozen=True, slots=True)
class DataSite:
    """A reference to data: `number` is its RTL's in the program, `position` its place among that RTL's references."""

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
    """Simulates a memory system.

    `advice` comes from an earlier run.
    """

    joins = True  # whether the fetches of a line may be one check
    learns = True  # whether a run is to tell how checks should be written
    gathers = True  # whether references to data in one line may be
    fetches_apart = True  # where fetches can be checked apart from data

    def __init__(self, program: Program, system: MemorySystem, advice: Advice | None = None) -> None:
        self.program, self.system = program, system
        self.advice, self.advised = advice or Advice(), advice is not None
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
        """Lay out the simulators' memory."""
        self.inline = self.make_inline(state, large, self.straddles or self._instructions_straddle())
        self.inline.learns, self.inline.advised = self.learns and not self.advised, self.advised
        self.inline.aligned = max(self.program.machine.model.aligns.values())
        self.side_by_side = self._gathers()
        self.state = state
        self.fetches: Fetches | None = None
        if self.fetches_apart and Fetches.suits(self.inline.code):
            self.fetches = Fetches(self.inline.code, state, self.program.numbers, self.advised)

    def _gathers(self) -> bool:
        """Whether references to data side by side may be one check: fetches between them change nothing for data."""
        code = self.inline.code
        apart = set(code.path("fetch")).isdisjoint(code.path("read"))
        in_order = code.second is not None and code.instruction is not None  # it is asked by both sides
        return self.gathers and apart and not in_order

    def make_inline(self, state: State, large: State, straddles: bool) -> Inline:
        """Make what writes checks; `straddles`: whether references may touch several lines."""
        return Inline(self.system, state, large, self.program.numbers + len(self.sites), straddles, KINDS)

    def _instructions_straddle(self) -> bool:
        """Whether an instruction lies in two lines."""
        caches = [cache for cache in (self.system.instruction, self.system.instruction_tlb) if cache is not None]
        shortest = min((cache.line for cache in caches), default=0)
        return bool(shortest) and any(
            start // shortest != (end - 1) // shortest
            for addresses in self.program.addresses.values()
            for start, end in pairwise(addresses)
            if end > start
        )

    def function(self, site: Site) -> FunctionCaching:
        """Begin a function."""
        return FunctionCaching(self, site)

    def results(self, counts: Counts, run: RunResult) -> Results:
        """Return what happened in a run with this instrument."""
        split = self._split_fetches(counts) if self.fetches is not None else None
        read = self.fetches.counted(run.read) if self.fetches is not None else run.read
        return collect(self.inline.code, self.references(counts, run.read), read, split)

    def _split_fetches(self, counts: Counts) -> int:
        """Return how many lines were touched by instructions beside their first."""
        assert self.system.instruction is not None
        line = self.system.instruction.line
        return sum(
            count * ((end - 1) // line - start // line)
            for name, addresses in self.program.addresses.items()
            for (start, end), count in zip(pairwise(addresses), counts.rtls[name], strict=True)
            if end > start
        )

    def learn(self, counts: Counts, run: RunResult) -> Advice:
        """Return what a run without advice tells about sites."""
        entered = run.read(self.inline.entered)
        fetched = run.read(self.fetches.entered) if self.fetches is not None else ()
        rarely = counts.instructions // RARELY
        parted = run.read(self.inline.apart)
        hard: set[int] = set()
        cold: set[int] = set()
        apart: set[int] = set()
        rounds: dict[int, int] = {}
        for name, function in self.program.functions.items():
            first = self.program.first(name)
            if self.inline.code.switching:
                made_at = rounds_made(function, counts.rtls[name])
                rounds.update((first + header, number) for header, number in made_at if number > 1)
            for number, (rtl, made) in enumerate(zip(function.rtls(), counts.rtls[name], strict=True), first):
                sites = {number: "fetch"}
                for place, reference in enumerate(references(rtl)):
                    sites[self.sites[number, place]] = "write" if reference.write else "read"
                if made <= rarely:
                    cold.update(sites)
                    continue
                apart.update(site for site in sites if parted[site] * APART > made)
                hard.update(site for site, kind in sites.items() if self.inline.is_hard(kind, entered[site], made))
                if self.fetches is not None and self.fetches.cache.is_hard(fetched[number], made):
                    hard.add(number)
        return Advice(frozenset(hard), frozenset(cold), frozenset(apart), rounds)

    def references(self, counts: Counts, read: Read) -> Kinds:
        """Return how many references were made."""
        return self._certain(counts) + Kinds(**dict(zip(KINDS, read(self.inline.guarded), strict=True)))

    def _certain(self, counts: Counts) -> Kinds:
        """Return how many references were made whose RTL tells that they are made."""
        made = dict.fromkeys(KINDS, 0)
        for name, function in self.program.functions.items():
            addresses = self.program.addresses[name]
            for rtl, start, end, count in zip(function.rtls(), addresses, addresses[1:], counts.rtls[name], strict=False):
                made["fetch"] += count * (end > start)
                for reference in references(rtl):
                    made["write" if reference.write else "read"] += count * (not reference.guards)
        return Kinds(**made)

    def text(self) -> str:
        """Return the simulators."""
        apart = self.fetches.functions() if self.fetches is not None else ""
        return "\n".join([self.inline.functions(), apart])


class FunctionCaching:
    """The checks of one function.

    Where there are context switches it is written in two copies, but for functions hardly ever come to: these have the exact
    one.
    """

    def __init__(self, caching: Caching, site: Site) -> None:
        self.caching, self.site, self.inline = caching, site, caching.inline
        self.addresses = caching.program.addresses[site.function.name]
        self.leaving = set(self._slots_of_calls())
        self.written = {"": 0, EXACT: 0}  # crossings on ways in each copy, in the same order
        if self.inline.code.switching:
            numbers = range(site.first, site.first + len(self.addresses) - 1)
            site.copies = (EXACT,) if all(number in caching.advice.cold for number in numbers) else ("", EXACT)
        self.plan = CheckPlan(caching, site.function, site.first, site.copies)
        if self.plan.free:
            site.parts[FREE] = frozenset().union(*(loop.blocks for loop in self.plan.free.values()))
        fetched = self.plan.fetched
        self.fetching = FunctionFetching(fetched, site.emitter, caching.advice) if fetched is not None else None

    def variables(self) -> list[tuple[str, str]]:
        """Return the variables of the function, beside the thread."""
        return [("i64", MISSED)] if self.inline.code.penalty else []

    def enter(self) -> None:
        """No misses are to be taken at the head of the function, and behind calls."""
        if self.inline.code.penalty:
            self.site.emitter.lines.append(f"store i64 0, ptr {MISSED}")

    def begin(self, block: int) -> None:
        """Write the crossing at the head of a block: no counter shall stand between it and the head of a loop."""
        if (block, 0) in self.plan.crossings and self.site.copy != FREE:
            self._cross((block, 0))

    def before(self, block: int, index: int) -> None:
        """Write the checks of an RTL."""
        emitter, place, exact = self.site.emitter, (block, index), self.site.copy == EXACT
        if index and place in self.plan.crossings:
            self._cross(place)
        if not exact:
            self.inline.begin(emitter, self.plan.costs.get(place, 0))
            if self.fetching is not None:
                self.fetching.before(block, index)
        write = self.inline.follow if exact else self.inline.check
        planned = None
        for planned in (self.plan.followed if exact else self.plan.checks).get(place, ()):
            if planned.reference is None:
                write(emitter, planned.check, str(planned.check.address))
            else:
                self._data(planned.check, planned.reference)
        if planned is not None and place in self.leaving:
            self.inline.settle(emitter)

    def way(self, source: int, target: int) -> None:
        """Write what is checked on the way to a block, and a branch to where nothing is tested in a loop."""
        self._ahead(source, target)
        loop = self.plan.free.get(target)
        if loop is None or source in loop.blocks or self.site.copy == EXACT:
            return
        emitter = self.site.emitter
        self.inline.settle(emitter)
        test = fits(emitter, loop.rounds, loop.most, loop.after, emitter.put(f"load i64, ptr {LEFT}"))
        tested = emitter.label()
        free = self.site.function.blocks[target].label + FREE
        emitter.lines += [f"br i1 {test}, label %{free}, label %{tested}", f"{tested}:"]

    def _ahead(self, source: int, target: int) -> None:
        """Write the fetches that are checked ahead on the way to a block."""
        ahead = self.fetching.plan.edges.get((source, target)) if self.fetching is not None else None
        if self.fetching is None or ahead is None:
            return
        exact = self.site.copy == EXACT
        if self.inline.code.switching:
            name = f"way.{self.written[self.site.copy]}"
            self.written[self.site.copy] += 1
            self._land(name)
            if not exact:
                self.inline.cross(self.site.emitter, ahead.worst, name + EXACT)
        if not exact:
            self.fetching.way(source, target)

    def _cross(self, place: Place) -> None:
        """Write a crossing.

        At the head of a block, control comes to the label of the block: behind another one it would come into the middle of
        loops, which LLVM then does not know for loops.
        """
        block, index = place
        name = f"cross.{block}.{index}" if index else self.site.function.blocks[block].label
        crossing, emitter = self.plan.crossings[place], self.site.emitter
        if index:
            self._land(name)
        if self.site.copy != EXACT:
            self.inline.cross(emitter, crossing.enough, name + EXACT)
        elif crossing.returns:
            there = self.fetching.there(*place) if self.fetching is not None else ""
            self.inline.cross_back(emitter, crossing.enough, name, there)

    def _land(self, name: str) -> None:
        """Write the label to which control comes from the other copy."""
        label = name + self.site.copy
        self.site.emitter.lines += [f"br label %{label}", f"{label}:"]

    def transfer(self, block: int, index: int, value: str) -> None:
        """What is left is handed on by calls and returns."""
        if _leaves(self.site.function.blocks[block].rtls[index]):
            self.inline.settle(self.site.emitter)

    def _slots_of_calls(self) -> Iterator[Place]:
        """Yield the delay slots of calls and returns."""
        for number, block in enumerate(self.site.function.blocks):
            for first, _, end in units(self.caching.program.machine, self.site.function, block):
                if _leaves(block.rtls[first]):
                    yield from ((number, index) for index in range(first + 1, end))

    def _data(self, check: Check, reference: Reference) -> None:
        """Write the check of a reference to data, if what guards it holds."""
        emitter = self.site.emitter
        after = emitter.label() if reference.guards else ""
        for test, holds in reference.guards:
            inside, condition = emitter.label(), emitter.condition(test)
            targets = (inside, after) if holds else (after, inside)
            emitter.lines += [f"br i1 {condition}, label %{targets[0]}, label %{targets[1]}", f"{inside}:"]
        address = emitter.value(reference.cell.address, emitter.word)
        if emitter.bits > 32:
            address = emitter.put(f"trunc i{emitter.bits} {address} to i32")
        write = self.inline.follow if self.site.copy == EXACT else self.inline.check
        write(emitter, check, address)
        if after:
            emitter.lines += [f"br label %{after}", f"{after}:"]


def _leaves(rtl: Rtl) -> bool:
    """Whether control leaves the function by an RTL."""
    return rtl.call is not None or isinstance(rtl.transfer, Return)
