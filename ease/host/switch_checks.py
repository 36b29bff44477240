"""Where control may go from one copy of a function to the other (`cache_sim.native.inline`).

There is a crossing before the first reference of a function, before the first behind each call, on every cycle, and so often
that little is taken between crossings.  With each goes the most that is taken until the next one, whatever way control goes:
if more is left, no context switch can come before that.

Control comes back from the exact copy at heads of loops, and outside of short loops: so these are entered at their heads only,
and LLVM knows them for loops.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass

from ease.host.segments import Stretch
from vpo.analysis.cfg import Cfg
from vpo.analysis.dominators import dominators
from vpo.analysis.loops import natural_loops

Place = tuple[int, int]  # the index of a block, and of an RTL in it
Way = tuple[int, int]  # from a block to another


@dataclass(frozen=True, slots=True)
class Crossing:
    """Where more than `enough` units are left, no switch comes before the next one; `returns`: whether control comes back."""

    enough: int
    returns: bool


def place_crossings(
    cfg: Cfg, stretches: Sequence[Sequence[Stretch]], most: int, ways: Container[Way] = frozenset()
) -> dict[Place, Crossing]:
    """Return the crossings at the heads of stretches.

    `stretches` are those of each block; `ways` those on which there are crossings, too: all lead to heads of cycles.
    Where a single stretch takes no more than `most`, not much more than that is taken between crossings.
    """
    order = cfg.reverse_postorder()
    numbers = {block: number for number, block in enumerate(order)}
    loops = natural_loops(cfg, dominators(cfg))
    short = [loop for loop in loops if sum(stretch.cost for block in loop.blocks for stretch in stretches[block]) <= most]
    inside = {block for loop in short for block in loop.blocks}
    costly = {block for block in order if any(stretch.worst for stretch in stretches[block])}
    heads = {loop.header for loop in loops if stretches[loop.header][0].end and not costly.isdisjoint(loop.blocks)}
    chosen = _choose(cfg, order, numbers, stretches, most, heads)
    crossings: dict[Place, Crossing] = {}
    needed: dict[int, int] = {}  # at the head of a block, until the next crossing
    for block in reversed(order):
        # A cycle's head needs nothing: the first stretch behind it that takes anything is a crossing.
        onward = [s for s in cfg.successors[block] if numbers[s] > numbers[block] and (block, s) not in ways]
        taken = max((needed[successor] for successor in onward), default=0)
        for stretch in reversed(stretches[block]):
            taken += stretch.worst
            if (block, stretch.index) in chosen:
                returns = block not in inside or (block in heads and stretch.index == 0)
                crossings[block, stretch.index] = Crossing(taken, returns)
                taken = 0
        needed[block] = taken
    return crossings


def _choose(
    cfg: Cfg, order: Sequence[int], numbers: dict[int, int], stretches: Sequence[Sequence[Stretch]], most: int,
    heads: Container[int],
) -> set[Place]:  # fmt: skip
    """Return the heads of stretches that are crossings; slots that may be annulled belong to what is before them."""
    chosen: set[Place] = set()
    unknown = most + 1  # taken since the last crossing, where nothing is known of that
    behind: dict[int, int] = {}  # taken since the last crossing, at the end of a block
    for block in order:
        before = cfg.predecessors[block]
        fresh = block == 0 or any(numbers.get(other, -1) >= numbers[block] for other in before)
        since = unknown if fresh else max(behind[other] for other in before if other in numbers)
        if block in heads:
            chosen.add((block, 0))
            since = 0
        for number, stretch in enumerate(stretches[block]):
            if stretch.perhaps:
                continue
            since = unknown if stretch.forgets else since
            slots = stretches[block][number + 1 : number + 2]
            worst = stretch.worst + sum(other.worst for other in slots if other.perhaps)
            if worst and since + worst > most and (block, stretch.index) not in chosen:
                chosen.add((block, stretch.index))
                since = 0
            since += worst
        behind[block] = since
    return chosen
