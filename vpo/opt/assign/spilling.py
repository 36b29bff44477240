"""Spilling: registers become cells of the frame, or are computed anew, wherever they are mentioned.

    r[t1]=r[t1]+r[t2];       =>       r[t3]=L[r[2]+.spill.0]; r[t3]=r[t3]+r[t2]; L[r[2]+.spill.0]=r[t3];

A machine with memory operands uses the cell in place where that is legal, and a value to be computed anew as well.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest

from vpo.algebra import rebuild_effect
from vpo.analysis.liveness import has_side_effect
from vpo.expand.legalize import Legalizer
from vpo.function import FrameSlot, Function
from vpo.machines.machine import Machine
from vpo.opt.assign.codes import is_code, keep_codes
from vpo.opt.assign.recomputation import Recipe
from vpo.rtl import BITS, Effect, Expr, Mem, Op, Register, Rtl, Set, Slot


class Spiller:
    """Rewrites a function.  `old` are the pseudo-registers that there were before: spilling new ones gains nothing."""

    def __init__(self, function: Function, machine: Machine) -> None:
        self.function, self.machine = function, machine
        self.old = function.pseudos
        self.homes: dict[Register, Expr] = {}  # where registers are, or what their values are

    def spill(self, groups: Iterable[Sequence[Register]], recipes: Mapping[Register, Recipe]) -> None:
        """Take groups of registers out of the code; the registers of a group may share a cell."""
        self.homes = {}
        for group in groups:
            cells: dict[str, Mem] = {}
            for register in group:
                if register in recipes:
                    self.homes[register] = recipes[register].value
                else:
                    self.homes[register] = cells.setdefault(register.type, self._cell(register.type, cells))
        lost: list[Rtl] = []
        for block in self.function.blocks:
            if any(self._concerns(rtl) for rtl in block.rtls):
                block.rtls = self._rewritten(block.rtls, lost)
        remove_unused(self.function, lost)

    def _cell(self, type_: str, cells: Mapping[str, Mem]) -> Mem:
        """Return the cell of a group for values of a type."""
        if type_ in cells:
            return cells[type_]
        name, size = self.function.slot_name(".spill."), BITS[type_] // 8
        self.function.slots[name] = FrameSlot(name, "spill", size, size)
        return Mem(type_, Op("+", self.machine.address_type, self.machine.stack_pointer, Slot(name)))

    def is_temporary(self, register: Register) -> bool:
        """Whether a register was made to hold a value between two instructions."""
        return register.pseudo and register.index > self.old

    def _concerns(self, rtl: Rtl) -> bool:
        homes = self.homes
        return any(r in homes for r in rtl.uses) or any(r in homes for r in rtl.sets)

    def _rewritten(self, rtls: Sequence[Rtl], lost: list[Rtl]) -> list[Rtl]:
        """Return RTLs without the registers; `lost` gets those that are no longer wanted."""
        code = Legalizer(self.machine, self.function)
        for rtl, following in zip_longest(rtls, rtls[1:]):
            if not self._concerns(rtl):
                code.out.append(rtl)
            elif self._is_needless(rtl):
                lost.append(rtl)
            else:
                apart = following is not None and following.transfer is None and any(map(is_code, rtl.sets))
                self._rewrite(rtl, code, apart)
        return keep_codes(code.out, self.machine)

    def _is_needless(self, rtl: Rtl) -> bool:
        """Whether an RTL only makes a value that is computed anew, or moves one to where it is."""
        effect = rtl.single_set()
        if effect is None:
            return False
        target, source = (self.homes.get(n, n) if isinstance(n, Register) else n for n in (effect.target, effect.source))
        return not isinstance(target, Register | Mem) or target is source

    def _rewrite(self, rtl: Rtl, code: Legalizer, apart: bool) -> None:
        """Emit an RTL with other operands; `apart` tells that it sets a condition code which is not read at once."""
        code.line, cause = rtl.lines[0], rtl.cause
        after: list[tuple[Mem, Register]] = []
        for register in dict.fromkeys((*rtl.uses, *rtl.sets)):
            home = self.homes.get(register)
            if home is None:
                continue
            code.cause = "spill" if isinstance(home, Mem) else cause
            # what changes the cell before the code is read has to go before this RTL if it changes the code, too
            kept = not apart or not isinstance(home, Mem) or not self.machine.clobbers((Set(home, register),))
            if kept and self._in_place(rtl, register, home):
                rtl.cause = code.cause
                continue
            temporary = self.function.pseudo(register.cls, register.type)
            if register in rtl.uses:
                code.emit(Set(temporary, home))
            if register in rtl.sets:
                assert isinstance(home, Mem)
                after.append((home, temporary))
            rtl.effects, rtl.record = _replaced(rtl.effects, register, temporary), None
        code.out.append(rtl)
        code.cause = "spill"
        for cell, temporary in after:
            code.store(cell, temporary)

    def _in_place(self, rtl: Rtl, register: Register, home: Expr) -> bool:
        """Use the cell itself, or the value to compute anew, as the operand, if the machine can."""
        effects = in_place(rtl.effects, register, home)
        if any(register in e.uses for e in effects) or not self.machine.is_legal(effects):
            return False
        if not set(self.machine.clobbers(effects)) <= set(self.machine.clobbers(rtl.effects)):
            return False
        rtl.effects, rtl.record = effects, None
        return True


def in_place(effects: tuple[Effect, ...], register: Register, home: Expr) -> tuple[Effect, ...]:
    """Return effects with a cell or a value in the place of a register."""
    new = []
    for effect in effects:
        changed = rebuild_effect(effect, lambda node: home if node is register else None)
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
