"""Find the fetches whose line is known to be the one last used of its set: they change nothing, whatever the policy.

*Known lines* are found forward: a line is known at a place if it is the one last used of its set on every path to that place.
This is the must analysis of Ferdinand and Wilhelm ("Efficient and Precise Cache Behavior Prediction for Real-Time Systems",
1999) with one line for each set.  Nothing is known at the head of a function and behind calls.

*Needs* are found backward: the lines that are taken for known by code which control may reach before they are touched again.
Context switches make lines unknown.  None comes in the fast copy, but control may enter that from the exact copy, and then a
test makes sure that all needs are in the cache.  For control to get there soon after a switch, a loop takes only those lines
for known that each of its iterations touches.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from ease.host.memory.facts import Place, SegmentFetches
from vpo.analysis.cfg import Cfg
from vpo.analysis.dominators import dominates, dominators, natural_loops

Known = dict[int, int]  # by set, its last used line


class KnownLines:
    """The analyses of one function.

    `segments` has those of each block, `sets` is the number of sets.
    """

    def __init__(self, cfg: Cfg, segments: Sequence[Sequence[SegmentFetches]], sets: int) -> None:
        self.cfg, self.segments, self.sets = cfg, segments, sets
        self.order = cfg.reverse_postorder()

    # ------------------------------------------------------------------------------------------- forward

    def mark(self, switching: bool) -> None:
        """Mark the touches of known lines."""
        kept = self._touched_in_every_iteration() if switching else {}
        after: dict[int, Known] = {}
        changed = True
        while changed:
            changed = False
            for block in self.order:
                known = self._through(block, self._before(block, after, kept), mark=False)
                if after.get(block) != known:
                    after[block] = known
                    changed = True
        for block in self.order:
            self._through(block, self._before(block, after, kept), mark=True)

    def _touched_in_every_iteration(self) -> dict[int, set[int]]:
        """Return the lines that each iteration of a loop touches unless it leaves the loop, by the loop's header."""
        idom = dominators(self.cfg)
        found: dict[int, set[int]] = {}
        for loop in natural_loops(self.cfg, idom):
            ends = [block for block in self.cfg.predecessors[loop.header] if block in loop.blocks]
            always = [block for block in loop.blocks if all(dominates(idom, block, end) for end in ends)]
            touches = (t for block in always for s in self.segments[block] if not s.segment.annullable for t in s.touches)
            found[loop.header] = {touch.line for touch in touches}
        return found

    def _before(self, block: int, after: Mapping[int, Known], kept: Mapping[int, set[int]]) -> Known:
        """Return what is known at the head of a block."""
        if block == 0:
            return {}
        found: Known | None = None
        for other in self.cfg.predecessors[block]:
            if other in after:
                found = after[other] if found is None else _both(found, after[other])
        found = found or {}
        return {place: line for place, line in found.items() if line in kept[block]} if block in kept else found

    def _through(self, block: int, known: Known, mark: bool) -> Known:
        """Return what is known at the end of a block."""
        known = dict(known)
        for fetched in self.segments[block]:
            if fetched.segment.after_call:
                known = {}
            before = dict(known) if fetched.segment.annullable else known
            for number, touch in enumerate(fetched.touches):
                place = touch.line % self.sets
                if mark:
                    fetched.touches[number] = replace(touch, known=known.get(place) == touch.line)
                known[place] = touch.line
            if fetched.segment.annullable:
                known = _both(before, known)
        return known

    # ------------------------------------------------------------------------------------------ backward

    def needs(self) -> dict[Place, frozenset[int]]:
        """Return the needs at the head of each segment."""
        found: dict[Place, frozenset[int]] = {}
        needed: dict[int, frozenset[int]] = {}  # at the head of a block
        changed = True
        while changed:
            changed = False
            for block in reversed(self.order):
                needs = frozenset[int]().union(*(needed.get(s, ()) for s in self.cfg.successors[block]))
                for fetched in reversed(self.segments[block]):
                    before = self._needed_by(fetched, needs)
                    before = before | needs if fetched.segment.annullable else before
                    found[block, fetched.segment.first] = before
                    needs = frozenset() if fetched.segment.after_call else before
                if needed.get(block) != needs:
                    needed[block] = needs
                    changed = True
        return found

    def _needed_by(self, fetched: SegmentFetches, needs: frozenset[int]) -> frozenset[int]:
        """Return the needs at the head of a segment that is executed; `needs` are those behind it."""
        found = set(needs)
        for touch in reversed(fetched.touches):
            found = {line for line in found if line % self.sets != touch.line % self.sets}
            if touch.known:
                found.add(touch.line)
        return frozenset(found)


def _both(one: Known, other: Known) -> Known:
    """Return the lines that are known on both of two paths."""
    return {place: line for place, line in one.items() if other.get(place) == line}
