"""What is known where a loop is entered: by branches before it, and by ranges of values."""

from __future__ import annotations

from collections.abc import Iterator

from vpo.algebra import binary, reverse, wrap
from vpo.analysis.frequency import branch_comparison
from vpo.analysis.induction import Induction
from vpo.opt.state import CFG, VALUE_RANGES, FunctionState
from vpo.rtl import BITS, SWAPPED, Branch, Const, Expr, Op, Register
from vpo.rtl.function import Block

MAX_GUARDS = 8  # branches before the loop that are looked at
STRICT = {"<=": ("<", 1), ">=": (">", -1), "<=u": ("<u", 1), ">=u": (">u", -1)}  # with the next number


class Guards:
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
        wanted = {_strict(relation, type_) for relation in wanted}
        for block, relation in self._above():
            wanted.update(_before_step(block, a, op, b, type_))
            if relation is not None:
                left, right = map(self.value, relation.args)
                if _strict(binary(relation.op, left, right, type_), type_) in wanted:
                    return True
        return self._in_range(op, a, b)

    def _above(self) -> Iterator[tuple[Block, Op | None]]:
        """Yield the blocks by which alone control comes to the loop, each with what holds behind it."""
        cfg, blocks, number = self.state.get(CFG), self.state.function.blocks, self.place
        yield blocks[number], None
        for _ in range(MAX_GUARDS):
            if len(cfg.predecessors[number]) != 1:
                return
            (above,) = cfg.predecessors[number]
            found = branch_comparison(blocks[above]) if len(cfg.successors[above]) == 2 else None
            relation = None
            if found is not None:
                relation, _, branch = found
                transfer = branch.transfer
                assert isinstance(transfer, Branch)
                if transfer.label != blocks[number].label:
                    relation = reverse(relation)
            yield blocks[above], relation
            number = above

    def _in_range(self, op: str, a: Expr, b: Expr) -> bool:
        """Whether the ranges of two values tell that a relation holds: the guard itself may be gone because of them."""
        return self.state.get(VALUE_RANGES).outcome(Op(op, "", a, b), self.place) is True


def _strict(relation: Expr, type_: str) -> Expr:
    """Return a relation to a number as one of its notations, which excludes the number: x>=1 is x>0."""
    match relation:
        case Op(op=op, args=(left, Const(value=value))) if op in STRICT:
            new, step = STRICT[op]
            bits, moved = BITS[type_], value + step
            least = 0 if op.endswith("u") else -(1 << (bits - 1))
            if least <= (value % (1 << bits) if least == 0 else value) + step < least + (1 << bits):
                return binary(new, left, Const(wrap(moved, bits)), type_)
    return relation


def _before_step(block: Block, a: Expr, op: str, b: Expr, type_: str) -> Iterator[Expr]:
    """Yield what tells that a relation holds of a value that a block counts down from another one: x>0 of x-1>=0."""
    if not isinstance(b, Const) or op not in (">", ">="):
        return
    for rtl in block.rtls:
        effect = rtl.single_set
        if effect is not None and effect.target is a:
            match effect.source:
                case Op(op="+", args=(x, Const(value=less))) if less < 0 and b.value - less < 1 << (BITS[type_] - 1):
                    yield _strict(binary(op, x, Const(b.value - less), type_), type_)
