"""Delay slots: move an independent RTL from before a delayed transfer into its slot, else put a no-operation there.

r[8]=r[8]+1;                     PC=r[9]<0,L5;
PC=r[9]<0,L5;          =>        r[8]=r[8]+1;       (in the slot)
"""

from __future__ import annotations

from vpo.function import Block, Function
from vpo.liveness import Numbering, access, numbering_of
from vpo.machines.machine import Machine
from vpo.opt.changes import permitted
from vpo.opt.interlock import separate_hazards
from vpo.rtl import Rtl

MOST_SLOTS = 4  # of any instruction


def fill_delay_slots(function: Function, machine: Machine) -> bool:
    """Fill delay slots, and keep late results apart from their uses; the function becomes stage 'final'."""
    numbering = numbering_of(function, machine)
    changed = False
    for block in function.blocks:
        if any(machine.record(rtl).slots for rtl in block.rtls):
            _fill(block, machine, numbering)
            changed = True
    function.stage = "final"
    return separate_hazards(function, machine) or changed


def _fill(block: Block, machine: Machine, numbering: Numbering) -> None:
    result: list[Rtl] = []
    for rtl in block.rtls:
        slots = machine.record(rtl).slots
        fillers: list[Rtl] = []
        while len(fillers) < slots:
            candidate = _candidate(result, [rtl, *fillers], machine, numbering)
            if candidate is None or not permitted():
                break
            fillers.insert(0, result.pop(candidate))
        result.append(rtl)
        result += fillers
        result += [Rtl((), rtl.lines, "delay") for _ in range(slots - len(fillers))]
    block.rtls = result


def _candidate(before: list[Rtl], after: list[Rtl], machine: Machine, numbering: Numbering) -> int | None:
    """Return the last RTL before a transfer that can move behind it, past everything in between."""
    uses = sets = 0
    memory_read = memory_written = False
    stack = machine.stack_pointer  # data flow does not follow it
    stack_read = any(stack in rtl.uses for rtl in after)
    stack_moved = any(stack in rtl.sets for rtl in after)
    for rtl in after:
        entry = access(rtl, numbering)
        stated = _stated(rtl, numbering)
        uses, sets = uses | entry.uses, sets | stated
        memory_read |= bool(rtl.loads)
        memory_written |= bool(rtl.stores)
    for position in range(len(before) - 1, -1, -1):
        rtl = before[position]
        record = machine.record(rtl)
        if rtl.call is not None or rtl.transfer is not None or record.slots or _in_slot(before, position, machine):
            return None
        entry = access(rtl, numbering)
        changed = entry.sets | entry.clobbers
        volatile = any(cell.volatile for cell in (*rtl.loads, *rtl.stores)) or any(
            getattr(getattr(e, "source", None), "op", "") == "SYS" for e in rtl.effects
        )
        independent = not (changed & (uses | sets) or entry.uses & sets or volatile or not rtl.effects)
        if record.load_slots or record.hold_slots:
            independent = False
        if (stack in rtl.sets and (stack_read or stack_moved)) or (stack in rtl.uses and stack_moved):
            independent = False
        if rtl.loads and memory_written:
            independent = False
        if rtl.stores and (memory_read or memory_written):
            independent = False
        if independent:
            return position
        uses, sets = uses | entry.uses, sets | changed
        stack_read, stack_moved = stack_read or stack in rtl.uses, stack_moved or stack in rtl.sets
        memory_read |= bool(rtl.loads)
        memory_written |= bool(rtl.stores)
    return None


def _stated(rtl: Rtl, numbering: Numbering) -> int:
    """Return what a transfer itself sets; what a callee may change happens after the slot."""
    return numbering.mask(tuple(rtl.sets))


def _in_slot(before: list[Rtl], position: int, machine: Machine) -> bool:
    """Whether an RTL already stands in a delay slot."""
    return any(machine.record(before[k]).slots >= position - k for k in range(max(position - MOST_SLOTS, 0), position))
