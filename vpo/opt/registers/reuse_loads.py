"""Reuse loads: what a block loads from the frame again is still in a register, or one is free to keep it.

    r[1]=L[r[4]+.spill.0];            r[3]=L[r[4]+.spill.0];
    r[1]=r[1]<<6;                     r[1]=r[3];
    r[3]=L[r[4]+.spill.0];     =>     r[1]=r[1]<<6;
    r[3]=r[3]^r[1];                   r[3]=r[3]^r[1];

First, a register that has what is in a cell is read instead of the cell.  Then, a register that is loaded although the cell
was read or stored before, and that nothing concerns in between, gets the value there.  Stores to cells that nothing loads any
more, or before the next store there, go.  The cells are those of spilled values and of stack arguments, of which only loads
and stores know.  It happens when registers are assigned.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from vpo.algebra import rebuild_effect
from vpo.analysis.liveness import Numbering, access, bits, numbering_of
from vpo.opt.state import LIVENESS, FunctionState, merged
from vpo.rtl import Const, Effect, Expr, Mem, Op, Register, Rtl, Set, Slot, expressions_read
from vpo.rtl.function import Block, Function

UNCHANGING = -1  # in place of the numbers of registers that are not tracked


def reuse_loads(state: FunctionState) -> None:
    """Read registers instead of cells of the frame that hold the same."""
    if state.function.stage != "allocated":
        return
    cells = _Cells(state.function, state.machine.stack_pointer)
    for block in state.function.blocks:
        if any(map(cells.loaded, block.rtls)):
            _read_holders(state, block, cells)
            _load_early(state, block, cells)
        if sum(bool(cells.stored(rtl)) for rtl in block.rtls) > 1:
            _remove_overwritten(state, block, cells)
    _remove_stores(state, cells)


class _Cells:
    """The cells of a function that only loads and stores know."""

    def __init__(self, function: Function, stack_pointer: Register) -> None:
        self.stack_pointer = stack_pointer
        exposed: set[str] = set()
        stored: set[str] = set()
        rtls = function.rtls()
        stored.update(slot.name for rtl in rtls for cell in rtl.stores if (slot := self._slot(cell)) is not None)
        for effect in {effect for rtl in rtls for effect in rtl.effects}:
            for root in (effect.target, effect.source) if type(effect) is Set else expressions_read(effect):
                if type(root) is not Register and type(root) is not Const:
                    exposed.update(self._exposed(root))
        arguments = {slot.name for slot in function.slots.values() if slot.kind == "incoming"}
        self.names = {slot.name for slot in function.slots.values() if slot.kind == "spill"} - exposed
        if not arguments & (exposed | stored):  # these may overlap
            self.names |= arguments

    def _slot(self, cell: Mem) -> Slot | None:
        """Return the slot whose address a cell has."""
        match cell.address:
            case Op(op="+", args=(Register() as base, Slot() as slot)) if base is self.stack_pointer:
                return slot
        return None

    def _exposed(self, node: Expr) -> Iterator[str]:
        """Yield the slots whose addresses are anything else than those of cells."""
        if type(node) is Slot:
            yield node.name
        elif type(node) is Mem:
            if self._slot(node) is None:
                yield from self._exposed(node.address)
        elif type(node) is Op:
            for part in node.args:
                yield from self._exposed(part)

    def name(self, cell: Mem) -> str | None:
        """Return the slot of a cell if only loads and stores know it."""
        slot = self._slot(cell)
        return slot.name if slot is not None and slot.name in self.names and not cell.volatile else None

    def loaded(self, rtl: Rtl) -> list[Mem]:
        """Return the cells that an RTL loads."""
        return [cell for cell in rtl.loads if self.name(cell) is not None]

    def stored(self, rtl: Rtl) -> set[str]:
        """Return the slots that an RTL stores to."""
        return {name for cell in rtl.stores if (name := self.name(cell)) is not None}


def _instead(rtl: Rtl, cell: Mem, register: Register) -> tuple[Effect, ...]:
    """Return the effects of an RTL that reads a register instead of a cell."""
    return tuple(rebuild_effect(effect, lambda node: register if node is cell else None) for effect in rtl.effects)


def _is_as_good(state: FunctionState, effects: tuple[Effect, ...], rtl: Rtl) -> bool:
    """Whether effects are an instruction that changes no more by the way than an RTL."""
    machine = state.machine
    return machine.is_legal(effects) and set(machine.clobbers(effects)) <= set(machine.clobbers(rtl.effects))


# ------------------------------------------------------------------------------------------ registers that hold what is loaded


def _read_holders(state: FunctionState, block: Block, cells: _Cells) -> None:
    """Read registers that still have what is in a cell."""
    numbering = numbering_of(state.function, state.machine)
    holders = _Holders(numbering, cells)
    for rtl in list(block.rtls):
        for cell in cells.loaded(rtl):
            for register in holders.of.get(cell, ()):
                effects = _instead(rtl, cell, register)
                if _is_as_good(state, effects, rtl) and state.replace(block, rtl, effects):
                    break
        effect = rtl.single_set
        if effect is not None and effect.target is effect.source:
            state.substitute(block, {rtl: None})
            continue
        entry = access(rtl, numbering)
        holders.lose(entry.sets | entry.clobbers, cells.stored(rtl))
        if effect is not None:
            holders.note(effect)


class _Holders:
    """The registers that have what is in each cell, at some place of a block."""

    def __init__(self, numbering: Numbering, cells: _Cells) -> None:
        self.numbering, self.cells = numbering, cells
        self.of: dict[Mem, list[Register]] = {}
        self.held_by: dict[int, set[Mem]] = defaultdict(set)  # by numbers of registers: where they may stand in `of`
        self.named: dict[str, set[Mem]] = defaultdict(set)

    def lose(self, changed: int, stored: set[str]) -> None:
        """Forget registers that change (a bit set), and cells that are stored to."""
        mask = self.numbering.mask
        for cell in {cell for number in bits(changed) for cell in self.held_by.pop(number, ())}:
            self.of[cell] = [register for register in self.of[cell] if not mask((register,)) & changed]
        for cell in {cell for name in stored for cell in self.named.get(name, ())}:
            self.of[cell] = []

    def note(self, effect: Set) -> None:
        """Note what an RTL puts into a register or a cell."""
        target, source = effect.target, effect.source
        if type(target) is Register and type(source) is Register:
            if target.type == source.type:
                for held in {cell for number in self._numbers(source) for cell in self.held_by.get(number, ())}:
                    if any(other is source for other in self.of[held]):
                        self._add(held, target)
            return
        cell, register = (target, source) if type(target) is Mem else (source, target)
        if type(cell) is Mem and type(register) is Register and cell.type == register.type:
            name = self.cells.name(cell)
            if name:
                self.named[name].add(cell)
                self._add(cell, register)

    def _add(self, cell: Mem, register: Register) -> None:
        self.of.setdefault(cell, []).append(register)
        for number in self._numbers(register):
            self.held_by[number].add(cell)

    def _numbers(self, register: Register) -> list[int]:
        """Return the numbers of a register, or one of its own for those that never change."""
        return list(bits(self.numbering.mask((register,)))) or [UNCHANGING]


# -------------------------------------------------------------------------------------------- registers that are free before


def _load_early(state: FunctionState, block: Block, cells: _Cells) -> None:
    """Load registers where the cell is read before, and read them there; the last loads first."""
    place = len(block.rtls) - 1
    while place > 0:
        match block.rtls[place].single_set:
            case Set(target=Register() as register, source=Mem() as cell) if cells.name(cell) and cell.type == register.type:
                _load_at(state, block, place, register, cell, cells)
        place -= 1


def _load_at(state: FunctionState, block: Block, place: int, register: Register, cell: Mem, cells: _Cells) -> None:
    """Find the RTL before a load that has the value of the cell, too, and give it to the register there."""
    numbering, rtls = numbering_of(state.function, state.machine), block.rtls
    mask, load = numbering.mask((register,)), rtls[place]
    for before in range(place - 1, -1, -1):
        rtl = rtls[before]
        entry = access(rtl, numbering)
        if rtl.call is not None or rtl.transfer is not None or (entry.uses | entry.sets | entry.clobbers) & mask:
            return
        if cells.name(cell) in cells.stored(rtl):
            effect = rtl.single_set
            if effect is not None and effect.target is cell and type(effect.source) is Register:
                move = merged((Set(register, effect.source),), load)
                if not state.machine.clobbers(move.effects):
                    state.splice(block, before, place + 1, [rtl, move, *rtls[before + 1 : place]])
            return
        if cell in rtl.loads:
            effects = _instead(rtl, cell, register)
            if _is_as_good(state, effects, rtl) and not _hurts(state, block, before, load):
                reading = merged(effects, rtl)
                state.splice(block, before, place + 1, [load, reading, *rtls[before + 1 : place]])
            return


def _hurts(state: FunctionState, block: Block, place: int, load: Rtl) -> bool:
    """Whether a load before some place changes by the way what is wanted there, such as a condition code."""
    clobbered = state.machine.clobbers(load.effects)
    if not clobbered:
        return False
    liveness = state.get(LIVENESS)
    number = state.function.blocks.index(block)
    live = liveness.backward(number)[place - 1] if place else liveness.live_in[number]
    return bool(liveness.numbering.mask(clobbered) & live)


# ------------------------------------------------------------------------------------------------- stores that nobody needs


def _remove_stores(state: FunctionState, cells: _Cells) -> None:
    """Remove stores to spill slots that nothing loads any more, and the slots."""
    function = state.function
    spilled = {slot.name for slot in function.slots.values() if slot.kind == "spill"} & cells.names
    needless = spilled - {cells.name(cell) for rtl in function.rtls() for cell in rtl.loads}
    if not needless:
        return
    left = {block: [rtl for rtl in block.rtls if not _is_needless(rtl, cells, needless)] for block in function.blocks}
    if state.change({block: rtls for block, rtls in left.items() if len(rtls) < len(block.rtls)}):
        for name in needless - {name for rtl in function.rtls() for name in cells.stored(rtl)}:
            del function.slots[name]


def _remove_overwritten(state: FunctionState, block: Block, cells: _Cells) -> None:
    """Remove stores to cells that are stored to again before anything loads them; two-address instructions leave some."""
    left: list[Rtl] = []
    overwritten: dict[str, Mem] = {}
    for rtl in reversed(block.rtls):
        effect = rtl.single_set
        cell = effect.target if effect is not None and type(effect.target) is Mem else None
        name = cells.name(cell) if cell is not None else None
        if name is not None and overwritten.get(name) is cell and _is_needless(rtl, cells, {name}):
            continue
        left.append(rtl)
        if rtl.call is not None:
            overwritten.clear()
        for known in cells.stored(rtl):
            overwritten.pop(known, None)
        if name is not None and cell is not None:
            overwritten[name] = cell
        for read in cells.loaded(rtl):
            overwritten.pop(cells.name(read) or "", None)
    if len(left) < len(block.rtls):
        state.change({block: left[::-1]})


def _is_needless(rtl: Rtl, cells: _Cells, slots: set[str]) -> bool:
    """Whether an RTL only stores to one of some slots."""
    return rtl.single_set is not None and bool(cells.stored(rtl) & slots) and not any(cell.volatile for cell in rtl.loads)
