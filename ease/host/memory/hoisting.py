"""Hoist checks of fetches out of innermost loops, to the edges on which these are entered.

A line is hoisted if every iteration touches it, even the last one, and no other line of the loop is in its set.  So it stays
the line last used of its set while control is in the loop, and only the first touch can miss.  Gupta moves checks of array
bounds in this way ("Optimizing Array Bound Checks Using Flow Analysis", 1993).

Exact: the first touch misses or hits as it would in the loop, since nothing else touches its set between the edge and it.  But
where a victim is drawn at random, the order of misses in all sets counts, so nothing is hoisted.  Nor is it out of loops that
call, since a call may touch any set, or never come back.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from cache_sim.config import Cache
from cache_sim.native.fetch_code import Touch
from cache_sim.native.system import SystemCode
from ease.host.memory.facts import Edge, SegmentFetches
from vpo.analysis.cfg import Cfg, annulled_slots
from vpo.analysis.dominators import dominates, dominators
from vpo.analysis.loops import Loop, natural_loops
from vpo.function import Function


@dataclass(frozen=True, slots=True)
class Hoisted:
    """The touches that are checked on an edge into a loop; `worst` is the most units that an iteration takes."""

    touches: Sequence[Touch]
    worst: int


class Hoisting:
    """Hoists checks out of the loops of one function; `segments` has those of each block."""

    def __init__(
        self, function: Function, cfg: Cfg, segments: Sequence[Sequence[SegmentFetches]], cache: Cache, code: SystemCode
    ) -> None:
        self.function, self.cfg, self.segments, self.cache, self.code = function, cfg, segments, cache, code
        self.order = cfg.reverse_postorder()
        self.idom = dominators(cfg)

    def edges(self) -> dict[Edge, Hoisted]:
        """Return what is checked on edges."""
        if self.cache.policy == "random" and self.cache.ways > 1:
            return {}
        loops = natural_loops(self.cfg, self.idom)
        headers = {loop.header for loop in loops}
        found: dict[Edge, Hoisted] = {}
        for loop in loops:
            entries = [
                block for block in self.cfg.predecessors[loop.header] if block not in loop.blocks and block in self.idom
            ]
            may_leave = any(s.segment.after_call or s.segment.after_system_call for s in self._of(loop))
            if not loop.header or len(headers & loop.blocks) > 1 or may_leave or not self._is_reducible(loop):
                continue
            touches = self._touches(loop)
            if touches and not any(annulled_slots(self.function.blocks[block]) for block in entries):
                found |= dict.fromkeys(((block, loop.header) for block in entries), Hoisted(touches, self._worst(loop)))
        return found

    def _of(self, loop: Loop) -> Iterator[SegmentFetches]:
        for block in loop.blocks:
            yield from self.segments[block]

    def _is_reducible(self, loop: Loop) -> bool:
        """True if every cycle in an innermost loop goes through its header."""
        place = {block: number for number, block in enumerate(self.order)}
        return all(
            place[successor] > place[block]
            for block in loop.blocks
            for successor in self.cfg.successors[block]
            if successor in loop.blocks and successor != loop.header
        )

    def _touches(self, loop: Loop) -> list[Touch]:
        """Return the first touch of each line that is hoisted."""
        lines: dict[int, set[int]] = {}  # by set
        for fetched in self._of(loop):
            for touch in fetched.touches:
                lines.setdefault(touch.line % self.cache.sets, set()).add(touch.line)
        alone = {line for found in lines.values() if len(found) == 1 for line in found}
        chosen: list[Touch] = []
        for block in self._always(loop):
            for fetched in self.segments[block]:
                for touch in fetched.touches if not fetched.segment.annullable else ():
                    if touch.line in alone and self._is_first(touch, block, loop):
                        alone.discard(touch.line)
                        chosen.append(replace(touch, count=max(touch.count, 1)))
        return chosen

    def _always(self, loop: Loop) -> list[int]:
        """Return, in order, the blocks of an innermost loop that every iteration executes, even one that leaves the loop."""
        inside = [block for block in self.order if block in loop.blocks]
        # By block: the blocks on every path from it to the end of the iteration, however that ends.
        later: dict[int, frozenset[int]] = {}
        for block in reversed(inside):
            onward = [later.get(s, frozenset()) if s != loop.header else frozenset[int]() for s in self.cfg.successors[block]]
            common = frozenset.intersection(*onward) if onward else frozenset[int]()
            later[block] = common | {block}
        return [block for block in inside if block in later[loop.header]]

    def _is_first(self, touch: Touch, block: int, loop: Loop) -> bool:
        """True if no other touch of the same line comes earlier in an iteration."""
        return all(
            dominates(self.idom, block, other)
            for other in loop.blocks
            if any(each.line == touch.line for fetched in self.segments[other] for each in fetched.touches)
        )

    def _worst(self, loop: Loop) -> int:
        """Return the most units that an iteration takes; those of the segments are still those of data only."""
        units, penalty = self.code.cost("fetch"), self.code.penalty
        fetches = sum(touch.count * units + penalty for fetched in self._of(loop) for touch in fetched.touches)
        return fetches + sum(fetched.segment.worst for fetched in self._of(loop))
