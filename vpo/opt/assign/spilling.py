"""Spilling: registers become cells of the frame, or are computed anew, wherever they are mentioned.

    r[t1]=r[t1]+r[t2];       =>       r[t3]=L[r[2]+.spill.0]; r[t3]=r[t3]+r[t2]; L[r[2]+.spill.0]=r[t3];

A machine with memory operands uses the cell in place where that is legal, and a value to be computed anew as well.
Instead of a cell it may be a register of another bank.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest
from typing import TypeGuard

from vpo.algebra import rebuild, rebuild_effect
from vpo.analysis.liveness import has_side_effect
from vpo.expand.legalize import Legalizer
from vpo.function import FrameSlot, Function
from vpo.machines.machine import Machine
from vpo.opt.assign.codes import is_code, keep_codes
from vpo.opt.assign.held_values import HeldValues, Room
from vpo.opt.assign.interference import Graph
from vpo.rtl import BITS, Effect, Expr, Mem, Op, Register, Rtl, Set, Slot, expressions_read, subexpressions

GENEROUS_ROUNDS = 3  # how often temporaries may hold values for later uses; what they take away then is given back


class Spiller:
    """Rewrites a function.  `old` are the pseudo-registers that there were before: spilling new ones gains nothing."""

    def __init__(self, function: Function, machine: Machine) -> None:
        self.function, self.machine = function, machine
        self.old = function.pseudos
        self.homes: dict[Register, Expr] = {}  # where registers are, or what their values are
        self.sharing: dict[Expr, int] = {}  # the registers that share a cell
        self.lasting: set[Register] = set()  # new registers that are no temporaries: those of other banks, or used again later
        self.rounds = 0

    def spill(self, groups: Sequence[Sequence[Register]], banks: Mapping[int, str], graph: Graph) -> None:
        """Take groups of registers out of the code of a graph; those of a group may share a cell.

        `banks` has classes of other banks for some of the groups.
        """
        self.homes, self.sharing = {}, {}
        liveness, self.rounds = graph.liveness, self.rounds + 1
        for number, group in enumerate(groups):
            if number in banks:
                home = self.function.pseudo(banks[number], group[0].type)
                self.homes.update(dict.fromkeys(group, home))
                self.lasting.add(home)
                continue
            cells: dict[str, Mem] = {}
            for register in group:
                if register in graph.recipes:
                    self.homes[register] = graph.recipes[register].value
                else:
                    cell = self.homes[register] = cells.setdefault(register.type, self._cell(register.type, cells))
                    self.sharing[cell] = self.sharing.get(cell, 0) | liveness.numbering.mask((register,))
        self.room = Room(graph, self.homes)
        lost: list[Rtl] = []
        for index, block in enumerate(self.function.blocks):
            if any(self._concerns(rtl) for rtl in block.rtls):
                self.liveness, self.index = liveness, index
                block.rtls = self._rewritten(block.rtls, lost)
        remove_unused(self.function, lost)

    def remove_unused_cells(self) -> None:
        """Remove the cells that no RTL mentions any more."""
        effects = (effect for rtl in self.function.rtls() for effect in rtl.effects)
        nodes = (node for effect in effects for root in expressions_read(effect) for node in subexpressions(root))
        used = {node.name for node in nodes if isinstance(node, Slot)}
        slots = self.function.slots
        for name in [name for name, slot in slots.items() if slot.kind == "spill" and name not in used]:
            del slots[name]

    def _cell(self, type_: str, cells: Mapping[str, Mem]) -> Mem:
        """Return the cell of a group for values of a type."""
        if type_ in cells:
            return cells[type_]
        name, size = self.function.slot_name(".spill."), BITS[type_] // 8
        self.function.slots[name] = FrameSlot(name, "spill", size, size)
        return Mem(type_, Op("+", self.machine.address_type, self.machine.stack_pointer, Slot(name)))

    def is_temporary(self, register: Register) -> bool:
        """Whether a register was made to hold a value between two instructions."""
        return register.pseudo and register.index > self.old and register not in self.lasting

    def _concerns(self, rtl: Rtl) -> bool:
        homes = self.homes
        return any(r in homes for r in rtl.uses) or any(r in homes for r in rtl.sets)

    def _rewritten(self, rtls: Sequence[Rtl], lost: list[Rtl]) -> list[Rtl]:
        """Return RTLs without the registers; `lost` gets those that are no longer wanted."""
        code = Legalizer(self.machine, self.function)
        self.held = HeldValues(self.room, self.rounds <= GENEROUS_ROUNDS)
        places = zip(self.liveness.accesses[self.index], self.liveness.backward(self.index), strict=True)
        for rtl, (entry, live), following in zip_longest(rtls, places, rtls[1:]):
            if not self._concerns(rtl):
                code.out.append(rtl)
                self.held.pass_by(rtl, live)
            elif self._is_needless(rtl):
                lost.append(rtl)
            elif not self._compute_elsewhere(rtl, self.liveness.numbering.members(entry.uses & ~live), code, live):
                apart = following is not None and following.transfer is None and any(map(is_code, rtl.sets))
                self._rewrite(rtl, code, apart, live)
        return keep_codes(code.out, self.machine)

    def _hold(self, cell: Mem, register: Register, code: Legalizer, brief: bool = False) -> None:
        """Note that a register has been stored in a cell by the last RTL."""
        effect = code.out[-1].single_set()
        plain = effect is not None and effect.target is cell and effect.source is register
        self.held.put(cell, register, code.out[-1] if plain else None, brief)

    def _is_needless(self, rtl: Rtl) -> bool:
        """Whether an RTL only makes a value that is computed anew, or moves one to where it is."""
        effect = rtl.single_set()
        if effect is None:
            return False
        target, source = (self.homes.get(n, n) if isinstance(n, Register) else n for n in (effect.target, effect.source))
        return not isinstance(target, Register | Mem) or target is source

    def _rewrite(self, rtl: Rtl, code: Legalizer, apart: bool, live: int) -> None:
        """Emit an RTL with other operands; `live` are the registers that are wanted behind it.

        If it is `apart`, it sets a condition code which is not read at once.
        """
        code.line, cause = rtl.lines[0], rtl.cause
        after: list[tuple[Mem | Register, Register]] = []
        for register in dict.fromkeys((*rtl.uses, *rtl.sets)):
            home = self.homes.get(register)
            if home is None:
                continue
            code.cause = "spill" if is_place(home) else cause
            # what changes the cell before the code is read has to go before this RTL if it changes the code, too
            kept = not apart or not is_place(home) or not self.machine.clobbers((Set(home, register),))
            if kept and not self._is_at_hand(rtl, register, home) and self._in_place(rtl, register, home):
                if not isinstance(home, Register):
                    rtl.cause = code.cause
                continue
            temporary = self._temporary(rtl, register, home, code, live)
            if register in rtl.sets:
                assert is_place(home)
                after.append((home, temporary))
            if self._takes_over(rtl, register, temporary, code):
                self.held.forget(temporary)
            else:
                rtl.effects, rtl.record = _replaced(rtl.effects, register, temporary), None
        code.out.append(rtl)
        self.held.pass_by(rtl, live, rewritten=True)
        for cell in rtl.stores:
            self.held.forget(cell)
        code.cause = "spill"
        for place, temporary in after:
            code.emit(Set(place, temporary)) if isinstance(place, Register) else code.store(place, temporary)
            if isinstance(place, Mem):
                self._hold(place, temporary, code)

    def _is_at_hand(self, rtl: Rtl, register: Register, home: Expr) -> bool:
        """Whether a register holds what an RTL reads and does not change."""
        return isinstance(home, Mem) and register not in rtl.sets and self.held.find(home, register) is not None

    def _temporary(self, rtl: Rtl, register: Register, home: Expr, code: Legalizer, live: int) -> Register:
        """Return the register that an RTL has instead of a spilled one, with its value if it reads that."""
        if register not in rtl.uses:
            return self.function.pseudo(register.cls, register.type)
        held = self.held.find(home, register) if isinstance(home, Mem) else None
        if held is not None:
            again = home in rtl.loads or any(self.homes.get(other) is home for other in rtl.uses if other is not register)
            ours = held.store is not None and home in self.sharing
            if ours and not again and (register in rtl.sets or not self.sharing[home] & live):
                del code.out[max(place for place, other in enumerate(code.out) if other is held.store)]
                self.held.forget(home)
            if held.lasts:
                self.lasting.add(held.register)
            return held.register
        temporary = self.function.pseudo(self._class_for(rtl, register, home), register.type)
        code.emit(Set(temporary, home))
        if isinstance(home, Mem):
            self.held.put(home, temporary)
        return temporary

    def _class_for(self, rtl: Rtl, register: Register, home: Expr) -> str:
        """Return the class for a temporary: another one if an RTL reads more registers of its class than there are."""
        machine = self.machine
        rivals = {other for other in rtl.uses if other.cls == register.cls and other.pseudo and other is not register}
        if register in rtl.sets or len(rivals) < len(machine.allocable_in(register.cls)):
            return register.cls
        for cls in machine.classes.values():
            other = Register(cls.name, -1, cls.type, True)
            possible = cls.type == register.type and cls.name != register.cls and machine.allocable_in(cls.name)
            loads = possible and machine.is_legal((Set(other, home),))
            if loads and machine.is_legal(_replaced(rtl.effects, register, other)):
                return cls.name
        return register.cls

    def _takes_over(self, rtl: Rtl, register: Register, temporary: Register, code: Legalizer) -> bool:
        """Let an RTL do what the last one does for it: add the low half of an address, say; tell whether it can."""
        effect, mine = (code.out[-1].single_set() if code.out else None), rtl.single_set()
        if effect is None or effect.target is not temporary or register in rtl.sets or not isinstance(effect.source, Op):
            return False
        if mine is not None and mine.source is register and isinstance(mine.target, Register):
            return False  # a move: both registers become one
        source = effect.source
        effects = tuple(rebuild_effect(e, lambda node: source if node is register else None) for e in rtl.effects)
        if not self.machine.is_legal(effects) or not self._clobbers_no_more(effects, rtl.effects):
            return False
        rtl.effects, rtl.record = effects, None
        code.out.pop()
        return True

    def _compute_elsewhere(self, rtl: Rtl, last_read: Iterable[Register], code: Legalizer, live: int) -> bool:
        """Let an RTL set a register that it is the last to read instead of a spilled one, which is stored from there.

        With two addresses, what was spilled can then be an operand in memory: `t1=t1+t2` becomes `t2=t2+cell; cell=t2`.
        """
        effect = rtl.single_set()
        if effect is None or not isinstance(target := effect.target, Register) or not isinstance(effect.source, Op):
            return False
        home = self.homes.get(target)
        if not isinstance(home, Mem) or self.machine.is_legal(in_place(rtl.effects, target, home)):
            return False
        source = rebuild(effect.source, lambda node: self.homes.get(node) if isinstance(node, Register) else None)
        for register in last_read:
            new = (Set(register, source),)
            fits = (
                register.pseudo and register not in self.homes and (register.cls, register.type) == (target.cls, target.type)
            )
            if fits and self.machine.is_legal(new) and self._clobbers_no_more(new, rtl.effects):
                code.line, code.cause = rtl.lines[0], "spill"
                code.out.append(Rtl(new, rtl.lines, "spill"))
                self.held.pass_by(code.out[-1], live, rewritten=True)
                code.store(home, register)
                self._hold(home, register, code, brief=True)
                return True
        return False

    def _in_place(self, rtl: Rtl, register: Register, home: Expr) -> bool:
        """Use the cell itself, or the value to compute anew, as the operand, if the machine can."""
        effects = in_place(rtl.effects, register, home)
        if any(register in e.uses for e in effects) or not self.machine.is_legal(effects):
            return False
        if not self._clobbers_no_more(effects, rtl.effects):
            return False
        rtl.effects, rtl.record = effects, None
        return True

    def _clobbers_no_more(self, effects: tuple[Effect, ...], before: tuple[Effect, ...]) -> bool:
        return set(self.machine.clobbers(effects)) <= set(self.machine.clobbers(before))


def is_place(home: Expr) -> TypeGuard[Mem | Register]:
    """Whether a value is kept there, not computed anew."""
    return isinstance(home, Mem | Register)


def in_place(effects: tuple[Effect, ...], register: Register, home: Expr) -> tuple[Effect, ...]:
    """Return effects with a cell or a value in the place of a register."""
    new = []
    for effect in effects:
        changed = rebuild_effect(effect, lambda node: home if node is register else None, targets=isinstance(home, Register))
        if isinstance(changed, Set) and changed.target is register and isinstance(home, Mem):
            changed = Set(home, changed.source)
        new.append(changed)
    return tuple(new)


def _replaced(effects: tuple[Effect, ...], old: Register, new: Register) -> tuple[Effect, ...]:
    return tuple(rebuild_effect(e, lambda n: new if n is old else None, targets=True) for e in effects)


def remove_unused(function: Function, lost: Sequence[Rtl]) -> None:
    """Remove what computes values that only RTLs used which are lost."""
    suspects = {register for rtl in lost for register in rtl.uses if register.pseudo}
    if not suspects:
        return
    uses = Counter(register for rtl in function.rtls() for register in rtl.uses)
    setters: dict[Register, list[Rtl]] = {}
    for rtl in function.rtls():
        for register in rtl.sets:
            setters.setdefault(register, []).append(rtl)
    dead: set[Rtl] = set()
    while suspects:
        register = suspects.pop()
        if uses[register] or not all(_is_removable(rtl) for rtl in setters.get(register, ())):
            continue
        for rtl in setters.pop(register, ()):
            dead.add(rtl)
            uses.subtract(rtl.uses)
            suspects.update(other for other in rtl.uses if other.pseudo)
    for block in function.blocks if dead else ():
        block.rtls = [rtl for rtl in block.rtls if rtl not in dead]


def _is_removable(rtl: Rtl) -> bool:
    return rtl.single_set() is not None and not has_side_effect(rtl)
