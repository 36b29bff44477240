"""Place checkpoints: where control may pass from one version of the code to another.

They stand at the head of each function, in each cycle, behind calls, and wherever else MOST instructions or hardly more were
executed since the last one (`ease.host.memory.switch_checks` finds the places).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ease.host.memory.facts import CheckedSegment, checked_segments
from ease.host.memory.switch_checks import place_switch_checks
from ease.host.sampling.instruction_counting import Place, Takings, plan_takings
from ease.results import Counts
from vpo.analysis.cfg import build_cfg
from vpo.function import Function
from vpo.machines.machine import Machine

MOST = 200  # instructions from a checkpoint to the next; pieces of straight code, of as many, come on top


@dataclass(frozen=True, slots=True)
class Checkpoints:
    """The checkpoints of a function, by place, with the most instructions from each to the next one on any path.

    `sizes` has the instructions of each segment, by the place of its first RTL; `ends` the index behind its last one.
    `takings`: where they are taken from those that are left.
    """

    distances: Mapping[Place, int]
    sizes: Mapping[Place, int]
    ends: Mapping[Place, int]
    takings: Takings


def each_instruction(machine: Machine, function: Function) -> Checkpoints:
    """Return a checkpoint before each instruction."""
    sizes = {
        (number, index): int(machine.record(rtl).counted)
        for number, block in enumerate(function.blocks)
        for index, rtl in enumerate(block.rtls)
    }
    return Checkpoints(sizes, sizes, {(block, index): index + 1 for block, index in sizes}, Takings(sizes, {}))


def place_checkpoints(machine: Machine, function: Function, counts: Counts | None = None) -> Checkpoints:
    """Return the checkpoints of a function; `counts` of an earlier run tell which ways control takes most often."""
    sizes: dict[Place, int] = {}
    ends: dict[Place, int] = {}
    segments: list[list[CheckedSegment]] = []
    for number, block in enumerate(function.blocks):
        counted = [machine.record(rtl).counted for rtl in block.rtls]

        def size(first: int, end: int, counted: Sequence[int] = counted) -> int:
            return sum(counted[first:end])

        found = list(checked_segments(machine, function, block, size, MOST))
        for segment in found:
            segment.cost = segment.worst = size(segment.first, segment.end)
            if segment.end > segment.first:
                sizes[number, segment.first] = segment.worst
                ends[number, segment.first] = segment.end
        segments.append(found)
    cfg = build_cfg(function)
    distances = {place: check.enough for place, check in place_switch_checks(cfg, segments, MOST).items()}
    return Checkpoints(distances, sizes, ends, plan_takings(function, cfg, segments, distances, counts))
