"""Ways to express an operation by instructions that a machine has, found by probing it with dummy registers.

A plan tells which operands to force into registers, whether to exchange them, and the form of the instruction.  It is
remembered by the shape of the operation, so that most emissions cost one look-up.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import product
from typing import Any, Literal, NamedTuple

from vpo.algebra import binary, branch, extended, set_, unary
from vpo.base.kept import kept
from vpo.machines.machine import Machine
from vpo.rtl import (
    BITS,
    CODE_TYPES,
    COMMUTATIVE,
    FLOAT_TYPES,
    QUOTIENTS,
    RELATIONS,
    REVERSED,
    SHIFTS,
    SWAPPED,
    UNORDERED_REVERSED,
    Const,
    Effect,
    Expr,
    Op,
    Register,
    Set,
)
from vpo.rtl.function import FAR


@kept
def _found(machine: Machine) -> dict[Any, Any]:
    """Return the plans for a machine that were made, by shape."""
    return {}


PlanKind = Literal["three", "two", "direct", "code", "expand", "class", "fail"]


class Plan(NamedTuple):
    """How to have `a op b`: force each operand into a register of a class, if one is named, then `swap` them.

    The kinds: a value in 'three' addresses, or in 'two', the target being an operand; a branch that is 'direct', or by a
    condition 'code'; 'expand' as the description says; a value in registers of the usual 'class'; 'fail'.
    """

    kind: PlanKind
    swap: bool = False
    force_a: str = ""
    force_b: str = ""

    @property
    def is_direct(self) -> bool:
        """Whether the operation is done in the registers named."""
        return self.kind not in ("fail", "class")


class NarrowPlan(NamedTuple):
    """How to operate on values narrower than a word: the operands to force into registers, and the form.

    Expansions make a shift by a register that the machine has for distances.
    """

    force_a: bool
    force_b: bool
    two_address: bool = False
    expands: bool = False


class Planner:
    """Finds plans for one machine."""

    def __init__(self, machine: Machine, has_detour: Callable[[Effect], bool] = lambda _: False) -> None:
        """`has_detour` tells whether an effect over dummies can be had with its operands or result elsewhere."""
        self.machine, self.has_detour = machine, has_detour
        self.integer, self.address = machine.values.integer, machine.values.address
        self.word: str = machine.classes[self.integer].type
        self.codes = [Register(c.name, 0, c.type) for c in machine.classes.values() if c.type in CODE_TYPES][::-1]
        self.found = _found(machine)
        self.stated: dict[Effect, bool] = self.found.setdefault("stated", {})  # see Legalizer.is_stated

    # ------------------------------------------------------------------------------------------------- operations

    def binary(self, op: str, target: Register, a: Expr, b: Expr) -> Plan:
        """Return the plan for `target = a op b`."""
        key = (op, target.cls, _shape(a), _shape(b))
        plan: Plan | None = self.found.get(key)
        if plan is None:
            operates = partial(self._operates, self.dummy(target.cls, 0))
            plan = self._find(("three", "two", "expand"), op, a, b, operates)
            words = [node for node in (target, a, b) if isinstance(node, Register)]
            if plan.kind == "fail" and all(r.type == self.word for r in words) and any(r.cls != self.integer for r in words):
                plan = Plan("class")
            self.found[key] = plan
        return plan

    def _find(
        self, kinds: tuple[PlanKind, ...], op: str, a: Expr, b: Expr, fits: Callable[[PlanKind, str, Expr, Expr], bool]
    ) -> Plan:
        """Return the first plan that fits."""
        swaps = (False, True) if op in COMMUTATIVE or op in RELATIONS else (False,)
        for kind, (force_a, force_b), swap in product(kinds, self._ways(a, b), swaps):
            x, y = self._probe(a, force_a, 1), self._probe(b, force_b, 2)
            if fits(kind, SWAPPED.get(op, op), y, x) if swap else fits(kind, op, x, y):
                return Plan(kind, swap, force_a, force_b)
        return Plan("fail")

    def effect(self, plan: Plan, op: str, a: Expr, b: Expr) -> Effect:
        """Return what a plan for words `a op b` does, over dummies."""
        x, y = self._probe(a, plan.force_a, 1), self._probe(b, plan.force_b, 2)
        node = binary(SWAPPED.get(op, op), y, x) if plan.swap else binary(op, x, y)
        return set_(self.dummy(self.integer, 0), node)

    def _operates(self, target: Register, kind: PlanKind, op: str, a: Expr, b: Expr) -> bool:
        """Whether the machine can do an operation in one form."""
        if kind == "two":
            return op not in RELATIONS and self._two_address(target, op, a, b)
        if not _canonical(op, a, b):
            return False
        effect = set_(target, binary(op, a, b))
        return self.machine.is_legal((effect,)) if kind == "three" else self._expandable(effect)

    def _two_address(self, target: Register, op: str, a: Expr, b: Expr) -> bool:
        legal = self.machine.is_legal
        same_type = a.type in ("", target.type)
        movable = legal((Set(target, a),)) or not isinstance(a, Register)
        return same_type and movable and _canonical(op, target, b) and legal((set_(target, binary(op, target, b)),))

    # ------------------------------------------------------------------------------------------------ narrow values

    def narrow(self, op: str, a: Expr, b: Expr, cell: str, extension: str) -> NarrowPlan | None:
        """Return the plan for `a op b` on values of a narrow type, extended to a word; None if the machine cannot do it."""
        key = ("narrow", op, cell, extension, _shape(a), _shape(b))
        if key not in self.found:
            self.found[key] = self._find_narrow(op, a, b, cell, extension)
        plan: NarrowPlan | None = self.found[key]
        return plan

    def _find_narrow(self, op: str, a: Expr, b: Expr, cell: str, extension: str) -> NarrowPlan | None:
        for two_address in (False, True):
            for x in (self.integer,) if two_address else ("", self.integer):
                for y in ("", self.integer):
                    result = self.dummy(self.integer, 1 if two_address else 0)
                    probes = self._probe(a, x, 1), self._probe(b, y, 2)
                    if self.narrow_value(op, *probes, cell, extension, result) is not None:
                        return NarrowPlan(bool(x), bool(y), two_address)
        value = self.narrow_of_registers(op, self.dummy(self.integer, 1), self.dummy(self.integer, 2), cell, extension)
        is_stated = op in SHIFTS.union(QUOTIENTS) and self._is_stated(Set(self.dummy(self.integer, 0), value))
        return NarrowPlan(True, True, expands=True) if is_stated and isinstance(b, Register) else None

    def narrow_of_registers(self, op: str, a: Register, b: Register, cell: str, extension: str) -> Expr:
        """Return an operation on low bits of registers, extended to a word, as expansions have it."""
        low = b if op in SHIFTS else unary("tr", cell, b)
        return unary(extension, self.word, binary(op, unary("tr", cell, a), low, cell))

    def narrow_value(self, op: str, a: Expr, b: Expr, cell: str, extension: str, result: Register) -> Expr | None:
        """Return the legal one of two ways to write an operation on low bits: of the whole words, or of their low bits."""
        low = [unary("tr", cell, node) for node in (a, b)]
        nodes = [binary(op, low[0], b if op in SHIFTS else low[1], cell)]
        if op in ("+", "-", "*"):
            nodes.insert(0, unary("tr", cell, binary(op, a, b)))
        for node in nodes:
            if isinstance(node, Const):
                return extended(extension, node.value, BITS[cell])
            if not node.type:
                continue  # a number that is shifted: of how many bits it is could not be told
            wide = unary(extension, self.word, node)
            if isinstance(wide, Register) or self.machine.is_legal((Set(result, wide),)):
                return wide
        return None

    # ---------------------------------------------------------------------------------------------------- branches

    def branch(self, relation: str, a: Expr, b: Expr) -> Plan:
        """Return the plan for a branch if `a relation b`."""
        key = ("branch", relation, _shape(a), _shape(b), a.type or b.type)
        plan: Plan | None = self.found.get(key)
        if plan is None:
            plan = self.found[key] = self._find(("direct", "code", "expand"), relation, a, b, self._decides)
        return plan

    def _decides(self, kind: PlanKind, relation: str, a: Expr, b: Expr) -> bool:
        """Whether the machine can branch on a relation between operands in one way."""
        if kind == "code":
            return bool(self.comparison(relation, a, b, "L0"))
        if not _canonical(relation, a, b):
            return False
        effect = branch(binary(relation, a, b), "L0")
        return self.machine.is_legal((effect,)) if kind == "direct" else self._expandable(effect)

    def comparison(self, relation: str, a: Expr, b: Expr, label: str) -> tuple[Effect, ...]:
        """Return a comparison that sets a condition code, perhaps its move to another one, and the branch on that.

        () if the machine has none such.
        """
        legal, codes = self.machine.is_legal, self.codes_for(a, b)
        for code, tested in sorted(product(codes, codes), key=lambda pair: pair[0] is not pair[1]):
            moves = () if code is tested else (Set(tested, code),)
            steps = set_(code, binary("?", a, b)), *moves, branch(binary(relation, tested, Const(0)), label)
            if all(legal((step,)) for step in steps):
                return steps
        return ()

    def codes_for(self, a: Expr, b: Expr) -> list[Register]:
        """Return the condition codes that may tell how two values compare."""
        type_ = "G" if (a.type or b.type) in FLOAT_TYPES else "C"
        return [code for code in self.codes if code.type == type_]

    # ------------------------------------------------------------------------------------------------------ probes

    def _expandable(self, effect: Effect) -> bool:
        return self._is_stated(effect) or self.has_detour(effect)

    def _is_stated(self, effect: Effect) -> bool:
        half, expansions = self.machine.half, self.machine.expansions
        return any(e.apply((effect,), lambda c, t: Register(c, 0, t, True), half) is not None for e in expansions)

    def dummy(self, cls: str, number: int) -> Register:
        """Return a register that stands for any of a class."""
        return Register(cls, -1 - number, self.machine.classes[cls].type, True)

    def _probe(self, node: Expr, force: str, number: int) -> Expr:
        """Return a dummy for an operand that is a register or forced into one of a class."""
        if force:
            return self.dummy(force, number)
        return self.dummy(node.cls, number) if isinstance(node, Register) else node

    def _ways(self, a: Expr, b: Expr) -> list[tuple[str, str]]:
        """Return the classes into which two operands may be forced, '' for not at all, the cheapest ways first."""
        classes_a, classes_b = self._forced(a), self._forced(b)
        ways = [("", "")] + [("", second) for second in classes_b] + [(first, "") for first in classes_a]
        return ways + [(first, second) for first in classes_a for second in classes_b]

    def _forced(self, node: Expr) -> list[str]:
        """Return the classes into which an operand may be forced."""
        usual = dict.fromkeys((self.integer, self.address))
        if isinstance(node, Register):
            return [name for name in usual if name != node.cls] if node.type == self.word else []
        return list(usual)


def opposite(relation: str, a: Expr, b: Expr) -> str:
    """Return the relation that holds between two operands exactly when another does not."""
    return (UNORDERED_REVERSED if (a.type or b.type) in FLOAT_TYPES else REVERSED)[relation]


def _canonical(op: str, a: Expr, b: Expr) -> bool:
    """Whether `binary` leaves the operands where they are."""
    node = binary(op, a, b)
    return isinstance(node, Op) and node.op == op and node.args[0] is a


def _shape(node: Expr) -> Any:
    """Return what tells a plan's operands apart: constants by value, registers by class."""
    if isinstance(node, Register):
        return node.cls
    return node if isinstance(node, Const) else (type(node), getattr(node, "name", "").startswith(FAR))
