"""The cheapest way to have an operation that no instruction, form or expansion of a machine does.

The goals are an operation on operands that are registers or certain constants, a constant in a register, and a branch on a
relation.  A goal that the legaliser can emit costs what that takes; any other costs as much as the operations of the
cheapest of its rules (`vpo/lower/rules.py`).  Costs are found from the bottom up, as Knuth generalises Dijkstra's
algorithm (A generalization of Dijkstra's algorithm, Information Processing Letters 6(1), 1977): here by going over all goals
that the one asked for leads to until no cost falls.  Every operation costs something, so no goal is derived from itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import Any

from vpo.algebra import binary, rebuild_effect, set_
from vpo.base.errors import CannotExpress
from vpo.base.kept import kept
from vpo.il.routine_names import ROUTINES
from vpo.lower.code import BYTES_PER_CYCLE, Blocks, Code
from vpo.lower.rules import COMBINED, PLACE, Outcome, Rule, Step, Terms, combination, combined, has_rules, operators, rules_for
from vpo.machines.machine import Machine
from vpo.rtl import BITS, FLOAT_TYPES, Const, Expr, Jump, Op, Register, Rtl

Operand = int | None  # a constant, or None for a register
Goal = tuple[str, Operand, Operand, str]  # operator, operands, and what is wanted: a 'value', 'constant', 'branch', 'jump'
Way = Callable[[Terms, Expr, Expr], Outcome]  # emits what a goal with two operands is made of; never returns None if it is one
Part = tuple[str, int, bool]  # an operator, and so many low bits, with or without a sign, that it takes as a constant
JUMP: Goal = ("", None, None, "jump")
MOST_GOALS = 1000
NEAR = 1  # step from the goal that is wanted, behind which constants are compared in registers: they would go on for ever
IMPOSSIBLE = 1 << 40


class Derivation:
    """Finds ways for one machine.

    `direct` returns what a goal costs without rules, IMPOSSIBLE if it cannot be had so; `routine` what it costs to call
    the library for an operator; `register` hands out different registers by number; `parts` returns those of which constants
    can be put together.
    """

    def __init__(
        self,
        word: str,
        register: Callable[[int], Register],
        direct: Callable[[Goal], int],
        parts: Callable[[], tuple[Part, ...]],
        routine: Callable[[str], int],
    ) -> None:
        self.word, self.dummy, self.direct, self.routine = word, register, direct, routine
        self.parts = cache(parts)  # asked for only where a constant is put together
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
        steps = {wanted: 0}  # that lead to a goal
        for goal in waiting:
            if goal not in self.costs and len(found) < MOST_GOALS:
                self.costs[goal] = self.direct(goal)
                near = steps[goal] <= NEAR
                better = is_product_with_constant(goal) or (near and _is_order_to_constant(goal))
                searched = better or self.costs[goal] >= IMPOSSIBLE
                found[goal] = list(self._alternatives(goal, near)) if searched else []
                if goal[3] == "value":
                    self.costs[goal] = min(self.costs[goal], self.routine(goal[0]))
                leads = [part for _, parts in found[goal] for part in parts if part not in steps]
                steps |= dict.fromkeys(leads, steps[goal] + 1)
                waiting += leads
        falling = True
        while falling:
            falling = False
            for goal, alternatives in found.items():
                for way, parts in alternatives:
                    cost = sum(self.costs.get(part, IMPOSSIBLE) for part in parts)
                    if cost < self.costs[goal]:
                        self.costs[goal], self.ways[goal], falling = cost, way, True
        for goal in found:  # what is out of reach from here may not be from nearer
            reached = self.costs[goal] < IMPOSSIBLE or len(found) < MOST_GOALS
            if goal != wanted and not (reached and (steps[goal] <= NEAR or not _decides_by_constant(goal))):
                del self.costs[goal]
                self.ways.pop(goal, None)

    def _alternatives(self, goal: Goal, near: bool) -> Iterator[tuple[Way, list[Goal]]]:
        """Yield ways to a goal, which is `near` or not, each with the goals that it needs."""
        a, b = (self.dummy(n) if value is None else Const(value) for n, value in enumerate(goal[1:3], 1))
        for way in self._ways(goal, near):
            parts: list[Goal] = []
            outcome = way(Terms(self.word, partial(self._note, parts)), a, b)
            if isinstance(outcome, Step | Iterator):
                steps = [outcome] if isinstance(outcome, Step) else outcome
                parts += [step_goal(step) for step in steps if step.relation != PLACE]
            if outcome is not None and parts:
                yield way, parts

    def _note(self, parts: list[Goal], node: Expr) -> Register:
        """Note that a way needs an operation; return what stands for its value."""
        parts.append(goal_of(node))
        return self.dummy(2 + len(parts))

    def _ways(self, goal: Goal, near: bool) -> Iterator[Way]:
        """Yield the ways that are known to a goal; to a branch that is not `near`, only that without constants."""
        op, a, b, kind = goal
        if kind == "constant":
            assert a is not None
            yield from sums(a, self.parts())
        elif kind == "combined":
            yield partial(_separately, op) if a is None and b is None else partial(_in_registers, Terms.combined, op)
        else:
            if near or not _decides_by_constant(goal):
                yield from (rule.apply for rule in rules_for(op, kind == "branch"))
            if a is not None or b is not None:
                yield partial(_in_registers, _decision if kind == "branch" else Terms.binary, op)


def is_product_with_constant(goal: Goal) -> bool:
    """Whether a goal is one that shifts and sums may do better than what a description says of all products."""
    op, a, b, kind = goal
    return op == "*" and kind == "value" and (a is not None or b is not None)


def _decides_by_constant(goal: Goal) -> bool:
    """Whether a goal is a branch on a relation to a constant."""
    return goal[3] == "branch" and goal[1:3] != (None, None)


def _is_order_to_constant(goal: Goal) -> bool:
    """Whether a goal is a branch that the next constant may make cheaper."""
    op, a, b, kind = goal
    return kind == "branch" and a is None and b is not None and op[0] in "<>"


def goal_of(node: Expr) -> Goal:
    """Return the goal of the value of a constant, or of an operation on leaves."""
    if not isinstance(node, Op):
        return "", _operand(node), None, "constant"
    if parts := combined(node):
        return parts[0], _operand(parts[1]), _operand(parts[2]), "combined"
    if len(node.args) == 1:
        return node.op if has_rules(node.op) else f"{node.op}{node.type}", None, None, "unary"
    return node.op, _operand(node.args[0]), _operand(node.args[1]), "value"


def branch_goal(relation: str, a: Expr, b: Expr) -> Goal:
    """Return the goal of a branch."""
    return relation, _operand(a), _operand(b), "branch"


def step_goal(step: Step) -> Goal:
    """Return the goal of a step of a tree."""
    return branch_goal(step.relation, step.a, step.b) if step.relation else JUMP


def _operand(node: Expr) -> Operand:
    return int(node.value) if isinstance(node, Const) else None


def _separately(op: str, t: Terms, a: Expr, b: Expr) -> Expr:
    """Operate twice instead of by one instruction."""
    inner, complements_second, complements = COMBINED[op]
    value = t.binary(inner, a, t.unary("not", b) if complements_second else b)
    return t.unary("not", value) if complements else value


def _in_registers(make: Callable[..., Outcome], op: str, t: Terms, a: Expr, b: Expr) -> Outcome:
    """Operate on registers instead of constants."""
    return make(t, op, t.register(a), t.register(b))


def _decision(_t: Terms, relation: str, a: Expr, b: Expr) -> Step:
    return Step(relation, a, b, "yes")


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
        yield lambda t, _a, _b: t.unary("not", t.register(t.number(~value)))
        yield lambda t, _a, _b: t.unary("neg", t.register(t.number(-value)))


def _shifted(value: int, zeros: int, t: Terms, _a: Expr, _b: Expr) -> Expr:
    return t.binary("<<", t.register(t.number(value >> zeros)), t.number(zeros))


def _with_part(op: str, rest: int, low: int, t: Terms, _a: Expr, _b: Expr) -> Expr:
    return t.binary(op, t.register(t.number(rest)), t.number(low))


# ----------------------------------------------------------------------------------------------------------------------
# Emits the operations that a machine has only by way of others.


ROUTINE = 256  # what a call of a routine costs, with what it does: as much as some thirty instructions


@kept
def _known(machine: Machine) -> dict[bool, Derivation]:
    """Return what is known of a machine if routines may be called, or not."""
    return {}


class Derived:
    """Emits for a legaliser what it cannot emit otherwise; every method tells if there was a way."""

    def __init__(self, code: Code, plain: Callable[[], Code]) -> None:
        """`plain` makes a legaliser that derives nothing."""
        self.code, self.plain = code, plain
        self.terms = Terms(code.word, self._made)

    @property
    def derivation(self) -> Derivation:
        """What is known of the machine, shared by all its legalisers."""
        return self._derivation(self.code.routine is not None)

    def _derivation(self, calls: bool) -> Derivation:
        """Return what is known of the machine if routines may be called, or not."""
        known = _known(self.code.machine)
        if calls not in known:
            direct, parts = partial(_direct, self.plain()), partial(_parts, self.code.machine, self._dummy)
            routine = partial(_routine, self._routines()) if calls else _no_routine
            known[calls] = Derivation(self.code.word, self._dummy, direct, parts, routine)
        return known[calls]

    def _routines(self) -> frozenset[str]:
        """Return the operators that routines may stand for: sums only if the logic that these need takes no routine."""
        alone = self._derivation(calls=False)
        logic = [("&", None, None, "value"), ("^", None, None, "value"), ("<<", None, 1, "value")]
        adds = all(alone.cost(goal) < IMPOSSIBLE for goal in logic)
        return frozenset(op for op in ROUTINES if (adds or op not in "+-") and self.code.word == "L")

    def rules(self) -> list[str]:
        """Return the rules by which the machine has what it lacks, of registers alone."""
        ways = [self._derivation(calls=True).way((op, None, None, kind)) for op, kind in operators()]
        rules = [rule for way in ways if isinstance(rule := getattr(way, "__self__", None), Rule)]
        return [" ".join(rule.text.split()) for rule in rules]

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
        """Whether there are rules for a constant or an operation."""
        if not isinstance(node, Op):
            return isinstance(node, Const)
        return has_rules(node.op) and not any(arg.type in FLOAT_TYPES for arg in node.args)

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
        if isinstance(outcome, Step):
            self.code.branch(outcome.relation, outcome.a, outcome.b, label)
        elif isinstance(outcome, Iterator) and self.code.blocks is not None:
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

    def _decide(self, tree: Iterator[Step], label: str, blocks: Blocks) -> None:
        """Emit a tree of decisions; the caller begins the next block."""
        labels = {"yes": label}
        for relation, a, b, place in tree:
            target = labels.setdefault(place, blocks.new_label())
            if relation == PLACE:
                blocks.start_block(target)
                continue
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
    if any(target in rtl.uses or target in rtl.sets for rtl in new) or outcome in new[0].uses:
        return False
    for rtl in new:
        effects = [rebuild_effect(e, lambda node: target if node is outcome else None, targets=True) for e in rtl.effects]
        rtl.become(tuple(effects))
    return True


def _with_leaves(node: Expr, a: Expr, b: Expr) -> Expr:
    if not isinstance(node, Op):
        return a
    return Op(node.op, node.type, *((a,) if len(node.args) == 1 else (a, b)))


def _direct(scratch: Code, goal: Goal) -> int:
    """Return what a goal costs when it is emitted without rules."""
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
            case "unary" if has_rules(op):
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
    machine, rtls = scratch.machine, scratch.out
    if len(rtls) > 1 and is_product_with_constant(goal):  # what takes its place must be fewer instructions
        cycles = len(rtls)
    else:
        cycles = sum(machine.latency(rtl.effects) for rtl in rtls)
    return max(1, cycles * BYTES_PER_CYCLE + sum(machine.record(rtl).size for rtl in rtls))


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
