"""Sums and differences of two words by instructions that leave the carry or the borrow in a code, and others that add it.

r[t3]=r[t1]+r[u1]; cy=(r[t1]+r[u1])?r[t1];      the sum of the low words is less than a term: there is a carry
r[t4]=(r[t2]+r[u2])+(cy<u0);

r[t3]=r[t1]-r[u1]; cc=r[t1]?r[u1];              the low word is less than what is taken away: there is a borrow
r[t4]=(r[t2]-r[u2])-(cc<u0);
"""

from __future__ import annotations

from vpo.algebra import binary, set_
from vpo.expand.words import Values, Words
from vpo.rtl import Const, Effect, Expr, Register


class CarryChains:
    """Emits such sums and differences where the machine has both instructions."""

    def __init__(self, values: Values) -> None:
        self.values, self.code = values, values.code
        self.codes = [Register(c.name, 0, c.type) for c in self.code.machine.classes.values() if c.type == "C"]
        self.known: dict[str, Register | None] = {}  # the code that connects the instructions, by operator

    def operate(self, op: str, a: Words, b: Words) -> Words | None:
        """Add or subtract; None if the machine cannot so, or if the low word needs no carry."""
        if len(a) != 2 or (flag := self._code_for(op)) is None:
            return None
        (a_low, a_high), (b_low, b_high) = self.values.low(a), self.values.low(b)
        if isinstance(b_low, Const) and b_low.value == 0:
            return None
        if op == "+" and isinstance(a_low, Const):
            a_low, b_low, a_high, b_high = b_low, a_low, b_high, a_high
        code = self.code
        x, g, y, h = code.reg(a_low), code.reg(a_high), b_low, b_high
        low, high = code.fresh(code.integer), code.fresh(code.integer)
        if not self._is_legal(_first(op, flag, low, x, y)):
            y = code.reg(y)
        if not self._is_legal(_second(op, flag, high, g, h)):
            h = code.reg(h)
        if not self._is_legal(_first(op, flag, low, x, y)):  # the two-address form
            code.move(low, x)
            x = low
        if not self._is_legal(_second(op, flag, high, g, h)):
            code.move(high, g)
            g = high
        code.append(_first(op, flag, low, x, y))
        code.append(_second(op, flag, high, g, h))
        return self.values.low([low, high])

    def _is_legal(self, effects: tuple[Effect, ...]) -> bool:
        return self.code.machine.is_legal(effects)

    def _code_for(self, op: str) -> Register | None:
        """Return the code by which the instructions for two words hang together, if there are any."""
        if op not in self.known:
            t, x, y = (Register(self.code.integer, number, self.code.word, pseudo=True) for number in (1, 2, 3))
            fits = (
                flag for flag in self.codes for a in (x, t)  # t: the two-address form
                if self._is_legal(_first(op, flag, t, a, y)) and self._is_legal(_second(op, flag, t, a, y))
            )  # fmt: skip
            self.known[op] = next(fits, None)
        return self.known[op]


def _first(op: str, flag: Register, target: Register, a: Expr, b: Expr) -> tuple[Effect, ...]:
    """Return what computes the low word and the carry or borrow."""
    result = binary(op, a, b)
    compared = binary("?", result, a) if op == "+" else binary("?", a, b)
    return set_(target, result), set_(flag, compared)


def _second(op: str, flag: Register, target: Register, a: Expr, b: Expr) -> tuple[Effect, ...]:
    return (set_(target, binary(op, binary(op, a, b), binary("<u", flag, Const(0)))),)
