"""Comparing words: truth values, and branches on values of one word or several."""

from __future__ import annotations

from collections.abc import Callable

from vpo import il
from vpo.algebra import binary
from vpo.expand.builder import Builder
from vpo.expand.words import RELATIONS, Values, Words
from vpo.rtl import Const, Expr, Register


def relation_on(relation: str, type_: il.Type) -> str:
    """Return the RTL relation for an IL relation on a type."""
    op = RELATIONS[relation]
    return op + "u" if type_.kind in ("U", "P") and op not in ("==", "!=") else op


class Comparisons:
    """Emits comparisons."""

    def __init__(self, builder: Builder, values: Values) -> None:
        self.builder, self.code, self.values = builder, builder.code, values

    def truth(self, relation: str, a: Expr, b: Expr) -> Expr:
        """Return 1 if the relation holds, else 0."""
        if isinstance(a, Const) and isinstance(b, Const):
            return binary(relation, a, b)
        result = self.code.truth(relation, a, b)
        if result is not None:
            return result
        return self.decided(lambda label: self.code.branch(relation, a, b, label))

    def decided(self, branch: Callable[[str], None]) -> Register:
        """Return a register with 1 if a branch, which is emitted with its label by `branch`, is taken, else 0."""
        result = self.code.fresh(self.code.integer)
        yes, done = self.builder.function.label(), self.builder.function.label()
        branch(yes)
        self.builder.start_block()
        self.code.move(result, Const(0))
        self.builder.jump(done)
        self.builder.drop_block()
        self.builder.start_block(yes)
        self.code.move(result, Const(1))
        self.builder.start_block(done)
        return result

    def branch(self, relation: str, type_: il.Type, a: Words, b: Words, label: str) -> None:
        """Branch to a label if a relation between two values holds; the caller begins the next block."""
        if self.values.count(type_) == 1:
            self.code.branch(relation_on(relation, type_), a[0], b[0], label)
        elif relation in ("eq", "ne"):
            self._wide_equality(relation, self.values.low(a), self.values.low(b), label)
        else:
            self._wide_order(relation, self.values.low(a), self.values.low(b), type_.is_signed, label)

    def _wide_equality(self, relation: str, a: Words, b: Words, label: str) -> None:
        difference: Expr = Const(0)
        for x, y in zip(a, b, strict=True):
            difference = self.code.operate("|", self.code.operate("^", x, y), difference)
        self.code.branch(RELATIONS[relation], difference, Const(0), label)

    def _wide_order(self, relation: str, a: Words, b: Words, signed: bool, label: str) -> None:
        """Compare from the most significant word down; only the top word is signed."""
        no = self.builder.function.label()
        strict = "<" if relation in ("lt", "le") else ">"
        for index in range(len(a) - 1, 0, -1):
            mark = "" if signed and index == len(a) - 1 else "u"
            self.code.branch(strict + mark, a[index], b[index], label)
            self.builder.start_block()
            self.code.branch("!=", a[index], b[index], no)
            self.builder.start_block()
        self.code.branch(RELATIONS[relation] + "u", a[0], b[0], label)
        self.builder.start_block(no)
