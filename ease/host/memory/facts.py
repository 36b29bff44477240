"""The segments of blocks for checks: either all references of a segment are made, or none; and what they cost."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from vpo.analysis.delay_slots import units
from vpo.analysis.segments import Segment, segments
from vpo.function import Block, Function
from vpo.machines.machine import Machine


@dataclass(slots=True)
class CheckedSegment:
    """RTLs [first, end) of a block.

    `after_call`: a call comes directly before the segment.  `after_system_call`: a system call does, so the program may end
    before the segment.  `annullable`: the RTLs stand in delay slots that a branch may annul.  `cost` is the number of units if
    all references hit, `worst` the largest number that is possible.
    """

    first: int
    end: int
    after_call: bool = False
    after_system_call: bool = False
    annullable: bool = False
    cost: int = 0
    worst: int = 0


def checked_segments(
    machine: Machine, function: Function, block: Block, worst: Callable[[int, int], int], most: int
) -> Iterator[CheckedSegment]:
    """Yield the segments of a block; one that ends with a call, and an empty one, has an empty segment at its end.

    `worst` returns the most units that RTLs [first, end) take.  A segment takes at most `most` units unless a single RTL
    takes more.
    """
    left = deque(units(machine, function, block))
    after = Segment(0, 0)
    for segment in segments(machine, function, block):
        part, taken = CheckedSegment(segment.first, segment.end, after.call >= 0, after.system_call, segment.annullable), 0
        while left and left[0][0] < segment.end:
            first, cut, _ = left.popleft()
            taken += worst(first, cut)
            if taken > most and part.first < first:
                part.end = first
                yield part
                part, taken = CheckedSegment(first, segment.end), worst(first, cut)
        yield part
        after = segment
    if after.leaves or not block.rtls:
        yield CheckedSegment(after.end, after.end, after.call >= 0, after.system_call)
