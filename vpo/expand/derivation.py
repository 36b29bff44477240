"""The cheapest way to have an operation that no instruction, form or expansion of a machine does.

The goals are an operation on operands that are registers or certain constants, a constant in a register, and a branch on a
relation.  A goal that the legaliser can emit costs what that takes; any other costs as much as the operations of the
cheapest of its identities (`vpo/expand/identities.py`).  Costs are found from the bottom up, as Knuth generalises Dijkstra's
algorithm (A generalization of Dijkstra's algorithm, Information Processing Letters 6(1), 1977): here by going over all goals
that the one asked for leads to until no cost falls.  Every operation costs something, so no goal is derived from itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from vpo.algebra import binary, unary
from vpo.expand.decision_trees import TREES, Step
from vpo.expand.identities import BINARY, BRANCHES, COMBINED, RELATIONS, UNARY
from vpo.expand.terms import NotApplicable
from vpo.rtl import BITS, Const, Expr, Op, Register

Operand = int | None  # a constant, or None for a register
Goal = tuple[str, Operand, Operand, str]  # operator, operands, and what is wanted: a 'value', 'constant', 'branch', 'jump'
# Emits what a goal with two operands is made of; returns the value, the relation and its operands, or yields steps of a tree.
Way = Callable[["ExprTerms", Expr, Expr], Any]
Part = tuple[str, int, bool]  # an operator, and so many low bits, with or without a sign, that it takes as a constant
JUMP: Goal = ("", None, None, "jump")
MOST_GOALS = 1000
IMPOSSIBLE = 1 << 40


class ExprTerms:
    """Terms of identities as RTL expressions; `make` returns a register with the value of an operation on leaves."""

    def __init__(self, word: str, make: Callable[[Expr], Expr]) -> None:
        self.word, self.bits, self.make = word, BITS[word], make

    def number(self, value: int) -> Expr:
        """Return a constant, with the value that a word of these bits has."""
        half = 1 << (self.bits - 1)
        return Const((value + half) % (2 * half) - half)

    def constant(self, value: Expr) -> int:
        """Return the number that a constant operand is; raises NotApplicable for other operands."""
        if not isinstance(value, Const):
            raise NotApplicable
        return int(value.value)

    def register(self, value: int) -> Expr:
        """Return a register with a constant."""
        return self.make(self.number(value))

    def unary(self, op: str, a: Expr) -> Expr:
        """Return op(a)."""
        return self._of(unary(op, self.word, a))

    def binary(self, op: str, a: Expr, b: Expr) -> Expr:
        """Return a op b."""
        return self._of(binary(op, a, b, self.word))

    def combined(self, op: str, a: Expr, b: Expr) -> Expr:
        """Return what one instruction makes of two operators."""
        return self._of(combination(op, a, b, self.word))

    def _of(self, node: Expr) -> Expr:
        return self.make(node) if isinstance(node, Op) else node


def combination(op: str, a: Expr, b: Expr, word: str) -> Expr:
    """Return one of COMBINED as an expression."""
    inner, complements_second, complements = COMBINED[op]
    node = binary(inner, a, unary("not", word, b) if complements_second else b, word)
    return unary("not", word, node) if complements else node


class Derivation:
    """Finds ways for one machine.

    `direct` returns what a goal costs without identities, IMPOSSIBLE if it cannot be had so; `routine` what it costs to call
    the library for an operator; `register` hands out different registers by number; `parts` are those of which constants can
    be put together.
    """

    def __init__(
        self,
        word: str,
        register: Callable[[int], Register],
        direct: Callable[[Goal], int],
        parts: tuple[Part, ...],
        routine: Callable[[str], int],
    ) -> None:
        self.word, self.dummy, self.direct, self.parts, self.routine = word, register, direct, parts, routine
        self.costs: dict[Goal, int] = {}
        self.ways: dict[Goal, Way] = {}

    def way(self, goal: Goal) -> Way | None:
        """Return the cheapest way to a goal that cannot be had directly, None if there is none."""
        self.cost(goal)
        return self.ways.get(goal)

    def cost(self, goal: Goal) -> int:
        """Return what a goal costs, IMPOSSIBLE if it cannot be had."""
        if goal not in self.costs:
            self._solve(goal)
        return self.costs[goal]

    def _solve(self, wanted: Goal) -> None:
        """Find the costs of all goals that one leads to."""
        found: dict[Goal, list[tuple[Way, list[Goal]]]] = {}
        waiting = [wanted]
        for goal in waiting:
            if goal not in self.costs and len(found) < MOST_GOALS:
                self.costs[goal] = self.direct(goal)
                searched = self.costs[goal] >= IMPOSSIBLE or is_product_with_constant(goal) or _is_order_to_constant(goal)
                found[goal] = list(self._alternatives(goal)) if searched else []
                if goal[3] == "value":
                    self.costs[goal] = min(self.costs[goal], self.routine(goal[0]))
                waiting += [part for _, parts in found[goal] for part in parts]
        falling = True
        while falling:
            falling = False
            for goal, alternatives in found.items():
                for way, parts in alternatives:
                    cost = sum(self.costs.get(part, IMPOSSIBLE) for part in parts)
                    if cost < self.costs[goal]:
                        self.costs[goal], self.ways[goal], falling = cost, way, True
        if len(found) == MOST_GOALS:  # what is out of reach from here may not be from nearer
            for goal in found:
                if self.costs[goal] >= IMPOSSIBLE and goal != wanted:
                    del self.costs[goal]

    def _alternatives(self, goal: Goal) -> Iterator[tuple[Way, list[Goal]]]:
        """Yield ways to a goal, each with the goals that it needs."""
        a, b = (self.dummy(n) if value is None else Const(value) for n, value in enumerate(goal[1:3], 1))
        for way in self._ways(goal):
            parts: list[Goal] = []
            try:
                outcome = way(ExprTerms(self.word, partial(self._note, parts)), a, b)
                if isinstance(outcome, tuple):
                    parts.append(branch_goal(*outcome))
                elif isinstance(outcome, Iterator):
                    parts += [step_goal(step) for step in outcome if isinstance(step, Step)]
            except NotApplicable:
                continue
            if parts:
                yield way, parts

    def _note(self, parts: list[Goal], node: Expr) -> Register:
        """Note that a way needs an operation; return what stands for its value."""
        parts.append(goal_of(node))
        return self.dummy(2 + len(parts))

    def _ways(self, goal: Goal) -> Iterator[Way]:
        """Yield the ways that are known to a goal."""
        op, a, b, kind = goal
        if kind == "constant":
            assert a is not None
            yield from sums(a, self.parts)
        elif kind == "unary":
            for identity in UNARY.get(op, ()):
                yield partial(_of_first, identity)
        elif kind == "combined":
            if a is not None or b is not None:
                yield partial(_combined_in_registers, op)
        else:
            yield from (BRANCHES if kind == "branch" else BINARY).get(op, ())
            yield from TREES.get(op, ()) if kind == "branch" else ()
            if a is not None or b is not None:
                yield partial(_in_registers, op, kind == "branch")


def is_product_with_constant(goal: Goal) -> bool:
    """Whether a goal is one that shifts and sums may do better than what a description says of all products."""
    op, a, b, kind = goal
    return op == "*" and kind == "value" and (a is not None or b is not None)


def _is_order_to_constant(goal: Goal) -> bool:
    """Whether a goal is a branch that the next constant may make cheaper."""
    op, a, b, kind = goal
    return kind == "branch" and a is None and b is not None and op in RELATIONS and op not in ("==", "!=")


def goal_of(node: Expr) -> Goal:
    """Return the goal of the value of a constant, or of an operation on leaves."""
    if not isinstance(node, Op):
        return "", _operand(node), None, "constant"
    if parts := combined(node):
        return parts[0], _operand(parts[1]), _operand(parts[2]), "combined"
    if len(node.args) == 1:
        return f"{node.op}{node.type}" if node.op not in UNARY else node.op, None, None, "unary"
    return node.op, _operand(node.args[0]), _operand(node.args[1]), "value"


def combined(node: Op) -> tuple[str, Expr, Expr] | None:
    """Return which of COMBINED an operation of two operators is, and its operands."""
    outer, inner = node, node.args[0]
    if outer.op == "not" and isinstance(inner, Op) and len(inner.args) == 2:
        wanted, a, b = (inner.op, False, True), *inner.args
    elif len(outer.args) == 2 and isinstance(outer.args[1], Op) and outer.args[1].op == "not":
        wanted, a, b = (outer.op, True, False), outer.args[0], outer.args[1].args[0]
    elif len(outer.args) == 2 and isinstance(inner, Op) and inner.op == "not":
        wanted, a, b = (outer.op, True, False), outer.args[1], inner.args[0]
    else:
        return None
    return next(((name, a, b) for name, operators in COMBINED.items() if operators == wanted), None)


def branch_goal(relation: str, a: Expr, b: Expr) -> Goal:
    """Return the goal of a branch."""
    return relation, _operand(a), _operand(b), "branch"


def step_goal(step: Step[Expr]) -> Goal:
    """Return the goal of a step of a tree."""
    return branch_goal(step.relation, step.a, step.b) if step.relation else JUMP


def _operand(node: Expr) -> Operand:
    return int(node.value) if isinstance(node, Const) else None


def _of_first(identity: Callable[[ExprTerms, Expr], Expr], t: ExprTerms, a: Expr, _b: Expr) -> Expr:
    return identity(t, a)


def _in_registers(op: str, branches: bool, t: ExprTerms, a: Expr, b: Expr) -> Any:
    """Operate on registers instead of constants."""
    x, y = (t.register(int(node.value)) if isinstance(node, Const) else node for node in (a, b))
    return (op, x, y) if branches else t.binary(op, x, y)


def _combined_in_registers(op: str, t: ExprTerms, a: Expr, b: Expr) -> Expr:
    return t.combined(op, *(t.register(int(node.value)) if isinstance(node, Const) else node for node in (a, b)))


def sums(value: int, parts: tuple[Part, ...]) -> Iterator[Way]:
    """Yield ways to make a constant of a shorter one: with a low part (perhaps all) that is added, shifted, complemented.

    A part comes first, since addresses may take it as their displacement later.
    """
    for op, width, signed in parts:
        low = value % (1 << width)
        if signed and low >> (width - 1):
            low -= 1 << width
        if low:
            yield partial(_with_part, op, value - low, low)
    zeros = (value & -value).bit_length() - 1
    if zeros > 0:
        yield partial(_shifted, value, zeros)
    if value < 0:
        yield lambda t, _a, _b: t.unary("not", t.register(~value))
        yield lambda t, _a, _b: t.unary("neg", t.register(-value))


def _shifted(value: int, zeros: int, t: ExprTerms, _a: Expr, _b: Expr) -> Expr:
    return t.binary("<<", t.register(value >> zeros), t.number(zeros))


def _with_part(op: str, rest: int, low: int, t: ExprTerms, _a: Expr, _b: Expr) -> Expr:
    return t.binary(op, t.register(rest), t.number(low))
