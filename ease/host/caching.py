"""Memory systems simulated while the program runs: where which checks stand (`cache_sim.native.inline` writes them).

All references of an RTL are checked before it is executed, in the order of `vpo.references`.  Instructions that follow one
another in a line of the cache are one check.  A site is a number to which misses are attributed: the number of an RTL
for its fetch; behind those come the references to data.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING

from cache_sim.config import MemorySystem
from cache_sim.native.advice import Advice
from cache_sim.native.cache import KINDS
from cache_sim.native.collect import collect
from cache_sim.native.fetches import Fetches
from cache_sim.native.inline import FILTERS, LEFT, TIGHT, Check, Inline
from cache_sim.native.state import Read, State
from cache_sim.results import Kinds, Results
from ease.host.expressions import SIZE
from ease.host.fetching import FetchPlan, FunctionFetching
from ease.host.flow import units
from ease.host.instrument import Site, Thread
from ease.results import Counts
from vpo.cfg import build_cfg
from vpo.function import Block
from vpo.program import Program
from vpo.references import Reference, references

if TYPE_CHECKING:
    from ease.host.run import RunResult

RARELY = 1_000_000  # a site is cold if at most one of so many instructions is executed there
TESTS = 64  # between tests at most this part of the units between context switches is taken, if one RTL does not take more


@dataclass(frozen=True, slots=True)
class DataSite:
    """A reference to data: `number` is its RTL's in the program, `position` its place among that RTL's references."""

    number: int
    position: int
    reference: Reference


def data_sites(program: Program) -> list[DataSite]:
    """Return the references to data of a program, in the order of their sites."""
    found: list[DataSite] = []
    first = 0
    for name, function in program.functions.items():
        for number, rtl in enumerate(function.rtls(), first):
            found += [DataSite(number, position, reference) for position, reference in enumerate(references(rtl))]
        first += len(program.addresses[name])
    return found


class Caching:
    """Simulates a memory system.

    `advice` comes from an earlier run.
    """

    joins = True  # whether the fetches of a line may be one check
    fetches_apart = True  # where fetches can be checked apart from data

    def __init__(self, program: Program, system: MemorySystem, advice: Advice | None = None) -> None:
        self.program, self.system, self.advice = program, system, advice or Advice()
        self.first = dict(zip(program.addresses, accumulate(map(len, program.addresses.values()), initial=0), strict=False))
        self.rtls = sum(map(len, program.addresses.values()))
        self.sites: dict[tuple[int, int], int] = {}
        largest = 1
        for site, found in enumerate(data_sites(program), self.rtls):
            self.sites[found.number, found.position] = site
            largest = max(largest, SIZE[found.reference.cell.type])
        shortest = min((cache.line for cache in system.caches), default=1)
        self.straddles = program.machine.misaligned or largest > shortest
        start = system.switch.every if system.switch is not None else 0
        self.threads = (Thread("i64", LEFT, start),) if system.switch is not None else ()

    def place(self, state: State, large: State) -> None:
        """Lay out the simulators' memory."""
        self.inline = self.make_inline(state, large, self.straddles or self._instructions_straddle())
        self.state = state
        self.fetches: Fetches | None = None
        if self.fetches_apart and Fetches.suits(self.inline.code):
            self.fetches = Fetches(self.inline.code, state, self.rtls)
            self.inline.without_fetches = True

    def make_inline(self, state: State, large: State, straddles: bool) -> Inline:
        """Make what writes checks; `straddles`: whether references may touch several lines."""
        return Inline(self.system, state, large, self.rtls + len(self.sites), straddles, KINDS)

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
        split = self._split_fetches(counts) if self.fetches is not None else 0
        return collect(self.inline.code, self.references(counts, run.read), run.read, split)

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
        hard: set[int] = set()
        cold: set[int] = set()
        for name, function in self.program.functions.items():
            first = self.first[name]
            for number, (rtl, made) in enumerate(zip(function.rtls(), counts.rtls[name], strict=True), first):
                sites = {number: "fetch"}
                for place, reference in enumerate(references(rtl)):
                    sites[self.sites[number, place]] = "write" if reference.write else "read"
                if made <= rarely:
                    cold.update(sites)
                    continue
                hard.update(site for site, kind in sites.items() if self.inline.is_hard(kind, entered[site], made))
                if self.fetches is not None and self.fetches.cache.is_hard(fetched[number], made):
                    hard.add(number)
        return Advice(frozenset(hard), frozenset(cold))

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

    def finish(self, module: str) -> str:
        """Fill in how little must be left for references to be followed exactly."""
        return module.replace(TIGHT, str(self.inline.tight))

    def initialise(self, memory: bytearray, address: int) -> None:
        """Write initial values into memory that begins at an address."""
        self.inline.initialise(memory, address)


@dataclass(slots=True)
class _Planned:
    """A check before the RTL at an index of its block; for data, of what reference."""

    index: int
    check: Check
    reference: Reference | None = None
    again: Check | None = None

    def cost(self, inline: Inline) -> int:
        """What it takes from the units left if it hits, and belongs to the cost of its stretch."""
        if self.check.guarded:
            return 0
        return inline.cost(self.check.kind) * self.check.count + (inline.cost("fetch") * self.again.count if self.again else 0)

    def worst(self, inline: Inline) -> int:
        """The most that it takes."""
        again = inline.worst("fetch", 1) + (self.again.count - 1) * inline.cost("fetch") if self.again else 0
        more = inline.cost(self.check.kind) * (self.check.count - 1)
        return inline.worst(self.check.kind, self.check.size) + more + again


@dataclass(slots=True)
class _Stretch:
    """The checks of RTLs without transfers of control between them; `after_call`: whether a call stands before them."""

    checks: list[_Planned]
    after_call: bool
    cost: int = 0
    worst: int = 0


class FunctionCaching:
    """The checks of one function."""

    def __init__(self, caching: Caching, site: Site) -> None:
        self.caching, self.site, self.inline = caching, site, caching.inline
        self.addresses = caching.program.addresses[site.function.name]
        self.checks: dict[tuple[int, int], list[_Planned]] = {}
        self.costs: dict[tuple[int, int], int] = {}
        self.tests: set[tuple[int, int]] = set()
        stretches: list[list[_Stretch]] = []
        position = 0
        for number, block in enumerate(site.function.blocks):
            stretches.append([self._plan(number, stretch) for stretch in self._stretches(block, position)])
            position += len(block.rtls)
        if self.inline.switching:
            self._place_tests(stretches)
        self.fetching: FunctionFetching | None = None
        if caching.fetches is not None:
            plan = FetchPlan(site.function, self.addresses, site.first, caching.program.machine, caching.fetches)
            self.fetching = FunctionFetching(plan, site.emitter, caching.advice)

    def _place_tests(self, stretches: list[list[_Stretch]]) -> None:
        """Let there be a test on every cycle, and so often that little is taken between tests.

        There is one at the head of the function and behind each call anyway.
        """
        cfg = build_cfg(self.site.function)
        order = cfg.reverse_postorder()
        place = {block: number for number, block in enumerate(order)}
        most = self.inline.every // TESTS
        taken: dict[int, int] = {}  # since the last test, at the end of a block
        for block in order:
            before = cfg.predecessors[block]
            cycle = any(place.get(other, -1) >= place[block] for other in before)
            since = most + 1 if cycle else max((taken[other] for other in before if other in taken), default=0)
            for stretch in stretches[block]:
                since = 0 if stretch.after_call else since
                if not stretch.checks:
                    continue
                if since and since + stretch.worst > most:
                    self.tests.add((block, stretch.checks[0].index))
                    since = 0
                since += stretch.worst
                self.inline.tight = max(self.inline.tight, since)
            taken[block] = since

    def variables(self) -> list[tuple[str, str]]:
        """Return the variables of the function."""
        return [("ptr", FILTERS)] if self.inline.switching else []

    def enter(self) -> None:
        """Write what stands at the head of the function and behind calls."""
        self.inline.enter(self.site.emitter)

    def before(self, block: int, index: int) -> None:
        """Write the checks of an RTL."""
        emitter = self.site.emitter
        if self.fetching is not None:
            self.fetching.before(block, index)
        if (block, index) in self.tests:
            self.inline.test(emitter)
        self.inline.begin(emitter, self.costs.get((block, index), 0))
        for planned in self.checks.get((block, index), ()):
            if planned.reference is None:
                self.inline.check(emitter, planned.check, str(planned.check.address))
            else:
                self._data(planned.check, planned.reference)

    def way(self, source: int, target: int) -> None:
        """Write what is checked on the way to a block."""
        if self.fetching is not None:
            self.fetching.way(source, target)

    def transfer(self, block: int, index: int, value: str) -> None:
        """Where control goes does not matter."""

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
        self.inline.check(emitter, check, address)
        if after:
            emitter.lines += [f"br label %{after}", f"{after}:"]

    # ------------------------------------------------------------------------------------------- plans

    def _stretches(self, block: Block, position: int) -> Iterator[_Stretch]:
        """Yield the stretches of a block: they end behind calls, before annulled slots, and when they are long."""
        stretch = _Stretch([], False)
        for index, cut, end in units(self.caching.program.machine, self.site.function, block):
            for first, last in ((index, cut), (cut, end)):
                found = [p for i in range(first, last) for p in self._references(block, i, position + i)]
                worst = sum(planned.worst(self.inline) for planned in found)
                long = self.inline.switching and stretch.worst + worst > self.inline.every // TESTS
                if found and stretch.checks and (first == cut or long):
                    yield stretch
                    stretch = _Stretch([], False)
                stretch.checks += found
                stretch.worst += worst
            if block.rtls[index].call is not None:
                yield stretch
                stretch = _Stretch([], True)
        yield stretch

    def _references(self, block: Block, index: int, position: int) -> Iterator[_Planned]:
        """Yield the checks of one RTL as if it stood alone: its fetch, its data."""
        number = self.site.first + position
        address, end = self.addresses[position : position + 2]
        if end > address and self.inline.matters("fetch"):
            yield _Planned(index, Check("fetch", number, size=end - address, address=address))
        for place, reference in enumerate(references(block.rtls[index])):
            kind = "write" if reference.write else "read"
            if self.inline.matters(kind):
                site = self.caching.sites[number, place]
                check = Check(kind, site, size=SIZE[reference.cell.type], guarded=bool(reference.guards))
                yield _Planned(index, check, reference)

    def _plan(self, block: int, stretch: _Stretch) -> _Stretch:
        """Join fetches, work out what is taken early for each check, and keep all of a stretch."""
        joined = list(self._join(stretch.checks)) if self.caching.joins else stretch.checks
        rest = 0
        for planned in reversed(joined):
            early = rest + planned.cost(self.inline)
            check = replace(planned.check, early=early, rest=rest, how=self.caching.advice.how(planned.check.site))
            if planned.again is not None:
                fetch = planned.again
                check = replace(check, address=fetch.address, again=fetch.count, again_site=fetch.site)
            planned.check, rest = check, early
        for planned in joined:
            self.checks.setdefault((block, planned.index), []).append(planned)
        if joined:
            self.costs[block, joined[0].index] = rest
        worst = sum(planned.worst(self.inline) for planned in joined)
        return _Stretch(joined, stretch.after_call, rest, worst)

    def _join(self, stretch: list[_Planned]) -> Iterator[_Planned]:
        """Join the fetches of instructions in one line.

        Where data come between them and their order matters, the later fetches belong to the last reference to data: it
        may throw out their line, or be the last before a context switch.
        """
        ordered = self.caching.system.unified or self.inline.switching
        run: _Planned | None = None  # the fetch that later ones may join
        data: list[_Planned] = []  # what came since the last fetch
        for planned in stretch:
            if planned.reference is not None:
                data.append(planned)
                yield planned
                continue
            joins = run is not None and self._follows(run.again or run.check, planned.check)
            if joins and run is not None and not (data and ordered):
                if run.again is not None:
                    run.again = replace(run.again, count=run.again.count + 1)
                else:
                    run.check = replace(run.check, count=run.check.count + 1, size=1)
            elif joins and self._may_carry(data):
                run = data[-1]
                run.again = planned.check
            else:
                run = planned
                yield planned
            data = []

    def _may_carry(self, data: list[_Planned]) -> bool:
        """Whether the last of some references to data is sure to be made, and the only one that can throw out the line."""
        return not any(planned.check.guarded for planned in data) and (len(data) == 1 or not self.caching.system.unified)

    def _follows(self, before: Check, after: Check) -> bool:
        """Whether an instruction comes behind others of a check, all in one line and page."""
        caches = self.inline.code.path("fetch")
        alone = any(
            cache.cache.sets == 1 and cache.cache.prefetch != "none" for cache in caches
        )  # what is prefetched is used last
        if alone or before.site + before.count != after.site:
            return False
        start, end = before.address, after.address + after.size - 1
        return all(start >> cache.shift == end >> cache.shift for cache in caches)
