"""Cut blocks into straight-line segments: either all references of a segment are made, or none."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from vpo.analysis.delay_slots import units
from vpo.function import Block, Function
from vpo.machines.machine import Machine


@dataclass(slots=True)
class Segment:
    """RTLs [index, end) of a block.

    `after_call`: a call comes directly before the segment.  `after_system_call`: a system call does, so the program may end
    before the segment.  `annullable`: the RTLs stand in delay slots that a branch may annul.  `cost` is the number of units if
    all references hit, `worst` the largest number that is possible.
    """

    index: int
    end: int
    after_call: bool = False
    after_system_call: bool = False
    annullable: bool = False
    cost: int = 0
    worst: int = 0


def segments_of(
    machine: Machine, function: Function, block: Block, worst: Callable[[int, int], int], most: int
) -> Iterator[Segment]:
    """Yield the segments of a block; the last one may be empty.

    `worst` returns the most units that RTLs [first, end) take.  A segment takes at most `most` units unless a single RTL
    takes more.
    """
    segment, taken = Segment(0, 0), 0
    for first, cut, end in units(machine, function, block):
        taken += worst(first, cut)
        if taken > most and segment.index < first:
            yield segment
            segment, taken = Segment(first, first), worst(first, cut)
        segment.end = cut
        if cut < end:
            yield segment
            segment = Segment(cut, end, annullable=True)
        calls = block.rtls[first].call is not None
        ends = any(rtl.system_call is not None for rtl in block.rtls[first:end])
        if calls or ends:
            yield segment
            segment, taken = Segment(end, end, after_call=calls, after_system_call=ends), 0
    yield segment
