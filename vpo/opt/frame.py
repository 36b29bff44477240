"""Entry and exit: lay out the frame, save and restore registers, turn slots into numbers.

From the stack pointer on, against the direction in which the stack grows: outgoing arguments, spill slots, saved registers,
locals (small ones first); incoming stack arguments lie beyond the frame.
"""

from __future__ import annotations

from collections.abc import Iterable

from vpo.algebra import binary, rebuild_effect
from vpo.cfg import build_cfg
from vpo.function import FrameSlot, Function
from vpo.liveness import compute_liveness
from vpo.machines.machine import Machine
from vpo.machines.pattern import FAR
from vpo.opt.legalize import CannotExpress, Legalizer
from vpo.rtl import BITS, Const, Effect, Expr, Half, Mem, Register, Return, Set, Slot

ORDER = {"spill": 0, "save": 1, "local": 2}


def insert_entry_and_exit(function: Function, machine: Machine) -> bool:
    """Complete a function with its entry and exit code; it becomes stage 'framed'.

    Raises CannotExpress if an offset cannot be reached.
    """
    saved = _registers_to_save(function, machine)
    for register in saved:
        name = f".save.{register.cls}{register.index}"
        size = BITS[register.type] // 8
        function.slots[name] = FrameSlot(name, "save", size, size)
    lay_out(function, machine)
    _replace_slots(function, machine)
    if function.frame:
        _insert(function, machine, saved)
    _make_legal(function, machine)
    function.stage = "framed"
    return True


def _registers_to_save(function: Function, machine: Machine) -> list[Register]:
    """Return the callee-saved registers, and the link register, that the function changes."""
    changed = _storage(machine, (r for rtl in function.rtls() for r in rtl.sets))
    convention = machine.convention
    wanted = [*convention.saved, *([convention.link] if convention.link else [])]
    order = {name: index for index, name in enumerate(machine.classes)}
    saved = [r for r in wanted if not changed.isdisjoint(machine.storage(r))]
    return sorted(saved, key=lambda r: (BITS[r.type], order[r.cls], r.index))


def lay_out(function: Function, machine: Machine) -> None:
    """Give every slot its offset from the stack pointer, and the function its frame size."""
    convention = machine.convention
    word, align = convention.word, convention.stack_align
    distance = used = max(-(-function.outgoing // word) * word, convention.reserved)
    incoming = [s for s in function.slots.values() if s.kind == "incoming"]
    slots = [s for s in function.slots.values() if s.kind != "incoming"]
    for slot in sorted(slots, key=_nearness):
        distance = convention.aligned(distance, slot.size, max(1, min(slot.align, align)))
        slot.offset = convention.offset(distance, slot.size)
        distance += slot.size
    # an incoming slot on this side of the entry stack pointer (saved variable arguments) is part of the frame, and so is a
    # return address that lies there
    distance += max([0, *(-(s.offset or 0) for s in incoming)])
    needed = function.outgoing or distance > used
    if needed:
        distance += convention.below
    pushed = convention.pushed % align
    function.frame = -(-(distance + pushed) // align) * align - pushed if needed else 0
    for slot in incoming:
        assert slot.offset is not None
        slot.offset = convention.offset(slot.offset + function.frame, slot.size)


def _nearness(slot: FrameSlot) -> tuple[int, bool, int]:
    """Order slots by how near to the stack pointer they should lie."""
    return ORDER[slot.kind], slot.name.startswith(FAR), slot.size if slot.kind == "local" else slot.align


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


def _insert(function: Function, machine: Machine, saved: list[Register]) -> None:
    sp = machine.stack_pointer
    grown = function.frame if machine.convention.grows_up else -function.frame
    entry = function.blocks[0]
    code = _code(function, machine, _free_at_entry(machine))
    code.line, code.cause = function.line, "linkage"
    code.emit(Set(sp, binary("+", sp, Const(grown))))
    _transfer_registers(code, function, machine, saved, save=True)
    entry.rtls[:0] = code.out
    for block in function.blocks:
        if not block.rtls or not isinstance(block.rtls[-1].transfer, Return):
            continue
        last = block.rtls[-1]
        code = _code(function, machine, _free(machine, (*last.uses, *saved)))
        code.line, code.cause = last.lines[0], "linkage"
        _transfer_registers(code, function, machine, saved, save=False)
        if sp in last.uses or sp not in last.sets:  # else the return finds the caller's frame without it
            code.emit(Set(sp, binary("+", sp, Const(-grown))))
        block.rtls[-1:] = [*code.out, last]


def _transfer_registers(code: Legalizer, function: Function, machine: Machine, saved: list[Register], save: bool) -> None:
    """Save or restore registers: in blocks where the machine has an instruction for it, else one by one."""
    code.cause = "save"
    rest = list(saved)
    while rest:
        count = len(rest) if machine.convention.save_with == "block" else 1
        while count > 1:
            effects = tuple(_save_effect(r, function, machine, save) for r in rest[:count])
            if code.attempt(*effects):
                break
            count -= 1
        else:
            code.emit(_save_effect(rest[0], function, machine, save))
        del rest[: max(count, 1)]
    code.cause = "linkage"


def _save_effect(register: Register, function: Function, machine: Machine, save: bool) -> Effect:
    offset = function.slots[f".save.{register.cls}{register.index}"].offset or 0
    cell = Mem(register.type, binary("+", machine.stack_pointer, Const(offset)))
    return Set(cell, register) if save else Set(register, cell)


class _Scavenger(Legalizer):
    """A Legalizer whose temporaries are hard registers known to be free."""

    free: list[Register]
    pool: list[Register]

    def emit(self, effect: Effect) -> None:
        """Emit RTLs with one effect; what they need is free again behind them."""
        if self.depth == 0:
            self.pool = list(self.free)
        super().emit(effect)

    def fresh(self, cls: str, type_: str = "") -> Register:
        """Take a free hard register."""
        for register in self.pool:
            if register.cls == cls:
                self.pool.remove(register)
                return register
        raise CannotExpress("an offset this far from the stack pointer with no register free", self.line)

    def frame_cell(self, name: str) -> str:
        """The frame is laid out: there is no new cell."""
        raise CannotExpress("an offset this far from the stack pointer without a cell for a move", self.line)


def _code(function: Function, machine: Machine, pool: list[Register]) -> _Scavenger:
    code = _Scavenger(machine, function)
    code.free, code.pool = pool, list(pool)
    return code


def _scratch(machine: Machine) -> list[Register]:
    return [r for registers in machine.allocable.values() for r in registers if r in machine.convention.scratch]


def _free_at_entry(machine: Machine) -> list[Register]:
    arguments = [r for registers in machine.convention.arguments.values() for r in registers]
    hidden = machine.convention.hidden_result
    return _free(machine, [*arguments, hidden] if hidden else arguments)


def _free(machine: Machine, busy: Iterable[Register]) -> list[Register]:
    """Return the scratch registers that have no part in common with others."""
    taken = _storage(machine, busy)
    return [r for r in _scratch(machine) if taken.isdisjoint(machine.storage(r))]


def _storage(machine: Machine, registers: Iterable[Register]) -> set[tuple[str, int]]:
    return {part for register in registers for part in machine.storage(register)}


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
        code = _code(function, machine, _free(machine, (*rtl.uses, *rtl.sets, *live)))
        code.line, code.cause = rtl.lines[0], rtl.cause
        code.emit(effect)
        rtls[position : position + 1] = code.out
