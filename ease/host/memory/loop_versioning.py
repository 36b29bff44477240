"""Version loops: write a loop once more without switch checks, for when it ends before the next context switch.

Such a loop is innermost, makes no calls, has its only switch check at its header, and its trip count is known before it
begins (`ease.host.memory.trip_counts`).
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ease.host.memory.facts import CheckedSegment, Edge, Place
from ease.host.memory.known_lines import is_reducible
from ease.host.memory.switch_checks import SwitchCheck
from ease.host.memory.trip_counts import TripCount, trip_count_of
from vpo.analysis.cfg import Cfg, annulled_slots
from vpo.analysis.dominators import dominators
from vpo.analysis.loops import Loop, natural_loops
from vpo.function import Function
from vpo.machines.machine import Machine


@dataclass(frozen=True, slots=True)
class VersionedLoop:
    """A loop that is written once more without switch checks.

    `most` is the largest number of units that an iteration takes.  `after` is that from the beginning of the last iteration to
    the next switch check.
    """

    header: int
    blocks: frozenset[int]
    trip_count: TripCount
    most: int
    after: int


def versionable_loops(
    function: Function, cfg: Cfg, machine: Machine, segments: Sequence[Sequence[CheckedSegment]],
    switch_checks: Mapping[Place, SwitchCheck], edges: Container[Edge],
) -> Iterator[VersionedLoop]:  # fmt: skip
    """Yield the loops of a function that may be versioned; `edges` are those with switch checks of their own."""
    idom = dominators(cfg)
    loops = natural_loops(cfg, idom)
    order = cfg.reverse_postorder()
    headers = {loop.header for loop in loops}
    inside = {block for block, index in switch_checks if index or block not in headers}
    for loop in loops:
        entries = [block for block in cfg.predecessors[loop.header] if block not in loop.blocks]
        if loop.header == 0 or (loop.header, 0) not in switch_checks or len(headers & loop.blocks) > 1:
            continue
        if not is_reducible(cfg, loop, order):  # an irreducible cycle may add the step more than once in an iteration
            continue
        if not inside.isdisjoint(loop.blocks) or any(annulled_slots(function.blocks[block]) for block in entries):
            continue
        if any((block, after) in edges for block in loop.blocks for after in cfg.successors[block]):
            continue
        if any(segment.after_call or segment.after_system_call for block in loop.blocks for segment in segments[block]):
            continue
        trip_count = trip_count_of(function, cfg, idom, loop, machine.storage)
        if trip_count is not None:
            most = _most(cfg, loop, [sum(segment.worst for segment in found) for found in segments])
            yield VersionedLoop(loop.header, loop.blocks, trip_count, most, switch_checks[loop.header, 0].enough)


def _most(cfg: Cfg, loop: Loop, worst: Sequence[int]) -> int:
    """Return the most units that an iteration of an innermost loop takes; `worst` has those of each block."""
    taken: dict[int, int] = {}
    for block in reversed(cfg.reverse_postorder()):
        if block in loop.blocks:
            onward = (taken.get(after, 0) for after in cfg.successors[block] if after != loop.header)
            taken[block] = worst[block] + max(onward, default=0)
    return taken[loop.header]
