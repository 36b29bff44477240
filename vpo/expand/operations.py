"""Expanding expression trees and assignments: part of the code expander.

A value is a list of words in memory order: one register or constant for scalars up to the word, floating values and
addresses, several for wider integers.  Integers narrower than a word are kept extended by their signedness, except those
of the type that the description keeps sign-extended whether they are signed or not (`sign_extended` among its `values`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from vpo import il
from vpo.algebra import binary, unary, wrap
from vpo.expand.legalize import CannotExpress, Legalizer
from vpo.expand.wide import WideArithmetic, Words
from vpo.function import Data, FrameSlot, Function
from vpo.rtl import BITS, Const, Expr, Mem, Op, Register, Slot, Symbol

if TYPE_CHECKING:
    from vpo.machines.machine import Machine

OPERATORS = {"add": "+", "sub": "-", "mul": "*", "div": "/", "mod": "%", "and": "&", "or": "|", "xor": "^",
             "shl": "<<", "shr": ">>"}  # fmt: skip
RELATIONS = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}
REVERSE = {"eq": "ne", "ne": "eq", "lt": "ge", "ge": "lt", "gt": "le", "le": "gt"}
INTEGER_LETTER = {1: "B", 2: "W", 4: "L", 8: "Q"}


def letter(type_: il.Type) -> str:
    """Return the type letter of an IL type."""
    if type_.is_float:
        return "F" if type_.size == 4 else "D"
    return INTEGER_LETTER[type_.size]


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


class Branching(WideArithmetic):
    """Wide arithmetic that may branch to find a truth value."""

    def __init__(self, expander: Expressions) -> None:
        super().__init__(expander.code)
        self.expander = expander

    def truth(self, relation: str, a: Expr, b: Expr) -> Expr:
        """Return 0 or 1."""
        return self.expander.truth(relation, a, b)


class Expressions:
    """Expansion of expressions; the Expander supplies the attributes and control."""

    machine: Machine
    function: Function
    source: il.Function
    code: Legalizer
    homes: dict[int, list[Register]]
    tables: list[Data]

    def __init__(self) -> None:
        self.slots: dict[int, str] = {}
        self.bits = BITS[self.code.word]
        self.word_size = self.bits // 8
        self.wide = Branching(self)
        self.constants: dict[tuple[str, str], str] = {}

    def start_block(self, label: str) -> None:
        """Begin a block (the Expander's)."""
        raise NotImplementedError

    def call_routine(self, name: str, arguments: list[tuple[il.Type, Words]], result: il.Type) -> Words:
        """Call a run-time routine (the call expansion's)."""
        raise NotImplementedError

    # --------------------------------------------------------------------------------------------------- values

    def count(self, type_: il.Type) -> int:
        """Return how many words hold a type."""
        if type_.is_float:
            return 1
        return max(1, -(-type_.size // self.word_size))

    def class_of(self, type_: il.Type) -> str:
        """Return the register class for one word of a type."""
        if type_.is_float:
            values = self.machine.values
            if type_.size == 4 and not values.single and values.double:
                return values.double
            return self.code.class_for(letter(type_))
        return self.code.address if type_.kind == "P" else self.code.integer

    def fresh_words(self, type_: il.Type) -> list[Register]:
        """Hand out pseudo-registers for a value of a type."""
        return [self.code.fresh(self.class_of(type_)) for _ in range(self.count(type_))]

    def wrapped(self, value: int) -> int:
        """Bring a number into the signed range of a word."""
        return wrap(value, self.bits)

    def extension(self, type_: il.Type) -> str:
        """Return how a word holds an integer type narrower than it: 'sx' or 'zx'."""
        return "sx" if type_.is_signed or letter(type_) == self.machine.values.sign_extended else "zx"

    def misheld(self, type_: il.Type) -> bool:
        """Whether words hold an unsigned type sign-extended, so that they are not its numbers."""
        narrow = not type_.is_float and type_.size < self.word_size
        return narrow and not type_.is_signed and self.extension(type_) == "sx"

    def number(self, word: Expr, type_: il.Type) -> Expr:
        """Return a word that is the number which a word of an integer type stands for."""
        return self.extended("zx", word, type_) if self.misheld(type_) else word

    def value(self, node: il.Expr) -> Words:
        """Expand a tree; returns its words."""
        match node:
            case il.Const():
                return self._constant(node)
            case il.AddrGlobal() | il.AddrLocal():
                return [self._address_of(node)]
            case il.Load():
                return self._load(node)
            case il.Unary():
                return self._unary(node)
            case il.Binary():
                return self._binary(node)
            case il.Compare():
                return [self._compare(node)]
            case il.Convert():
                return self.convert(self.value(node.operand), node.operand.type, node.type)
        raise TypeError(node)

    def scalar(self, node: il.Expr) -> Expr:
        """Expand a tree of one word."""
        (word,) = self.value(node)
        return word

    def pointer(self, node: il.Expr) -> Expr:
        """Expand an address as an address expression: register, symbol or slot, plus constant."""
        match node:
            case il.AddrGlobal(name=name, offset=offset):
                return Symbol("_" + name, offset)
            case il.AddrLocal():
                return self._local_address(node)
            case il.Binary(operator="add", left=left, right=il.Const(value=value)) if isinstance(value, int):
                return binary("+", self.pointer(left), Const(self.wrapped(value)))
        word = self.scalar(node)
        return word if isinstance(word, Const | Symbol) else self.code.reg(word, self.code.address)

    def _local_address(self, node: il.AddrLocal) -> Expr:
        name = self.slots[id(node.local)]
        return binary("+", self.machine.stack_pointer, Slot(name, node.offset))

    def _address_of(self, node: il.AddrGlobal | il.AddrLocal) -> Expr:
        if isinstance(node, il.AddrGlobal):
            return Symbol("_" + node.name, node.offset)
        return self.code.address_register(self._local_address(node))

    def _constant(self, node: il.Const) -> Words:
        if node.type.is_float:
            return [self._float_constant(letter(node.type), float(node.value), node.type)]
        number = int(node.value)
        if not node.type.is_signed:
            number &= (1 << (8 * node.type.size)) - 1
        if self.count(node.type) == 1:
            return [Const(wrap(number, 8 * node.type.size) if self.misheld(node.type) else self.wrapped(number))]
        return self.wide.constant(number, self.count(node.type))

    def _float_constant(self, type_: str, value: float, of: il.Type) -> Register:
        """Load a floating constant from the constant pool."""
        key = (type_, value.hex() if value == value else "nan")
        name = self.constants.get(key)
        if name is None:
            name = f"{self.function.name}.float{len(self.constants)}"
            self.constants[key] = name
            item = il.FloatItem(0, of.size, value)
            align = self.machine.model.aligns["float" if of.size == 4 else "double"]
            self.tables.append(Data(name, of.size, align, [item], constant=True, static=True))
        saved, self.code.cause = self.code.cause, "constant"
        target = self.code.fresh(self.class_of(of))
        self._load_float(target, Mem(type_, Symbol(name)))
        self.code.cause = saved
        return target

    # ---------------------------------------------------------------------------------------------------- memory

    def _load(self, node: il.Load) -> Words:
        address = node.address
        if isinstance(address, il.AddrLocal) and id(address.local) in self.homes:
            type_ = address.local.type
            assert type_ is not None
            words: Words = [self.code.copy(home) for home in self.homes[id(address.local)]]
            return words if type_ == node.type else self.convert(words, type_, node.type)
        saved = self.code.cause
        where = self.pointer(address)
        self.code.cause = "variable"
        try:
            return self.load_words(where, node.type, node.volatile)
        finally:
            self.code.cause = saved

    def load_words(self, address: Expr, type_: il.Type, volatile: bool = False) -> Words:
        """Load a value of a type from an address expression."""
        cell = letter(type_)
        if type_.is_float:
            target = self.code.fresh(self.class_of(type_))
            self._load_float(target, Mem(cell, address, volatile))
            return [target]
        if type_.size < self.word_size:
            return [self.code.load_extended(self.extension(type_), Mem(cell, address, volatile), self.code.integer)]
        count = self.count(type_)
        if count > 1 and isinstance(address, Op):
            address = self._steady(address)
        result: Words = []
        for i in range(count):
            target = self.code.fresh(self.class_of(type_))
            self.code.load(target, Mem(self.code.word, binary("+", address, Const(i * self.word_size)), volatile))
            result.append(target)
        return result

    def _steady(self, address: Expr) -> Expr:
        """Return an address expression that stays legal when a few bytes are added."""
        return address

    def _load_float(self, target: Register, cell: Mem) -> None:
        if cell.type == "F" and target.type == "D":
            self.code.emit_convert_load(target, cell)
        else:
            self.code.load(target, cell)

    def store_words(self, address: Expr, words: Words, type_: il.Type, volatile: bool = False) -> None:
        """Store a value of a type at an address expression."""
        cell = letter(type_)
        if type_.is_float:
            value = words[0]
            if cell == "F" and value.type == "D":
                value = unary("cvt", "F", value)
            self.code.store(Mem(cell, address, volatile), value)
        elif self.count(type_) == 1:
            self.code.store(Mem(cell, address, volatile), words[0])
        else:
            for i, word in enumerate(words):
                where = binary("+", address, Const(i * self.word_size))
                self.code.store(Mem(self.code.word, where, volatile), word)

    def assign(self, statement: il.Store) -> None:
        """Expand a store or an assignment to a local."""
        address, value = statement.address, statement.value
        if isinstance(address, il.AddrLocal) and id(address.local) in self.homes:
            local = address.local
            assert local.type is not None
            words = self.value(value)
            if value.type != local.type:
                words = self.convert(words, value.type, local.type)
            self.set_home(local, words)
            return
        type_ = value.type
        while _only_narrows(value):
            assert isinstance(value, il.Convert)
            value = value.operand
        words = self.value(value)
        if self.count(value.type) > self.count(type_):
            words = self.wide.low(words)[:1]
        where = self.pointer(address)
        saved, self.code.cause = self.code.cause, "variable"
        self.store_words(where, words, type_, statement.volatile)
        self.code.cause = saved

    def set_home(self, local: il.Local, words: Words) -> None:
        """Move words into the registers of a local."""
        homes = self.homes[id(local)]
        if len(homes) > 1:
            words = [self.code.copy(w) if isinstance(w, Register) and w in homes else w for w in words]
        for home, word in zip(homes, words, strict=True):
            self.code.move(home, word)

    def store_local(self, local: il.Local, words: Words) -> None:
        """Store words in a scalar local, wherever it lives."""
        assert local.type is not None
        if id(local) in self.homes:
            self.set_home(local, words)
        else:
            address = binary("+", self.machine.stack_pointer, Slot(self.slots[id(local)]))
            saved, self.code.cause = self.code.cause, "variable"
            self.store_words(address, words, local.type)
            self.code.cause = saved

    def temporary(self, value: il.Expr) -> il.Expr:
        """Evaluate a tree once; returns a tree that reads the result."""
        local = il.Local("switch", value.type, value.type.size, value.type.size)
        self.homes[id(local)] = self.fresh_words(value.type)
        self.kept = [*getattr(self, "kept", []), local]  # identity must outlive the expansion
        self.set_home(local, self.value(value))
        return il.Load(value.type, il.AddrLocal(value.type, local))

    def scratch_slot(self, size: int, align: int) -> Expr:
        """Return the address of a new frame slot."""
        name = f".temp.{len(self.function.slots)}"
        self.function.slots[name] = FrameSlot(name, "local", size, align)
        return binary("+", self.machine.stack_pointer, Slot(name))

    # ------------------------------------------------------------------------------------------------- operators

    def _unary(self, node: il.Unary) -> Words:
        words = self.value(node.operand)
        type_ = node.type
        if type_.is_float:
            return [self._float_unary(node.operator, words[0], type_)]
        if self.count(type_) > 1:
            if node.operator == "not":
                return self.wide.complement(words)
            return self.wide.subtract(self.wide.constant(0, len(words)), words)
        result = self.code.convert(node.operator, self.code.word, words[0])
        return [self.narrow(result, type_)]

    def _float_unary(self, operator: str, word: Expr, type_: il.Type) -> Expr:
        try:
            result = self.code.convert(operator, word.type, word, self.class_of(type_))
        except CannotExpress:
            if operator != "sqrt":
                raise
            return self.call_routine("sqrt", [(type_, [word])], type_)[0]
        return self._rounded(result, type_) if operator == "sqrt" else result

    def _rounded(self, word: Expr, type_: il.Type) -> Expr:
        """Round a single-precision result that is held as a double."""
        if type_.size == 4 and word.type == "D":
            slot = self.scratch_slot(4, 4)
            self.store_words(slot, [word], type_)
            return self.load_words(slot, type_)[0]
        return word

    def narrow(self, word: Expr, type_: il.Type) -> Expr:
        """Bring a word into the range of an integer type narrower than the word."""
        return word if type_.size >= self.word_size else self.extended(self.extension(type_), word, type_)

    def extended(self, op: str, word: Expr, type_: il.Type) -> Expr:
        """Extend the low bits of a word by 'sx' or 'zx'."""
        if isinstance(word, Const):
            value = wrap(word.value, type_.size * 8)
            return Const(value if op == "sx" else value & ((1 << type_.size * 8) - 1))
        if not isinstance(word, Register):
            word = self.code.reg(word, self.code.integer)
        return self.code.convert(op, self.code.word, unary("tr", letter(type_), word))

    def _binary(self, node: il.Binary) -> Words:
        type_, op = node.type, OPERATORS[node.operator]
        if type_.is_float:
            a, b = self.scalar(node.left), self.scalar(node.right)
            return [self._rounded(self.code.operate(op, a, b, self.class_of(type_)), type_)]
        if node.operator in ("shl", "shr"):
            return self._shift(node)
        if self.count(type_) > 1:
            return self._wide_binary(node)
        if node.operator in ("div", "mod") and not type_.is_signed:
            op += "u"
        a, b = self.scalar(node.left), self.scalar(node.right)
        if node.operator in ("mul", "div", "mod"):
            return [self._multiplicative(op, a, b, type_)]
        return [self._operate(op, a, b, type_)]

    def _operate(self, op: str, a: Expr, b: Expr, type_: il.Type) -> Expr:
        """Operate on one word; on a narrower type by one instruction if there is one, else on words, narrowing the result."""
        if type_.size >= self.word_size or op in ("&", "|", "^"):
            return self.code.operate(op, a, b, self.class_of(type_))
        result = self.code.operate_narrow(op, a, b, letter(type_), self.extension(type_))
        if result is None:
            if op.endswith("u"):
                a, b = self.number(a, type_), b if op == ">>u" else self.number(b, type_)
            result = self.narrow(self.code.operate(op, a, b, self.class_of(type_)), type_)
        return result

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
        try:
            return self._operate(op, a, b, type_)
        except CannotExpress:
            if op.endswith("u"):
                a, b = self.number(a, type_), self.number(b, type_)
            name = {"*": "mul", "/": "div", "%": "mod", "/u": "udiv", "%u": "umod"}[op]
            kind = il.Type("U" if op.endswith("u") else "I", self.word_size)
            suffix = {2: "hi3", 4: "si3", 8: "di3"}[self.word_size]
            return self.narrow(self.call_routine(f"__{name}{suffix}", [(kind, [a]), (kind, [b])], kind)[0], type_)

    def _shift(self, node: il.Binary) -> Words:
        op = "<<" if node.operator == "shl" else ">>" if node.type.is_signed else ">>u"
        a = self.value(node.left)
        amounts = self.value(node.right)
        amount = self.wide.low(amounts)[0]
        if self.count(node.type) == 1:
            return [self._operate(op, a[0], amount, node.type)]
        if isinstance(amount, Const):
            return self.wide.shift(op, a, amount.value & (8 * node.type.size - 1))
        name = {"<<": "__ashl", ">>": "__ashr", ">>u": "__lshr"}[op] + ("di3" if node.type.size == 8 else "si3")
        count = il.Type("I", self.machine.model.sizes["int"])
        return self.call_routine(name, [(node.type, a), (count, [amount])], node.type)

    def _wide_binary(self, node: il.Binary) -> Words:
        a, b = self.value(node.left), self.value(node.right)
        match node.operator:
            case "add":
                return self.wide.add(a, b)
            case "sub":
                return self.wide.subtract(a, b)
            case "and" | "or" | "xor":
                return self.wide.bitwise(OPERATORS[node.operator], a, b)
        if node.operator == "mul":
            product = self.wide.multiply(a, b)
            if product is not None:
                return product
        unsigned = "" if node.type.is_signed or node.operator == "mul" else "u"
        suffix = "di3" if node.type.size == 8 else "si3"
        return self.call_routine(f"__{unsigned}{node.operator}{suffix}", [(node.type, a), (node.type, b)], node.type)

    # ------------------------------------------------------------------------------------------------ comparison

    def relation(self, relation: str, type_: il.Type) -> str:
        """Return the RTL relation for an IL relation on a type."""
        op = RELATIONS[relation]
        return op + "u" if type_.kind in ("U", "P") and op not in ("==", "!=") else op

    def _compare(self, node: il.Compare) -> Expr:
        type_ = node.left.type
        if (bits := _low_bits_tested(node.relation, node.left, node.right)) is not None:
            node = il.Compare(node.relation, node.type, bits, node.right)
        if self.count(type_) > 1:
            return self._diamond(lambda label: self.compare_and_branch(node.relation, node.left, node.right, label))
        a, b = self.scalar(node.left), self.scalar(node.right)
        folded = binary(self.relation(node.relation, type_), a, b) if not type_.is_float else None
        if isinstance(folded, Const):
            return folded
        return self.truth(self.relation(node.relation, type_), a, b)

    def truth(self, relation: str, a: Expr, b: Expr) -> Expr:
        """Return a register holding 1 if the relation holds, else 0."""
        folded = binary(relation, a, b) if isinstance(a, Const) and isinstance(b, Const) else None
        if folded is not None:
            return folded
        result = self.code.truth(relation, a, b)
        if result is not None:
            return result
        return self._diamond(lambda label: self.code.branch(relation, a, b, label))

    def _diamond(self, branch: object) -> Register:
        """Set a register to 1, branch if true, else set it to 0."""
        result = self.code.fresh(self.code.integer)
        yes, done = self.function.label(), self.function.label()
        branch(yes)  # type: ignore[operator]
        self.start_block(self.function.label())
        self.code.move(result, Const(0))
        self.jump(done)
        self.function.blocks.pop()  # the empty block after the jump
        self.start_block(yes)
        self.code.move(result, Const(1))
        self.start_block(done)
        return result

    def jump(self, label: str) -> None:
        """Jump and begin a block (the Expander's)."""
        raise NotImplementedError

    def compare_and_branch(self, relation: str, left: il.Expr, right: il.Expr, label: str) -> None:
        """Branch to a label if a relation between two trees holds; the caller begins the next block."""
        type_ = left.type
        left = _low_bits_tested(relation, left, right) or left
        if self.count(type_) == 1:
            a, b = self.scalar(left), self.scalar(right)
            self.code.branch(self.relation(relation, type_), a, b, label)
            return
        a_words, b_words = self.wide.low(self.value(left)), self.wide.low(self.value(right))
        if relation in ("eq", "ne"):
            self._wide_equality(relation, a_words, b_words, label)
        else:
            self._wide_order(relation, a_words, b_words, type_.is_signed, label)

    def _wide_equality(self, relation: str, a: Words, b: Words, label: str) -> None:
        difference: Expr = Const(0)
        for x, y in zip(a, b, strict=True):
            difference = self.code.operate("|", self.code.operate("^", x, y), difference)
        self.code.branch(RELATIONS[relation], difference, Const(0), label)

    def _wide_order(self, relation: str, a: Words, b: Words, signed: bool, label: str) -> None:
        """Compare from the most significant word down; only the top word is signed."""
        no = self.function.label()
        strict = "<" if relation in ("lt", "le") else ">"
        for index in range(len(a) - 1, 0, -1):
            mark = "" if signed and index == len(a) - 1 else "u"
            self.code.branch(strict + mark, a[index], b[index], label)
            self.start_block(self.function.label())
            self.code.branch("!=", a[index], b[index], no)
            self.start_block(self.function.label())
        self.code.branch(RELATIONS[relation] + "u", a[0], b[0], label)
        self.start_block(no)

    # ------------------------------------------------------------------------------------------------ conversion

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
        have, want = self.count(source), self.count(target)
        if source.size < target.size and self.misheld(source):
            words, source = [self.number(words[0], source)], il.Type("U", self.word_size)
            have = 1
        if want == 1:
            word = self.wide.low(words)[0]
            if target.kind == "P" or source.kind == "P":
                return [self._between_classes(word, source, target)]
            if source.size <= target.size < self.word_size and self.extension(target) == self.extension(source):
                return [word]
            if source.size < target.size and (target.size == self.word_size or self.extension(source) == "zx"):
                return [word]
            return [self.narrow(word, target)]
        if have == 1:
            return self.wide.extend(self._in_integer(words[0]), source.is_signed, want)
        low = self.wide.low(words)
        if want <= have:
            return self.wide.low(low[:want])
        filler = self.code.operate(">>", low[-1], Const(self.bits - 1)) if source.is_signed else Const(0)
        return self.wide.low(low + [filler] * (want - have))

    def _in_integer(self, word: Expr) -> Expr:
        return self.code.reg(word, self.code.integer) if not isinstance(word, Const) else word

    def _between_classes(self, word: Expr, source: il.Type, target: il.Type) -> Expr:
        if isinstance(word, Const | Symbol) and target.size >= self.word_size:
            return word
        if target.kind == "P":
            return self.code.reg(word, self.code.address)
        return self.narrow(self._in_integer(word), target)

    def _float_to_float(self, word: Expr, target: il.Type) -> Expr:
        if target.size == 8 and word.type == "D":
            return word
        if target.size == 4 and word.type == "D" and self.class_of(target) == self.class_of(il.F8):
            return self._rounded(word, target)
        return self.code.convert("cvt", letter(target), word, self.class_of(target))

    def _float_to_integer(self, word: Expr, source: il.Type, target: il.Type) -> Words:
        signed = target.is_signed or target.size < self.word_size
        if target.size < self.word_size:
            cell = unary("cvt" if target.is_signed else "cvtu", letter(target), word)
            narrow = self.code.attempt_value(unary(self.extension(target), self.code.word, cell))
            if narrow is not None:
                return [narrow]
        if self.count(target) == 1:
            try:
                result = self.code.convert("cvt" if signed else "cvtu", self.code.word, word)
                return [self.narrow(result, target)]
            except CannotExpress:
                pass
        wide = il.Type("I" if signed else "U", max(target.size, self.word_size))
        name = f"__fix{'' if signed else 'uns'}{'sf' if source.size == 4 else 'df'}{'di' if wide.size == 8 else 'si'}"
        return self.convert(self.call_routine(name, [(source, [word])], wide), wide, target)

    def _integer_to_float(self, words: Words, source: il.Type, target: il.Type) -> Expr:
        signed = source.is_signed or source.size < self.word_size
        if self.count(source) == 1:
            word = self.code.reg(self._in_integer(self.number(words[0], source)), self.code.integer)
            held = "D" if self.class_of(target) == self.machine.values.double else letter(target)
            try:
                result = self.code.convert("cvt" if signed else "cvtu", held, word, self.class_of(target))
                return self._rounded(result, target)
            except CannotExpress:
                pass
        wide = il.Type("I" if signed else "U", max(source.size, self.word_size))
        name = f"__float{'' if signed else 'un'}{'di' if wide.size == 8 else 'si'}{'sf' if target.size == 4 else 'df'}"
        return self.call_routine(name, [(wide, self.convert(words, source, wide))], target)[0]
