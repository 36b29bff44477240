"""Plan the checks of a function: which checks stand where, how many units they take, and where switch checks stand.

All references of an RTL are checked before the RTL is executed, in the order of `vpo.analysis.references`.  Consecutive
instructions in one line share a check.  Units measure the work until the next context switch.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from cache_sim.native.check import Check
from cache_sim.native.check_code import EXACT
from ease.host.ir_builder import SIZE
from ease.host.memory.coalescing import Coalescer
from ease.host.memory.facts import CheckedSegment, checked_segments
from ease.host.memory.known_lines import FetchPlan
from ease.host.memory.loop_versioning import VersionedLoop, versionable_loops
from ease.host.memory.probe import Probe
from ease.host.memory.switch_checks import Edge, Place, SwitchCheck, place_switch_checks
from vpo.analysis.cfg import Cfg, build_cfg
from vpo.analysis.references import Reference, references
from vpo.function import Block, Function
from vpo.rtl import Rtl

if TYPE_CHECKING:
    from ease.host.memory.caching import Caching

PARTS = 24  # a segment takes hardly more than one in so many of the units between context switches
BETWEEN_CHECKS = 48  # code between two switch checks takes hardly more than one in so many of them


class CheckPlan:
    """The checks of a function, by place: `checks` for the fast copy, `followed` for the exact one.

    `costs` has the units of each segment if all its references hit, by the place of its first RTL.  `fetched` is the plan of
    fetches that are checked apart from data.  `versioned` has the versioned loops, by their headers.
    """

    def __init__(self, caching: Caching, function: Function, first: int, copies: Sequence[str]) -> None:
        self.caching, self.function, self.first, self.copies = caching, function, first, copies
        self.check_code, self.machine = caching.check_code, caching.program.machine
        self.addresses = caching.program.addresses[function.name]
        self.checks: dict[Place, list[Probe]] = {}
        self.followed: dict[Place, list[Probe]] = {}
        self.costs: dict[Place, int] = {}
        self.switch_checks: dict[Place, SwitchCheck] = {}
        self.versioned: dict[int, VersionedLoop] = {}
        self.fetched: FetchPlan | None = None
        self.alone: dict[int, list[tuple[Check, Reference | None]]] = {}  # by position, the references of its RTL
        self.positions = function.block_starts()
        starts = zip(function.blocks, self.positions, strict=False)
        segments = [list(self._segments(block, start)) for block, start in starts]
        for number, found in enumerate(segments):
            for segment in found:
                self._plan(number, segment, self.positions[number])
        if "" not in copies:
            return
        if caching.fetches is not None:
            self.fetched = FetchPlan(function, self.addresses, first, segments, caching.fetches)
        if self.check_code.code.switching:
            edges = self.fetched.edges if self.fetched is not None else {}
            cfg = build_cfg(function)
            self.switch_checks = place_switch_checks(cfg, segments, self._part(BETWEEN_CHECKS), edges)
            self.costs = {(n, each.first): each.cost for n, found in enumerate(segments) for each in found}
            self.versioned = self._versioned_loops(cfg, segments, edges)

    def _part(self, parts: int) -> int:
        """Return a fraction of the units between two context switches."""
        switch = self.caching.system.switch
        return switch.every // parts if switch is not None else 0

    def _versioned_loops(
        self, cfg: Cfg, segments: Sequence[Sequence[CheckedSegment]], edges: Container[Edge]
    ) -> dict[int, VersionedLoop]:
        """Return, by their headers, the loops to version: those whose measured trips fit in between two context switches."""
        switch, trip_counts = self.caching.system.switch, self.caching.feedback.trip_counts
        found: dict[int, VersionedLoop] = {}
        for loop in (
            versionable_loops(self.function, cfg, self.machine, segments, self.switch_checks, edges) if trip_counts else ()
        ):
            made = trip_counts.get(self.first + self.positions[loop.header])
            if made and switch is not None and made * loop.most < switch.every:
                found[loop.header] = loop
        return found

    def _segments(self, block: Block, position: int) -> Iterator[CheckedSegment]:
        """Yield the segments of a block; with context switches, segments are cut so that each takes few units."""
        if not self.check_code.code.switching:
            return checked_segments(self.machine, self.function, block, lambda first, end: 0, 0)

        def worst(first: int, end: int) -> int:
            return sum(self._worst(block, index, position + index) for index in range(first, end))

        return checked_segments(self.machine, self.function, block, worst, self._part(PARTS))

    def _worst(self, block: Block, index: int, position: int) -> int:
        """Return about the most units that an RTL takes.

        Of a split instruction cache, only the first instruction in a line can miss.
        """
        found = list(self._references(block, index, position, fetches=True))
        worst = sum(probe.worst(self.check_code) for probe in found)
        if not self.check_code.matters("fetch"):
            return worst
        cache = self.caching.system.instruction
        begins = (
            cache is None or self.addresses[position] % cache.line < self.addresses[position + 1] - self.addresses[position]
        )
        if begins or self.caching.system.unified:
            return worst
        return worst - self.check_code.worst("fetch", 1) + self.check_code.code.cost("fetch")

    def _references(self, block: Block, index: int, position: int, fetches: bool) -> Iterator[Probe]:
        """Yield the probes of one RTL, each with one reference: first the fetch, then data."""
        found = self.alone.get(position)
        if found is None:
            self.alone[position] = found = list(self._find(block.rtls[index], position))
        for check, reference in found:
            if fetches or reference is not None:
                yield Probe(index, check, reference)

    def _find(self, rtl: Rtl, position: int) -> Iterator[tuple[Check, Reference | None]]:
        number = self.first + position
        address, end = self.addresses[position : position + 2]
        if end > address and self.check_code.matters("fetch"):
            yield Check("fetch", number, size=end - address, address=address), None
        for place, reference in enumerate(references(rtl)):
            kind = "write" if reference.write else "read"
            if self.check_code.matters(kind):
                site = self.caching.sites[number, place]
                yield Check(kind, site, size=SIZE[reference.cell.type], guarded=bool(reference.guards)), reference

    def _plan(self, number: int, segment: CheckedSegment, position: int) -> None:
        """Plan the probes of a segment, and set the units that it takes."""
        block, unified = self.function.blocks[number], self.caching.system.unified
        if "" in self.copies:
            checks = self._checks(block, segment, position, self.caching.fetches is None, unified)
            if self.caching.coalescing:
                caches, apart = self.check_code.code.path("read"), self.caching.feedback.apart
                checks = list(Coalescer(self.machine, block, caches, apart).coalesce(checks))
            for probe in checks:
                probe.check = replace(probe.check, strategy=self.caching.feedback.strategy(probe.check.site))
                self.checks.setdefault((number, probe.index), []).append(probe)
            segment.cost = sum(probe.cost(self.check_code) for probe in checks)
            segment.worst = sum(probe.worst(self.check_code) for probe in checks)
        if EXACT in self.copies:
            for probe in self._checks(block, segment, position, True, True):
                self.followed.setdefault((number, probe.index), []).append(probe)

    def _checks(self, block: Block, segment: CheckedSegment, position: int, fetches: bool, ordered: bool) -> list[Probe]:
        """Return the probes of a segment; `ordered` is true if the order of fetches and data matters."""
        indices = range(segment.first, segment.end)
        alone = [p for i in indices for p in self._references(block, i, position + i, fetches)]
        joined = list(self._join(alone, ordered)) if self.caching.joins else alone
        for probe in joined:
            if probe.refetch is not None:
                fetch = probe.refetch
                probe.check = replace(probe.check, address=fetch.address, refetch=fetch.count, refetch_site=fetch.site)
        return joined

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
        caches = self.check_code.code.path("fetch")
        alone = any(
            cache.cache.sets == 1 and cache.cache.prefetch != "none" for cache in caches
        )  # a prefetched line becomes the last used
        if alone or before.site + before.count != after.site:
            return False
        start, end = before.address, after.address + after.size - 1
        return all(start >> cache.shift == end >> cache.shift for cache in caches)
