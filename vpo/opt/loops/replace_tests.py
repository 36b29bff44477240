"""Linear-function test replacement: what the test at the end of a loop compares, and how it is made on another variable.

    PC=r[t1.3]<r[t6],L4;     =>     PC=r[t8.2]!=r[t12],L4;      where r[t12] is what r[t8.2] is when r[t1.3] is r[t6]

A test of order becomes one of equality, so that the limit must be met exactly, and in the first round already: the loop is
entered only if its variable is on the right side of the limit, which the branch that guards the loop tells, or constants.
The other variable is the address of an access in each round; it cannot come to the same value twice.
"""

from __future__ import annotations

from dataclasses import dataclass

from vpo.algebra import binary, reverse
from vpo.analysis.dominators import Loop
from vpo.analysis.frequency import branch_comparison
from vpo.analysis.induction import Induction
from vpo.opt.state import CFG, LIVENESS, VALUE_RANGES, FunctionState
from vpo.rtl import BITS, SWAPPED, Branch, Const, Expr, Op, Register, Rtl, Set

MAX_GUARDS = 8  # branches before the loop that are looked at


@dataclass(frozen=True, eq=False)
class LoopTest:
    """The loop goes on until the register `tested` is `limit + more`; `compare` may be the branch itself."""

    compare: Rtl
    branch: Rtl
    tested: Register
    limit: Register | Const
    more: int
    goes_on: bool  # whether the branch is taken if the loop goes on

    def on(self, variable: Register, limit: Register | Const) -> dict[Rtl, Rtl | None]:
        """Return RTLs that compare a variable with its limit instead."""
        (transfer,) = self.branch.effects
        assert isinstance(transfer, Branch)
        op = "!=" if self.goes_on else "=="
        if self.compare is self.branch:
            branch = Branch(Op(op, "", variable, limit), transfer.label)
            return {self.branch: Rtl((branch,), self.branch.lines, self.branch.cause)}
        compare = self.compare.single_set()
        assert compare is not None
        outcome = Set(compare.target, Op("?", compare.source.type, variable, limit))
        condition = Op(op, "", *transfer.condition.args)
        return {
            self.compare: Rtl((outcome,), self.compare.lines, self.compare.cause),
            self.branch: Rtl((Branch(condition, transfer.label),), self.branch.lines, self.branch.cause),
        }


def find_test(
    state: FunctionState, facts: Induction, loop: Loop, place: int, latch: int, variable: Register
) -> LoopTest | None:
    """Return the test at the end of a loop if it can be made on another variable: see above."""
    function, cfg = state.function, state.get(CFG)
    found = branch_comparison(function.blocks[latch])
    if found is None or len(cfg.successors[latch]) != 2:
        return None
    relation, compare, branch = found
    transfer = branch.transfer
    assert isinstance(transfer, Branch)
    if compare is not branch and _is_live(state, compare, cfg.successors[latch]):
        return None
    goes_on = transfer.label == function.blocks[loop.header].label
    if not goes_on:
        relation = reverse(relation)
    left, right = relation.args
    op = relation.op
    if not _is_tested(facts, left, variable):
        left, right, op = right, left, SWAPPED[op]
    if not _is_tested(facts, left, variable) or not isinstance(left, Register):
        return None
    limit = _limit(facts, right)
    if limit is None:
        return None
    header = function.blocks[loop.header]
    start = next(phi.sources[function.blocks[place].label] for phi in header.phis if phi.target is variable)
    more = _more(_Guards(state, facts, place), op, start, limit, facts.variables[variable])
    if more is None:
        return None
    if isinstance(limit, Const):
        limit, more = Const(limit.value + more), 0
    return LoopTest(compare, branch, left, limit, more, goes_on)


def _is_live(state: FunctionState, compare: Rtl, successors: list[int]) -> bool:
    """Whether the outcome of a comparison is read behind the branch, too."""
    liveness = state.get(LIVENESS)
    outcome = liveness.numbering.mask(tuple(compare.sets))
    return any(liveness.live_in[number] & outcome for number in successors)


def _is_tested(facts: Induction, node: Expr, variable: Register) -> bool:
    form = facts.forms.get(node) if isinstance(node, Register) else None
    return form is not None and form.variable is variable and form.is_shifted_variable


def _limit(facts: Induction, node: Expr) -> Register | Const | None:
    """Return what a variable is compared with, if it does not change in the loop."""
    if isinstance(node, Const):
        return node
    if not isinstance(node, Register) or not node.pseudo:
        return Const(0) if node in facts.machine.zero else None
    if node in facts.constants:
        return Const(facts.constants[node])
    return node if node not in facts.inside else None


def _more(guards: _Guards, op: str, start: Register, limit: Register | Const, step: int) -> int | None:
    """Return how much behind the limit the variable is when the loop ends; None if it is not known that it is ever there."""
    if op == "!=":
        return 0
    up = op in ("<", "<=", "<u", "<=u")
    if op == "==" or up != (step > 0):
        return None
    begin = guards.value(start)
    if isinstance(begin, Const) and isinstance(limit, Const):
        return _distance(op, begin.value, limit.value, step, BITS[start.type])
    if step not in (1, -1) or not guards.hold(op, begin, guards.value(limit), start.type):
        return None
    return step if "=" in op else 0


def _distance(op: str, begin: int, limit: int, step: int, bits: int) -> int | None:
    """Return by how much steps from one number miss another, if there is a step and none wraps."""
    if op.endswith("u") and (begin < 0 or limit < 0):
        return None
    span = (limit - begin) * (1 if step > 0 else -1) + ("=" in op)
    if span <= 0:
        return None
    end = begin + -(-span // abs(step)) * step
    return end - limit if -(1 << (bits - 1)) <= end < 1 << (bits - 1) else None


class _Guards:
    """What is known where the preheader of a loop is entered."""

    def __init__(self, state: FunctionState, facts: Induction, place: int) -> None:
        self.state, self.facts, self.place = state, facts, place

    def value(self, node: Expr) -> Expr:
        """Return the constant that a register holds, or the node itself."""
        if isinstance(node, Register):
            if node in self.facts.machine.zero:
                return Const(0)
            if node in self.facts.constants:
                return Const(self.facts.constants[node])
        return node

    def hold(self, op: str, a: Expr, b: Expr, type_: str) -> bool:
        """Whether a relation holds whenever the loop is entered."""
        wanted = {binary(op, a, b, type_), binary(SWAPPED[op], b, a, type_)}
        if any(isinstance(outcome, Const) for outcome in wanted):
            return Const(1) in wanted
        if op == "<u" and a is Const(0):
            wanted.add(binary("!=", b, a, type_))
        cfg, blocks, number = self.state.get(CFG), self.state.function.blocks, self.place
        for _ in range(MAX_GUARDS):
            if len(cfg.predecessors[number]) != 1:
                break
            (above,) = cfg.predecessors[number]
            found = branch_comparison(blocks[above]) if len(cfg.successors[above]) == 2 else None
            if found is not None:
                relation, _, branch = found
                transfer = branch.transfer
                assert isinstance(transfer, Branch)
                if transfer.label != blocks[number].label:
                    relation = reverse(relation)
                left, right = map(self.value, relation.args)
                if binary(relation.op, left, right, type_) in wanted:
                    return True
            number = above
        return self._in_range(op, a, b)

    def _in_range(self, op: str, a: Expr, b: Expr) -> bool:
        """Whether the ranges of two values tell that a relation holds: the guard itself may be gone because of them."""
        return self.state.get(VALUE_RANGES).outcome(Op(op, "", a, b), self.place) is True
