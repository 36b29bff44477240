"""What an instruction does to numbers: its source, read word by word, with nothing of the translation.

Values are pairs of a number and its type; this is the witness against which the RTL of an imported instruction is tried.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from ease.exchange.trees import (
    Assignment,
    Binary,
    CallOf,
    Cast,
    Choice,
    Concatenation,
    Declaration,
    Do,
    Expression,
    For,
    If,
    Index,
    Instruction,
    Name,
    Number,
    Repetition,
    Slice,
    Statement,
    Unary,
    Unsayable,
)

LIMIT = 20000  # statements of one execution


class Illegal(Exception):
    """The operands raise an exception."""


@dataclass(frozen=True, slots=True)
class Value:
    """A number without sign, its bits, and whether the highest of them is a sign."""

    bits: int
    width: int
    signed: bool = False

    @property
    def number(self) -> int:
        """The number with its sign."""
        return self.bits - (1 << self.width) if self.signed and self.bits >> (self.width - 1) else self.bits


def of(number: int, width: int, signed: bool = False) -> Value:
    """Return a number as a value of a type."""
    return Value(number & ((1 << width) - 1), width, signed)


@dataclass
class Outcome:
    """What an execution left: registers that were set, bytes that were written, and where control goes."""

    registers: dict[int, int] = field(default_factory=dict)
    memory: dict[int, int] = field(default_factory=dict)
    target: int | None = None


@dataclass
class Evaluation:
    """One execution with given fields, registers and bytes of memory."""

    instruction: Instruction
    word: int
    fields: Mapping[str, int]
    registers: Callable[[int], int]
    byte: Callable[[int], int]
    pc: int = 0
    outcome: Outcome = field(default_factory=Outcome)
    variables: dict[str, Value] = field(default_factory=dict)
    steps: int = 0

    def run(self) -> Outcome:
        """Execute the instruction.  Raises Illegal, Unsayable."""
        self.block(self.instruction.body)
        self.outcome.registers.pop(0, None)
        return self.outcome

    def block(self, statements: Iterable[Statement]) -> None:
        """Execute statements."""
        for statement in statements:
            self.steps += 1
            if self.steps > LIMIT:
                raise Unsayable("a loop does not end")
            match statement:
                case Declaration(_, name, width, signed, value):
                    bits = 1 if width is None else self.evaluate(width).number
                    found = of(0, bits) if value is None else self.evaluate(value)
                    self.variables[name] = of(found.number if width is not None else int(found.bits != 0), bits, signed)
                case Assignment(_, target, value):
                    self.assign(target, self.evaluate(value))
                case If(_, condition, yes, no):
                    self.block(yes if self.evaluate(condition).bits else no)
                case For(_, begin, condition, step, body):
                    self.block(() if begin is None else (begin,))
                    while self.evaluate(condition).bits:
                        self.block((*body, step))
                case Do(_, call):
                    self.act(call)

    def act(self, call: CallOf) -> None:
        """Call a function for its effect."""
        match call.name:
            case "raise" | "raise_precise" | "unreachable" | "unpredictable":
                raise Illegal
            case "jump" | "jump_halfword":
                self.outcome.target = self.evaluate(call.arguments[0]).number & ((1 << self.word) - 1)
            case "write_memory" | "write_memory_aligned" | "write_memory_xlen":
                bits = self.evaluate(call.template[0]).number if call.template else self.word
                address, value = (self.evaluate(argument) for argument in call.arguments[:2])
                self.write(address.number, bits, value.number)
            case "set_tval":
                pass
            case _:
                raise Unsayable(f"'{call.name}()' is not known")

    def write(self, address: int, bits: int, value: int) -> None:
        """Write to memory, the lowest byte first."""
        for place in range(bits // 8):
            self.outcome.memory[(address + place) & ((1 << self.word) - 1)] = value >> 8 * place & 255

    def read(self, address: int, bits: int) -> Value:
        """Read memory, the lowest byte first."""
        places = range(bits // 8)
        return of(sum(self.byte((address + place) & ((1 << self.word) - 1)) << 8 * place for place in places), bits)

    def assign(self, target: Expression, value: Value) -> None:
        """Set what stands on the left."""
        match target:
            case Name("$pc" | "PC"):
                self.outcome.target = value.number & ((1 << self.word) - 1)
            case Name(name):
                old = self.variables[name]
                self.variables[name] = of(value.number, old.width, old.signed)
            case Index(Name("X"), index):
                self.outcome.registers[self.evaluate(index).number] = value.number & ((1 << self.word) - 1)
            case Index(Name("MEM"), index):
                self.write(self.evaluate(index).number, 8, value.number)
            case Slice(Name("MEM"), high, low):
                first, last = self.evaluate(low).number, self.evaluate(high).number
                self.write(first, 8 * ((last - first + 1) & ((1 << self.word) - 1)), value.number)
            case Index(Name(name), index):
                self.insert(name, self.evaluate(index).number, self.evaluate(index).number, value.number)
            case Slice(Name(name), high, low):
                self.insert(name, self.evaluate(high).number, self.evaluate(low).number, value.number)
            case _:
                raise Unsayable("it sets something unknown")

    def insert(self, name: str, high: int, low: int, number: int) -> None:
        """Set some bits of a variable."""
        old, room = self.variables[name], (1 << (high - low + 1)) - 1
        self.variables[name] = of(old.bits & ~(room << low) | (number & room) << low, old.width, old.signed)

    # ---------------------------------------------------------------------------------------------- expressions

    def evaluate(self, node: Expression) -> Value:
        """Return the value of an expression."""
        match node:
            case Number(number, width, signed, of_word):
                least = max(1, number.bit_length())
                bits = self.word if of_word else width or (least if self.instruction.exact else max(least, self.word))
                return of(number, bits, signed)
            case Name(name):
                return self.named(name)
            case Index(Name("X"), index):
                number = self.evaluate(index).number
                held = self.outcome.registers.get(number)
                return of((self.registers(number) if held is None else held) if number else 0, self.word)
            case Index(Name("MEM"), index):
                return self.read(self.evaluate(index).number, 8)
            case Slice(Name("MEM"), high, low):
                first, last = self.evaluate(low).number, self.evaluate(high).number
                return self.read(first, 8 * ((last - first + 1) & ((1 << self.word) - 1)))
            case Index(base, index):
                return of(self.evaluate(base).number >> self.evaluate(index).number, 1)
            case Slice(base, high, low):
                last = self.evaluate(low).number
                return of(self.evaluate(base).number >> last, self.evaluate(high).number - last + 1)
            case Unary(op, operand):
                return self.unary(op, self.evaluate(operand))
            case Binary(op, left, right):
                return self.binary(op, left, right)
            case Choice(condition, yes, no):
                return self.evaluate(yes if self.evaluate(condition).bits else no)
            case Concatenation(parts):
                return joined([self.part(part) for part in parts])
            case Repetition(times, part):
                return joined([self.part(part)] * self.evaluate(times).number)
            case Cast(signed, width, operand):
                value = self.evaluate(operand)
                return of(value.number, value.width if width is None else self.evaluate(width).number, signed)
            case CallOf():
                return self.called(node)

    def part(self, node: Expression) -> Value:
        """Return a part of a concatenation: numbers without a width are as wide as they must be."""
        if isinstance(node, Number) and node.width is None and not node.of_word:
            return of(node.value, max(1, node.value.bit_length()))
        return self.evaluate(node)

    def named(self, name: str) -> Value:
        """Return a variable, a field or a parameter."""
        if name in self.variables:
            return self.variables[name]
        variable = self.instruction.variable(name)
        if variable is not None:
            return of(self.fields[name] << variable.shift, variable.width, variable.signed)
        if name in ("$pc", "PC"):
            return of(self.pc, self.word)
        known = {"MXLEN": self.word, "XLEN": self.word, **self.instruction.parameters}
        if name not in known:
            raise Unsayable(f"'{name}' is not known")
        return of(known[name], max(8, known[name].bit_length()))

    def unary(self, op: str, value: Value) -> Value:
        """Apply an operator of one operand."""
        if op == "!":
            return of(value.bits == 0, 1)
        if op == "-" and self.instruction.exact:
            return of(-value.number, value.width + 1, True)
        return of(-value.number if op == "-" else ~value.bits, value.width, value.signed)

    def binary(self, op: str, left: Expression, right: Expression) -> Value:
        """Apply an operator of two operands."""
        a = self.evaluate(left)
        if op in ("&&", "||"):
            decided = bool(a.bits) == (op == "||")
            return of(bool(a.bits) if decided else self.evaluate(right).bits != 0, 1)
        b = self.evaluate(right)
        if op in ("<<", ">>", ">>>", "`<<"):
            return self.shift(op, a, b)
        exact, both = self.instruction.exact, a.signed and b.signed
        width = max(a.width, b.width)
        x, y = a.number, b.number
        if not exact and not both:  # both are read without a sign, in the wider type
            x, y = x & ((1 << width) - 1), y & ((1 << width) - 1)
        if op in COMPARED:
            return of(COMPARED[op](x, y), 1)
        signed = both or (exact and (a.signed or b.signed or op == "-"))
        if exact and a.signed != b.signed:
            width = max(width, (a if b.signed else b).width + 1)
        match op.removeprefix("`"):
            case "+" | "-" if exact or op[0] == "`":
                width += 1
            case "*" if exact:
                width = a.width + b.width
            case "*" if op[0] == "`":
                width *= 2
        return of(self.result(op.removeprefix("`"), x, y), width, signed)

    def result(self, op: str, x: int, y: int) -> int:
        """Return what an operator makes of two numbers."""
        match op:
            case "/" | "%":
                if y == 0:
                    raise Illegal
                quotient = abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)
                return quotient if op == "/" else x - quotient * y
        return COMPUTED[op](x, y)

    def shift(self, op: str, a: Value, b: Value) -> Value:
        """Shift a value."""
        if op == "`<<":
            return of(a.bits << b.bits, a.width + b.bits, a.signed)
        if op == "<<":
            return of(a.bits << b.bits if b.bits < a.width else 0, a.width, a.signed)
        arithmetic = op == ">>>" or (self.instruction.exact and a.signed)
        return of((Value(a.bits, a.width, True).number if arithmetic else a.bits) >> b.bits, a.width, a.signed)

    def called(self, node: CallOf) -> Value:
        """Return the value of a function."""
        count = {"sext": 2, "implemented?": 0, "mode": 0, "xlen": 0}.get(node.name, 1)
        values = [self.evaluate(argument) for argument in node.arguments[:count]]
        match node.name:
            case "sext":
                bits = self.evaluate(node.template[0]).number if node.template else values[1].number
                wide = self.evaluate(node.template[1]).number if len(node.template) > 1 else max(self.word, values[0].width)
                return of(of(values[0].number, bits, True).number, wide, True)
            case "read_memory" | "read_memory_aligned" | "read_memory_xlen":
                return self.read(values[0].number, self.evaluate(node.template[0]).number if node.template else self.word)
            case "creg2reg":
                return of(8 + (values[0].bits & 7), 5)
            case "highest_set_bit":
                return of((values[0].number & ((1 << self.word) - 1)).bit_length() - 1, 8)
            case "lowest_set_bit":
                number = values[0].number & ((1 << self.word) - 1)
                return of((number & -number).bit_length() - 1 if number else self.word, 8)
            case "xlen":
                return of(self.word, self.word)
            case "implemented?":
                return of(0, 1)
            case "mode":
                return of(0, 3)
        raise Unsayable(f"'{node.name}()' is not known")


def joined(parts: list[Value]) -> Value:
    """Return values side by side, the highest first."""
    bits = width = 0
    for part in parts:
        bits, width = bits << part.width | part.bits, width + part.width
    return Value(bits, width)


COMPARED: dict[str, Callable[[int, int], bool]] = {
    "==": lambda x, y: x == y,
    "!=": lambda x, y: x != y,
    "<": lambda x, y: x < y,
    "<=": lambda x, y: x <= y,
    ">": lambda x, y: x > y,
    ">=": lambda x, y: x >= y,
}
COMPUTED: dict[str, Callable[[int, int], int]] = {
    "+": lambda x, y: x + y,
    "-": lambda x, y: x - y,
    "*": lambda x, y: x * y,
    "&": lambda x, y: x & y,
    "|": lambda x, y: x | y,
    "^": lambda x, y: x ^ y,
}
