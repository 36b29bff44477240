"""Choices with definitions folded into them, in search of an instruction: numbers, relations, other choices, all by steps.

    r[t3]=r[t1]<r[t2]; r[t4]=r[t1]+1;
    SEL(r[t3]!=0,r[t4],r[t1])                 =>    SEL(r[t3]!=0,r[t1]+1,r[t1]), and so on
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from itertools import chain

from vpo.algebra import rebuild, select, substitute
from vpo.opt.selection.combine import MAX_SIZE
from vpo.rtl import RELATIONS, Const, Expr, Op, Register, selector

TRIES = 24  # expressions tried for one value


class Folding:
    """What the registers of a region are computed of: `inner` has its phis, `sources` the function's pure definitions."""

    def __init__(self, zero: Collection[Register], inner: Mapping[Register, Expr], sources: Mapping[Register, Expr]) -> None:
        self.zero, self.inner, self.sources = zero, inner, sources

    def known(self, node: Expr) -> Expr | None:
        """Return what a register is computed of."""
        return (self.inner.get(node) or self.sources.get(node)) if type(node) is Register else None

    def expressions(self, value: Expr) -> list[Expr]:
        """Return a value, and what it becomes if definitions are folded into it: numbers, choices, all by steps, one alone."""
        deep = self.with_numbers(self._with_choices(value))
        bases = dict.fromkeys((value, self.with_numbers(value), deep))
        found = dict(bases)
        whole = deep
        while (further := self._unfolded(whole)) is not whole and further.size <= MAX_SIZE:
            found[whole := further] = None
        for folded in chain.from_iterable(map(self._folded, bases)):
            if len(found) >= TRIES:
                break
            if folded.size <= MAX_SIZE:
                found[folded] = None
        return list(found)

    def _unfolded(self, expression: Expr) -> Expr:
        """Return an expression with the definitions of all its registers in their places."""
        return rebuild(expression, self.known)

    def _folded(self, expression: Expr) -> Iterator[Expr]:
        """Yield an expression with the definition of one register in its place, or with a register for a constant."""
        zero = Const(0)
        for register in expression.uses:
            source = self.known(register)
            if source is not None:
                yield substitute(expression, {register: source})
            if type(source) is Const:
                yield substitute(expression, {source: register})
        for register in self.zero:
            zeroed = substitute(expression, {zero: register})
            yield zeroed
            if type(expression) is Op and type(zeroed) is Op and expression.op == zeroed.op == "SEL":
                yield select(selector(expression), *zeroed.args[1:])

    def _with_choices(self, expression: Expr) -> Expr:
        """Return an expression with choices in the place of registers that hold them."""
        choices: dict[Expr, Expr] = dict(self.inner.items())
        for register in expression.uses:
            source = self.sources.get(register)
            if type(source) is Op and source.op == "SEL":
                choices[register] = source
        return rebuild(expression, choices.get)

    def with_relations(self, expression: Expr) -> Expr:
        """Return an expression with relations in the place of registers that hold their truth values."""
        sources: dict[Expr, Expr | None] = {r: self.known(r) for r in expression.uses}
        relations = {r: source for r, source in sources.items() if type(source) is Op and source.op in RELATIONS}
        return rebuild(expression, relations.get)

    def with_numbers(self, expression: Expr) -> Expr:
        """Return an expression with numbers in the place of registers that hold them."""
        numbers: dict[Expr, Expr] = {r: source for r in expression.uses if isinstance(source := self.sources.get(r), Const)}
        return substitute(expression, numbers)


def put_in(expression: Expr, known: Mapping[Register, Expr | None]) -> Expr:
    """Return an expression with what registers are known to be in their places, all the way."""

    def put(node: Expr) -> Expr | None:
        value = known.get(node) if type(node) is Register else None
        return rebuild(value, put) if value is not None else None

    return rebuild(expression, put)
