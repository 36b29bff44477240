"""Expanding switches: few cases by comparison, dense ones by a table, others by bisection."""

from __future__ import annotations

from vpo import il
from vpo.expand.builder import Builder
from vpo.expand.evaluation import Evaluation
from vpo.rtl import Const, Register

TABLE_CASES = 5  # a switch with so many cases becomes a jump table if at least half of the range is used
COMPARED_CASES = 4  # at most so many are compared with one after the other


class Switches:
    """Emits switches."""

    def __init__(self, builder: Builder, evaluation: Evaluation) -> None:
        self.builder, self.code, self.machine = builder, builder.code, builder.machine
        self.evaluation, self.values = evaluation, evaluation.values

    def switch(self, statement: il.Switch) -> None:
        """Expand a switch."""
        value = statement.value
        if value.type.size > self.values.word_size:
            self._compare_with_each(self.evaluation.temporary(value), statement)
            return
        index = self.code.reg(self.values.number(self.evaluation.scalar(value), value.type), self.code.integer)
        cases = sorted(statement.cases)
        self._decide(index, cases, self.builder.label(statement.default), value.type.is_signed)

    def _compare_with_each(self, value: il.Expr, statement: il.Switch) -> None:
        """Compare with each case in turn (values of several words)."""
        for number, label in statement.cases:
            self.evaluation.branch("eq", value, il.Const(value.type, number), self.builder.label(label))
            self.builder.start_block()
        self.builder.jump(self.builder.label(statement.default))

    def _decide(self, index: Register, cases: list[tuple[int, str]], default: str, signed: bool) -> None:
        """Choose among sorted cases."""
        count = len(cases)
        span = cases[-1][0] - cases[0][0] + 1 if cases else 0
        if count >= TABLE_CASES and span <= 2 * count + 8 and self._table_jump(index, cases, default, span):
            return
        if count <= COMPARED_CASES:
            for number, label in cases:
                self._branch("==", index, number, self.builder.label(label))
            self.builder.jump(default)
            return
        middle = count // 2
        upper = self.builder.function.label()
        self._branch(">=" if signed else ">=u", index, cases[middle][0], upper)
        self._decide(index, cases[:middle], default, signed)
        self.builder.start_block(upper)
        self._decide(index, cases[middle:], default, signed)

    def _branch(self, relation: str, index: Register, number: int, label: str) -> None:
        self.code.branch(relation, index, Const(self.values.wrapped(number)), label)
        self.builder.start_block()

    def _table_jump(self, index: Register, cases: list[tuple[int, str]], default: str, span: int) -> bool:
        """Jump through a table, if the machine has indirect jumps."""
        if not self.builder.has_indirect_jumps:
            return False
        low = cases[0][0]
        offset = self.code.operate("+", index, Const(self.values.wrapped(-low)))
        self.code.branch(">u", offset, Const(span - 1), default)
        self.builder.start_block()
        chosen = {number: self.builder.label(label) for number, label in cases}
        self.builder.jump_by_table(offset, [chosen.get(low + i, default) for i in range(span)])
        self.builder.start_block()
        return True
