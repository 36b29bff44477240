"""Place switch checks: the points at which control may go from one copy of a function to the other.

Arnold and Ryder ("A Framework for Reducing the Cost of Instrumented Code", 2001) duplicate code in this way.  Switch checks
stand before the first reference of a function, before the first one behind each call, on every cycle, and often enough that
few units are taken between two of them.  Each knows the most units that any path takes until the next switch check.  If more
units are left, no context switch can come on the way.

Control returns to the fast copy at loop headers and outside of short loops only.  So the fast copies of short loops are
entered at their headers, and LLVM recognises them as loops.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass

from ease.host.memory.facts import CheckedSegment, Place, ResidentLoop
from vpo.analysis.cfg import Cfg
from vpo.analysis.dominators import dominators, natural_loops


@dataclass(frozen=True, slots=True)
class SwitchCheck:
    """With more than `enough` units left, no context switch comes before the next switch check.

    `returns`: control may also go from the exact copy to the fast one here.
    """

    enough: int
    returns: bool


def place_switch_checks(cfg: Cfg, segments: Sequence[Sequence[CheckedSegment]], most: int) -> dict[Place, SwitchCheck]:
    """Return the switch checks, each at the head of a segment.

    `segments` has those of each block.  If none of them takes more than `most` units, not many more than that are taken
    between two switch checks.
    """
    order = cfg.reverse_postorder()
    numbers = {block: number for number, block in enumerate(order)}
    loops = natural_loops(cfg, dominators(cfg))
    short = [loop for loop in loops if sum(segment.cost for block in loop.blocks for segment in segments[block]) <= most]
    inside = {block for loop in short for block in loop.blocks}
    costly = {block for block in order if any(segment.worst for segment in segments[block])}
    heads = {loop.header for loop in loops if segments[loop.header][0].end and not costly.isdisjoint(loop.blocks)}
    chosen = _choose(cfg, order, numbers, segments, most, heads)

    def worst(block: int, segment: CheckedSegment) -> int:
        return segment.worst

    return {
        (block, first): SwitchCheck(enough, block not in inside or (block in heads and first == 0))
        for (block, first), enough in _enough(cfg, segments, chosen, order, worst)[0].items()
    }


def _enough(
    cfg: Cfg, segments: Sequence[Sequence[CheckedSegment]], chosen: Container[Place], blocks: Iterable[int],
    worst: Callable[[int, CheckedSegment], int], ahead: Mapping[int, int] | None = None, leaves: Container[int] = (),
) -> tuple[dict[Place, int], dict[int, int]]:  # fmt: skip
    """Return the most units from each switch check in blocks to the next one, and from the head of each block.

    Behind the blocks, and behind those of them that are `leaves`, so many are taken as `ahead` has for the heads of blocks.
    """
    inside = set(blocks)
    numbers = {block: number for number, block in enumerate(cfg.reverse_postorder())}
    enough: dict[Place, int] = {}
    needed: dict[int, int] = {}
    for block in sorted(inside, key=lambda block: -numbers[block]):
        # The head of a cycle needs nothing: the first segment behind it that takes units has a switch check.
        onward = [s for s in cfg.successors[block] if numbers[s] > numbers[block]]
        found = needed if ahead is None or block not in leaves else ahead
        taken = max((found[s] if ahead is None or s in inside else ahead[s] for s in onward), default=0)
        for segment in reversed(segments[block]):
            taken += worst(block, segment)
            if (block, segment.first) in chosen:
                enough[block, segment.first] = taken
                taken = 0
        needed[block] = taken
    return enough, needed


def resident_switch_checks(
    cfg: Cfg, segments: Sequence[Sequence[CheckedSegment]], chosen: Container[Place], loops: Iterable[ResidentLoop],
    saved: Mapping[Place, int],
) -> dict[Place, int]:  # fmt: skip
    """Return the most units from each switch check in resident loops to the next one.

    `saved` are the units that segments save there.  A segment behind an RTL that leaves the loop saves none: it is in the fast
    copy.
    """
    ahead = _enough(cfg, segments, chosen, cfg.reverse_postorder(), lambda _, segment: segment.worst)[1]
    found: dict[Place, int] = {}
    for loop in loops:

        def worst(block: int, segment: CheckedSegment, leaves: Mapping[int, int] = loop.leaves) -> int:
            return segment.worst - (saved[block, segment.first] if segment.first <= leaves.get(block, segment.first) else 0)

        found |= _enough(cfg, segments, chosen, loop.blocks, worst, ahead, loop.leaves)[0]
    return found


def _choose(
    cfg: Cfg, order: Sequence[int], numbers: dict[int, int], segments: Sequence[Sequence[CheckedSegment]], most: int,
    heads: Container[int],
) -> set[Place]:  # fmt: skip
    """Return the heads of segments that get a switch check; an annullable segment belongs to the one before it."""
    chosen: set[Place] = set()
    unknown = most + 1  # units since the last switch check, if unknown
    behind: dict[int, int] = {}  # units since the last switch check, at the end of a block
    for block in order:
        before = cfg.predecessors[block]
        fresh = block == 0 or any(numbers.get(other, -1) >= numbers[block] for other in before)
        since = unknown if fresh else max(behind[other] for other in before if other in numbers)
        if block in heads:
            chosen.add((block, 0))
            since = 0
        for number, segment in enumerate(segments[block]):
            if segment.annullable:
                continue
            since = unknown if segment.after_call else since
            slots = segments[block][number + 1 : number + 2]
            worst = segment.worst + sum(other.worst for other in slots if other.annullable)
            if worst and since + worst > most and (block, segment.first) not in chosen:
                chosen.add((block, segment.first))
                since = 0
            since += worst
        behind[block] = since
    return chosen
