"""Shifts of values of two words by amounts that only the program knows.

The words of x << n are, in terms of the words of x, of 32 bits each:

    high: (high << n) | ((low >>u 1) >>u (n ^ 31))     low: low << n     where n < 32
    high: low << (n - 32)                              low: 0            elsewhere
"""

from __future__ import annotations

from vpo.expand.builder import Builder
from vpo.expand.words import Values, Words
from vpo.rtl import Const, Expr, Register


class WideShifts:
    """Emits such shifts on machines that shift words by variable amounts."""

    def __init__(self, builder: Builder, values: Values) -> None:
        self.builder, self.code, self.values = builder, builder.code, values

    def shift(self, op: str, a: Words, amount: Expr) -> Words | None:
        """Return a value shifted by an amount below its width; None if the machine has no instructions for it."""
        low, high = self.values.low(a) if len(a) == 2 else (None, None)
        if low is None or high is None or not all(map(self._is_instruction, {"<<", ">>u", op})):
            return None
        code, function = self.code, self.builder.function
        count = code.reg(amount)
        # what moves: into the word `far`, out of `near`
        near, far = (low, high) if op == "<<" else (high, low)
        results = near_result, far_result = code.fresh(code.integer), code.fresh(code.integer)
        wide, done = function.label(), function.label()
        code.branch(">=u", count, Const(self.values.bits), wide)
        self.builder.start_block()
        code.move(far_result, self._joined(op, near, far, count))
        code.move(near_result, code.operate(op, near, count))
        self.builder.jump(done)
        self.builder.drop_block()
        self.builder.start_block(wide)
        code.move(far_result, code.operate(op, near, code.operate("-", count, Const(self.values.bits))))
        code.move(near_result, code.operate(">>", near, Const(self.values.bits - 1)) if op == ">>" else Const(0))
        self.builder.start_block(done)
        return self.values.low(list(results if op == "<<" else results[::-1]))

    def _joined(self, op: str, near: Expr, far: Expr, count: Register) -> Expr:
        """Return a word shifted by less than its width, filled from the other."""
        code = self.code
        own, back = ("<<", ">>u") if op == "<<" else (">>u", "<<")
        rest = code.operate("^", count, Const(self.values.bits - 1))
        moved = code.operate(back, code.operate(back, near, Const(1)), rest)
        return moved if far is Const(0) else code.operate("|", code.operate(own, far, count), moved)

    def _is_instruction(self, op: str) -> bool:
        code = self.code
        target, a, b = (Register(code.integer, -1 - i, code.word, True) for i in range(3))
        return code.plans.binary(op, target, a, b).is_direct
