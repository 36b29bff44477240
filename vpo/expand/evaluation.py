"""Expanding expression trees and assignments."""

from __future__ import annotations

from collections.abc import Iterator

from vpo import il
from vpo.algebra import binary, unary
from vpo.algebra.values import to_bytes
from vpo.expand.accesses import Accesses
from vpo.expand.arithmetic import Arithmetic, Casting
from vpo.expand.builder import Builder
from vpo.expand.comparisons import Comparisons, relation_on
from vpo.expand.locals import Locals, Signs
from vpo.expand.words import Values, Words, letter
from vpo.rtl import BITS, FLOAT_TYPES, Const, Expr, Mem, Op, Register, Set, Symbol
from vpo.rtl.function import Data


class Evaluation:
    """Emits the code of trees, every operation with a pseudo-register of its own."""

    def __init__(
        self,
        builder: Builder,
        values: Values,
        accesses: Accesses,
        variables: Locals,
        arithmetic: Arithmetic,
        casting: Casting,
        comparisons: Comparisons,
        signs: Signs,
        contracts: bool = False,
    ) -> None:
        self.builder, self.code, self.values, self.accesses, self.locals = builder, builder.code, values, accesses, variables
        self.arithmetic, self.casting, self.comparisons, self.signs = arithmetic, casting, comparisons, signs
        self.contracts = contracts
        self._constants: dict[tuple[str, str], str] = {}  # the names of floating constants

    def value(self, node: il.Expr) -> Words:
        """Expand a tree; returns its words."""
        match node:
            case il.Const():
                return self._constant(node)
            case il.AddrGlobal(name=name, offset=offset):
                return [Symbol("_" + name, offset)]
            case il.AddrLocal(local=local, offset=offset):
                return [self.code.address_register(self.locals.address(local, offset))]
            case il.Load():
                return self._load(node)
            case il.Unary(operator=operator, type=type_, operand=operand):
                return self.arithmetic.unary(operator, type_, self.value(operand))
            case il.Binary(operator=operator, type=type_, left=left, right=right):
                if operator in ("div", "mod") and self._is_unsigned_division(left, right):
                    type_ = il.Type("U", type_.size)
                if (plain := _by_power(operator, type_, left, right)) is not None:
                    return self.value(plain)
                if type_.is_float and _is_negation(operator, right) and self.arithmetic.negates(type_):
                    return self.arithmetic.unary("neg", type_, self.value(left))
                if self.contracts and (fused := self._contracted(operator, type_, left, right)) is not None:
                    return fused
                if operator == "mul" and (product := self._product_of_words(type_, left, right)) is not None:
                    return product
                return self.arithmetic.binary(operator, type_, self.value(left), self.value(right))
            case il.Compare():
                return [self._compare(node)]
            case il.Convert(operand=operand, type=type_):
                return self.casting.convert(self.value(operand), operand.type, type_)
        raise TypeError(node)

    def _contracted(self, operator: str, type_: il.Type, left: il.Expr, right: il.Expr) -> Words | None:
        """Return a sum or difference with a product, rounded once, if an instruction does that."""
        if not type_.is_float or operator not in ("add", "sub") or not self.arithmetic.fuses(type_):
            return None
        match left, right:
            case il.Binary(operator="mul", left=a, right=b), c:
                (x,), (y,), (z,) = map(self.value, (a, b, c))
                return self.arithmetic.fused(type_, (x, y, z), (2,) if operator == "sub" else ())
            case c, il.Binary(operator="mul", left=a, right=b):
                (z,), (x,), (y,) = map(self.value, (c, a, b))
                return self.arithmetic.fused(type_, (x, y, z), (0,) if operator == "sub" else ())
        return None

    def _product_of_words(self, type_: il.Type, left: il.Expr, right: il.Expr) -> Words | None:
        """Multiply what was extended from words, or a word that is constant, to two words; None if something is otherwise."""
        if self.values.count(type_) != 2 or type_.is_float:
            return None
        first, second = self._word_of(left), self._word_of(right)
        if first is None or second is None or isinstance(first, il.Const):
            return None
        signs = first.type.is_signed, first.type.is_signed if isinstance(second, il.Const) else second.type.is_signed
        op = "mulh" if all(signs) else "mulhsu" if any(signs) else "mulhu"
        if not self.arithmetic.wide.multiplies_words(op):
            return None
        words = [self.casting.convert(self.value(factor), factor.type, self.values.word_type)[0] for factor in (first, second)]
        return self.arithmetic.wide.multiply_words(op, *(words if signs[0] or not signs[1] else words[::-1]))

    def _word_of(self, factor: il.Expr) -> il.Expr | None:
        """Return the tree of one word of which a factor is the extension, of a type that says how; None if it is none."""
        word = self.values.word_size
        match factor:
            case il.Const(value=value) if isinstance(value, int) and 0 <= value < 1 << (8 * word - 1):
                return il.Const(self.values.word_type, value)
            case il.Convert(operand=operand) if not operand.type.is_float and operand.type.kind != "P":
                if operand.type.size == word:
                    return operand
                return il.Convert(self.values.word_type, operand) if operand.type.size < word else None
        return None

    def scalar(self, node: il.Expr) -> Expr:
        """Expand a tree of one word."""
        (word,) = self.value(node)
        return word

    def pointer(self, node: il.Expr) -> Expr:
        """Expand an address as an address expression: register, symbol or slot, plus constant."""
        match node:
            case il.AddrGlobal(name=name, offset=offset):
                return Symbol("_" + name, offset)
            case il.AddrLocal(local=local, offset=offset):
                return self.locals.address(local, offset)
            case il.Binary(operator="add", left=left, right=il.Const(value=value)) if isinstance(value, int):
                return binary("+", self.pointer(left), Const(self.values.wrapped(value)))
        word = self.scalar(node)
        return word if isinstance(word, Const | Symbol) else self.code.reg(word, self.code.address)

    def _is_unsigned_division(self, left: il.Expr, right: il.Expr) -> bool:
        """Whether a division with sign by a constant can be one without, which costs less."""
        constant = isinstance(right, il.Const) and right.type.kind == "I" and right.value > 0
        return constant and not self.values.misheld(il.Type("U", left.type.size)) and self.signs.never_negative(left)

    # --------------------------------------------------------------------------------------------------- constants

    def _constant(self, node: il.Const) -> Words:
        if node.type.is_float:
            return [self._float_constant(float(node.value), node.type)]
        return self.values.integer(int(node.value), node.type)

    def _float_constant(self, value: float, type_: il.Type, is_operand: bool = True) -> Register:
        """Set a register to a floating constant: by an instruction that states its bits, or from the constant pool."""
        cell = letter(type_)
        with self.code.because("constant"):
            stated = self._stated_float(value, cell, is_operand)
        if stated is not None:
            return stated
        key = (cell, value.hex() if value == value else "nan")
        if key not in self._constants:
            self._constants[key] = self._pool(value, type_)
        with self.code.because("constant"):
            return self.accesses.load_float(Mem(cell, Symbol(self._constants[key])), type_)

    def _stated_float(self, value: float, cell: str, is_operand: bool) -> Register | None:
        """Set a register to a constant by one instruction; None if there is none, or an operation can load it."""
        machine = self.builder.machine
        name = machine.values.floating(cell) or machine.values.double
        if not name or (type_ := machine.classes[name].type) not in FLOAT_TYPES:
            return None
        target, whole = Register(name, -1, type_, True), Mem(type_, Symbol("_"))
        if is_operand and machine.is_legal((Set(target, Op("+", type_, target, whole)),)):
            return None
        source = next((each for each in self._stating(value, type_) if machine.is_legal((Set(target, each),))), None)
        if source is None:
            return None
        target = self.code.fresh(name)
        return target if self.code.attempt(Set(target, source)) else None

    def _stating(self, value: float, type_: str) -> Iterator[Expr]:
        """Yield what a floating constant can be made of without memory: its bits, or what is always zero."""
        bits = int.from_bytes(to_bytes(value, type_, True), "big")
        yield Op("bits", type_, Const(bits))
        registers = sorted(self.builder.machine.zero, key=str) if bits == 0 else []
        zeros = [zero for register in registers for zero in (register, unary("tr", "L", register))]
        yield from (Op("bits", type_, zero) for zero in zeros if BITS[zero.type] == BITS[type_])
        yield from (Op("cvt", type_, zero) for zero in zeros)

    def _pool(self, value: float, type_: il.Type) -> str:
        """Put a floating constant beside the function; returns its name."""
        name = f"{self.builder.function.name}.float{len(self._constants)}"
        align = self.builder.machine.model.aligns["float" if type_.size == 4 else "double"]
        item = il.FloatItem(0, type_.size, value)
        self.builder.tables.append(Data(name, type_.size, align, [item], constant=True, static=True))
        return name

    # ------------------------------------------------------------------------------------------------------ memory

    def _load(self, node: il.Load) -> Words:
        local = self.locals.in_registers(node.address)
        if local is not None:
            assert local.type is not None
            return self.casting.convert(self.locals.read(local), local.type, node.type)
        where = self.pointer(node.address)
        with self.code.because("variable"):
            return self.accesses.load(where, node.type, node.volatile, node.effective)

    def assign(self, statement: il.Store) -> None:
        """Expand a store or an assignment to a local."""
        value = statement.value
        local = self.locals.in_registers(statement.address)
        if local is not None:
            assert local.type is not None
            if self.locals.is_loop_step(statement) and isinstance(value, il.Binary) and self.values.count(local.type) == 1:
                (old,), (by,) = self.value(value.left), self.value(value.right)
                self.locals.set(local, [self.code.operate("+" if value.operator == "add" else "-", old, by)])
                return
            self.locals.set(local, self.casting.convert(self._whole(value), value.type, local.type))
            return
        type_ = value.type
        while _only_narrows(value):
            assert isinstance(value, il.Convert)
            value = value.operand
        words = self._whole(value)
        if self.values.count(value.type) > self.values.count(type_):
            words = self.values.low(words)[:1]
        where = self.pointer(statement.address)
        with self.code.because("variable"):
            self.accesses.store(where, words, type_, statement.volatile, statement.effective)

    def _whole(self, value: il.Expr) -> Words:
        """Expand a tree that is no operand of another one."""
        if isinstance(value, il.Const) and value.type.is_float:
            return [self._float_constant(float(value.value), value.type, is_operand=False)]
        return self.value(value)

    def temporary(self, value: il.Expr) -> il.Expr:
        """Evaluate a tree once; returns a tree that reads the result."""
        local = self.locals.temporary(value.type)
        self.locals.set(local, self.value(value))
        return il.Load(value.type, il.AddrLocal(value.type, local))

    # -------------------------------------------------------------------------------------------------- comparison

    def _compare(self, node: il.Compare) -> Expr:
        type_, relation = node.left.type, relation_on(node.relation, node.left.type)
        left = _low_bits_tested(node.relation, node.left, node.right) or node.left
        if self.values.count(type_) > 1:
            return self.comparisons.decided(lambda label: self.branch(node.relation, left, node.right, label))
        a, b = self.scalar(left), self.scalar(node.right)
        folded = binary(relation, a, b) if not type_.is_float else None
        return folded if isinstance(folded, Const) else self.comparisons.truth(relation, a, b)

    def branch(self, relation: str, left: il.Expr, right: il.Expr, label: str) -> None:
        """Branch to a label if a relation between two trees holds; the caller begins the next block."""
        type_ = left.type
        left = _low_bits_tested(relation, left, right) or left
        self.comparisons.branch(relation, type_, self.value(left), self.value(right), label)


def _only_narrows(value: il.Expr) -> bool:
    """Whether a tree is an integer conversion that a store of its type does anyway."""
    if not isinstance(value, il.Convert) or value.type.size > 4:
        return False
    kinds = (value.type.kind, value.operand.type.kind)
    return all(kind in "IU" for kind in kinds) and value.operand.type.size >= value.type.size


def _low_bits_tested(relation: str, left: il.Expr, right: il.Expr) -> il.Expr | None:
    """Return the mask that tells as much when a remainder by a power of two is compared with zero."""
    if relation not in ("eq", "ne") or not isinstance(right, il.Const) or right.value != 0:
        return None
    if not isinstance(left, il.Binary) or left.operator != "mod" or not isinstance(left.right, il.Const):
        return None
    divisor = int(left.right.value)
    if divisor <= 0 or divisor & (divisor - 1):
        return None
    return il.Binary("and", left.type, left.left, il.Const(left.type, divisor - 1))


def _is_negation(operator: str, right: il.Expr) -> bool:
    """Whether an operation on a floating number and a constant is its negation."""
    return operator in ("mul", "div") and isinstance(right, il.Const) and right.value == -1


def _by_power(operator: str, type_: il.Type, left: il.Expr, right: il.Expr) -> il.Expr | None:
    """Return a quotient or remainder by a power of 2 that varies as a shift or a mask."""
    match right:
        case il.Binary(operator="shl", type=power, left=il.Const(value=1), right=by) if type_.kind == "U" and power == type_:
            if operator == "div":
                return il.Binary("shr", type_, left, by)
            if operator == "mod":
                return il.Binary("and", type_, left, il.Binary("sub", type_, right, il.Const(type_, 1)))
    return None
