"""Cut blocks into segments: straight-line code of which either all is executed, or none.

A segment ends behind a call or system call and its delay slots, from which the program may never come back.  Delay slots
that a branch may annul are a segment of their own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from vpo.analysis.cfg import units
from vpo.machines.machine import Machine
from vpo.rtl.function import Block, Function


@dataclass(slots=True)
class Segment:
    """RTLs [first, end) of a block.

    `annullable`: they stand in delay slots that a branch may annul.  `call` is the RTL at the end that calls a function, -1 if
    none does.  `system_call`: an RTL at the end is a system call.
    """

    first: int
    end: int
    annullable: bool = False
    call: int = -1
    system_call: bool = False

    @property
    def leaves(self) -> bool:
        """Whether control leaves the function at the end, to come back behind it."""
        return self.call >= 0 or self.system_call


def segments(machine: Machine, function: Function, block: Block) -> Iterator[Segment]:
    """Yield the segments of a block; an empty block has none."""
    first = 0
    for index, cut, end in units(machine, function, block):
        if cut < end:
            yield Segment(first, cut)
            first = cut
        calls = block.rtls[index].call is not None
        asks_system = any(rtl.system_call is not None for rtl in block.rtls[index:end])
        if cut < end or calls or asks_system or end == len(block.rtls):
            yield Segment(first, end, cut < end, index if calls else -1, asks_system)
            first = end
