"""The checks of a function: planned (which stand where, how many units they take, switches of copies), and written."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from cache_sim.config import MemorySystem
from cache_sim.native.check_code import EXACT, FAST, MISSED, Check, CheckCode, Feedback
from cache_sim.native.fetch_code import FetchCode, Touch
from cache_sim.native.system import is_seen
from ease.host.instruments.instrument import LATER, RESIDENT, Site
from ease.host.instruments.spaces import address_of, begin_guarded
from ease.host.memory.coalescing import Coalescer, Probe
from ease.host.memory.facts import (
    CheckedSegment,
    KnownLines,
    Place,
    ResidentLoop,
    SegmentFetches,
    checked_segments,
    known_in_loop,
    peel,
    peeled_loops,
    resident_loops,
    touched_lines,
)
from ease.host.memory.switch_checks import SwitchCheck, place_switch_checks, resident_switch_checks
from ease.host.translation.ir_builder import SIZE
from vpo.analysis.cfg import Cfg, build_cfg, units
from vpo.analysis.references import Reference, references
from vpo.machines.machine import Machine
from vpo.program import Program
from vpo.rtl import Return, Rtl
from vpo.rtl.function import Function

# ----------------------------------------------------------------------------------------------------------------------
# Plan the checks of a function: which checks stand where, how many units they take, and where switch checks stand.
#
# All references of an RTL are checked before the RTL is executed, in the order of `vpo.analysis.references`.  A plan is made
# in four steps:
#
# 1. find the references of each RTL, and cut blocks into segments;
# 2. for the fast copy, let references share a check that are in one line: consecutive fetches, and adjacent data;
# 3. for the exact copy, let only fetches share a check between which no data come;
# 4. place switch checks, so that control is in the exact copy when a context switch comes.


# ----------------------------------------------------------------------------------------------------------------------
# Plan the checks of an instruction cache that data do not share (`cache_sim.native.fetch_code` writes them).
#
# All fetches of a segment are checked at its head: no data come between them that could change the cache.  Lines that are
# known to be the last used of their sets (`known_lines`) need no check.


@dataclass(frozen=True, slots=True)
class FetchPlan:
    """The checks of the fetches of a function.

    By the place of the first RTL of a segment, `checks` has the touches to check there, `later` those to check in later turns
    of peeled loops and `resident` in turns of resident loops, and `needs` the lines that code from there on takes for known.
    `loops` has the resident loops, by header, and `saved` the units that a segment takes less there if all its lines miss.
    """

    checks: dict[Place, list[Touch]]
    later: dict[Place, list[Touch]]
    needs: dict[Place, frozenset[int]]
    resident: dict[Place, list[Touch]]
    loops: dict[int, ResidentLoop]
    saved: dict[Place, int]


def plan_fetches(
    machine: Machine, function: Function, cfg: Cfg, extents: Sequence[tuple[int, int]], first: int,
    segments: Sequence[Sequence[CheckedSegment]], fetches: FetchCode, feedback: Feedback, peeled: dict[int, int], peels: bool,
) -> FetchPlan:  # fmt: skip
    """Return the plan of a function, and add the units of fetches to those of segments.

    `peeled` has the loops that may be peeled; those that are in resident loops are taken from it.  There are resident loops
    only if `peels`.

    RTL i of the function has the number `first + i` and is fetched as the bytes `extents[i]` (`Program.fetched`).
    """
    cache, code = fetches.cache.cache, fetches.code

    def fetched_by(segment: CheckedSegment, position: int) -> SegmentFetches:
        start, end = position + segment.first, position + segment.end
        return SegmentFetches(segment, touched_lines(extents[start:end], cache.line, first + start))

    starts = function.block_starts()

    def fetches_of(block: int) -> list[SegmentFetches]:
        return [fetched_by(each, starts[block]) for each in segments[block]]

    found: list[ResidentLoop] = []
    if peels:
        found = resident_loops(machine, cfg, function, starts, fetches_of, cache.sets, first, feedback, peeled)
    for block in [block for block, header in peeled.items() if any({block, header} & set(loop.blocks) for loop in found)]:
        del peeled[block]
    resident: dict[Place, list[Touch]] = {}
    for loop in found:
        in_loop = [fetches_of(block) for block in loop.blocks]
        known_in_loop(loop, cfg, in_loop, cache.sets)
        for block, parts in zip(loop.blocks, in_loop, strict=True):
            for part in parts:
                resident[block, part.segment.first] = _to_check(part, feedback)
    graph, further = peel(cfg, peeled)
    blocks = [*range(len(segments)), *further]
    made = [fetches_of(block) for block in blocks]
    analysis = KnownLines(graph, made, cache.sets)
    analysis.mark(code.switching)
    needs = analysis.needs() if code.switching else {}
    checks: dict[Place, list[Touch]] = {}
    later: dict[Place, list[Touch]] = {}
    for number, (block, parts) in enumerate(zip(blocks, made, strict=True)):
        for fetched in parts:
            checked = _to_check(fetched, feedback)
            if number != block:
                later[block, fetched.segment.first] = checked
                continue
            checks[block, fetched.segment.first] = checked
            cost = sum(touch.count for touch in fetched.touches) * code.cost("fetch")
            fetched.segment.cost += cost
            fetched.segment.worst += cost + len(checked) * code.penalty
    saved = {place: (len(checks[place]) - len(checked)) * code.penalty for place, checked in resident.items()}
    return FetchPlan(checks, later, needs, resident, {loop.header: loop for loop in found}, saved)


def _to_check(fetched: SegmentFetches, feedback: Feedback) -> list[Touch]:
    """Return the touches of lines that are not known."""
    return [replace(touch, strategy=feedback.strategy(touch.site)) for touch in fetched.touches if not touch.known]


# ----------------------------------------------------------------------------------------------------------------------


PARTS = 24  # a segment takes hardly more than one in so many of the units between context switches
BETWEEN_CHECKS = 48  # code between two switch checks takes hardly more than one in so many of them


class Simulated(Protocol):
    """A memory system that a program is run with: what checks are planned by."""

    program: Program
    system: MemorySystem
    feedback: Feedback
    sites: dict[tuple[int, int], int]
    check_code: CheckCode
    fetches: FetchCode | None
    coalescing: bool
    joins: bool
    peels: bool

    @property
    def writers(self) -> tuple[CheckCode, FetchCode | None]:
        """The writers of checks in the version of the program that is being written, and of fetches that are checked apart."""
        ...

    def sees(self, reference: Reference) -> bool | None:
        """Return whether the memory system sees a reference to data; None if that is another thing each time."""
        ...


class CheckPlan:
    """The checks of a function, by place: `checks` for the fast copy, `followed` for the exact one.

    `costs` has the units of each segment if all its references hit, by the place of its first RTL.  `fetched` is the plan of
    the fetches of an instruction cache that data do not share; probes have no such fetches.
    """

    def __init__(self, caching: Simulated, site: Site, cfg: Cfg, peeled: dict[int, int]) -> None:
        function, first, copies = site.function, site.first, site.copies
        self.caching, self.function, self.first, self.cfg = caching, function, first, cfg
        self.code, self.machine = caching.check_code.code, caching.program.machine
        self.fetches = caching.program.fetched[function.name]
        self.positions = function.block_starts()
        self.alone = [list(self._find(rtl, position)) for position, rtl in enumerate(function.rtls())]
        self.checks: dict[Place, list[Probe]] = {}
        self.followed: dict[Place, list[Probe]] = {}
        self.costs: dict[Place, int] = {}
        self.switch_checks: dict[Place, SwitchCheck] = {}
        self.fetched = FetchPlan({}, {}, {}, {}, {}, {})
        segments = [list(self._segments(number)) for number in range(len(function.blocks))]
        if EXACT in copies:
            self._plan_exact(segments)
        if FAST in copies:
            self._plan_fast(segments)
            if caching.fetches is not None:
                self.fetched = plan_fetches(
                    self.machine, function, cfg, self.fetches, first, segments, caching.fetches, caching.feedback, peeled,
                    caching.peels,
                )  # fmt: skip
            if self.code.switching:
                self._plan_switches(segments)

    # ------------------------------------------------------------------------------ references and segments

    def _find(self, rtl: Rtl, position: int) -> Iterator[tuple[Check, Reference | None]]:
        """Yield a check for each reference of an RTL: first the fetch, then data."""
        number = self.first + position
        address, end = self.fetches[position]
        if end > address and self.code.matters("fetch"):
            yield Check("fetch", number, size=end - address, address=address), None
        for place, reference in enumerate(references(rtl)):
            kind = "write" if reference.write else "read"
            seen = self.caching.sees(reference)
            if self.code.matters(kind) and seen is not False:
                site, guarded = self.caching.sites[number, place], bool(reference.guards) or seen is None
                yield Check(kind, site, size=SIZE[reference.cell.type], guarded=guarded), reference

    def _segments(self, number: int) -> Iterator[CheckedSegment]:
        """Yield the segments of a block; with context switches, segments are cut so that each takes few units."""
        block, position = self.function.blocks[number], self.positions[number]

        def worst(first: int, end: int) -> int:
            return sum(map(self._worst, range(position + first, position + end))) if self.code.switching else 0

        return checked_segments(self.machine, self.function, block, worst, self._part(PARTS))

    def _part(self, parts: int) -> int:
        """Return a fraction of the units between two context switches."""
        switch = self.caching.system.switch
        return switch.every // parts if switch is not None else 0

    def _worst(self, position: int) -> int:
        """Return about the most units that an RTL takes.

        Of a split instruction cache, only the first instruction in a line can miss.
        """
        worst = sum(Probe(0, check, reference).worst(self.code) for check, reference in self.alone[position])
        if not self.code.matters("fetch"):
            return worst
        cache, (address, end) = self.caching.system.instruction, self.fetches[position]
        if cache is None or self.caching.system.unified or address % cache.line < end - address:
            return worst
        return worst - self.code.worst("fetch", 1) + self.code.cost("fetch")

    def _references(self, number: int, segment: CheckedSegment, fetches: bool) -> list[Probe]:
        """Return a probe for each reference of a segment."""
        return [
            Probe(index, check, reference)
            for index in range(segment.first, segment.end)
            for check, reference in self.alone[self.positions[number] + index]
            if fetches or reference is not None
        ]

    # ------------------------------------------------------------------------------------- checks that are shared

    def _plan_fast(self, segments: Sequence[Sequence[CheckedSegment]]) -> None:
        """Plan the probes of the fast copy, and set the units that segments take."""
        caching, feedback = self.caching, self.caching.feedback
        for number, found in enumerate(segments):
            coalescer = Coalescer(self.machine, self.function.blocks[number], self.code.path("read"), feedback.apart)
            for segment in found:
                probes = self._joined(number, segment, caching.fetches is None, caching.system.unified)
                if caching.coalescing:
                    probes = list(coalescer.coalesce(probes))
                for probe in probes:
                    probe.check = replace(probe.check, strategy=feedback.strategy(probe.check.site))
                    self.checks.setdefault((number, probe.index), []).append(probe)
                segment.cost = sum(probe.cost(self.code) for probe in probes)
                segment.worst = sum(probe.worst(self.code) for probe in probes)

    def _plan_exact(self, segments: Sequence[Sequence[CheckedSegment]]) -> None:
        """Plan the probes of the exact copy."""
        for number, found in enumerate(segments):
            for segment in found:
                for probe in self._joined(number, segment, True, True):
                    self.followed.setdefault((number, probe.index), []).append(probe)

    def _joined(self, number: int, segment: CheckedSegment, fetches: bool, ordered: bool) -> list[Probe]:
        """Return the probes of a segment; `ordered` is true if the order of fetches and data matters."""
        probes = self._references(number, segment, fetches)
        if self.caching.joins:
            probes = list(self._join(probes, ordered))
        for probe in probes:
            if probe.refetch is not None:
                fetch = probe.refetch
                probe.check = replace(probe.check, address=fetch.address, refetch=fetch.count, refetch_site=fetch.site)
        return probes

    def _join(self, segment: list[Probe], ordered: bool) -> Iterator[Probe]:
        """Yield the probes of a segment with the fetches of one line joined.

        If data come between two fetches and the order matters, the later fetch becomes a refetch of the reference to data:
        that reference may evict the line, or be the last one before a context switch.
        """
        run: Probe | None = None  # the fetch that the next one may join
        data: list[Probe] = []  # since the last fetch
        for probe in segment:
            if probe.reference is not None:
                data.append(probe)
                yield probe
                continue
            joins = run is not None and self._follows(run.refetch or run.check, probe.check)
            if joins and run is not None and not (data and ordered):
                if run.refetch is not None:
                    run.refetch = replace(run.refetch, count=run.refetch.count + 1)
                else:
                    run.check = replace(run.check, count=run.check.count + 1, size=1)
            elif joins and self._may_carry(data):
                run = data[-1]
                run.refetch = probe.check
            else:
                run = probe
                yield probe
            data = []

    def _may_carry(self, data: list[Probe]) -> bool:
        """True if the references between two fetches are a single one that can carry a refetch.

        The reference must be certain, and the cache unified.  With split caches data cannot evict the line, but a context
        switch before the reference can, and a hit of the data cache would skip the refetch.
        """
        return self.caching.system.unified and len(data) == 1 and not data[0].check.guarded

    def _follows(self, before: Check, after: Check) -> bool:
        """True if an instruction directly follows the last one of a check, with both in one line and page."""
        caches = self.code.path("fetch")
        alone = any(cache.cache.sets == 1 and cache.cache.prefetch != "none" for cache in caches)
        if alone or before.site + before.count != after.site:  # if alone, a prefetched line becomes the last used
            return False
        start, end = before.address, after.address + after.size - 1
        return all(start >> cache.shift == end >> cache.shift for cache in caches)

    # --------------------------------------------------------------------------------------- context switches

    def _plan_switches(self, segments: Sequence[Sequence[CheckedSegment]]) -> None:
        """Place switch checks."""
        self.switch_checks = place_switch_checks(self.cfg, segments, self._part(BETWEEN_CHECKS))
        self.resident_enough = resident_switch_checks(
            self.cfg, segments, self.switch_checks, self.fetched.loops.values(), self.fetched.saved
        )
        self.costs = {(number, each.first): each.cost for number, found in enumerate(segments) for each in found}


# ----------------------------------------------------------------------------------------------------------------------
# Write the checks that `ease.host.memory.check_plan` has planned into the host code of a function.


class CheckWriter:
    """Writes the checks of one function.

    With context switches, a function has two copies: a fast one, and an exact one that follows each reference.  A function
    that hardly ever runs has the exact copy only.  The fast copy may have the first turns of loops apart.
    """

    def __init__(self, caching: Simulated, site: Site) -> None:
        self.caching, self.site = caching, site
        self.fetches = caching.program.fetched[site.function.name]
        self.leaving = set(self._slots_of_calls())
        if self.check_code.code.switching:
            numbers = range(site.first, site.first + len(self.fetches))
            site.copies = (EXACT,) if all(number in caching.feedback.cold for number in numbers) else (FAST, EXACT)
        cfg = build_cfg(site.function)
        peels = caching.fetches is not None and caching.peels and site.copies[0] == FAST
        peeled = peeled_loops(cfg, site.function) if peels else {}
        self.plan = CheckPlan(caching, site, cfg, peeled)
        loops = self.plan.fetched.loops.values()
        self.departures = {(block, index) for loop in loops for block, index in loop.leaves.items()}
        if peels:
            site.peeled, site.resident = peeled, {block: loop.header for loop in loops for block in loop.blocks}
            site.copies += (LATER,) * bool(site.peeled) + (RESIDENT,) * bool(site.resident)

    @property
    def check_code(self) -> CheckCode:
        """The writer of checks."""
        return self.caching.writers[0]

    def variables(self) -> list[tuple[str, str]]:
        """Return the variables of the function, without the thread."""
        return [("i64", MISSED)] if self.check_code.code.penalty else []

    def enter(self) -> None:
        """Set the misses that wait for settlement to 0, at the head of the function and behind calls."""
        if self.check_code.code.penalty:
            self.site.emitter.lines.append(f"store i64 0, ptr {MISSED}")

    def begin(self, block: int) -> None:
        """Write the switch check at the head of a block; it stands before counters, so that it can be the head of a loop."""
        if (block, 0) in self.plan.switch_checks:
            self._switch_check((block, 0))
        loop, emitter = self.plan.fetched.loops.get(block), self.site.emitter
        if loop is not None and self.caching.writers[1] is not None and self.site.copy == FAST:
            after = emitter.label()
            self.caching.writers[1].unless_resident(emitter, loop.lines, after)
            header = self.site.function.blocks[block].label + RESIDENT
            emitter.lines += [f"br label %{header}", f"{after}:"]

    def before(self, block: int, index: int) -> None:
        """Write the checks of an RTL."""
        emitter, place, exact = self.site.emitter, (block, index), self.site.copy == EXACT
        if index and place in self.plan.switch_checks:
            self._switch_check(place)
        if not exact:
            self.check_code.begin(emitter, self.plan.costs.get(place, 0))
            fetched = self.plan.fetched
            by_copy = {LATER: fetched.later, RESIDENT: fetched.resident}
            self._fetch(by_copy.get(self.site.copy, fetched.checks).get(place, ()))
        write = self.check_code.follow if exact else self.check_code.check
        probe = None
        for probe in (self.plan.followed if exact else self.plan.checks).get(place, ()):
            if probe.reference is None:
                write(emitter, probe.check, str(probe.check.address))
            else:
                self._data(probe.check, probe.reference)
        if probe is not None and place in self.leaving:
            self.check_code.settle(emitter)
        if place in self.departures:
            self._depart(place)

    def _depart(self, place: Place) -> None:
        """Write the way from a resident loop to an RTL that leaves it, in the fast copy."""
        name, emitter = f"departure.{place[0]}.{place[1]}", self.site.emitter
        if self.site.copy == FAST:
            self._land(name)
        elif self.site.copy == RESIDENT:
            emitter.lines += [f"br label %{name}{FAST}", f"{emitter.label()}:"]
            self.site.gone = True

    def edge(self, source: int, target: int) -> None:
        """Write nothing."""

    def _fetch(self, touches: Sequence[Touch]) -> None:
        """Write one check for the lines from which code fetches."""
        _, fetches = self.caching.writers
        if touches and fetches is not None:
            fetches.check(self.site.emitter, touches)

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
            enough = self.plan.resident_enough[place] if self.site.copy == RESIDENT else switch_check.enough
            self.check_code.switch_check(emitter, enough, name + EXACT)
        elif switch_check.returns:
            fetches, needs = self.caching.fetches, self.plan.fetched.needs.get(place)
            lines_resident = fetches.lines_resident(needs) if fetches is not None and needs else ""
            self.check_code.switch_check_back(emitter, switch_check.enough, name, lines_resident)

    def _check_data(self, check: Check, reference: Reference, address: str) -> None:
        """Write the check of a reference that is made."""
        write = self.check_code.follow if self.site.copy == EXACT else self.check_code.check
        write(self.site.emitter, check, address)

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
        """Write the check of a reference to data, and around it tests of its guards and of whether it is seen."""
        emitter = self.site.emitter
        after = begin_guarded(emitter, reference)
        address = address_of(emitter, reference)
        if self.caching.sees(reference) is None:
            after, inside = after or emitter.label(), emitter.label()
            test = is_seen(emitter, self.caching.system, "i32", address)
            emitter.lines += [f"br i1 {test}, label %{inside}, label %{after}", f"{inside}:"]
        self._check_data(check, reference, address)
        if after:
            emitter.lines += [f"br label %{after}", f"{after}:"]


def _leaves(rtl: Rtl) -> bool:
    """True if an RTL is a call or a return."""
    return rtl.call is not None or isinstance(rtl.transfer, Return)
