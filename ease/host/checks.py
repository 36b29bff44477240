"""The plan of a function's checks: where which stand, what they take, and where its crossings are.

All references of an RTL are checked before it is executed, in the order of `vpo.analysis.references`.  Instructions that
follow one another in a line of the cache are one check.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from cache_sim.native.inline import EXACT, Check
from ease.host.coalescing import Neighbours
from ease.host.emitter import SIZE
from ease.host.fetching import FetchPlan
from ease.host.loop_versioning import FreeLoop, free_loops
from ease.host.probe import Planned
from ease.host.segments import Stretch, stretches_of
from ease.host.switch_checks import Crossing, Place, Way, place_crossings
from vpo.analysis.cfg import Cfg, build_cfg
from vpo.analysis.references import Reference, references
from vpo.function import Block, Function
from vpo.rtl import Rtl

if TYPE_CHECKING:
    from ease.host.caching import Caching

PARTS = 24  # a stretch takes hardly more than this part of the units between context switches
CROSSINGS = 48  # what is taken between crossings likewise


class CheckPlan:
    """The checks of a function, by place: `checks` for the copy where no switch can come, `followed` for the exact one.

    `costs`: the units that the stretch which begins at a place takes if all hit.  `fetched`: the plan of fetches that are
    checked apart from data.  `free`: loops that are written once more, without crossings, by their headers.
    """

    def __init__(self, caching: Caching, function: Function, first: int, copies: Sequence[str]) -> None:
        self.caching, self.function, self.first, self.copies = caching, function, first, copies
        self.inline, self.machine = caching.inline, caching.program.machine
        self.addresses = caching.program.addresses[function.name]
        self.checks: dict[Place, list[Planned]] = {}
        self.followed: dict[Place, list[Planned]] = {}
        self.costs: dict[Place, int] = {}
        self.crossings: dict[Place, Crossing] = {}
        self.free: dict[int, FreeLoop] = {}
        self.fetched: FetchPlan | None = None
        self.alone: dict[int, list[tuple[Check, Reference | None]]] = {}  # by position, what the RTL there refers to
        self.positions = function.block_starts()
        starts = zip(function.blocks, self.positions, strict=True)
        stretches = [list(self._stretches(block, start)) for block, start in starts]
        for number, found in enumerate(stretches):
            for stretch in found:
                self._plan(number, stretch, self.positions[number])
        if "" not in copies:
            return
        if caching.fetches is not None:
            self.fetched = FetchPlan(function, self.addresses, first, stretches, caching.fetches)
        if self.inline.code.switching:
            ways = self.fetched.edges if self.fetched is not None else {}
            cfg = build_cfg(function)
            self.crossings = place_crossings(cfg, stretches, self._part(CROSSINGS), ways)
            self.costs = {(n, each.index): each.cost for n, found in enumerate(stretches) for each in found}
            self.free = self._free_loops(cfg, stretches, ways)

    def _part(self, parts: int) -> int:
        """Return a part of the units from a context switch to the next."""
        switch = self.caching.system.switch
        return switch.every // parts if switch is not None else 0

    def _free_loops(self, cfg: Cfg, stretches: Sequence[Sequence[Stretch]], ways: Container[Way]) -> dict[int, FreeLoop]:
        """Return, by their headers, loops that are worth being written without crossings, as an earlier run tells."""
        switch, rounds = self.caching.system.switch, self.caching.advice.rounds
        found: dict[int, FreeLoop] = {}
        for loop in free_loops(self.function, cfg, self.machine, stretches, self.crossings, ways) if rounds else ():
            made = rounds.get(self.first + self.positions[loop.header])
            if made and switch is not None and made * loop.most < switch.every:
                found[loop.header] = loop
        return found

    def _stretches(self, block: Block, position: int) -> Iterator[Stretch]:
        """Yield the stretches of a block that begins at a position; where there are switches, none takes much."""
        if not self.inline.code.switching:
            return stretches_of(self.machine, self.function, block, lambda first, end: 0, 0)

        def worst(first: int, end: int) -> int:
            return sum(self._worst(block, index, position + index) for index in range(first, end))

        return stretches_of(self.machine, self.function, block, worst, self._part(PARTS))

    def _worst(self, block: Block, index: int, position: int) -> int:
        """Return about the most that an RTL takes: not all begin a line."""
        found = list(self._references(block, index, position, fetches=True))
        worst = sum(planned.worst(self.inline) for planned in found)
        if not self.inline.matters("fetch"):
            return worst
        cache = self.caching.system.instruction
        begins = (
            cache is None or self.addresses[position] % cache.line < self.addresses[position + 1] - self.addresses[position]
        )
        if begins or self.caching.system.unified:
            return worst
        return worst - self.inline.worst("fetch", 1) + self.inline.code.cost("fetch")

    def _references(self, block: Block, index: int, position: int, fetches: bool) -> Iterator[Planned]:
        """Yield the checks of one RTL as if it stood alone: its fetch, its data."""
        found = self.alone.get(position)
        if found is None:
            self.alone[position] = found = list(self._find(block.rtls[index], position))
        for check, reference in found:
            if fetches or reference is not None:
                yield Planned(index, check, reference)

    def _find(self, rtl: Rtl, position: int) -> Iterator[tuple[Check, Reference | None]]:
        number = self.first + position
        address, end = self.addresses[position : position + 2]
        if end > address and self.inline.matters("fetch"):
            yield Check("fetch", number, size=end - address, address=address), None
        for place, reference in enumerate(references(rtl)):
            kind = "write" if reference.write else "read"
            if self.inline.matters(kind):
                site = self.caching.sites[number, place]
                yield Check(kind, site, size=SIZE[reference.cell.type], guarded=bool(reference.guards)), reference

    def _plan(self, number: int, stretch: Stretch, position: int) -> None:
        """Plan the checks of a stretch, and what they take."""
        block, unified = self.function.blocks[number], self.caching.system.unified
        if "" in self.copies:
            checks = self._checks(block, stretch, position, self.caching.fetches is None, unified)
            if self.caching.side_by_side:
                caches, apart = self.inline.code.path("read"), self.caching.advice.apart
                checks = list(Neighbours(self.machine, block, caches, apart).gather(checks))
            for planned in checks:
                planned.check = replace(planned.check, how=self.caching.advice.how(planned.check.site))
                self.checks.setdefault((number, planned.index), []).append(planned)
            stretch.cost = sum(planned.cost(self.inline) for planned in checks)
            stretch.worst = sum(planned.worst(self.inline) for planned in checks)
        if EXACT in self.copies:
            for planned in self._checks(block, stretch, position, True, True):
                self.followed.setdefault((number, planned.index), []).append(planned)

    def _checks(self, block: Block, stretch: Stretch, position: int, fetches: bool, ordered: bool) -> list[Planned]:
        """Return the checks of a stretch; `ordered`: whether it matters if fetches or data come first."""
        indices = range(stretch.index, stretch.end)
        alone = [p for i in indices for p in self._references(block, i, position + i, fetches)]
        joined = list(self._join(alone, ordered)) if self.caching.joins else alone
        for planned in joined:
            if planned.again is not None:
                fetch = planned.again
                planned.check = replace(planned.check, address=fetch.address, again=fetch.count, again_site=fetch.site)
        return joined

    def _join(self, stretch: list[Planned], ordered: bool) -> Iterator[Planned]:
        """Join the fetches of instructions in one line.

        Where data come between them and their order matters, the later fetches belong to the last reference to data: it
        may throw out their line, or be the last before a context switch.
        """
        run: Planned | None = None  # the fetch that later ones may join
        data: list[Planned] = []  # what came since the last fetch
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

    def _may_carry(self, data: list[Planned]) -> bool:
        """Whether some references to data are one that is sure to be made, behind which it is seen if the line is there still.

        Where caches are apart, data cannot throw it out, but a context switch before them can: there nobody would look.
        """
        return self.caching.system.unified and len(data) == 1 and not data[0].check.guarded

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
