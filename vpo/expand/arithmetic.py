"""Operators on values of C types and conversions between these; aggregates that travel in registers."""

from __future__ import annotations

from typing import NamedTuple

from vpo import il
from vpo.algebra import binary, on_part, unary, wrap
from vpo.base.errors import CannotExpress
from vpo.expand.accesses import Accesses
from vpo.expand.argument_passing import Place
from vpo.expand.builder import Builder
from vpo.expand.locals import Locals
from vpo.expand.routines import Routines
from vpo.expand.wide import WideArithmetic, WideShifts, high_product
from vpo.expand.words import OPERATORS, Values, Words, letter
from vpo.il.routine_names import MODES, routine_of
from vpo.lower.legalize import Legalizer
from vpo.machines.machine import Machine
from vpo.rtl import COUNTS, Const, Expr, Mem, Op, Register, Set, Symbol
from vpo.rtl.function import Function

# ----------------------------------------------------------------------------------------------------------------------
# Converting values between C types.


class Casting:
    """Emits conversions."""

    def __init__(self, values: Values, accesses: Accesses, wide: WideArithmetic, routines: Routines) -> None:
        self.code, self.values, self.accesses, self.wide, self.routines = values.code, values, accesses, wide, routines

    def convert(self, words: Words, source: il.Type, target: il.Type) -> Words:
        """Convert a value between types."""
        if source == target:
            return words
        if source.is_float and target.is_float:
            return [self._float_to_float(words[0], target)]
        if source.is_float:
            return self._float_to_integer(words[0], source, target)
        if target.is_float:
            return [self._integer_to_float(words, source, target)]
        if source.size < target.size and self.values.misheld(source):
            words, source = [self.values.number(words[0], source)], il.Type("U", self.values.word_size)
        if self.values.count(target) == 1:
            return [self._to_word(self.values.low(words)[0], source, target)]
        return self._to_words(words, source, target)

    def _to_word(self, word: Expr, source: il.Type, target: il.Type) -> Expr:
        """Convert the low word of an integer or address to a type of one word."""
        values = self.values
        if target.kind == "P" or source.kind == "P":
            return self._between_classes(word, target)
        if source.size <= target.size < values.word_size and values.extension(target) == values.extension(source):
            return word
        if source.size < target.size and (target.size == values.word_size or values.extension(source) == "zx"):
            return word
        return values.narrow(word, target)

    def _to_words(self, words: Words, source: il.Type, target: il.Type) -> Words:
        """Convert an integer to a type of several words."""
        values = self.values
        have, want = values.count(source), values.count(target)
        if have == 1:
            return self.wide.extend(values.in_integer(words[0]), source.is_signed, want)
        low = values.low(words)
        if want <= have:
            return values.low(low[:want])
        filler = self.code.operate(">>", low[-1], Const(values.bits - 1)) if source.is_signed else Const(0)
        return values.low(low + [filler] * (want - have))

    def _between_classes(self, word: Expr, target: il.Type) -> Expr:
        if isinstance(word, Const | Symbol) and target.size >= self.values.word_size:
            return word
        if target.kind == "P":
            return self.code.reg(word, self.code.address)
        return self.values.narrow(self.values.in_integer(word), target)

    def _float_to_float(self, word: Expr, target: il.Type) -> Expr:
        if target.size == 8 and word.type == "D":
            return word
        if target.size == 4 and word.type == "D" and self.values.class_of(target) == self.values.class_of(il.F8):
            return self.accesses.rounded(word, target)
        return self.code.convert("cvt", letter(target), word, self.values.class_of(target))

    def _float_to_integer(self, word: Expr, source: il.Type, target: il.Type) -> Words:
        values = self.values
        signed = target.is_signed or target.size < values.word_size
        if target.size < values.word_size:
            cell = unary("cvt" if target.is_signed else "cvtu", letter(target), word)
            for extension in dict.fromkeys((values.extension(target), "zx", "sx")):
                narrow = self.code.attempt_value(unary(extension, self.code.word, cell))
                if narrow is not None:
                    return [narrow if extension == values.extension(target) else values.narrow(narrow, target)]
        if values.count(target) == 1:
            try:
                result = self.code.convert("cvt" if signed else "cvtu", self.code.word, word)
                return [values.narrow(result, target)]
            except CannotExpress:
                pass
        wide = il.Type("I" if signed else "U", max(target.size, values.word_size))
        name = f"__fix{'' if signed else 'uns'}{'sf' if source.size == 4 else 'df'}{MODES[wide.size]}"
        return self.convert(self.routines.call(name, [(source, [word])], wide), wide, target)

    def _integer_to_float(self, words: Words, source: il.Type, target: il.Type) -> Expr:
        values = self.values
        signed = source.is_signed or source.size < values.word_size
        if values.count(source) == 1:
            word = self.code.reg(values.in_integer(values.number(words[0], source)), self.code.integer)
            held = "D" if values.class_of(target) == self.code.machine.values.double else letter(target)
            try:
                result = self.code.convert("cvt" if signed else "cvtu", held, word, values.class_of(target))
                return self.accesses.rounded(result, target)
            except CannotExpress:
                pass
        wide = il.Type("I" if signed else "U", max(source.size, values.word_size))
        name = f"__float{'' if signed else 'un'}{MODES[wide.size]}{'sf' if target.size == 4 else 'df'}"
        return self.routines.call(name, [(wide, self.convert(words, source, wide))], target)[0]


# ----------------------------------------------------------------------------------------------------------------------
# Aggregates that travel in registers: loading their words, and putting them together again.


class Aggregates:
    """Emits moves of aggregates between memory and words."""

    def __init__(self, builder: Builder, values: Values, accesses: Accesses, variables: Locals, routines: Routines) -> None:
        self.builder, self.code, self.values = builder, builder.code, values
        self.accesses, self.locals, self.routines = accesses, variables, routines

    def load(self, address: Expr, align: int, place: Place) -> Words:
        """Load what travels in the registers of a place; a short word goes through an aligned copy."""
        if place.members:
            return [self.accesses.load(binary("+", address, Const(at)), type_)[0] for at, type_ in place.members]
        count, word_size = len(place.registers), self.values.word_size
        align = self.builder.alignment(address, place.size, align)
        if place.size % word_size or self.builder.machine.model.access_size(align) < word_size:
            copy = self.builder.scratch_slot(count * word_size, word_size)
            self.routines.copy(binary("+", copy, Const(place.lead)), address, place.size, align)
            address = copy
        words: Words = []
        for i in range(count):
            target = self.code.fresh(self.code.integer)
            self.code.load(target, Mem(self.code.word, binary("+", address, Const(i * word_size))))
            words.append(target)
        return words

    def store(self, address: Expr, words: Words, place: Place) -> None:
        """Store what came in the registers of a place to an aggregate, a short word through an aligned copy."""
        if place.members:
            for word, (at, type_) in zip(words, place.members, strict=True):
                self.accesses.store(binary("+", address, Const(at)), [word], type_)
            return
        word_size, where = self.values.word_size, address
        if place.size % word_size:
            where = self.builder.scratch_slot(len(words) * word_size, word_size)
        for i, word in enumerate(words):
            self.code.store(Mem(self.code.word, binary("+", where, Const(i * word_size))), word)
        if where is not address:
            self.routines.copy(address, binary("+", where, Const(place.lead)), place.size, 1)

    def aligned(self, aggregate: il.Local) -> Expr:
        """Return the address of an aggregate in the frame, which can be stored to in words from now on."""
        slot = self.locals.slot(aggregate)
        slot.align = max(slot.align, self.values.word_size)
        return self.locals.address(aggregate)


# ----------------------------------------------------------------------------------------------------------------------
# Division by constants: by shifts or by a multiplication where that costs less than to divide.
#
#     x/10   =   (high half of x*1717986919 >> 2) - (x>>31)           for 32 bits with sign
#     x/8    =   x + (x>>31 >>u 29) >> 3
#     x%10   =   x - x/10*10
#
# Granlund and Montgomery, "Division by Invariant Integers using Multiplication" (1994); Warren, "Hacker's Delight", chapter
# 10.


ROUTINE_CYCLES = 4  # for each bit of a word, of a routine that divides
GAIN = 2  # how many times cheaper it must be: dividing is one instruction, and others may be executed meanwhile


class Magic(NamedTuple):
    """The quotient is the dividend times `multiplier`, shifted right by the width of the dividend and by `shift`."""

    multiplier: int
    shift: int


def magic(divisor: int, width: int, magnitude: int) -> Magic:
    """Return the smallest multiplier that divides numbers of `magnitude` bits, in words of `width` bits, rounding down."""
    for shift in range(width + 1):
        power = 1 << (width + shift)
        multiplier = -(-power // divisor)
        if (multiplier * divisor - power) << magnitude <= power:
            break
    return Magic(multiplier, shift)


class ConstantDivision:
    """Emits divisions by constants."""

    def __init__(self, values: Values) -> None:
        self.values, self.code = values, values.code
        self.bits = values.bits

    def divide(self, op: str, a: Expr, divisor: int, type_: il.Type) -> Expr | None:
        """Return a value `a op divisor` of a type of one word, without dividing; None if that would not cost less."""
        found, key = self.code.plans.found, ("division", op, divisor, type_)
        if key not in found:
            found[key] = divisor != 0 and _saves(self.code.machine, op, divisor, type_)
        return self.multiplied(op, a, divisor, type_) if found[key] else None

    def multiplied(self, op: str, a: Expr, divisor: int, type_: il.Type) -> Expr:
        """Emit a division, or a remainder, by other operations.

        Raises CannotExpress if the machine lacks one of them.
        """
        width = 8 * type_.size
        x = self.values.number(self.values.in_integer(a), type_)
        if op in ("/", "%"):
            result = self._signed(op, x, wrap(divisor, width), width)
        else:
            result = self._unsigned(op, x, divisor & ((1 << width) - 1), width)
        return self.values.narrow(result, type_)

    # ------------------------------------------------------------------------------------------------------ signed

    def _signed(self, op: str, x: Expr, divisor: int, width: int) -> Expr:
        size = abs(divisor)
        if size == 1:
            return Const(0) if op == "%" else self._word("-", Const(0), x) if divisor < 0 else x
        power = size.bit_length() - 1
        if size == 1 << power:
            bias = self._word(">>u", self._sign(x) if power > 1 else x, Const(self.bits - power))
            biased = self._word("+", x, bias)
            if op == "%":
                return self._word("-", self._word("&", biased, Const(size - 1)), bias)
            quotient = self._word(">>", biased, Const(power))
            return quotient if divisor > 0 else self._word("-", Const(0), quotient)
        rounded = self._rounded_down(x, magic(size, width, width - 1), width)
        if op == "%":
            return self._rest(x, self._word("-", rounded, self._sign(x)), size)
        return self._word("-", rounded, self._sign(x)) if divisor > 0 else self._word("-", self._sign(x), rounded)

    def _sign(self, x: Expr) -> Expr:
        """Return -1 if a number is negative, else 0."""
        return self._word(">>", x, Const(self.bits - 1))

    def _rounded_down(self, x: Expr, by: Magic, width: int) -> Expr:
        """Return a quotient that is rounded down: one less than that of a negative number."""
        if 2 * width <= self.bits:
            return self._word(">>", self._word("*", x, Const(by.multiplier)), Const(width + by.shift))
        factor = Const(wrap(by.multiplier, width))
        signed = self._high(x, factor, "sx")
        high = self._word("+", signed, x) if factor.value < 0 else signed
        return self._word(">>", high, Const(by.shift))

    # ---------------------------------------------------------------------------------------------------- unsigned

    def _unsigned(self, op: str, x: Expr, divisor: int, width: int) -> Expr:
        power = (divisor & -divisor).bit_length() - 1
        if divisor == 1 << power:
            return self._word("&", x, Const(divisor - 1)) if op == "%u" else self._word(">>u", x, Const(power))
        quotient = self._unsigned_quotient(x, divisor, power, width)
        return self._rest(x, quotient, divisor) if op == "%u" else quotient

    def _unsigned_quotient(self, x: Expr, divisor: int, power: int, width: int) -> Expr:
        by = magic(divisor, width, width)
        if by.multiplier >> width and power:  # too big for a word: divide by the power of two first
            x, by = self._word(">>u", x, Const(power)), magic(divisor >> power, width, width - power)
        if not by.multiplier >> width:
            return self._high_part(x, by.multiplier, width, by.shift)
        high = self._high_part(x, by.multiplier - (1 << width), width, 0)
        half = self._word(">>u", self._word("-", x, high), Const(1))
        return self._word(">>u", self._word("+", half, high), Const(by.shift - 1))

    def _high_part(self, x: Expr, multiplier: int, width: int, shift: int) -> Expr:
        """Return what is left of an unsigned product when its lowest bits, as many as a number has and `shift`, are gone."""
        if 2 * width <= self.bits:
            return self._word(">>u", self._word("*", x, Const(multiplier)), Const(width + shift))
        high = self._high(x, Const(wrap(multiplier, width)), "zx")
        return self._word(">>u", high, Const(shift))

    # -------------------------------------------------------------------------------------------------- operations

    def _rest(self, x: Expr, quotient: Expr, divisor: int) -> Expr:
        return self._word("-", x, self._word("*", quotient, Const(self.values.wrapped(divisor))))

    def _word(self, op: str, a: Expr, b: Expr) -> Expr:
        return self.code.operate(op, a, b, self.code.integer)

    def _high(self, x: Expr, y: Expr, extension: str) -> Expr:
        """Return the high half of a product."""
        high = high_product(self.code, x, y, extension)
        if high is None:
            raise CannotExpress("the high half of a product", self.code.line)
        return high


def _saves(machine: Machine, op: str, divisor: int, type_: il.Type) -> bool:
    """Whether a division by a constant costs so much less if it is none that more instructions are worth it."""
    usual = _cycles(machine, op, divisor, type_, divide=True)
    instead = _cycles(machine, op, divisor, type_, divide=False)
    if usual is None:
        usual = ROUTINE_CYCLES * 8 * type_.size
    return instead is not None and GAIN * instead < usual


def _cycles(machine: Machine, op: str, divisor: int, type_: il.Type, divide: bool) -> int | None:
    """Return the latencies of the instructions of a division; None if the machine cannot do it so."""
    code = Legalizer(machine, Function("_trial", "", 0, True, "pseudo", [], labels=1))
    x = code.fresh(code.integer)
    try:
        if divide:
            code.operate(op, x, Const(divisor), code.integer)
        else:
            ConstantDivision(Values(code)).multiplied(op, x, divisor, type_)
    except CannotExpress:
        return None
    return sum(machine.latency(rtl.effects) for rtl in code.out)


# ----------------------------------------------------------------------------------------------------------------------


class Arithmetic:
    """Emits the operators."""

    def __init__(
        self, values: Values, accesses: Accesses, wide: WideArithmetic, wide_shifts: WideShifts, routines: Routines
    ) -> None:
        self.code, self.values, self.accesses, self.routines = values.code, values, accesses, routines
        self.wide, self.wide_shifts = wide, wide_shifts
        self.division = ConstantDivision(values)

    # ------------------------------------------------------------------------------------------------ one operand

    def unary(self, operator: str, type_: il.Type, words: Words) -> Words:
        """Return the value of an operator with one operand."""
        if type_.is_float:
            return [self._float_unary(operator, words[0], type_)]
        if self.values.count(type_) > 1:
            if operator == "not":
                return self.wide.complement(words)
            return self.wide.add("-", self.values.split(0, len(words)), words)
        if operator in il.BIT_OPERATORS and type_.size < self.values.word_size:
            return [self._on_part(operator, type_, self.code.reg(words[0], self.code.integer))]
        return [self.values.narrow(self.code.convert(operator, self.code.word, words[0]), type_)]

    def _on_part(self, operator: str, type_: il.Type, register: Expr) -> Expr:
        """Count or reverse bits of a part of a word, by the instruction that does just that; or reverse all of the word."""
        for value in on_part(operator, letter(type_), register):
            result = self.code.attempt_value(value) or self.code.attempt_in_place(value, register)
            if result is not None:
                fits = operator in COUNTS or (isinstance(value, Op) and value.op == self.values.extension(type_))
                return result if fits else self.values.narrow(result, type_)
        whole = self.code.convert(operator, self.code.word, register)
        shift = ">>" if self.values.extension(type_) == "sx" else ">>u"
        return self.code.operate(shift, whole, Const(self.values.bits - 8 * type_.size))

    def _float_unary(self, operator: str, word: Expr, type_: il.Type) -> Expr:
        try:
            result = self.code.convert(operator, word.type, word, self.values.class_of(type_))
        except CannotExpress:
            if operator != "sqrt":
                raise
            return self.routines.call("sqrt", [(type_, [word])], type_)[0]
        return self.accesses.rounded(result, type_) if operator == "sqrt" else result

    # --------------------------------------------------------------------------------------------- three operands

    def _own_class(self, type_: il.Type) -> str:
        """Return the class of registers of just a floating type; '' if values of it are in others."""
        name = self.code.machine.values.floating(letter(type_))
        return name if name and self.code.machine.classes[name].type == letter(type_) else ""

    def fuses(self, type_: il.Type) -> bool:
        """Whether an instruction adds to a product of a floating type and rounds once."""
        name = self._own_class(type_)
        if not name:
            return False
        target, *operands = (Register(name, -1 - place, letter(type_), True) for place in range(4))
        if self.code.is_stated(Set(target, Op("fma", target.type, *operands))):
            return True
        in_place = ([target if each is operand else each for each in operands] for operand in operands)
        return any(self.code.is_stated(Set(target, Op("fma", target.type, *parts))) for parts in in_place)

    def negates(self, type_: il.Type) -> bool:
        """Whether one instruction negates a floating type."""
        kind, name = letter(type_), self._own_class(type_)
        if not name:
            return False
        target, operand = (Register(name, -1 - place, kind, True) for place in range(2))
        return any(self.code.machine.is_legal((Set(target, unary("neg", kind, each)),)) for each in (operand, target))

    def fused(self, type_: il.Type, operands: tuple[Expr, ...], negated: tuple[int, ...] = ()) -> Words:
        """Return a product plus a third operand, rounded once; operands in some places are negated before."""
        kind, name = letter(type_), self.values.class_of(type_)
        registers = [self.code.reg(operand, name) for operand in operands]
        parts = [unary("neg", kind, x) if place in negated else x for place, x in enumerate(registers)]
        whole = Op("fma", kind, *parts)
        result = self.code.attempt_value(whole)
        for register in registers:
            result = result or self.code.attempt_in_place(whole, register)
        if result is None:
            result = self.code.fresh(name)
            self.code.emit(Set(result, whole))
        return [result]

    # ----------------------------------------------------------------------------------------------- two operands

    def binary(self, operator: str, type_: il.Type, a: Words, b: Words) -> Words:
        """Return the value of an operator with two operands."""
        op = OPERATORS[operator]
        if type_.is_float:
            result = self.code.operate(op, a[0], b[0], self.values.class_of(type_))
            return [self.accesses.rounded(result, type_)]
        if operator in ("shl", "shr"):
            return self._shift(op if operator == "shl" or type_.is_signed else ">>u", type_, a, b)
        if self.values.count(type_) > 1:
            return self._wide(operator, type_, a, b)
        if operator in ("div", "mod") and not type_.is_signed:
            op += "u"
        if operator in ("mul", "div", "mod"):
            return [self._multiplicative(op, a[0], b[0], type_)]
        return [self._operate(op, a[0], b[0], type_)]

    def _operate(self, op: str, a: Expr, b: Expr, type_: il.Type) -> Expr:
        """Operate on one word; on a narrower type by one instruction if there is one, else on words, narrowing the result."""
        values = self.values
        if type_.size >= values.word_size or op in ("&", "|", "^"):
            return self.code.operate(op, a, b, values.class_of(type_))
        result = self._operate_narrow(op, a, b, letter(type_), values.extension(type_))
        if result is None:
            result = self._extended_otherwise(op, a, b, type_)
        if result is None:
            if op.endswith("u"):
                a, b = values.number(a, type_), b if op == ">>u" else values.number(b, type_)
            result = values.narrow(self.code.operate(op, a, b, values.class_of(type_)), type_)
        return result

    def _extended_otherwise(self, op: str, a: Expr, b: Expr, type_: il.Type) -> Expr | None:
        """Return a quotient, remainder or shifted value by an instruction that extends it otherwise, and an extension.

        Phases leave out the extension where nobody wants the higher bits; those of the operands are not looked at.
        """
        if op in ("+", "-", "*"):
            return None
        other = "zx" if self.values.extension(type_) == "sx" else "sx"
        result = self._operate_narrow(op, a, b, letter(type_), other)
        if result is not None:
            return self.values.narrow(result, type_)
        quotient = op.replace("%", "/")
        if quotient == op or not any(self.code.plans.narrow(quotient, a, b, letter(type_), way) for way in ("sx", "zx")):
            return None
        product = self._operate("*", self._operate(quotient, a, b, type_), b, type_)
        return self._operate("-", a, product, type_)

    def _operate_narrow(self, op: str, a: Expr, b: Expr, cell: str, extension: str) -> Expr | None:
        """Return a value `a op b` of a type narrower than the word, extended, by an instruction that does just that.

        Returns None if the machine has none.
        """
        code = self.code
        plan = code.plans.narrow(op, a, b, cell, extension)
        if plan is None:
            return None
        if plan.expands:
            result = code.fresh(code.integer)
            value = code.plans.narrow_of_registers(op, code.reg(a), code.reg(b), cell, extension)
            return result if code.expand(Set(result, value)) else None
        if plan.two_address:
            result = a = code.copy(a, code.integer)
        else:
            result = code.fresh(code.integer)
            a = code.reg(a) if plan.force_a else a
        node = code.plans.narrow_value(op, a, code.reg(b) if plan.force_b else b, cell, extension, result)
        if isinstance(node, Op):
            code.append((Set(result, node),))
            return result
        return node

    def _multiplicative(self, op: str, a: Expr, b: Expr, type_: il.Type) -> Expr:
        """Multiply or divide one word: shifts for powers of two, an instruction, or a run-time routine."""
        if isinstance(a, Const) and op == "*":
            a, b = b, a
        if isinstance(b, Const) and b.value > 0 and b.value & (b.value - 1) == 0:
            power = b.value.bit_length() - 1
            if op == "*":
                return self._operate("<<", a, Const(power), type_)
            if op == "/u":
                return self._operate(">>u", a, Const(power), type_)
            if op == "%u":
                return self.code.operate("&", a, Const(b.value - 1))
        if isinstance(b, Const) and op != "*":
            instead = self.division.divide(op, a, b.value, type_)
            if instead is not None:
                return instead
        try:
            return self._operate(op, a, b, type_)
        except CannotExpress:
            return self._multiplied_by_routine(op, a, b, type_)

    def _multiplied_by_routine(self, op: str, a: Expr, b: Expr, type_: il.Type) -> Expr:
        values = self.values
        if op.endswith("u"):
            a, b = values.number(a, type_), values.number(b, type_)
        kind = il.Type("U" if op.endswith("u") else "I", values.word_size)
        name = routine_of(op, values.word_size)
        return values.narrow(self.routines.call(name, [(kind, [a]), (kind, [b])], kind)[0], type_)

    def _shift(self, op: str, type_: il.Type, a: Words, amounts: Words) -> Words:
        amount = self.values.low(amounts)[0]
        if self.values.count(type_) == 1:
            return [self._operate(op, a[0], amount, type_)]
        if isinstance(amount, Const):
            return self.wide.shift(op, a, amount.value & (8 * type_.size - 1))
        result = self.wide_shifts.shift(op, a, amount)
        if result is not None:
            return result
        name = {"<<": "__ashl", ">>": "__ashr", ">>u": "__lshr"}[op] + f"{MODES[type_.size]}3"
        count = il.Type("I", self.code.machine.model.sizes["int"])
        return self.routines.call(name, [(type_, a), (count, [amount])], type_)

    def _wide(self, operator: str, type_: il.Type, a: Words, b: Words) -> Words:
        match operator:
            case "add" | "sub":
                return self.wide.add(OPERATORS[operator], a, b)
            case "and" | "or" | "xor":
                return self.wide.bitwise(OPERATORS[operator], a, b)
        if operator == "mul":
            product = self.wide.multiply(a, b)
            if product is not None:
                return product
        unsigned = "" if type_.is_signed or operator == "mul" else "u"
        return self.routines.call(f"__{unsigned}{operator}{MODES[type_.size]}3", [(type_, a), (type_, b)], type_)
