"""RTLs whose offset from the stack pointer, known once the frame is laid out, is too large for one instruction.

They are made from several, with registers that are free there.  Where too few are, others are put away meanwhile, in cells of
the frame near the stack pointer (as LLVM's register scavenger does with its emergency slots).
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

from vpo.algebra import binary, rebuild_effect
from vpo.base.errors import CannotExpress
from vpo.machines.machine import Machine
from vpo.opt.frame.save_instructions import Scavenger, free_registers, scavenger
from vpo.opt.state import LIVENESS, FunctionState
from vpo.rtl import BITS, Const, Effect, Expr, Half, Mem, Register, Rtl, Set, Slot
from vpo.rtl.function import FrameSlot

MOST_PUT_AWAY = 2
PUT_AWAY = ".away"  # how the names of the cells begin


def cells_needed(state: FunctionState) -> int:
    """Return how many registers must be put away, in a frame that is laid out, for an RTL that will not be legal."""
    offsets = slot_offsets(state)
    needed = 0
    for index, block in enumerate(state.function.blocks):
        for position, rtl in enumerate(block.rtls):
            effects = tuple(with_offsets(effect, offsets, state.machine) for effect in rtl.effects)
            if len(effects) == 1 and effects != rtl.effects and not state.machine.is_legal(effects):
                made = _Maker(state, index, position, effects)
                needed = max(needed, next((n for n in range(MOST_PUT_AWAY) if made.code(n, rehearsed=True)), MOST_PUT_AWAY))
    return needed


def reserve_cells(state: FunctionState, count: int) -> None:
    """Add the cells for registers that are put away to a frame, which must be laid out again."""
    size = BITS[state.machine.address_type] // 8
    for number in range(count):
        name = f"{PUT_AWAY}{number}"
        state.function.slots[name] = FrameSlot(name, "away", size, size)


def slot_offsets(state: FunctionState) -> dict[str, int]:
    """Return the offsets of the slots of a frame that is laid out."""
    return {slot.name: slot.offset or 0 for slot in state.function.slots.values()}


def with_offsets(effect: Effect, offsets: Mapping[str, int], machine: Machine) -> Effect:
    """Return an effect with numbers in the places of slots."""

    def replace(node: Expr) -> Expr | None:
        if type(node) is Slot:
            return Const(offsets[node.name] + node.offset)
        if type(node) is Half and type(node.of) is Slot:
            number = offsets[node.of.name] + node.of.offset
            return Half(node.which, Const(number)) if node.is_literal else Const(machine.half(node.which, number))
        return None

    return rebuild_effect(effect, replace)


def make_legal(state: FunctionState) -> None:
    """Rewrite the RTLs of a framed function that became illegal because an offset is too large."""
    while (found := _first_illegal(state)) is not None:
        index, position = found
        block = state.function.blocks[index]
        rtl = block.rtls[position]
        if rtl.single_set() is None:
            raise CannotExpress(f"`{rtl!r}` with so large a frame", rtl.lines[0])
        maker = _Maker(state, index, position, rtl.effects)
        cells = sum(name.startswith(PUT_AWAY) for name in state.function.slots)
        made = next((made for count in range(cells + 1) if (made := maker.code(count)) is not None), None)
        if made is None:
            raise CannotExpress("move to or from the frame with no register free", rtl.lines[0])
        state.splice(block, position, position + 1, made)


def _first_illegal(state: FunctionState) -> tuple[int, int] | None:
    """Return the index of the first block with an RTL that is not legal, and its place in that block."""
    for index, block in enumerate(state.function.blocks):
        for position, rtl in enumerate(block.rtls):
            if not state.machine.is_legal(rtl.effects):
                return index, position
    return None


class _Maker:
    """Makes legal RTLs in the place of one with a single effect."""

    def __init__(self, state: FunctionState, index: int, position: int, effects: tuple[Effect, ...]) -> None:
        self.state, self.machine, self.effect = state, state.machine, effects[0]
        self.rtl = state.function.blocks[index].rtls[position]
        liveness = state.get(LIVENESS)
        live = liveness.numbering.members(liveness.backward(index)[position])
        self.free = free_registers(self.machine, (*self.rtl.uses, *self.rtl.sets, *live))

    def code(self, count: int, rehearsed: bool = False) -> list[Rtl] | None:
        """Return the RTLs, putting so many registers away; None if that does not do.

        When it is `rehearsed`, there are no cells yet.
        """
        cells = [0 if rehearsed else self.state.function.slots[f"{PUT_AWAY}{n}"].offset or 0 for n in range(count)]
        for away in combinations(self._others(), count):
            code = scavenger(self.state.function, self.machine, (*self.free, *away), self.rtl.lines[0], self.rtl.cause)
            code.laid_out = True
            saved = [Mem(r.type, self._at(offset)) for r, offset in zip(away, cells, strict=True)]
            if not all(code.attempt(Set(cell, register), cause="spill") for cell, register in zip(saved, away, strict=True)):
                continue
            if self._emits(code) and all(
                code.attempt(Set(register, cell), cause="spill") for cell, register in zip(saved, away, strict=True)
            ):
                return code.out
        return None

    def _at(self, offset: int) -> Expr:
        return binary("+", self.machine.stack_pointer, Const(offset))

    def _others(self) -> list[Register]:
        """Return the registers that may be put away: those that an address may be computed in."""
        used = {*self.rtl.uses, *self.rtl.sets, *self.free}
        return [r for r in self.machine.allocable.get(self.machine.values.address, ()) if r not in used]

    def _emits(self, code: Scavenger) -> bool:
        """Emit the effect; a load may compute its address in the register that it sets."""
        before = len(code.out)
        try:
            code.emit(self.effect)
            return True
        except CannotExpress:
            del code.out[before:]
        match self.effect:
            case Set(target=Register() as target, source=Mem() as cell) if self._holds_addresses(target):
                try:
                    code.depth = 0
                    code.emit(Set(target, cell.address))
                except CannotExpress:
                    return False
                return code.attempt(Set(target, cell.at(target)))
        return False

    def _holds_addresses(self, register: Register) -> bool:
        return register.cls == self.machine.values.address and register not in self.rtl.uses
