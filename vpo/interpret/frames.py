"""The frames that interpreters make for functions without entry and exit code of their own."""

from __future__ import annotations

from vpo.function import Function
from vpo.program import Program
from vpo.rtl import BITS, Const, Op

INTERPRETER_FRAMES = ("ssa", "pseudo", "allocated")  # stages whose functions have no entry and exit code of their own


def outgoing_bytes(program: Program, function: Function) -> int:
    """Return how many bytes of stack arguments a function passes, also when read back from text."""
    sp, convention = program.machine.stack_pointer, program.machine.convention
    most = max(function.outgoing, convention.reserved)
    for rtl in function.rtls():
        for cell in rtl.stores:
            address = cell.address
            offset = None
            if address is sp:
                offset = 0
            elif type(address) is Op and address.op == "+" and address.args[0] is sp and type(address.args[1]) is Const:
                offset = address.args[1].value
            if offset is not None:
                most = max(most, -offset if convention.grows_up else offset + BITS[cell.type] // 8)
    return most


def lay_out_slots(program: Program, function: Function) -> tuple[int, dict[str, int]]:
    """Return the size of the frame that the interpreter makes for a function, and the offsets of its slots."""
    if function.stage not in INTERPRETER_FRAMES:
        return 0, {s.name: s.offset for s in function.slots.values() if s.offset is not None}
    convention = program.machine.convention
    distance = outgoing_bytes(program, function)
    slots: dict[str, int] = {}
    for slot in function.slots.values():
        if slot.kind != "incoming":
            distance = convention.aligned(distance, slot.size, slot.align)
            slots[slot.name] = convention.offset(distance, slot.size)
            distance += slot.size
    # argument registers that are saved beside the stack arguments lie on this side of the entry stack pointer
    distance += max([0, *(-(slot.offset or 0) for slot in function.slots.values() if slot.kind == "incoming")])
    align = max(16, convention.stack_align)
    frame = -(-(distance + convention.below) // align) * align
    for slot in function.slots.values():
        if slot.kind == "incoming":
            slots[slot.name] = convention.offset(frame + (slot.offset or 0), slot.size)
    return frame, slots
