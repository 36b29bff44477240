"""Integers of several machine words.  What cannot be done inline goes to the run-time library."""

from __future__ import annotations

from vpo.algebra import binary, set_
from vpo.base.errors import CannotExpress
from vpo.expand.builder import Builder
from vpo.expand.comparisons import Comparisons
from vpo.expand.words import Values, Words
from vpo.lower.legalize import Legalizer
from vpo.rtl import BITS, Const, Effect, Expr, Register

# ----------------------------------------------------------------------------------------------------------------------
# Sums and differences of two words by instructions that leave the carry or the borrow in a code, and others that add it.
#
# r[t3]=r[t1]+r[u1]; cy=(r[t1]+r[u1])?r[t1];      the sum of the low words is less than a term: there is a carry
# r[t4]=(r[t2]+r[u2])+(cy<u0);
#
# r[t3]=r[t1]-r[u1]; cc=r[t1]?r[u1];              the low word is less than what is taken away: there is a borrow
# r[t4]=(r[t2]-r[u2])-(cc<u0);


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


# ----------------------------------------------------------------------------------------------------------------------


class WideArithmetic:
    """Emits multi-word arithmetic."""

    def __init__(self, values: Values, comparisons: Comparisons) -> None:
        self.code, self.values, self.comparisons = values.code, values, comparisons
        self.bits = values.bits
        self.chains = CarryChains(values)

    def extend(self, word: Expr, signed: bool, count: int) -> Words:
        """Widen one word to `count` words."""
        if signed:
            filler = self.code.operate(">>", word, Const(self.bits - 1))
        else:
            filler = Const(0)
        return self.values.low([word, *[filler] * (count - 1)])

    def bitwise(self, op: str, a: Words, b: Words) -> Words:
        """Apply & | ^ word by word."""
        return [self.code.operate(op, x, y) for x, y in zip(a, b, strict=True)]

    def complement(self, a: Words) -> Words:
        """Complement every word."""
        return [self.code.convert("not", self.code.word, x) for x in a]

    def add(self, op: str, a: Words, b: Words) -> Words:
        """Add, or subtract, with carries or borrows, found by unsigned comparison if the machine keeps none."""
        if (chained := self.chains.operate(op, a, b)) is not None:
            return chained
        truth, adds = self.comparisons.truth, op == "+"
        result: Words = []
        carry: Expr | None = None
        pairs = list(zip(self.values.low(a), self.values.low(b), strict=True))
        for index, (x, y) in enumerate(pairs):
            total = self.code.operate(op, x, y)
            out: Expr | None = None
            if index < len(pairs) - 1:
                out = truth("<u", total, y if isinstance(x, Const) else x) if adds else truth("<u", x, y)
            if carry is not None:
                whole = self.code.operate(op, total, carry)
                if out is not None:
                    out = self.code.operate("|", out, truth("<u", whole if adds else total, carry))
                total = whole
            result.append(total)
            carry = out
        return self.values.low(result)

    def multiply(self, a: Words, b: Words) -> Words | None:
        """Multiply two-word numbers by parts where the machine has both halves of a product; else None."""
        if len(a) != 2:
            return None
        (a0, a1), (b0, b1) = self.values.low(a), self.values.low(b)
        x, y = self.code.reg(a0), self.code.reg(b0)
        if not self.code.plans.binary("*", x, x, y).is_direct:
            return None
        high = high_product(self.code, x, y, "zx")
        if high is None:
            return None
        try:
            low = self.code.operate("*", x, y)
        except CannotExpress:  # the high half, which nothing then reads, is removed
            return None
        cross: Expr = high
        for p, q in ((a0, b1), (a1, b0)):
            if not (isinstance(p, Const) and p.value == 0) and not (isinstance(q, Const) and q.value == 0):
                cross = self.code.operate("+", cross, self.code.operate("*", p, q))
        return self.values.low([low, cross])

    def multiplies_words(self, op: str) -> bool:
        """Whether the machine has instructions for both halves of products; `op` tells which factors have signs."""
        x, y = (Register(self.code.integer, -1 - i, self.code.word, True) for i in range(2))
        return self.code.plans.binary("*", x, x, y).is_direct and has_high_product(self.code, op)

    def multiply_words(self, op: str, a: Expr, b: Expr) -> Words:
        """Multiply two words to a number of two."""
        x, y = self.code.reg(a, self.code.integer), self.code.reg(b, self.code.integer)
        high = _high_product(self.code, x, y, op)
        return self.values.low([self.code.operate("*", x, y), high])

    def shift(self, op: str, a: Words, amount: int) -> Words:
        """Shift by a constant amount below the full width: to the left by 1 by an addition if the machine has carries."""
        if op == "<<" and amount == 1 and (chained := self.chains.operate("+", a, a)) is not None:
            return chained
        words, bits = self.values.low(a), self.bits
        skip, rest = divmod(amount, bits)
        count = len(words)
        if op == "<<":
            result: Words = [Const(0)] * skip
            for i in range(count - skip):
                result.append(self._join(words[i], words[i - 1] if i else None, rest, left=True))
            return self.values.low(result)
        fill: Expr = self.code.operate(">>", words[-1], Const(bits - 1)) if op == ">>" else Const(0)
        result = []
        for i in range(skip, count):
            if i + 1 < count:
                result.append(self._join(words[i], words[i + 1], rest, left=False))
            else:
                result.append(self.code.operate(op, words[i], Const(rest)))
        return self.values.low(result + [fill] * skip)

    def _join(self, word: Expr, other: Expr | None, amount: int, left: bool) -> Expr:
        """Shift `word` by 0 < amount < bits, filling from `other`."""
        if amount == 0:
            return word
        main = self.code.operate("<<" if left else ">>u", word, Const(amount))
        if other is None:
            return main
        part = self.code.operate(">>u" if left else "<<", other, Const(self.bits - amount))
        return self.code.operate("|", main, part)


def high_product(code: Legalizer, x: Expr, y: Expr, extension: str) -> Expr | None:
    """Return the high word of the product of two words, extended by 'sx' or 'zx'; None if the machine cannot compute it.

    From the one with the other extension, it differs by what the sign bits of one operand stand for times the other operand.
    """
    op, other = ("mulh", "mulhu") if extension == "sx" else ("mulhu", "mulh")
    if has_high_product(code, op):
        return _high_product(code, x, y, op)
    if not has_high_product(code, other):
        return None
    return with_other_extension(code, _high_product(code, x, y, other), x, y, extension)


def with_other_extension(code: Legalizer, high: Expr, x: Expr, y: Expr, extension: str) -> Expr:
    """Return the high word of a product of words extended so, given that of the words extended otherwise."""
    for a, b in ((x, y), (y, x)):
        negative = code.operate(">>", a, Const(BITS[code.word] - 1), code.integer)
        part = code.operate("&", negative, b, code.integer)
        high = code.operate("+" if extension == "zx" else "-", high, part, code.integer)
    return high


def has_high_product(code: Legalizer, op: str) -> bool:
    """Whether the machine has an instruction, or an expansion, for the high half of products of words."""
    target, a, b = (Register(code.integer, -1 - i, code.word, True) for i in range(3))
    return code.is_stated(set_(target, binary(op, a, b)))


def _high_product(code: Legalizer, x: Expr, y: Expr, op: str) -> Register:
    high = code.fresh(code.integer)
    code.emit(set_(high, binary(op, code.reg(x, code.integer), code.reg(y, code.integer))))
    return high


# ----------------------------------------------------------------------------------------------------------------------
# Shifts of values of two words by amounts that only the program knows.
#
# The words of x << n are, in terms of the words of x, of 32 bits each:
#
#     high: (high << n) | ((low >>u 1) >>u (n ^ 31))     low: low << n     where n < 32
#     high: low << (n - 32)                              low: 0            elsewhere


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
