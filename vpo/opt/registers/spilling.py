"""Spilling: registers become cells of the frame, are computed anew, or kept in a bank that has one free (`other_banks.py`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import TypeGuard

from vpo.algebra import rebuild, rebuild_effect, substitute_in
from vpo.analysis.liveness import has_side_effect
from vpo.lower.legalize import Legalizer
from vpo.machines.machine import Machine
from vpo.opt.registers.interference import Graph
from vpo.rtl import BITS, CODE_TYPES, Effect, Expr, Mem, Op, Register, Rtl, Set, Slot, expressions_read, subexpressions
from vpo.rtl.function import FrameSlot, Function

# ----------------------------------------------------------------------------------------------------------------------
# Spilling: registers become cells of the frame, or are computed anew, wherever they are mentioned.
#
#     r[t1]=r[t1]+r[t2];       =>       r[t3]=L[r[2]+.spill.0]; r[t3]=r[t3]+r[t2]; L[r[2]+.spill.0]=r[t3];
#
# A machine with memory operands uses the cell in place where that is legal, and a value to be computed anew as well.
# Instead of a cell it may be a register of another bank.


# ----------------------------------------------------------------------------------------------------------------------
# Condition codes that spilling must leave alone.


def is_code(register: Register) -> bool:
    """Whether a register holds what a comparison found out."""
    return register.type in CODE_TYPES


def keep_codes(rtls: Sequence[Rtl], machine: Machine) -> list[Rtl]:
    """Return the RTLs of a block, none of which, computing the address of a cell, say, changes a code still wanted.

    RTLs that spilling has put there and that do go before the one that sets the code.
    """
    kept = list(rtls)
    while (change := _first_change(kept, machine)) is not None:
        setter, place = change
        moved = kept[setter + 1 : place + 1]
        if not all(_commute(kept[setter], rtl) for rtl in moved):
            raise AssertionError(f"a spill changes the condition code of {kept[setter]!r}")
        kept[setter : place + 1] = [*moved, kept[setter]]
    return kept


def _first_change(rtls: Sequence[Rtl], machine: Machine) -> tuple[int, int] | None:
    """Return the place where a code is set, and that of the first RTL that changes it before it is read."""
    set_at: dict[Register, int] = {}
    changed: dict[Register, int] = {}
    for place, rtl in enumerate(rtls):
        lost = [(set_at[code], changed[code]) for code in rtl.uses if is_code(code) and code in changed]
        if lost:
            return min(lost)
        for code in filter(is_code, rtl.sets):
            set_at[code] = place
            changed.pop(code, None)
        for code in machine.clobbers(rtl.effects):
            if code in set_at and set_at[code] != place:
                changed.setdefault(code, place)
    return None


def _commute(setter: Rtl, rtl: Rtl) -> bool:
    """Whether an RTL that sets a code may as well come behind another one."""
    if not set(setter.uses).isdisjoint(rtl.sets) or not set(setter.sets).isdisjoint((*rtl.uses, *rtl.sets)):
        return False
    if rtl.cause == "spill":  # no other cell than its own is concerned
        return set(setter.loads).isdisjoint(rtl.stores) and set(setter.stores).isdisjoint((*rtl.loads, *rtl.stores))
    return not has_side_effect(rtl) and not (rtl.loads and setter.stores)


# ----------------------------------------------------------------------------------------------------------------------
# What registers hold of spilled values, in one block: a later use needs no load, and perhaps no cell.
#
# A temporary that has loaded or stored a value keeps it as long as there is room: while the registers that are live leave
# some of the bank free.


MARGIN = 2  # registers that are left free, since one instruction may need temporaries


@dataclass(slots=True)
class Held:
    """What a cell holds, or a register of another bank, as long as a register holds it, too.

    `store` is what put it there, if nothing else has read the cell since.  If it is `brief`, the register is there for
    something else, or colouring has been hard: nothing else may come between.  If something has, the register `lasts`.
    """

    cell: Mem | Register
    register: Register
    store: Rtl | None
    brief: bool
    lasts: bool = False


class Room:
    """How many registers of each bank are left."""

    def __init__(self, graph: Graph, spilled: Mapping[Register, object]) -> None:
        self.machine: Machine = graph.machine
        numbering = graph.numbering
        gone = numbering.mask(tuple(spilled))
        self.banks: dict[str, int] = {}  # the registers that compete
        for number, bank in enumerate(graph.banks):
            if not gone >> number & 1 and (not graph.hard[number] or graph.assignable >> number & 1):
                self.banks[bank] = self.banks.get(bank, 0) | 1 << number
        self.colours = {
            cls.name: sum(graph.assignable >> graph.colour_of(r) & 1 for r in graph.machine.allocable_in(cls.name))
            for cls in graph.machine.classes.values()
        }

    def left(self, cls: str, live: int) -> int:
        """Return how many registers of a class remain for values that are held, beside those live."""
        bank = self.machine.classes[cls].bank
        return self.colours[cls] - (live & self.banks.get(bank, 0)).bit_count() - MARGIN


class HeldValues:
    """The values that are held at some place of a block, the oldest first."""

    def __init__(self, room: Room, generous: bool) -> None:
        self.room, self.generous = room, generous
        self.values: list[Held] = []

    def find(self, cell: Mem | Register, register: Register) -> Held | None:
        """Return what holds the value of a cell in a register like another."""
        for held in self.values:
            if held.cell is cell and (held.register.cls, held.register.type) == (register.cls, register.type):
                return held
        return None

    def put(self, cell: Mem | Register, register: Register, store: Rtl | None = None, brief: bool = False) -> None:
        """Note that a register has the value of a cell, and no other."""
        self.values = [held for held in self.values if held.cell is not cell and held.register is not register]
        self.values.append(Held(cell, register, store, brief or not self.generous))

    def forget(self, what: Expr) -> None:
        """Forget what is known of a cell or a register."""
        self.values = [held for held in self.values if held.cell is not what and held.register is not what]

    def forget_cell(self, cell: object) -> None:
        """Forget what is known of a cell, but not of a register as one that holds a value."""
        self.values = [held for held in self.values if held.cell is not cell]

    def pass_by(self, rtl: Rtl, live: int, rewritten: bool = False) -> None:
        """Keep what can be held across an RTL; `live` are the registers wanted behind it."""
        if rtl.call is not None:
            self.values = []
            return
        for held in self.values:
            if held.cell in rtl.loads:
                held.store = None
            held.lasts = held.lasts or rewritten or self._mentions_bank(rtl, held)
        self.values = [held for held in self.values if not (held.brief and held.lasts)]
        self._make_room(live)

    def _make_room(self, live: int) -> None:
        by_class: dict[str, list[Held]] = {}
        for held in reversed(self.values):  # the youngest stay
            if not held.brief:
                by_class.setdefault(held.register.cls, []).append(held)
        for cls, ones in by_class.items():
            for held in ones[max(self.room.left(cls, live), 0) :]:
                held.brief = True

    def _mentions_bank(self, rtl: Rtl, held: Held) -> bool:
        classes = self.room.machine.classes
        bank = classes[held.register.cls].bank
        return any(classes[other.cls].bank == bank for other in (*rtl.uses, *rtl.sets) if other.cls in classes)


# ----------------------------------------------------------------------------------------------------------------------


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
        effects = {effect for rtl in self.function.rtls() for effect in rtl.effects}
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
        homes = self.homes.keys()
        return not (homes.isdisjoint(rtl.uses) and homes.isdisjoint(rtl.sets))

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

    def _hold(self, cell: Mem | Register, register: Register, code: Legalizer, brief: bool = False) -> None:
        """Note that a register has been stored in a cell by the last RTL."""
        effect = code.out[-1].single_set
        plain = effect is not None and effect.target is cell and effect.source is register
        self.held.put(cell, register, code.out[-1] if plain else None, brief)

    def _is_needless(self, rtl: Rtl) -> bool:
        """Whether an RTL only makes a value that is computed anew, or moves one to where it is."""
        effect = rtl.single_set
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
                rtl.become(_replaced(rtl.effects, register, temporary))
        code.out.append(rtl)
        self.held.pass_by(rtl, live, rewritten=True)
        for changed in (*rtl.stores, *rtl.sets):
            self.held.forget_cell(changed)
        code.cause = "spill"
        for place, temporary in after:
            code.emit(Set(place, temporary)) if isinstance(place, Register) else code.store(place, temporary)
            self._hold(place, temporary, code)

    def _is_at_hand(self, rtl: Rtl, register: Register, home: Expr) -> bool:
        """Whether a register holds what an RTL reads and does not change."""
        return isinstance(home, Mem) and register not in rtl.sets and self.held.find(home, register) is not None

    def _temporary(self, rtl: Rtl, register: Register, home: Expr, code: Legalizer, live: int) -> Register:
        """Return the register that an RTL has instead of a spilled one, with its value if it reads that."""
        if register not in rtl.uses:
            return self.function.pseudo(register.cls, register.type)
        held = self.held.find(home, register) if is_place(home) else None
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
        if is_place(home):
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
        effect, mine = (code.out[-1].single_set if code.out else None), rtl.single_set
        if effect is None or effect.target is not temporary or register in rtl.sets or not isinstance(effect.source, Op):
            return False
        if mine is not None and mine.source is register and isinstance(mine.target, Register):
            return False  # a move: both registers become one
        source = effect.source
        effects = tuple(substitute_in(e, {register: source}) for e in rtl.effects)
        if not self.machine.is_legal(effects) or not self._clobbers_no_more(effects, rtl.effects):
            return False
        rtl.become(effects)
        code.out.pop()
        return True

    def _compute_elsewhere(self, rtl: Rtl, last_read: Iterable[Register], code: Legalizer, live: int) -> bool:
        """Let an RTL set a register that it is the last to read instead of a spilled one, which is stored from there.

        With two addresses, what was spilled can then be an operand in memory: `t1=t1+t2` becomes `t2=t2+cell; cell=t2`.
        """
        effect = rtl.single_set
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
        rtl.become(effects)
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
    return rtl.single_set is not None and not has_side_effect(rtl)
