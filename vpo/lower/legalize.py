"""Emitting any operation as legal RTLs, on any machine.

Strategies, in order: as it stands; operands forced into registers; operands exchanged; the two-address form; the description's
expansions; other register classes (`plans.py` finds the one that a machine allows); other operations (`derivation.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property, partial

from vpo.algebra import binary, branch, rebuild, set_, unary
from vpo.base.errors import CannotExpress
from vpo.lower import detours, stated_constants
from vpo.lower import narrow_cells as extending
from vpo.lower import narrow_cells as transfers
from vpo.lower.code import Blocks, Described
from vpo.lower.derivation import Derived
from vpo.lower.plans import Plan, Planner, opposite
from vpo.machines.machine import Machine
from vpo.rtl import (
    BITS,
    FLOAT_TYPES,
    SWAPPED,
    Branch,
    Const,
    Effect,
    Expr,
    Half,
    Mem,
    Next,
    Op,
    Register,
    Rtl,
    Set,
    Slot,
    Symbol,
)
from vpo.rtl.function import FrameSlot, Function

DEPTH, DERIVED_DEPTH = 8, 64  # of operations that are made of others, by the description alone or by rules


class Legalizer:
    """Appends legal RTLs to `out`; `line` and `cause` are the provenance of what it appends."""

    def __init__(self, machine: Machine, function: Function, derives: bool = True) -> None:
        self.machine = machine
        self.function = function
        self.out: list[Rtl] = []
        self.line, self.cause = 0, "program"
        self.depth = 0
        self.integer, self.address = machine.values.integer, machine.values.address
        self.word: str = machine.classes[self.integer].type
        self.derives = derives
        self.routine: Callable[[str, Expr, Expr], Expr | None] | None = None  # calls the library for what else fails
        self.blocks: Blocks | None = None  # of the function that is being built, if there may be more
        self.read_from_data: Callable[[Register, Symbol | Const], bool] | None = None  # if it cannot be built
        self.most_depth = DERIVED_DEPTH if derives else DEPTH

    # what most never need, since what they emit is legal as it stands

    @cached_property
    def plans(self) -> Planner:
        """Which operations can be had in which way."""
        return Planner(self.machine, lambda effect: detours.cheapest(self.scratch(), effect) is not None)

    @cached_property
    def described(self) -> Described:
        """What the expansions of the description make."""
        return Described(self)

    @cached_property
    def derived(self) -> Derived | None:
        """What rules make of other operations."""
        plain = partial(Legalizer, self.machine, Function("_", "", 0, False), derives=False)
        return Derived(self, plain) if self.derives else None

    # ------------------------------------------------------------------------------------------------- basics

    def scratch(self) -> Legalizer:
        """Return a legaliser to try things out, whose registers are no dummies."""
        return type(self)(self.machine, Function("_", "", 0, False, pseudos=99))

    def fresh(self, cls: str, type_: str = "") -> Register:
        """Hand out a pseudo-register of a class."""
        return self.function.pseudo(cls, type_ or self.machine.classes[cls].type)

    def frame_cell(self, name: str) -> str:
        """Return the frame slot for a cell that an expansion moves a value through."""
        slot = f".cell{name}"
        self.function.slots.setdefault(slot, FrameSlot(slot, "local", 8, 8))
        return slot

    def append(self, effects: tuple[Effect, ...], cause: str = "") -> None:
        """Append an RTL known to be legal."""
        self.out.append(Rtl(effects, (self.line,), cause or self.cause))

    @contextmanager
    def because(self, cause: str) -> Iterator[None]:
        """Append RTLs with another cause for a while."""
        saved, self.cause = self.cause, cause
        try:
            yield
        finally:
            self.cause = saved

    def attempt(self, *effects: Effect, cause: str = "") -> bool:
        """Append an RTL if it is legal."""
        if not self.machine.is_legal(effects):
            return False
        self.append(effects, cause)
        return True

    def class_for(self, type_: str) -> str:
        """Return the register class that holds values of a type.

        Raises CannotExpress if the machine has none.
        """
        if type_ in FLOAT_TYPES:
            name = self.machine.values.floating(type_)
            if not name:
                raise CannotExpress(f"register class for {'float' if type_ == 'F' else 'double'} values", self.line)
            return name
        return self.integer

    def emit(self, effect: Effect) -> None:
        """Emit RTLs with the effect of one that may not be legal."""
        if self.attempt(effect):
            return
        if self.depth > self.most_depth:
            raise CannotExpress("`{}`", self.line, effect)
        self.depth += 1
        try:
            if isinstance(effect, Set) and isinstance(effect.target, Register):
                self._emit_or_read_first(effect.target, effect.source)
            elif isinstance(effect, Set):
                assert isinstance(effect.target, Mem)
                self.store(effect.target, effect.source)
            elif isinstance(effect, Branch):
                left, right = effect.condition.args
                self.branch(effect.condition.op, left, right, effect.label)
            else:
                raise CannotExpress("`{}`", self.line, effect)
        finally:
            self.depth -= 1

    def expand(self, effect: Effect) -> bool:
        """Use the first of the description's expansions that fits, and of which the machine can do all, or a detour."""
        return self.described.emit(effect) or detours.emit(self, effect)

    def is_stated(self, effect: Effect) -> bool:
        """Whether an effect over dummies is an instruction, or an expansion says how to have it of which all can be done."""
        known: dict[Effect, bool] = self.plans.stated
        if effect not in known:
            trial = self.scratch()
            known[effect] = trial.attempt(effect) or trial.expand(effect)
        return known[effect]

    def derive(self, target: Register, source: Expr) -> bool:
        """Emit target=source, a constant or an operation on leaves, by other operations if there is no direct way."""
        return self.derived is not None and self.derived.value(target, source)

    # -------------------------------------------------------------------------------------------------- moves

    def _emit_or_read_first(self, target: Register, source: Expr) -> None:
        """Emit target=source; where that fails, with what it takes for a cell of memory within it in a register."""
        out, mark = self.out, len(self.out)
        try:
            self._emit_register_set(target, source)
        except CannotExpress:
            if self.out is not out:  # in another block
                raise
            del out[mark:]
            if not transfers.read_first(self, target, source):
                raise

    def _emit_register_set(self, target: Register, source: Expr) -> None:
        if isinstance(source, Mem):
            self.load(target, source)
        elif isinstance(source, Op):
            self._emit_operator(target, source)
        else:
            self.move(target, source)

    def _emit_operator(self, target: Register, source: Op) -> None:
        if source.op == "fma":
            operands = [self.reg(self.atom(arg), self.class_for(source.type)) for arg in source.args]
            whole = Op("fma", source.type, *operands)
            if not (self.attempt(Set(target, whole)) or self.expand(Set(target, whole))):
                made = next(filter(None, (self.attempt_in_place(whole, operand) for operand in operands)), None)
                if made is None:
                    raise CannotExpress("`{}`", self.line, Set(target, source))
                self.move(target, made)
        elif len(source.args) == 2 and source.op != "SYS":
            a, b = (self.atom(arg) for arg in source.args)
            self.binary_into(target, source.op, a, b)
        elif source.op == "SEL":
            if not self.expand(Set(target, source)):
                raise CannotExpress("`{}`", self.line, Set(target, source))
        elif not (self.expand(Set(target, source)) or extending.extend(self, target, source)):
            self.unary_into(target, source.op, source.type, self.atom(source.args[0]))

    def atom(self, node: Expr) -> Expr:
        """Return a register or constant with the value of an expression."""
        if isinstance(node, Register | Const | Symbol | Slot | Half | Next):
            return node
        result = self.fresh(self.class_for(node.type or self.word))
        self.emit(set_(result, node))
        return result

    def move(self, target: Register, source: Expr) -> None:
        """Emit target=source for a register or constant."""
        if target is source:
            return
        cause = "constant" if isinstance(source, Const) else "address" if isinstance(source, Symbol | Slot | Half) else ""
        effect = set_(target, source)
        if self.attempt(effect, cause=cause):
            return
        with self.because(cause or self.cause):
            read = self.read_from_data
            if isinstance(source, Symbol) and source.offset and self.machine.is_legal((set_(target, Symbol(source.name)),)):
                self.binary_into(target, "+", self.reg(Symbol(source.name)), Const(source.offset))
                return
            if isinstance(source, Symbol) and read is not None and read(target, source):
                return
            if self.derive(target, source) or self.expand(effect) or stated_constants.state(self, target, source):
                return
            if isinstance(source, Const) and target.cls == self.integer and read is not None and read(target, source):
                return
            if not isinstance(source, Const | Symbol | Slot | Half) or target.cls == self.integer:
                raise CannotExpress("`{}`", self.line, effect)
            self.emit(set_(target, self.reg(source, self.integer)))

    def reg(self, node: Expr, cls: str = "") -> Register:
        """Return a register (of class `cls` if given) with the value of a register or constant."""
        if isinstance(node, Register) and (not cls or node.cls == cls):
            return node
        if not cls:
            cls = self.address if isinstance(node, Symbol | Slot) else self.integer
        result = self.fresh(cls)
        self.move(result, self.atom(node))
        return result

    def copy(self, node: Expr, cls: str = "") -> Register:
        """Return a new register with the value of a register or constant."""
        result = self.fresh(cls or (node.cls if isinstance(node, Register) else self.integer))
        self.move(result, node)
        return result

    # ------------------------------------------------------------------------------------------------- memory

    def cell(self, cell: Mem) -> Iterator[Mem]:
        """Yield a memory cell with ever simpler addresses; asking for the next emits what it needs."""
        yield cell
        yield (simple := cell.at(self.address_register(cell.address)))
        yield from transfers.displaced(self, simple)

    def address_register(self, address: Expr) -> Register:
        """Compute an address into a register."""
        with self.because("address"):
            if not isinstance(address, Op):
                return self.reg(address, self.address)
            result = self.fresh(self.address)
            self.emit(set_(result, address))
            return result

    def load(self, target: Register, source: Mem) -> None:
        """Emit target=source for a memory cell of the target's type."""
        out, mark = self.out, len(self.out)
        for cell in self.cell(source):
            if self.attempt(Set(target, cell)):
                return
        usual = self.class_for(target.type)
        if target.cls != usual and self.machine.classes[usual].type == target.type:
            if self.out is out:  # in no other block
                del out[mark:]  # no address makes a cell one that the target can be loaded from
            middle = self.fresh(usual)
            self.load(middle, source)
            self.move(target, middle)
            return
        alone = self._expand_alone(Set(target, source), out, mark)
        if not (alone or self.expand(Set(target, cell)) or transfers.load(self, target, source)):
            raise CannotExpress("`{}`", self.line, Set(target, source))

    def store(self, cell: Mem, value: Expr) -> None:
        """Emit cell=value, forcing the value and then the address into registers as needed."""
        if self.attempt(set_(cell, value)):
            return
        if cell.type == self.word and BITS[value.type or self.word] > BITS[self.word] and value.type not in FLOAT_TYPES:
            self.store(cell, self.convert("tr", self.word, value))
            return
        out, mark = self.out, len(self.out)
        for candidate in self.cell(cell):
            if self.attempt(set_(candidate, value)):
                return
            if not isinstance(value, Register):
                if value.type in FLOAT_TYPES and not self.machine.values.floating(value.type):
                    continue  # no register holds such a value: only the address can become simpler
                value = self.reg(self.atom(value), self.class_for(cell.type))
                out, mark = self.out, len(self.out)
                if self.attempt(set_(candidate, value)):
                    return
            elif value.cls != self.class_for(cell.type) and value.type == self.word:
                try:
                    moved = self.reg(value, self.class_for(cell.type))
                except CannotExpress:
                    continue  # no move between these classes: only the address can become simpler
                if self.attempt(set_(candidate, moved)):
                    return
        alone = self._expand_alone(set_(cell, value), out, mark)
        if not (alone or self.expand(set_(candidate, value)) or transfers.store(self, cell, value)):
            raise CannotExpress("`{}`", self.line, set_(cell, value))

    def _expand_alone(self, effect: Effect, out: list[Rtl], mark: int) -> bool:
        """Expand an effect without the addresses that were emitted for it since a mark: in vain, if that succeeds."""
        if self.out is not out:  # in another block
            return self.expand(effect)
        emitted = out[mark:]
        del out[mark:]
        done = self.expand(effect)
        if not done:
            out[mark:] = emitted
        return done

    # --------------------------------------------------------------------------------------------- operations

    def operate(self, op: str, a: Expr, b: Expr, cls: str = "") -> Expr:
        """Return a value `a op b`, in a register of class `cls` unless it folds to a constant."""
        node = binary(op, a, b, self.machine.classes[cls].type if cls else self.word)
        if isinstance(node, Const | Symbol | Slot | Register):
            return node
        result = self.fresh(cls or self.class_for(node.type or self.word))
        self.emit(set_(result, node))
        return result

    def attempt_value(self, node: Expr) -> Expr | None:
        """Return a register with the value of an expression if that takes one instruction, else None."""
        if isinstance(node, Const | Register):
            return node
        result = self.fresh(self.class_for(node.type))
        return result if self.attempt(Set(result, node)) else None

    def attempt_in_place(self, node: Expr, operand: Expr) -> Register | None:
        """Return a register with the value of an expression if one instruction computes it in a copy of an operand."""
        result = self.fresh(self.class_for(node.type))
        in_place = rebuild(node, lambda leaf: result if leaf is operand else None)
        if operand.type != result.type or not self.machine.is_legal((Set(result, in_place),)):
            return None
        self.move(result, operand)
        self.append((Set(result, in_place),))
        return result

    def convert(self, op: str, type_: str, a: Expr, cls: str = "") -> Expr:
        """Return a value `op(a)` of a type."""
        node = unary(op, type_, a)
        if isinstance(node, Const | Register):
            return node
        result = self.fresh(cls or self.class_for(type_))
        self.emit(set_(result, node))
        return result

    def binary_into(self, target: Register, op: str, a: Expr, b: Expr) -> None:
        """Emit target = a op b."""
        plan = self.plans.binary(op, target, a, b)
        kind = plan.kind
        if kind in ("fail", "expand") and self.derive(target, Op(op, self.word, a, b)):
            return
        if kind == "fail":
            if self._by_routine(target, op, a, b):
                return
            raise CannotExpress("`{}`", self.line, set_(target, binary(op, self.reg(a), self.reg(b))))
        if kind == "class":
            result = self.operate(op, self.reg(a, self.integer), self.reg(b, self.integer), self.integer)
            self.move(target, result)
            return
        op, a, b = self._planned(plan, op, a, b)
        if kind == "three":
            self.append((set_(target, binary(op, a, b)),))
        elif kind == "two":
            if target in b.uses:
                b = self.copy(b)
            self.move(target, a)
            self.append((set_(target, binary(op, target, b)),))
        elif not (self.expand(set_(target, binary(op, a, b))) or self._by_routine(target, op, a, b)):
            raise CannotExpress("`{}`", self.line, set_(target, binary(op, a, b)))

    def truth(self, relation: str, a: Expr, b: Expr) -> Register | None:
        """Return a register with 1 if a relation holds, else 0; None if only a branch can tell."""
        result = self.fresh(self.integer)
        if self._can_be_set(relation, a, b) or (self.derived is not None and self.derived.is_worth_deriving(relation, a, b)):
            self.binary_into(result, relation, a, b)
            return result
        other = opposite(relation, a, b)
        if self._can_be_set(other, a, b):
            self.binary_into(result, other, a, b)
            flipped = self.operate("^", result, Const(1), self.integer)
            assert isinstance(flipped, Register)
            return flipped
        return None

    def _can_be_set(self, relation: str, a: Expr, b: Expr) -> bool:
        """Whether instructions, or an expansion of which the machine can do all, set a register to the value of a relation."""
        plan = self.plans.binary(relation, self.plans.dummy(self.integer, 0), a, b)
        return plan.is_direct and (plan.kind != "expand" or self.is_stated(self.plans.effect(plan, relation, a, b)))

    def _planned(self, plan: Plan, op: str, a: Expr, b: Expr) -> tuple[str, Expr, Expr]:
        """Return an operator and its operands as a plan wants them."""
        a = self.reg(a, plan.force_a) if plan.force_a else a
        b = self.reg(b, plan.force_b) if plan.force_b else b
        return (SWAPPED.get(op, op), b, a) if plan.swap else (op, a, b)

    def _by_routine(self, target: Register, op: str, a: Expr, b: Expr) -> bool:
        if self.routine is None or target.type != self.word or (result := self.routine(op, a, b)) is None:
            return False
        self.move(target, result)
        return True

    def unary_into(self, target: Register, op: str, type_: str, a: Expr) -> None:
        """Emit target = op(a)."""
        effect = set_(target, unary(op, type_, a))
        if self.attempt(effect):
            return
        if not isinstance(a, Register):
            a = self.reg(a)
            effect = set_(target, unary(op, type_, a))
            if self.attempt(effect):
                return
        if a.type == target.type and self.machine.is_legal(two := (set_(target, unary(op, type_, target)),)):
            self.move(target, a)
            self.append(two)
            return
        if self.derive(target, Op(op, type_, a)) or self.expand(effect):
            return
        if a.cls != self.integer and a.type == self.word:
            self.unary_into(target, op, type_, self.reg(a, self.integer))
            return
        if target.cls != self.integer and target.type == self.word:
            result = self.fresh(self.integer)
            self.unary_into(result, op, type_, a)
            self.move(target, result)
            return
        raise CannotExpress("`{}`", self.line, effect)

    # ---------------------------------------------------------------------------------------------- branching

    def branch(self, relation: str, a: Expr, b: Expr, label: str) -> None:
        """Emit a branch to `label` if `a relation b`."""
        plan = self.plans.branch(relation, a, b)
        if plan.kind not in ("direct", "code") and self.derived is not None and self.derived.branch(relation, a, b, label):
            return
        relation, a, b = self._planned(plan, relation, a, b)
        if plan.kind == "direct":
            self.append((branch(binary(relation, a, b), label),), "control")
        elif plan.kind == "code":
            for step in self.plans.comparison(relation, a, b, label):
                self.append((step,), "control")
        elif plan.kind == "expand" and self.expand(branch(binary(relation, a, b), label)):
            return
        elif self.derived is None or not self.derived.branch_by_table(relation, a, b, label):
            raise CannotExpress("branch if `{}`", self.line, binary(relation, a, b))
