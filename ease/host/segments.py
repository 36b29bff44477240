"""Stretches of a function: code without transfers of control, whose references are all made or none."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from vpo.analysis.delay_slots import units
from vpo.function import Block, Function
from vpo.machines.machine import Machine


@dataclass(slots=True)
class Stretch:
    """RTLs [index, end) of a block.

    `forgets`: a call stands before them.  `ends`: the program may end before them.  `perhaps`: they stand in slots that may be
    annulled.  `cost`: the units that they take if all references hit; `worst`: the most that they take.
    """

    index: int
    end: int
    forgets: bool = False
    ends: bool = False
    perhaps: bool = False
    cost: int = 0
    worst: int = 0


def stretches_of(
    machine: Machine, function: Function, block: Block, worst: Callable[[int, int], int], most: int
) -> Iterator[Stretch]:
    """Yield the stretches of a block, the last of them perhaps empty.

    `worst` tells the units that RTLs [first, end) take at most; a stretch takes not more than `most` if it can be cut.
    """
    stretch, taken = Stretch(0, 0), 0
    for first, cut, end in units(machine, function, block):
        taken += worst(first, cut)
        if taken > most and stretch.index < first:
            yield stretch
            stretch, taken = Stretch(first, first), worst(first, cut)
        stretch.end = cut
        if cut < end:
            yield stretch
            stretch = Stretch(cut, end, perhaps=True)
        calls = block.rtls[first].call is not None
        ends = any(rtl.system_call is not None for rtl in block.rtls[first:end])
        if calls or ends:
            yield stretch
            stretch, taken = Stretch(end, end, forgets=calls, ends=ends), 0
    yield stretch
