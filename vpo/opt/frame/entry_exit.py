"""Entry and exit: lay out the frame, save and restore registers, turn slots into numbers.

From the stack pointer on, against the direction in which the stack grows: outgoing arguments, spill slots, saved registers,
locals (small ones first); incoming stack arguments lie beyond the frame.
"""

from __future__ import annotations

from vpo.algebra import binary, rebuild_effect
from vpo.analysis.cfg import build_cfg
from vpo.analysis.liveness import compute_liveness
from vpo.expand.legalize import CannotExpress
from vpo.function import FAR, FrameSlot, Function
from vpo.machines.machine import Machine
from vpo.opt.frame.callee_saves import free_at_entry, save_registers
from vpo.opt.frame.push_saves import pop_before, push_at_entry
from vpo.opt.frame.register_windows import insert_moves, preserved_by_window, remove_moves
from vpo.opt.frame.save_instructions import Scavenger, free_registers, join_saves, save_cell_offset, scavenger
from vpo.opt.state import FunctionState
from vpo.rtl import Const, Expr, Half, Mem, Register, Return, Rtl, Set, Slot

ORDER = {"spill": 0, "save": 1, "local": 2}


def insert_entry_and_exit(state: FunctionState) -> None:
    """Complete a function with its entry and exit code; it becomes stage 'framed'.

    Raises CannotExpress if an offset cannot be reached.
    """
    function, machine = state.function, state.machine
    windowed = remove_moves(function, machine)
    masked = save_registers(function, machine, preserved_by_window(machine) if windowed else frozenset())
    lay_out(function, machine, windowed)
    _replace_slots(function, machine)
    if windowed:
        insert_moves(function, machine, _code(function, machine, free_at_entry(machine), function.line, "linkage"))
    elif function.frame:
        _move_stack_pointer(function, machine)
    if machine.convention.enter:
        _save_by_mask(function, machine, masked)
    join_saves(function, machine)
    _make_legal(function, machine)
    function.stage = "framed"
    state.invalidate()


def lay_out(function: Function, machine: Machine, windowed: bool = False) -> None:
    """Give every slot its offset from the stack pointer, and the function its frame size."""
    convention = machine.convention
    word, align = convention.word, convention.stack_align
    distance = used = max(-(-function.outgoing // word) * word, convention.reserved)
    incoming = [s for s in function.slots.values() if s.kind == "incoming"]
    slots = [s for s in function.slots.values() if s.kind != "incoming"]
    for slot in sorted(slots, key=_from_the_end if convention.save_with == "push" else _nearness):
        distance = convention.aligned(distance, slot.size, max(1, min(slot.align, align)))
        slot.offset = convention.offset(distance, slot.size)
        distance += slot.size
    # an incoming slot on this side of the entry stack pointer (saved variable arguments) is part of the frame, and so is a
    # return address that lies there
    distance += max([0, *(-(s.offset or 0) for s in incoming)])
    pushed = convention.pushed % align
    # what a call pushes must not leave the callee's stack pointer off its alignment
    needed = windowed or function.outgoing or distance > used
    needed = needed or (pushed and any(rtl.call is not None for rtl in function.rtls()))
    if needed:
        distance += convention.below
    function.frame = -(-(distance + pushed) // align) * align - pushed if needed else 0
    if convention.save_with == "push":
        _move_to_the_end([s for s in slots if s.kind == "save"], function.frame - distance)
    for slot in incoming:
        assert slot.offset is not None
        slot.offset = convention.offset(slot.offset + function.frame, slot.size)


def _move_to_the_end(slots: list[FrameSlot], room: int) -> None:
    """Leave no room between saved registers and the end of the frame, but for those that must be aligned."""
    for slot in slots:
        assert slot.offset is not None
        slot.offset += room if room % slot.align == 0 else 0


def _nearness(slot: FrameSlot) -> tuple[int, bool, int]:
    """Order slots by how near to the stack pointer they should lie."""
    return ORDER[slot.kind], slot.name.startswith(FAR), slot.size if slot.kind == "local" else slot.align


def _from_the_end(slot: FrameSlot) -> tuple[int, bool, int]:
    """Order slots as `_nearness` does, but saved registers beyond all others, the smallest last."""
    return (len(ORDER), False, -slot.size) if slot.kind == "save" else _nearness(slot)


def _replace_slots(function: Function, machine: Machine) -> None:
    offsets = {slot.name: slot.offset or 0 for slot in function.slots.values()}

    def replace(node: Expr) -> Expr | None:
        if type(node) is Slot:
            return Const(offsets[node.name] + node.offset)
        if type(node) is Half and type(node.of) is Slot:
            return Const(machine.half(node.which, offsets[node.of.name] + node.of.offset))
        return None

    for rtl in function.rtls():
        effects = tuple(rebuild_effect(e, replace) for e in rtl.effects)
        if effects != rtl.effects:
            rtl.effects, rtl.record = effects, None


def _move_stack_pointer(function: Function, machine: Machine) -> None:
    """Make room for the frame at entry, and give it up before every return."""
    sp = machine.stack_pointer
    grown = function.frame if machine.convention.grows_up else -function.frame
    code = _code(function, machine, free_at_entry(machine), function.line, "linkage")
    pushed = push_at_entry(function, machine) if machine.convention.save_with == "push" else 0
    if pushed < function.frame:
        code.emit(Set(sp, binary("+", sp, Const(grown + pushed))))
    first = 1 if pushed else 0
    function.blocks[0].rtls[first:first] = code.out
    for block in function.blocks:
        if not block.rtls or not isinstance(block.rtls[-1].transfer, Return):
            continue
        last = block.rtls[-1]
        if sp not in last.uses and sp in last.sets:
            continue  # the return finds the caller's frame without it
        pool = free_registers(machine, (*last.uses, *machine.convention.saved))
        code = _code(function, machine, pool, last.lines[0], "linkage")
        popped = pop_before(block.rtls, function, machine) if machine.convention.save_with == "push" else 0
        if popped < function.frame:
            code.emit(Set(sp, binary("+", sp, Const(-grown - popped))))
        place = len(block.rtls) - (2 if popped and block.rtls[-1] is last else 1)
        block.rtls[place:place] = code.out


def _save_by_mask(function: Function, machine: Machine, registers: list[Register]) -> None:
    """Begin with what the call instruction does by the mask of a function, and let returns undo it."""
    cells = [(r, save_cell_offset(r, function)) for r in registers]
    sp = machine.stack_pointer
    saves = [Set(Mem(r.type, binary("+", sp, Const(offset - function.frame))), r) for r, offset in cells]
    restores = [Set(r, Mem(r.type, binary("+", sp, Const(offset)))) for r, offset in cells]
    effects = (*machine.convention.enter, *saves)
    function.blocks[0].rtls.insert(0, Rtl(effects, (function.line,), "save" if saves else "linkage"))
    for block in function.blocks:
        if restores and block.rtls and isinstance(block.rtls[-1].transfer, Return):
            last = block.rtls[-1]
            last.effects, last.record = (*last.effects, *restores), None


def _code(function: Function, machine: Machine, pool: list[Register], line: int, cause: str) -> Scavenger:
    code = scavenger(function, machine, pool, line, cause)
    code.laid_out = True
    return code


def _make_legal(function: Function, machine: Machine) -> None:
    """Rewrite RTLs that became illegal because an offset is too large, with registers that are free there."""
    while True:
        illegal = [
            (index, position)
            for index, block in enumerate(function.blocks)
            for position, rtl in enumerate(block.rtls)
            if not machine.is_legal(rtl.effects)
        ]
        if not illegal:
            return
        liveness = compute_liveness(function, build_cfg(function), machine)
        index, position = illegal[0]
        rtls = function.blocks[index].rtls
        rtl = rtls[position]
        effect = rtl.single_set()
        if effect is None:
            raise CannotExpress(f"`{rtl!r}` with so large a frame", rtl.lines[0])
        numbering = liveness.numbering
        live = numbering.members(liveness.backward(index)[position])
        code = _code(function, machine, free_registers(machine, (*rtl.uses, *rtl.sets, *live)), rtl.lines[0], rtl.cause)
        code.emit(effect)
        rtls[position : position + 1] = code.out
