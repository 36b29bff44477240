"""Rematerialisation: values that are the same throughout a function and cheaper to compute anew than to keep.

    r[t1]=HI[_x];                        r[t1]=HI[_x];
    r[t2]=r[t1]+LO[_x];         =>       r[t2]=_x, by the same two instructions wherever it is wanted
    L[sp+.spill]=r[t2];

Such are constants, addresses of symbols and of the frame, what is in a pool near the instructions, and stack arguments that
nothing changes.  After Briggs, Cooper and Torczon, "Rematerialization" (PLDI 1992); a value here is all of a register, since
what other values it had has another register by then.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from vpo.algebra import binary, rebuild_effect
from vpo.analysis.liveness import Access, numbering_of
from vpo.base.errors import CannotExpress
from vpo.lower.legalize import Legalizer
from vpo.machines.machine import Machine
from vpo.rtl import ARITHMETIC, BITS, Const, Effect, Expr, Half, Mem, Op, Register, Rtl, Set, Slot, Symbol, subexpressions
from vpo.rtl.function import Function

DEEPEST = 4  # steps in which a value may be made
LONGEST = 2  # instructions: a longer computation costs more than a load


@dataclass(frozen=True, slots=True)
class Recipe:
    """How to compute a value anew: what it is, what that costs, and what it changes beside (bits of the numbering)."""

    value: Expr
    cost: int
    clobbers: int = 0


@dataclass(eq=False)
class Recipes:
    """The pseudo-registers of a function whose values can be computed anew."""

    function: Function
    machine: Machine
    known: dict[tuple[str, Expr], Recipe | None] = field(default_factory=dict)
    changed_slots: set[str] | None = None

    def find(self) -> dict[Register, Recipe]:
        """Return the registers that ever hold one value only, which is cheap to compute, and how."""
        sources = self._sources()
        found = {}
        for register, source in sources.items():
            value = self._value(source, sources)
            recipe = self._recipe(register, value) if value is not None else None
            if recipe is not None:
                found[register] = recipe
        return found

    def _sources(self) -> dict[Register, Expr]:
        """Return the one expression that each register is set to, as a whole, if there is one."""
        sources: dict[Register, Expr | None] = {}
        for rtl in self.function.rtls():
            effect = rtl.single_set
            for register in rtl.sets:
                if register.pseudo:
                    source = effect.source if effect is not None else None
                    sources[register] = source if sources.get(register, source) is source else None
        return {register: source for register, source in sources.items() if source is not None and _is_whole(register, source)}

    def _value(self, source: Expr, sources: dict[Register, Expr], depth: int = DEEPEST) -> Expr | None:
        """Return what an expression is throughout the function, or None if it may change, or is made in too many steps."""
        match source:
            case Const() | Symbol() | Slot() | Half():
                return source
            case Register(pseudo=True):
                origin = sources.get(source) if depth else None
                return self._value(origin, sources, depth - 1) if origin is not None else None
            case Register() if source is self.machine.stack_pointer:
                return source
            case Op(op="bits" | "cvt", args=(operand,)) if _is_number(operand, self.machine):
                return source
            case Op(op=op, args=(left, right), type=type_) if op in ARITHMETIC:
                a, b = self._value(left, sources, depth), self._value(right, sources, depth)
                return _constant(op, type_, a, b) if a is not None and b is not None else None
            case Mem() if not source.volatile and (_is_literal(source) or self._is_argument(source)):
                return source
        return None

    def _is_argument(self, cell: Mem) -> bool:
        """Whether a cell is that of a stack argument which nothing changes: nobody but loads knows it."""
        slot = _frame_slot(cell, self.machine)
        if slot is None or self.function.slots[slot.name].kind != "incoming":
            return False
        if self.changed_slots is None:
            self.changed_slots = {
                name for rtl in self.function.rtls() for effect in rtl.effects for name in self._slots_beside_loads(effect)
            }
        return slot.name not in self.changed_slots

    def _slots_beside_loads(self, effect: Effect) -> set[str]:
        def known(node: Expr) -> Expr | None:
            return Const(0) if isinstance(node, Mem) and _frame_slot(node, self.machine) is not None else None

        rest = rebuild_effect(effect, known)
        parts = [rest.source, rest.target] if isinstance(rest, Set) else list(effect.uses)
        return {node.name for part in parts for node in subexpressions(part) if isinstance(node, Slot)}

    def _recipe(self, register: Register, value: Expr) -> Recipe | None:
        key = register.cls, value
        if key not in self.known:
            self.known[key] = self._try(register, value)
        return self.known[key]

    def _try(self, register: Register, value: Expr) -> Recipe | None:
        """Return how to compute a value, as the legalizer does it; None if that takes too much."""
        code, before = Legalizer(self.machine, self.function), self.function.pseudos
        try:
            code.emit(Set(register, value))
        except CannotExpress:
            return None
        finally:
            self.function.pseudos = before
        if len(code.out) > LONGEST or any(rtl.stores for rtl in code.out):
            return None
        numbering = numbering_of(self.function, self.machine)
        clobbers = 0
        for rtl in code.out:
            clobbers |= numbering.mask(self.machine.clobbers(rtl.effects))
        return Recipe(value, sum(map(instruction_cost, code.out)), clobbers)


def instruction_cost(rtl: Rtl) -> int:
    """Return the cost of an instruction: one, and one for each reference to memory."""
    return 1 + sum(len(effect.memory) for effect in rtl.effects) + len(rtl.stores)


def harmful(recipes: dict[Register, Recipe], rtls: list[Rtl], accesses: list[Access], after: list[int]) -> set[Register]:
    """Return the registers that cannot be computed anew before some RTL of a block without changing what is live there."""
    result = set()
    for rtl, entry, live in zip(rtls, accesses, after, strict=True):
        before = 0
        for register in rtl.uses:
            recipe = recipes.get(register) if register.pseudo else None
            if recipe is not None and recipe.clobbers:
                before = before or (live & ~(entry.sets | entry.clobbers)) | entry.uses
                if recipe.clobbers & before:
                    result.add(register)
    return result


def _is_whole(register: Register, source: Expr) -> bool:
    """Whether a register holds a value as it is: not its low part only."""
    return not isinstance(source, Register) or source.type == register.type


def _is_number(node: Expr, machine: Machine) -> bool:
    """Whether an expression is a number, perhaps one that a register always holds, of which an instruction makes another."""
    return type(node) is Const or (node.args[0] if type(node) is Op and node.op == "tr" else node) in machine.zero


def _is_literal(cell: Mem) -> bool:
    return isinstance(cell.address, Half) and cell.address.is_literal


def _frame_slot(cell: Mem, machine: Machine) -> Slot | None:
    """Return the slot of the frame that a cell is."""
    match cell.address:
        case Op(op="+", args=(base, Slot() as slot)) if base is machine.stack_pointer:
            return slot
    return None


def _constant(op: str, type_: str, a: Expr, b: Expr) -> Expr | None:
    """Return the constant or address that an operation makes of others, if it makes one."""
    match a, b:
        case Half(which="HI", of=Symbol() as of), Half(which="LO", of=other) if op == "+" and of is other:
            return of
        case Register(), Slot() if op == "+":
            return binary(op, a, b, type_)
        case (Const() | Symbol(), Const()) if type_ in BITS:
            value = binary(op, a, b, type_)
            return value if isinstance(value, Const | Symbol) else None
    return None
