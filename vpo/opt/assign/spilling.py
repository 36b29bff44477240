"""Spilling: registers become cells of the frame, or are computed anew, wherever they are mentioned.

    r[t1]=r[t1]+r[t2];       =>       r[t3]=L[r[2]+.spill.0]; r[t3]=r[t3]+r[t2]; L[r[2]+.spill.0]=r[t3];

A machine with memory operands uses the cell in place where that is legal, and a value to be computed anew as well.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from vpo.algebra import rebuild, rebuild_effect
from vpo.analysis.liveness import Liveness, has_side_effect
from vpo.expand.legalize import Legalizer
from vpo.function import FrameSlot, Function
from vpo.machines.machine import Machine
from vpo.opt.assign.codes import is_code, keep_codes
from vpo.opt.assign.recomputation import Recipe
from vpo.rtl import BITS, Effect, Expr, Mem, Op, Register, Rtl, Set, Slot


@dataclass(frozen=True, slots=True)
class Held:
    """What a cell holds, as long as a register holds it, too: since an RTL stored it."""

    cell: Mem
    register: Register
    store: Rtl


class Spiller:
    """Rewrites a function.  `old` are the pseudo-registers that there were before: spilling new ones gains nothing."""

    def __init__(self, function: Function, machine: Machine) -> None:
        self.function, self.machine = function, machine
        self.old = function.pseudos
        self.homes: dict[Register, Expr] = {}  # where registers are, or what their values are
        self.sharing: dict[Expr, int] = {}  # the registers that share a cell
        self.held: Held | None = None  # what a temporary still holds of what was stored last

    def spill(self, groups: Iterable[Sequence[Register]], recipes: Mapping[Register, Recipe], liveness: Liveness) -> None:
        """Take groups of registers out of the code, of which the liveness is known; those of a group may share a cell."""
        self.homes, self.sharing = {}, {}
        for group in groups:
            cells: dict[str, Mem] = {}
            for register in group:
                if register in recipes:
                    self.homes[register] = recipes[register].value
                else:
                    cell = self.homes[register] = cells.setdefault(register.type, self._cell(register.type, cells))
                    self.sharing[cell] = self.sharing.get(cell, 0) | liveness.numbering.mask((register,))
        lost: list[Rtl] = []
        for index, block in enumerate(self.function.blocks):
            if any(self._concerns(rtl) for rtl in block.rtls):
                self.liveness, self.index = liveness, index
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
        self.held = None
        places = zip(self.liveness.accesses[self.index], self.liveness.backward(self.index), strict=True)
        for rtl, (entry, live), following in zip_longest(rtls, places, rtls[1:]):
            if not self._concerns(rtl):
                code.out.append(rtl)
                if self.held is not None and not self._passes(rtl, self.held.register):
                    self.held = None
            elif self._is_needless(rtl):
                lost.append(rtl)
            elif not self._compute_elsewhere(rtl, self.liveness.numbering.members(entry.uses & ~live), code):
                apart = following is not None and following.transfer is None and any(map(is_code, rtl.sets))
                self._rewrite(rtl, code, apart, live)
                self.held = self._holding(code.out[-1])
        return keep_codes(code.out, self.machine)

    def _passes(self, rtl: Rtl, register: Register) -> bool:
        """Whether an RTL has nothing to do with the bank of a register, which is thus free to keep its value."""
        bank = self.machine.classes[register.cls].bank
        mentioned = (
            self.machine.classes[other.cls].bank for other in (*rtl.uses, *rtl.sets) if other.cls in self.machine.classes
        )
        return rtl.call is None and bank not in mentioned

    def _holding(self, rtl: Rtl, own: Register | None = None) -> Held | None:
        """Return what an RTL stored from a temporary or its `own` register, if it did: that holds the value still."""
        effect = rtl.single_set()
        if effect is None or not isinstance(effect.target, Mem) or not isinstance(effect.source, Register):
            return None
        known = effect.target in self.sharing and (effect.source is own or self.is_temporary(effect.source))
        return Held(effect.target, effect.source, rtl) if known else None

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
            temporary = self._temporary(rtl, register, home, code, live)
            if register in rtl.sets:
                assert isinstance(home, Mem)
                after.append((home, temporary))
            if not self._takes_over(rtl, register, temporary, code):
                rtl.effects, rtl.record = _replaced(rtl.effects, register, temporary), None
        code.out.append(rtl)
        code.cause = "spill"
        for cell, temporary in after:
            code.store(cell, temporary)

    def _temporary(self, rtl: Rtl, register: Register, home: Expr, code: Legalizer, live: int) -> Register:
        """Return the register that an RTL has instead of a spilled one, with its value if it reads that."""
        held = self.held
        if register not in rtl.uses:
            return self.function.pseudo(register.cls, register.type)
        if held is not None and held.cell is home and (held.register.cls, held.register.type) == (register.cls, register.type):
            again = home in rtl.loads or any(self.homes.get(other) is home for other in rtl.uses if other is not register)
            if not again and (register in rtl.sets or not self.sharing[home] & live):
                del code.out[max(place for place, other in enumerate(code.out) if other is held.store)]
            return held.register
        temporary = self.function.pseudo(register.cls, register.type)
        code.emit(Set(temporary, home))
        return temporary

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

    def _compute_elsewhere(self, rtl: Rtl, last_read: Iterable[Register], code: Legalizer) -> bool:
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
                code.store(home, register)
                self.held = self._holding(code.out[-1], register)
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
