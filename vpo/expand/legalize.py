"""Generic strategies that turn an operation into legal RTLs on any machine.

Every method emits only RTLs that the machine recognises.  Strategies, in order: as it stands; operands forced into
registers; operands exchanged; the two-address form; the description's expansions; other register classes.  What works
for a shape is remembered, so most emissions cost one look-up.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from weakref import WeakKeyDictionary

from vpo.algebra import binary, branch, extended, set_, unary
from vpo.function import FAR, FrameSlot, Function
from vpo.machines.machine import Machine
from vpo.rtl import (
    BITS,
    COMMUTATIVE,
    FLOAT_TYPES,
    RELATIONS,
    REVERSED,
    SHIFTS,
    SWAPPED,
    UNORDERED_REVERSED,
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
from vpo.text import show_effects

MAX_DEPTH = 8
_PLANS: WeakKeyDictionary[Machine, dict[Any, Any]] = WeakKeyDictionary()  # what worked, by shape of the operation


class CannotExpress(Exception):
    """The machine has no way to do an operation: `what` names it, `line` is the source line."""

    def __init__(self, what: str, line: int = 0) -> None:
        super().__init__(what)
        self.what, self.line = what, line


class Legalizer:
    """Appends legal RTLs to `out`; `line` and `cause` are the provenance of what it appends."""

    def __init__(self, machine: Machine, function: Function) -> None:
        self.machine = machine
        self.function = function
        self.out: list[Rtl] = []
        self.line = 0
        self.cause = "program"
        self.depth = 0
        self.integer, self.address = machine.values.integer, machine.values.address
        self.word: str = machine.classes[self.integer].type
        self.codes = {c.type: Register(c.name, 0, c.type) for c in machine.classes.values() if c.type in ("C", "G")}
        self.plans = _PLANS.setdefault(machine, {})

    # ------------------------------------------------------------------------------------------------- basics

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
        if self.depth > MAX_DEPTH:
            raise CannotExpress(f"`{effect!r}`", self.line)
        self.depth += 1
        try:
            if isinstance(effect, Set) and isinstance(effect.target, Register):
                self._emit_register_set(effect.target, effect.source)
            elif isinstance(effect, Set):
                assert isinstance(effect.target, Mem)
                self.store(effect.target, effect.source)
            elif isinstance(effect, Branch):
                left, right = effect.condition.args
                self.branch(effect.condition.op, left, right, effect.label)
            else:
                raise CannotExpress(f"`{effect!r}`", self.line)
        finally:
            self.depth -= 1

    def expand(self, effect: Effect) -> bool:
        """Use the first of the description's expansions that fits."""
        for expansion in self.machine.expansions:
            rtls = expansion.apply((effect,), self.fresh, self.machine.half, self.frame_cell)
            if rtls is None:
                continue
            for effects in rtls:
                if len(effects) == 1:
                    if isinstance(effects[0], Set) and effects[0].target is effects[0].source:
                        continue  # adding a LO part of zero
                    self.emit(effects[0])
                elif not self.attempt(*effects):
                    needed = show_effects(effects)
                    raise CannotExpress(f"`{needed}`, which the expansion of `{expansion.text}` needs", self.line)
            return True
        return False

    # -------------------------------------------------------------------------------------------------- moves

    def _emit_register_set(self, target: Register, source: Expr) -> None:
        if isinstance(source, Const | Symbol | Slot | Half | Next | Register):
            self.move(target, source)
        elif isinstance(source, Mem):
            self.load(target, source)
        elif len(source.args) == 2 and source.op != "SYS":
            a, b = (self.atom(arg) for arg in source.args)
            self.binary_into(target, source.op, a, b)
        elif source.op == "SEL":
            if not self.expand(Set(target, source)):
                raise CannotExpress(f"`{Set(target, source)!r}`", self.line)
        elif not (
            self.expand(Set(target, source)) or self._extend_low_bits(target, source) or self._extend_cell(target, source)
        ):
            self.unary_into(target, source.op, source.type, self.atom(source.args[0]))

    def _extend_low_bits(self, target: Register, source: Op) -> bool:
        """Emit an extension of a register's low bits by a mask or by two shifts."""
        inner = source.args[0]
        if source.op not in ("sx", "zx") or not isinstance(inner, Op) or inner.op != "tr":
            return False
        value = self.reg(self.atom(inner.args[0]), self.integer)
        bits = BITS[inner.type]
        if source.op == "zx" and bits < 16:
            self.binary_into(target, "&", value, Const((1 << bits) - 1))
            return True
        distance = Const(BITS[target.type] - bits)
        shifted = self.operate("<<", value, distance, self.integer)
        self.binary_into(target, ">>" if source.op == "sx" else ">>u", shifted, distance)
        return True

    def _extend_cell(self, target: Register, source: Op) -> bool:
        """Emit a load of a narrow cell, extended, whose address was not legal."""
        inner = source.args[0]
        if source.op not in ("sx", "zx") or not isinstance(inner, Mem):
            return False
        cells = self.cell(inner.type, inner.address, inner.volatile)
        return any(self.attempt(set_(target, unary(source.op, source.type, cell))) for cell in cells)

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
        saved, self.cause = self.cause, cause or self.cause
        try:
            if self.expand(effect):
                return
            if isinstance(source, Const | Symbol | Slot | Half) and target.cls != self.integer:
                self.emit(set_(target, self.reg(source, self.integer)))
                return
            raise CannotExpress(f"`{effect!r}`", self.line)
        finally:
            self.cause = saved

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

    def cell(self, type_: str, address: Expr, volatile: bool = False) -> Iterator[Mem]:
        """Yield memory cells with ever simpler addresses; asking for the next emits what it needs."""
        yield Mem(type_, address, volatile)
        if isinstance(address, Op) and address.op == "+":
            left, right = address.args
            if isinstance(right, Symbol | Slot) and not isinstance(left, Symbol | Slot | Const):
                yield Mem(type_, self.address_register(address), volatile)
                return
        yield Mem(type_, self.address_register(address), volatile)

    def address_register(self, address: Expr) -> Register:
        """Compute an address into a register."""
        saved, self.cause = self.cause, "address"
        if isinstance(address, Op):
            result = self.fresh(self.address)
            self.emit(set_(result, address))
        else:
            result = self.reg(address, self.address)
        self.cause = saved
        return result

    def load(self, target: Register, source: Mem) -> None:
        """Emit target=source for a memory cell of the target's type."""
        for cell in self.cell(source.type, source.address, source.volatile):
            if self.attempt(Set(target, cell)):
                return
        usual = self.class_for(target.type)
        if target.cls != usual and self.machine.classes[usual].type == target.type:
            middle = self.fresh(usual)
            self.load(middle, source)
            self.move(target, middle)
            return
        if not (self.expand(Set(target, source)) or self.expand(Set(target, cell))):
            raise CannotExpress(f"`{Set(target, source)!r}`", self.line)

    def load_extended(self, op: str, cell: Mem, cls: str) -> Register:
        """Return a register with a narrow cell, extended by `op` ('sx' or 'zx') to the class's width."""
        target = self.fresh(cls)
        for candidate in self.cell(cell.type, cell.address, cell.volatile):
            if self.attempt(set_(target, unary(op, target.type, candidate))):
                return target
        source = unary(op, target.type, Mem(cell.type, self.address_register(cell.address), cell.volatile))
        if not self.expand(set_(target, source)):
            raise CannotExpress(f"`{set_(target, source)!r}`", self.line)
        return target

    def emit_convert_load(self, target: Register, cell: Mem) -> None:
        """Emit target=cvt(cell) for a floating cell of another width."""
        for candidate in self.cell(cell.type, cell.address, cell.volatile):
            if self.attempt(set_(target, unary("cvt", target.type, candidate))):
                return
        raise CannotExpress(f"`{set_(target, unary('cvt', target.type, cell))!r}`", self.line)

    def store(self, cell: Mem, value: Expr) -> None:
        """Emit cell=value, forcing the value and then the address into registers as needed."""
        if self.attempt(set_(cell, value)):
            return
        address: Expr = cell.address
        for candidate in self.cell(cell.type, address, cell.volatile):
            if self.attempt(set_(candidate, value)):
                return
            if not isinstance(value, Register):
                if value.type in FLOAT_TYPES and not self.machine.values.floating(value.type):
                    continue  # no register holds such a value: only the address can become simpler
                value = self.reg(self.atom(value), self.class_for(cell.type))
                if self.attempt(set_(candidate, value)):
                    return
            elif value.cls != self.class_for(cell.type) and value.type == self.word:
                moved = self.reg(value, self.class_for(cell.type))
                if self.attempt(set_(candidate, moved)):
                    return
        if not (self.expand(set_(cell, value)) or self.expand(set_(candidate, value))):
            raise CannotExpress(f"`{set_(cell, value)!r}`", self.line)

    # --------------------------------------------------------------------------------------------- operations

    def operate(self, op: str, a: Expr, b: Expr, cls: str = "") -> Expr:
        """Return a value `a op b`, in a register of class `cls` unless it folds to a constant."""
        node = binary(op, a, b, self.machine.classes[cls].type if cls else self.word)
        if isinstance(node, Const | Symbol | Slot | Register):
            return node
        if not cls:
            cls = self.class_for(node.type or self.word)
        result = self.fresh(cls)
        self.emit(set_(result, node))
        return result

    def operate_narrow(self, op: str, a: Expr, b: Expr, cell: str, extension: str) -> Expr | None:
        """Return a value `a op b` of a type narrower than the word, extended, by an instruction that does just that.

        Returns None if the machine has none.
        """
        key = ("narrow", op, cell, extension, self._key(a), self._key(b))
        if key not in self.plans:
            self.plans[key] = self._plan_narrow(op, a, b, cell, extension)
        plan = self.plans[key]
        if plan is None:
            return None
        force_a, force_b, two_address = plan
        if two_address:
            result = a = self.copy(a, self.integer)
        else:
            result = self.fresh(self.integer)
            a = self.reg(a) if force_a else a
        node = self._narrow(op, a, self.reg(b) if force_b else b, cell, extension, result)
        if isinstance(node, Op):
            self.append((Set(result, node),))
            return result
        return node

    def _plan_narrow(self, op: str, a: Expr, b: Expr, cell: str, extension: str) -> tuple[str, str, bool] | None:
        """Find the operands to force into registers, and whether the result is in the register of the first."""
        for two_address in (False, True):
            for x in (self.integer,) if two_address else ("", self.integer):
                for y in ("", self.integer):
                    result = self._dummy(self.integer, 1 if two_address else 0)
                    probes = self._probe(a, x, 1), self._probe(b, y, 2)
                    if self._narrow(op, *probes, cell, extension, result) is not None:
                        return x, y, two_address
        return None

    def _narrow(self, op: str, a: Expr, b: Expr, cell: str, extension: str, result: Register) -> Expr | None:
        """Return the legal one of two ways to write an operation on low bits: of the whole words, or of their low bits."""
        low = [unary("tr", cell, node) for node in (a, b)]
        nodes = [binary(op, low[0], b if op in SHIFTS else low[1], cell)]
        if op in ("+", "-", "*"):
            nodes.insert(0, unary("tr", cell, binary(op, a, b)))
        for node in nodes:
            if isinstance(node, Const):
                return extended(extension, node.value, BITS[cell])
            wide = unary(extension, self.word, node)
            if isinstance(wide, Register) or self.machine.is_legal((Set(result, wide),)):
                return wide
        return None

    def attempt_value(self, node: Expr) -> Expr | None:
        """Return a register with the value of an expression if that takes one instruction, else None."""
        if isinstance(node, Const | Register):
            return node
        result = self.fresh(self.class_for(node.type))
        return result if self.attempt(Set(result, node)) else None

    def convert(self, op: str, type_: str, a: Expr, cls: str = "") -> Expr:
        """Return a value `op(a)` of a type."""
        node = unary(op, type_, a)
        if isinstance(node, Const | Register):
            return node
        result = self.fresh(cls or self.class_for(type_))
        self.emit(set_(result, node))
        return result

    def _key(self, node: Expr) -> Any:
        if isinstance(node, Register):
            return node.cls
        return node if isinstance(node, Const) else (type(node), getattr(node, "name", "").startswith(FAR))

    def binary_into(self, target: Register, op: str, a: Expr, b: Expr) -> None:
        """Emit target = a op b."""
        key = (op, target.cls, self._key(a), self._key(b))
        plan = self.plans.get(key)
        if plan is None:
            plan = self.plans[key] = self._plan_binary(op, target, a, b)
        kind, swap, force_a, force_b, _ = plan
        if swap:
            a, b, op = b, a, SWAPPED.get(op, op)
        if kind == "fail":
            raise CannotExpress(f"`{set_(target, binary(op, self.reg(a), self.reg(b)))!r}`", self.line)
        if kind == "class":
            result = self.operate(op, self.reg(a, self.integer), self.reg(b, self.integer), self.integer)
            self.move(target, result)
            return
        if force_a:
            a = self.reg(a, force_a)
        if force_b:
            b = self.reg(b, force_b)
        if kind == "three":
            self.append((set_(target, binary(op, a, b)),))
        elif kind == "two":
            if target in b.uses:
                b = self.copy(b)
            self.move(target, a)
            self.append((set_(target, binary(op, target, b)),))
        else:
            if not self.expand(set_(target, binary(op, a, b))):
                raise CannotExpress(f"`{set_(target, binary(op, a, b))!r}`", self.line)

    def _plan_binary(self, op: str, target: Register, a: Expr, b: Expr) -> tuple[str, bool, str, str, str]:
        """Find a strategy by probing the machine with dummy registers."""
        t = self._dummy(target.cls, 0)
        legal = self.machine.is_legal
        swaps = (False, True) if op in COMMUTATIVE or op in RELATIONS else (False,)
        ways = [("", "")]
        classes_a, classes_b = self._forced(op, a, target), self._forced(op, b, target)
        ways += [("", cb) for cb in classes_b] + [(ca, "") for ca in classes_a]
        ways += [(ca, cb) for ca in classes_a for cb in classes_b]
        for form in ("three", "two", "expand"):
            for force_a, force_b in ways:
                for swap in swaps:
                    x, y, o = self._probe(a, force_a, 1), self._probe(b, force_b, 2), op
                    if swap:
                        x, y, o = y, x, SWAPPED.get(op, op)
                    forces = (force_b, force_a) if swap else (force_a, force_b)
                    effect, canonical = set_(t, binary(o, x, y)), self._canonical(o, x, y)
                    if form == "three" and canonical and legal((effect,)):
                        return form, swap, *forces, ""
                    if form == "two" and op not in RELATIONS and self._two_address(t, o, x, y):
                        return form, swap, *forces, ""
                    if form == "expand" and canonical and self._expandable(effect):
                        return form, swap, *forces, ""
        if (target.cls != self.integer and target.type == self.word) or any(
            isinstance(n, Register) and n.cls != self.integer and n.type == self.word for n in (a, b)
        ):
            return "class", False, "", "", ""
        return "fail", False, "", "", ""

    def _two_address(self, t: Register, op: str, x: Expr, y: Expr) -> bool:
        legal = self.machine.is_legal
        same_type = x.type in ("", t.type)
        movable = legal((Set(t, x),)) or not isinstance(x, Register)
        return same_type and movable and self._canonical(op, t, y) and legal((set_(t, binary(op, t, y)),))

    def _canonical(self, op: str, x: Expr, y: Expr) -> bool:
        """Whether `binary` leaves the operands where they are."""
        node = binary(op, x, y)
        return isinstance(node, Op) and node.op == op and node.args[0] is x

    def is_possible(self, effect: Effect) -> bool:
        """Whether an effect is an instruction, or an expansion says how to have it."""
        return self.machine.is_legal((effect,)) or self._expandable(effect)

    def _expandable(self, effect: Effect) -> bool:
        expansions = self.machine.expansions
        return any(e.apply((effect,), lambda c, t: Register(c, 0, t, True), self.machine.half) is not None for e in expansions)

    def _dummy(self, cls: str, number: int) -> Register:
        return Register(cls, -1 - number, self.machine.classes[cls].type, True)

    def _probe(self, node: Expr, force: str, number: int) -> Expr:
        if force:
            return self._dummy(force, number)
        return self._dummy(node.cls, number) if isinstance(node, Register) else node

    def _forced(self, op: str, node: Expr, target: Register) -> list[str]:
        """Return the classes into which an operand may be forced."""
        if isinstance(node, Register):
            if node.type != self.word:
                return []
            return [c for c in dict.fromkeys((self.integer, self.address)) if c != node.cls]
        return list(dict.fromkeys((self.integer, self.address)))

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
        two = set_(target, unary(op, type_, target)) if a.type == target.type else None
        if two is not None and self.machine.is_legal((two,)):
            self.move(target, a)
            self.append((two,))
            return
        if self.expand(effect):
            return
        if a.cls != self.integer and a.type == self.word:
            self.unary_into(target, op, type_, self.reg(a, self.integer))
            return
        if target.cls != self.integer and target.type == self.word:
            result = self.fresh(self.integer)
            self.unary_into(result, op, type_, a)
            self.move(target, result)
            return
        if self._sign_by_shifts(target, op, a):
            return
        raise CannotExpress(f"`{effect!r}`", self.line)

    def _sign_by_shifts(self, target: Register, op: str, a: Expr) -> bool:
        if op == "neg" and target.type not in FLOAT_TYPES:
            self.binary_into(target, "-", Const(0), a)
            return True
        if op == "not":
            self.binary_into(target, "^", a, Const(-1))
            return True
        return False

    # ---------------------------------------------------------------------------------------------- branching

    def branch(self, relation: str, a: Expr, b: Expr, label: str) -> None:
        """Emit a branch to `label` if `a relation b`."""
        key = ("branch", relation, self._key(a), self._key(b), a.type or b.type)
        plan = self.plans.get(key)
        if plan is None:
            plan = self.plans[key] = self._plan_branch(relation, a, b)
        kind, swap, force_a, force_b = plan
        if kind == "fail":
            raise CannotExpress(f"branch if `{binary(relation, a, b)!r}`", self.line)
        if force_a:
            a = self.reg(a, force_a)
        if force_b:
            b = self.reg(b, force_b)
        if swap:
            a, b, relation = b, a, SWAPPED[relation]
        if kind == "direct":
            self.append((branch(binary(relation, a, b), label),), "control")
        elif kind == "code":
            compare, decision = self._comparison(relation, a, b, label)
            self.append((compare,), "control")
            self.append((decision,), "control")
        elif kind == "value":
            value = self.fresh(self.integer)
            self.emit(set_(value, binary(relation, a, b)))
            self.branch("!=", value, Const(0), label)
        elif kind == "complement":
            value = self.fresh(self.integer)
            self.emit(set_(value, binary(_opposite(relation, a, b), a, b)))
            self.branch("==", value, Const(0), label)
        else:
            self.expand(branch(binary(relation, a, b), label))

    def _comparison(self, relation: str, a: Expr, b: Expr, label: str) -> tuple[Set, Branch]:
        """Return a comparison that sets a condition code, and the branch on it."""
        code = self.codes["G" if (a.type or b.type) in FLOAT_TYPES else "C"]
        return set_(code, binary("?", a, b)), branch(binary(relation, code, Const(0)), label)

    def _plan_branch(self, relation: str, a: Expr, b: Expr) -> tuple[str, bool, str, str]:
        """Find a strategy by probing the machine with dummy registers."""
        target = self._dummy(self.integer, 3)
        forced_a, forced_b = self._forced("", a, target), self._forced("", b, target)
        ways = [("", "")] + [("", cb) for cb in forced_b] + [(ca, "") for ca in forced_a]
        ways += [(ca, cb) for ca in forced_a for cb in forced_b]
        for kind in ("direct", "code", "value", "complement", "expand"):
            for force_a, force_b in ways:
                for swap in (False, True):
                    x, y, r = self._probe(a, force_a, 1), self._probe(b, force_b, 2), relation
                    if swap:
                        x, y, r = y, x, SWAPPED[r]
                    if self._decides(kind, r, x, y, target):
                        return kind, swap, force_a, force_b
        return "fail", False, "", ""

    def _decides(self, kind: str, relation: str, a: Expr, b: Expr, target: Register) -> bool:
        """Whether the machine can branch on a relation between operands in one way."""
        legal = self.machine.is_legal
        if kind == "code":
            code = "G" if (a.type or b.type) in FLOAT_TYPES else "C"
            return code in self.codes and all(legal((effect,)) for effect in self._comparison(relation, a, b, "L0"))
        if not self._canonical(relation, a, b):
            return False
        if kind == "direct":
            return legal((branch(binary(relation, a, b), "L0"),))
        if kind == "value":
            return legal((set_(target, binary(relation, a, b)),))
        if kind == "complement":
            return legal((set_(target, binary(_opposite(relation, a, b), a, b)),))
        return self._expandable(branch(binary(relation, a, b), "L0"))

    def truth(self, relation: str, a: Expr, b: Expr) -> Register | None:
        """Return a register with 1 if `a relation b` else 0, or None if only a branch can tell."""
        result = self.fresh(self.integer)
        key = (relation, self.integer, self._key(a), self._key(b))
        if key not in self.plans:
            self.plans[key] = self._plan_binary(relation, result, a, b)
        if self.plans[key][0] not in ("fail", "class"):
            self.binary_into(result, relation, a, b)
            return result
        opposite = _opposite(relation, a, b)
        key = (opposite, self.integer, self._key(a), self._key(b))
        if key not in self.plans:
            self.plans[key] = self._plan_binary(opposite, result, a, b)
        if self.plans[key][0] not in ("fail", "class"):
            self.binary_into(result, opposite, a, b)
            flipped = self.operate("^", result, Const(1), self.integer)
            assert isinstance(flipped, Register)
            return flipped
        return None


def _opposite(relation: str, a: Expr, b: Expr) -> str:
    """Return the relation that holds between two operands exactly when another does not."""
    return (UNORDERED_REVERSED if (a.type or b.type) in FLOAT_TYPES else REVERSED)[relation]
