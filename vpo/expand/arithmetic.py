"""Operators on values of C types: instructions where the machine has them, else routines of the run-time library."""

from __future__ import annotations

from vpo import il
from vpo.expand.accesses import Accesses
from vpo.expand.cannot_express import CannotExpress
from vpo.expand.constant_division import ConstantDivision
from vpo.expand.operator_names import OPERATORS
from vpo.expand.routines import Routines
from vpo.expand.wide import WideArithmetic
from vpo.expand.wide_shifts import WideShifts
from vpo.expand.words import Values, Words, letter
from vpo.routine_names import MODES, routine_of
from vpo.rtl import Const, Expr, Op, Set


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
            return self.wide.subtract(self.values.split(0, len(words)), words)
        return [self.values.narrow(self.code.convert(operator, self.code.word, words[0]), type_)]

    def _float_unary(self, operator: str, word: Expr, type_: il.Type) -> Expr:
        try:
            result = self.code.convert(operator, word.type, word, self.values.class_of(type_))
        except CannotExpress:
            if operator != "sqrt":
                raise
            return self.routines.call("sqrt", [(type_, [word])], type_)[0]
        return self.accesses.rounded(result, type_) if operator == "sqrt" else result

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
            if op.endswith("u"):
                a, b = values.number(a, type_), b if op == ">>u" else values.number(b, type_)
            result = values.narrow(self.code.operate(op, a, b, values.class_of(type_)), type_)
        return result

    def _operate_narrow(self, op: str, a: Expr, b: Expr, cell: str, extension: str) -> Expr | None:
        """Return a value `a op b` of a type narrower than the word, extended, by an instruction that does just that.

        Returns None if the machine has none.
        """
        code = self.code
        plan = code.plans.narrow(op, a, b, cell, extension)
        if plan is None:
            return None
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
            case "add":
                return self.wide.add(a, b)
            case "sub":
                return self.wide.subtract(a, b)
            case "and" | "or" | "xor":
                return self.wide.bitwise(OPERATORS[operator], a, b)
        if operator == "mul":
            product = self.wide.multiply(a, b)
            if product is not None:
                return product
        unsigned = "" if type_.is_signed or operator == "mul" else "u"
        return self.routines.call(f"__{unsigned}{operator}{MODES[type_.size]}3", [(type_, a), (type_, b)], type_)
