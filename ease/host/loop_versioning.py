"""Loops that are written once more, without crossings, for when all their rounds fit in before a context switch.

They are innermost, make no calls, and are crossed at their headers only; their rounds can be counted before
(`ease.host.trip_counts`).
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ease.host.fetching import is_reducible
from ease.host.segments import Stretch
from ease.host.switch_checks import Crossing, Place, Way
from ease.host.trip_counts import Rounds, rounds_of
from vpo.analysis.cfg import Cfg, annulled_slots
from vpo.analysis.dominators import dominators
from vpo.analysis.loops import Loop, natural_loops
from vpo.function import Function
from vpo.machines.machine import Machine


@dataclass(frozen=True, slots=True)
class FreeLoop:
    """A loop without crossings.

    `most`: the units that a round takes at most; `after`: those from the head of the last round to the next crossing.
    """

    header: int
    blocks: frozenset[int]
    rounds: Rounds
    most: int
    after: int


def free_loops(
    function: Function, cfg: Cfg, machine: Machine, stretches: Sequence[Sequence[Stretch]],
    crossings: Mapping[Place, Crossing], ways: Container[Way],
) -> Iterator[FreeLoop]:  # fmt: skip
    """Yield the loops of a function that may be written without crossings; `ways` between blocks are crossed."""
    idom = dominators(cfg)
    loops = natural_loops(cfg, idom)
    order = cfg.reverse_postorder()
    headers = {loop.header for loop in loops}
    inside = {block for block, index in crossings if index or block not in headers}
    for loop in loops:
        entries = [block for block in cfg.predecessors[loop.header] if block not in loop.blocks]
        if loop.header == 0 or (loop.header, 0) not in crossings or len(headers & loop.blocks) > 1:
            continue
        if not is_reducible(cfg, loop, order):  # a step may be made more than once in a round
            continue
        if not inside.isdisjoint(loop.blocks) or any(annulled_slots(function.blocks[block]) for block in entries):
            continue
        if any((block, after) in ways for block in loop.blocks for after in cfg.successors[block]):
            continue
        if any(stretch.forgets or stretch.ends for block in loop.blocks for stretch in stretches[block]):
            continue
        rounds = rounds_of(function, cfg, idom, loop, machine.storage)
        if rounds is not None:
            most = _most(cfg, loop, [sum(stretch.worst for stretch in found) for found in stretches])
            yield FreeLoop(loop.header, loop.blocks, rounds, most, crossings[loop.header, 0].enough)


def _most(cfg: Cfg, loop: Loop, worst: Sequence[int]) -> int:
    """Return the most that a round of an innermost loop takes; `worst` tells it of blocks."""
    taken: dict[int, int] = {}
    for block in reversed(cfg.reverse_postorder()):
        if block in loop.blocks:
            onward = (taken.get(after, 0) for after in cfg.successors[block] if after != loop.header)
            taken[block] = worst[block] + max(onward, default=0)
    return taken[loop.header]
