"""Where control may go from one copy of a function to the other (`cache_sim.native.inline`).

There is a switch check before the first reference of a function, before the first behind each call, on every cycle, and so often
that little is taken between switch checks.  With each goes the most that is taken until the next one, whatever way control goes:
if more is left, no context switch can come before that.

Control comes back from the exact copy at heads of loops, and outside of short loops: so these are entered at their heads only,
and LLVM knows them for loops.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass

from ease.host.segments import Segment
from vpo.analysis.cfg import Cfg, dominators, natural_loops

Place = tuple[int, int]  # the index of a block, and of an RTL in it
Edge = tuple[int, int]  # from a block to another


@dataclass(frozen=True, slots=True)
class SwitchCheck:
    """Where more than `enough` units are left, no switch comes before the next one; `returns`: whether control comes back."""

    enough: int
    returns: bool


def place_switch_checks(
    cfg: Cfg, segments: Sequence[Sequence[Segment]], most: int, edges: Container[Edge] = frozenset()
) -> dict[Place, SwitchCheck]:
    """Return the switch checks at the heads of segments.

    `segments` are those of each block; `edges` those on which there are switch checks, too: all lead to heads of cycles.
    Where a single segment takes no more than `most`, not much more than that is taken between switch checks.
    """
    order = cfg.reverse_postorder()
    numbers = {block: number for number, block in enumerate(order)}
    loops = natural_loops(cfg, dominators(cfg))
    short = [loop for loop in loops if sum(segment.cost for block in loop.blocks for segment in segments[block]) <= most]
    inside = {block for loop in short for block in loop.blocks}
    costly = {block for block in order if any(segment.worst for segment in segments[block])}
    heads = {loop.header for loop in loops if segments[loop.header][0].end and not costly.isdisjoint(loop.blocks)}
    chosen = _choose(cfg, order, numbers, segments, most, heads)
    switch_checks: dict[Place, SwitchCheck] = {}
    needed: dict[int, int] = {}  # at the head of a block, until the next switch check
    for block in reversed(order):
        # A cycle's head needs nothing: the first segment behind it that takes anything is a switch check.
        onward = [s for s in cfg.successors[block] if numbers[s] > numbers[block] and (block, s) not in edges]
        taken = max((needed[successor] for successor in onward), default=0)
        for segment in reversed(segments[block]):
            taken += segment.worst
            if (block, segment.index) in chosen:
                returns = block not in inside or (block in heads and segment.index == 0)
                switch_checks[block, segment.index] = SwitchCheck(taken, returns)
                taken = 0
        needed[block] = taken
    return switch_checks


def _choose(
    cfg: Cfg, order: Sequence[int], numbers: dict[int, int], segments: Sequence[Sequence[Segment]], most: int,
    heads: Container[int],
) -> set[Place]:  # fmt: skip
    """Return the heads of segments that are switch checks; slots that may be annulled belong to what is before them."""
    chosen: set[Place] = set()
    unknown = most + 1  # taken since the last switch check, where nothing is known of that
    behind: dict[int, int] = {}  # taken since the last switch check, at the end of a block
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
            if worst and since + worst > most and (block, segment.index) not in chosen:
                chosen.add((block, segment.index))
                since = 0
            since += worst
        behind[block] = since
    return chosen
