"""Delay slots: how many RTLs behind a transfer or call are executed before control goes."""

from __future__ import annotations

from collections.abc import Iterator

from vpo.function import Block, Function
from vpo.machines.machine import Machine
from vpo.rtl import Rtl


def delay_slots(machine: Machine, function: Function, rtl: Rtl) -> int:
    """Return how many delay slots follow an RTL."""
    if function.stage != "final" or (rtl.transfer is None and rtl.call is None):
        return 0
    return machine.record(rtl).slots


def units(machine: Machine, function: Function, block: Block) -> Iterator[tuple[int, int, int]]:
    """Yield (first, cut, end) for each RTL of a block together with what stands in its delay slots.

    RTLs [first, cut) are all executed or none; those of [cut, end) stand in slots that the first may annul.
    """
    first = 0
    while first < len(block.rtls):
        rtl = block.rtls[first]
        end = min(first + 1 + delay_slots(machine, function, rtl), len(block.rtls))
        yield first, first + 1 if rtl.annuls else end, end
        first = end
