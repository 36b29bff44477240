"""Plan the checks of an instruction cache that data do not share (`cache_sim.native.fetch_code` writes them).

All fetches of a segment are checked at its head: no data come between them that could change the cache.  Two things make
checks fewer.

*Known lines*.  A line is known at a place if it is the line last used of its set on every path to that place.  Fetching from
it changes nothing, whatever the policy, so a known line needs no check.  This is the must analysis of Ferdinand and Wilhelm
("Efficient and Precise Cache Behavior Prediction for Real-Time Systems", 1999) with one line for each set.

*Hoisting*.  A line of an innermost loop is checked on the edges into the loop instead, if every iteration touches it and no
other line of the loop is in its set: then it stays the line last used of its set (as Gupta hoists checks of array bounds,
"Optimizing Array Bound Checks Using Flow Analysis", 1993).

Context switches make lines unknown.  None comes in the fast copy, but control may enter it from the exact copy at any switch
check: there a test makes sure that the lines are in the cache which the code behind takes for known (`needs`, a backward
analysis).  For control to return soon after a switch, a loop takes only those lines for known that each of its iterations
touches.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from cache_sim.config import Cache
from cache_sim.native.fetch_code import FetchCode, Touch
from ease.host.memory.facts import CheckedSegment, Edge, touched_lines
from vpo.analysis.cfg import Cfg, annulled_slots, build_cfg
from vpo.analysis.dominators import dominates, dominators
from vpo.analysis.loops import Loop, natural_loops
from vpo.function import Function

Known = dict[int, int]  # by set, its last used line


@dataclass(slots=True)
class SegmentFetches:
    """The touches of a segment; `needs` has the lines that code from the head of the segment on takes for known."""

    segment: CheckedSegment
    touches: list[Touch] = field(default_factory=list)
    needs: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Ahead:
    """The touches of a loop that are checked on its entry edges; `worst` is the most units that an iteration takes."""

    touches: Sequence[Touch]
    worst: int


class FetchPlan:
    """The checks of a function: `segments` by block, and `edges` with what is checked before a loop."""

    def __init__(
        self, function: Function, addresses: Sequence[int], first: int, segments: Sequence[Sequence[CheckedSegment]],
        fetches: FetchCode,
    ) -> None:  # fmt: skip
        self.function, self.fetches = function, fetches
        self.cache: Cache = fetches.cache.cache
        self.cfg = build_cfg(function)
        self.order = self.cfg.reverse_postorder()
        self.segments: list[list[SegmentFetches]] = []
        for position, found in zip(function.block_starts(), segments, strict=True):
            self.segments.append([])
            for segment in found:
                start, end = position + segment.first, position + segment.end
                touches = touched_lines(addresses[start : end + 1], self.cache.line, first + start)
                self.segments[-1].append(SegmentFetches(segment, touches))
        self.ahead: dict[int, Ahead] = {}  # by header
        self.edges: dict[Edge, Ahead] = {}
        self.every_iteration: dict[int, set[int]] = {}  # by header, the lines touched in each iteration
        self._look_at_loops()
        self._find_known()
        if fetches.code.switching:
            self._find_needs()
            self._take_costs()

    def _set(self, line: int) -> int:
        return line % self.cache.sets

    # -------------------------------------------------------------------------------------- loops

    def _look_at_loops(self) -> None:
        """Find the touches that move out of loops, and the lines that every iteration touches."""
        idom = dominators(self.cfg)
        loops = natural_loops(self.cfg, idom)
        headers = {loop.header for loop in loops}
        movable = self.cache.policy != "random" or self.cache.ways == 1  # the next random victim depends on misses of all sets
        for loop in loops:
            innermost = len(headers & loop.blocks) == 1 and is_reducible(self.cfg, loop, self.order)
            if (
                movable
                and innermost
                and loop.header
                and not any(s.segment.after_call or s.segment.after_system_call for s in self._of(loop))
            ):
                self._look_ahead(loop, idom)
            ends = [block for block in self.cfg.predecessors[loop.header] if block in loop.blocks]
            always = [block for block in loop.blocks if all(dominates(idom, block, end) for end in ends)]
            touches = (t for block in always for s in self.segments[block] if not s.segment.annullable for t in s.touches)
            self.every_iteration[loop.header] = {touch.line for touch in touches}

    def _of(self, loop: Loop) -> Iterator[SegmentFetches]:
        for block in loop.blocks:
            yield from self.segments[block]

    def _look_ahead(self, loop: Loop, idom: dict[int, int]) -> None:
        entries = [block for block in self.cfg.predecessors[loop.header] if block not in loop.blocks and block in idom]
        if any(annulled_slots(self.function.blocks[block]) for block in entries):
            return
        lines: dict[int, set[int]] = {}
        for fetched in self._of(loop):
            for touch in fetched.touches:
                lines.setdefault(self._set(touch.line), set()).add(touch.line)
        alone = {line for found in lines.values() if len(found) == 1 for line in found}
        chosen: list[Touch] = []
        for block in _always(self.cfg, loop, self.order):
            for fetched in self.segments[block]:
                if fetched.segment.annullable:
                    continue
                for touch in fetched.touches:
                    if touch.line in alone and self._is_first(touch, block, loop, idom):
                        alone.discard(touch.line)
                        chosen.append(replace(touch, count=max(touch.count, 1)))
        if not chosen:
            return
        units, penalty = self.fetches.code.cost("fetch"), self.fetches.code.penalty
        worst = sum(touch.count * units + penalty for fetched in self._of(loop) for touch in fetched.touches)
        worst += sum(fetched.segment.worst for fetched in self._of(loop))  # for data
        self.ahead[loop.header] = ahead = Ahead(tuple(chosen), worst)
        for block in entries:
            self.edges[block, loop.header] = ahead

    def _is_first(self, touch: Touch, block: int, loop: Loop, idom: dict[int, int]) -> bool:
        """True if no other touch of the same line comes earlier in an iteration."""
        return all(
            dominates(idom, block, other)
            for other in loop.blocks
            if any(each.line == touch.line for fetched in self.segments[other] for each in fetched.touches)
        )

    # ----------------------------------------------------------------------------------- what is known

    def _find_known(self) -> None:
        """Mark the touches of known lines, and drop the checks on edges that find their line known."""
        after: dict[int, Known] = {}
        changed = True
        while changed:
            changed = False
            for block in self.order:
                known = self._through(block, self._before(block, after), mark=False)
                if after.get(block) != known:
                    after[block] = known
                    changed = True
        for block in self.order:
            self._through(block, self._before(block, after), mark=True)
        for (block, header), ahead in list(self.edges.items()):
            known = after[block]
            touches = tuple(touch for touch in ahead.touches if known.get(self._set(touch.line)) != touch.line)
            if touches:
                self.edges[block, header] = Ahead(touches, ahead.worst)
            else:
                del self.edges[block, header]

    def _before(self, block: int, after: dict[int, Known]) -> Known:
        if block == 0:
            return {}
        found: Known | None = None
        for other in self.cfg.predecessors[block]:
            if other not in after:
                continue
            known = after[other]
            if (other, block) in self.edges:
                known = known | {self._set(touch.line): touch.line for touch in self.ahead[block].touches}
            found = dict(known) if found is None else _both(found, known)
        every_iteration = self.every_iteration.get(block)
        if every_iteration is None or not self.fetches.code.switching:
            return found or {}
        return {place: line for place, line in (found or {}).items() if line in every_iteration}

    def _through(self, block: int, known: Known, mark: bool) -> Known:
        known = dict(known)
        for fetched in self.segments[block]:
            if fetched.segment.after_call:
                known = {}
            before = dict(known) if fetched.segment.annullable else known
            for number, touch in enumerate(fetched.touches):
                place = self._set(touch.line)
                if mark:
                    fetched.touches[number] = replace(touch, known=known.get(place) == touch.line)
                known[place] = touch.line
            if fetched.segment.annullable:
                known = _both(before, known)
        return known

    def _find_needs(self) -> None:
        """Find for each segment the lines that it and the code behind it take for known."""
        needed: dict[int, frozenset[int]] = {}  # at the head of a block
        changed = True
        while changed:
            changed = False
            for block in reversed(self.order):
                needs: frozenset[int] = frozenset()
                for successor in self.cfg.successors[block]:
                    wanted = needed.get(successor, frozenset())
                    if (block, successor) in self.edges:
                        wanted -= {touch.line for touch in self.edges[block, successor].touches}
                    needs |= wanted
                for fetched in reversed(self.segments[block]):
                    before = self._needed_by(fetched, needs)
                    fetched.needs = before | needs if fetched.segment.annullable else before
                    needs = frozenset() if fetched.segment.after_call else fetched.needs
                if needed.get(block) != needs:
                    needed[block] = needs
                    changed = True

    def _take_costs(self) -> None:
        """Add the units of fetches to the costs of segments."""
        for segments in self.segments:
            for fetched in segments:
                cost = sum(touch.count for touch in fetched.touches) * self.fetches.code.cost("fetch")
                fetched.segment.cost += cost
                fetched.segment.worst += cost + sum(not touch.known for touch in fetched.touches) * self.fetches.code.penalty

    def _needed_by(self, fetched: SegmentFetches, needs: frozenset[int]) -> frozenset[int]:
        found = set(needs)
        for touch in reversed(fetched.touches):
            found = {line for line in found if self._set(line) != self._set(touch.line)}
            if touch.known:
                found.add(touch.line)
        return frozenset(found)


def _both(one: Known, other: Known) -> Known:
    """Return the lines that are known on both of two paths."""
    return {place: line for place, line in one.items() if other.get(place) == line}


def is_reducible(cfg: Cfg, loop: Loop, order: Sequence[int]) -> bool:
    """True if every cycle in an innermost loop goes through its header."""
    place = {block: number for number, block in enumerate(order)}
    return all(
        place[successor] > place[block]
        for block in loop.blocks
        for successor in cfg.successors[block]
        if successor in loop.blocks and successor != loop.header
    )


def _always(cfg: Cfg, loop: Loop, order: Sequence[int]) -> list[int]:
    """Return, in order, the blocks of an innermost loop that every iteration executes, even one that leaves the loop."""
    inside = [block for block in order if block in loop.blocks]
    # By block: the blocks on every path from it to the end of the iteration, however that ends.
    later: dict[int, frozenset[int]] = {}
    for block in reversed(inside):
        ways = [later.get(s, frozenset()) if s != loop.header else frozenset[int]() for s in cfg.successors[block]]
        common = frozenset.intersection(*ways) if ways else frozenset[int]()
        later[block] = common | {block}
    return [block for block in inside if block in later[loop.header]]
