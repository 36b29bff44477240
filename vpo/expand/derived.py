"""Emits the operations that a machine has only by way of others."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Protocol
from weakref import WeakKeyDictionary

from vpo.algebra import binary, rebuild_effect, set_
from vpo.expand.cannot_express import CannotExpress
from vpo.expand.decision_trees import Step
from vpo.expand.derivation import (
    IMPOSSIBLE,
    Derivation,
    ExprTerms,
    Goal,
    Part,
    branch_goal,
    combination,
    combined,
    goal_of,
    is_product_with_constant,
)
from vpo.expand.identities import BINARY, UNARY
from vpo.expand.trials import BYTES_PER_CYCLE
from vpo.machines.machine import Machine
from vpo.routine_names import ROUTINES
from vpo.rtl import BITS, FLOAT_TYPES, Const, Effect, Expr, Jump, Op, Register, Rtl

ROUTINE = 256  # what a call of a routine costs, with what it does: as much as some thirty instructions

_KNOWN: WeakKeyDictionary[Machine, dict[bool, Derivation]] = WeakKeyDictionary()


class Blocks(Protocol):
    """What is needed of a function that is being built."""

    def new_label(self) -> str:
        """Hand out a label."""

    def start_block(self, label: str = "") -> None:
        """Begin a block, with a fresh label if none is given; the one before falls into it."""

    def jump(self, label: str) -> None:
        """Emit a jump and begin a new block."""

    @property
    def has_indirect_jumps(self) -> bool:
        """Whether `jump_by_table` has a way."""

    def jump_by_table(self, index: Expr, labels: list[str]) -> bool:
        """Emit a jump to the label that a number from 0 on chooses; return whether the machine has indirect jumps."""


class Emitter(Protocol):
    """What is needed of a legaliser."""

    machine: Machine
    integer: str
    word: str
    out: list[Rtl]
    depth: int
    blocks: Blocks | None
    routine: Callable[[str, Expr, Expr], Expr | None] | None

    def attempt(self, *effects: Effect) -> bool:
        """Append an RTL if it is legal."""

    def fresh(self, cls: str, type_: str = "") -> Register:
        """Hand out a pseudo-register of a class."""

    def atom(self, node: Expr) -> Expr:
        """Return a register or constant with the value of an expression."""

    def reg(self, node: Expr, cls: str = "") -> Register:
        """Return a register with the value of a register or constant."""

    def emit(self, effect: Effect) -> None:
        """Emit RTLs with the effect of one that may not be legal."""

    def move(self, target: Register, source: Expr) -> None:
        """Emit target=source for a register or constant."""

    def unary_into(self, target: Register, op: str, type_: str, a: Expr) -> None:
        """Emit target = op(a)."""

    def binary_into(self, target: Register, op: str, a: Expr, b: Expr) -> None:
        """Emit target = a op b."""

    def branch(self, relation: str, a: Expr, b: Expr, label: str) -> None:
        """Emit a branch to a label if a relation holds."""


class Derived:
    """Emits for a legaliser what it cannot emit otherwise; every method tells if there was a way."""

    def __init__(self, code: Emitter, plain: Callable[[], Emitter]) -> None:
        """`plain` makes a legaliser that derives nothing."""
        self.code, self.plain = code, plain
        self.terms = ExprTerms(code.word, self._made)

    @property
    def derivation(self) -> Derivation:
        """What is known of the machine, shared by all its legalisers."""
        return self._derivation(self.code.routine is not None)

    def _derivation(self, calls: bool) -> Derivation:
        """Return what is known of the machine if routines may be called, or not."""
        known = _KNOWN.setdefault(self.code.machine, {})
        if calls not in known:
            direct, parts = partial(_direct, self.plain()), _parts(self.code.machine, self._dummy)
            routine = partial(_routine, self._routines()) if calls else _no_routine
            known[calls] = Derivation(self.code.word, self._dummy, direct, parts, routine)
        return known[calls]

    def _routines(self) -> frozenset[str]:
        """Return the operators that routines may stand for: sums only if the logic that these need takes no routine."""
        alone = self._derivation(calls=False)
        logic = [("&", None, None, "value"), ("^", None, None, "value"), ("<<", None, 1, "value")]
        adds = all(alone.cost(goal) < IMPOSSIBLE for goal in logic)
        return frozenset(op for op in ROUTINES if (adds or op not in "+-") and self.code.word == "L")

    def may_call(self, op: str) -> bool:
        """Whether a routine may stand for an operator."""
        return self._derivation(calls=True).routine(op) < IMPOSSIBLE

    def value(self, target: Register, node: Expr) -> bool:
        """Emit target = node, an operation on leaves or a constant."""
        if target.cls != self.code.integer or not self._is_derivable(node):
            return False
        a, b = self._leaves(node)
        out, mark = self.code.out, len(self.code.out)
        outcome = self._outcome(goal_of(_with_leaves(node, a, b)), a, b)
        if outcome is None:
            return False
        if out is not self.code.out or not _retargeted(out, mark, outcome, target):
            self.code.move(target, outcome)
        return True

    @staticmethod
    def _is_derivable(node: Expr) -> bool:
        """Whether there are identities for a constant or an operation."""
        if not isinstance(node, Op):
            return isinstance(node, Const)
        known = UNARY if len(node.args) == 1 else BINARY
        return node.op in known and not any(arg.type in FLOAT_TYPES for arg in node.args)

    def is_worth_deriving(self, relation: str, a: Expr, b: Expr) -> bool:
        """Whether the value of a relation costs less by other operations than by a branch around a constant."""
        if any(node.type in FLOAT_TYPES for node in (a, b)):
            return False
        cost, value = self.derivation.cost, goal_of(Op(relation, self.code.word, *map(self._dummy_for, (1, 2), (a, b))))
        return cost(value) <= cost((relation, *value[1:3], "branch")) + cost(("", 1, None, "constant"))

    def _dummy_for(self, number: int, node: Expr) -> Expr:
        return node if isinstance(node, Const) else self._dummy(number)

    def branch(self, relation: str, a: Expr, b: Expr, label: str) -> bool:
        """Emit a branch to a label if a relation holds."""
        if (a.type or b.type) in FLOAT_TYPES:
            return False
        a, b = self._leaf(a), self._leaf(b)
        outcome = self._outcome(branch_goal(relation, a, b), a, b)
        if isinstance(outcome, tuple):
            relation, a, b = outcome
            self.code.branch(relation, a, b, label)
        elif outcome is not None and self.code.blocks is not None:
            self._decide(outcome, label, self.code.blocks)
        else:
            return False
        return True

    def branch_by_table(self, relation: str, a: Expr, b: Expr, label: str) -> bool:
        """Emit a branch as a jump by a table of two targets, which the value of the relation chooses."""
        blocks = self.code.blocks
        if blocks is None or not blocks.has_indirect_jumps or (a.type or b.type) in FLOAT_TYPES:
            return False
        value, rest = self.code.fresh(self.code.integer), blocks.new_label()
        self.code.binary_into(value, relation, self._leaf(a), self._leaf(b))
        blocks.jump_by_table(value, [rest, label])
        blocks.start_block(rest)
        return True

    def _decide(self, tree: Iterator[Step[Expr] | str], label: str, blocks: Blocks) -> None:
        """Emit a tree of decisions; the caller begins the next block."""
        labels = {"yes": label}
        for step in tree:
            if isinstance(step, str):
                blocks.start_block(labels.setdefault(step, blocks.new_label()))
                continue
            relation, a, b, place = step
            target = labels.setdefault(place, blocks.new_label())
            outcome = binary(relation, a, b) if relation else Const(1)
            if not isinstance(outcome, Const):
                self.code.branch(relation, a, b, target)
                blocks.start_block()
            elif outcome.value:
                blocks.jump(target)
        blocks.start_block(labels.setdefault("no", blocks.new_label()))

    def _outcome(self, goal: Goal, a: Expr, b: Expr) -> Any:
        way = self.derivation.way(goal)
        return way(self.terms, a, b) if way is not None else None

    def _made(self, node: Expr) -> Expr:
        """Return a register with a value."""
        parts = combined(node) if isinstance(node, Op) else None
        made: Expr | None = self._outcome(goal_of(node), *parts[1:]) if parts else None
        if made is not None:
            return made
        result = self.code.fresh(self.code.integer)
        self.code.emit(set_(result, node))
        return result

    def _leaves(self, node: Expr) -> tuple[Expr, Expr]:
        """Return the operands of an operation as registers or constants, and a constant for one that is not there."""
        args = node.args if isinstance(node, Op) else (node,)
        first, *rest = (self._leaf(arg) for arg in args)
        return first, rest[0] if rest else Const(0)

    def _leaf(self, node: Expr) -> Expr:
        return node if isinstance(node, Const) else self.code.reg(self.code.atom(node), self.code.integer)

    def _dummy(self, number: int) -> Register:
        return Register(self.code.integer, -1 - number, self.code.word, True)


def _retargeted(out: list[Rtl], mark: int, outcome: Expr, target: Register) -> bool:
    """Let the RTLs from a place on set another register than that of their outcome; return whether that does the same."""
    new = out[mark:]
    if not isinstance(outcome, Register) or outcome.cls != target.cls or not new or outcome not in new[-1].sets:
        return False
    if any(target in (*rtl.uses, *rtl.sets) for rtl in new) or (outcome in new[0].uses):
        return False
    for rtl in new:
        rtl.effects = tuple(
            rebuild_effect(effect, lambda node: target if node is outcome else None, targets=True) for effect in rtl.effects
        )
    return True


def _with_leaves(node: Expr, a: Expr, b: Expr) -> Expr:
    if not isinstance(node, Op):
        return a
    return Op(node.op, node.type, *((a,) if len(node.args) == 1 else (a, b)))


def _direct(scratch: Emitter, goal: Goal) -> int:
    """Return what a goal costs when it is emitted without identities."""
    op, a, b, kind = goal
    operands = [scratch.fresh(scratch.integer) if value is None else Const(value) for value in (a, b)]
    target, scratch.out, scratch.depth = scratch.fresh(scratch.integer), [], 0
    try:
        match kind:
            case "constant":
                scratch.move(target, operands[0])
            case "jump":
                scratch.emit(Jump("L0"))
            case "branch":
                scratch.branch(op, operands[0], operands[1], "L0")
            case "unary" if op in UNARY:
                scratch.unary_into(target, op, scratch.word, operands[0])
            case "combined":
                if not scratch.attempt(set_(target, combination(op, operands[0], operands[1], scratch.word))):
                    return IMPOSSIBLE
            case "value":
                scratch.binary_into(target, op, operands[0], operands[1])
            case _:
                return IMPOSSIBLE
    except CannotExpress:
        return IMPOSSIBLE
    records = [scratch.machine.record(rtl) for rtl in scratch.out]
    fewer = len(records) > 1 and is_product_with_constant(goal)  # what takes its place must be fewer instructions
    return max(1, sum((1 if fewer else record.latency) * BYTES_PER_CYCLE + record.size for record in records))


def _routine(known: frozenset[str], op: str) -> int:
    """Return what an operator costs by a call of the library."""
    return ROUTINE if op in known else IMPOSSIBLE


def _no_routine(_op: str) -> int:
    return IMPOSSIBLE


def _parts(machine: Machine, dummy: Callable[[int], Register]) -> tuple[Part, ...]:
    """Return of what low parts constants can be put together: the widest that adding, and or, take as an operand."""

    def states(op: str, value: int) -> bool:
        return any(machine.is_legal((set_(dummy(0), binary(op, a, Const(value))),)) for a in (dummy(1), dummy(0)))

    def states_all(op: str, width: int) -> bool:  # not only those of which all bits are ones
        return all(states(op, value) for value in ((1 << width) - 1, 1 << (width - 1), (2 << width) // 3))

    found: list[Part] = []
    for op in ("+", "|"):
        width = max((width for width in range(2, BITS[dummy(0).type]) if states_all(op, width)), default=0)
        if width:
            signed = op == "+" and states(op, -1 << width)
            found.append((op, width + signed, signed))
    return tuple(found)
