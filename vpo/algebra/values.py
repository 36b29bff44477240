"""Values of RTLs, and what operators make of them, one at a time: docs/rtl.md read aloud.

Values are unsigned integers, floats, and the pairs that condition codes hold.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Sequence
from typing import Any

from vpo.algebra.building import INTEGER_OF, source_type
from vpo.algebra.folding import fused
from vpo.rtl import BITS, COUNTS, RELATIONS, REVERSALS, SHIFTS, Expr, Mem, Op, Register, selector

# ----------------------------------------------------------------------------------------------------------------------
# Arithmetic: what Python's own operators do not do exactly as RTLs mean it.
#
# Integers are kept unsigned, reduced to the width of their type; F and D values are Python floats, F ones rounded.


_F32 = struct.Struct("<f")
_INF = math.inf


def round_single(x: float) -> float:
    """Round to the nearest IEEE single."""
    try:
        rounded: float = _F32.unpack(_F32.pack(x))[0]
    except OverflowError:
        return math.copysign(_INF, x)
    return rounded


def divide(a: float, b: float) -> float:
    """Divide as IEEE says, zero divisors included."""
    if b:
        return a / b
    if a == 0 or a != a or b != b:
        return a + b if a != a or b != b else math.nan
    return math.copysign(_INF, a) * math.copysign(1.0, b)


def square_root(x: float) -> float:
    """Return the square root; that of a negative number is NaN."""
    return math.sqrt(x) if not x < 0 else math.nan


def signed_divide(a: int, b: int, bits: int) -> int:
    """Divide unsigned representations as signed numbers, toward zero.

    Raises ZeroDivisionError.
    """
    half = 1 << (bits - 1)
    a, b = (a ^ half) - half, (b ^ half) - half
    quotient = abs(a) // abs(b)
    return (quotient if (a < 0) == (b < 0) else -quotient) & (2 * half - 1)


def signed_remainder(a: int, b: int, bits: int) -> int:
    """Return the remainder of signed_divide: it has the sign of `a`.

    Raises ZeroDivisionError.
    """
    half = 1 << (bits - 1)
    a, b = (a ^ half) - half, (b ^ half) - half
    remainder = abs(a) % abs(b)
    return (remainder if a >= 0 else -remainder) & (2 * half - 1)


def to_integer(x: float, low: int, high: int) -> int:
    """Convert toward zero; saturate at the bounds, NaN gives 0.  The result may be negative."""
    if low < x < high:
        return int(x)
    if x != x:
        return 0
    return low if x <= low else high


def integer_to_single(n: int) -> float:
    """Round an integer to the nearest single, once."""
    if -(1 << 53) < n < 1 << 53:
        return round_single(float(n))
    shift = n.bit_length() - 40
    kept = abs(n) >> shift
    kept |= abs(n) & ((1 << shift) - 1) != 0  # what is lost below only matters as "not zero"
    return math.copysign(round_single(math.ldexp(kept, shift)), n)


def absolute(a: int, bits: int) -> int:
    """Return the absolute value of a signed integer; that of the least one is itself."""
    return -a & ((1 << bits) - 1) if a >> (bits - 1) else a


# The bits of relations that hold: 0 unordered, 1 ordered; 2 ==, 3 !=, 4 >, 5 <=, 6 <, 7 >=; unsigned 8 >, 9 <=, 10 <, 11 >=
EQUAL, UNEQUAL, LESS, GREATER = 0b10100100, 0b1000, 0b1100000, 0b10010000
EQUAL_UNSIGNED, LESS_UNSIGNED, GREATER_UNSIGNED = 0b1010 << 8, 0b0110 << 8, 0b1001 << 8
UNORDERED, ORDERED = 1, 2


def integer_relations(a: int, b: int) -> int:
    """Return the bits of the relations between two integers."""
    if a == b:
        return EQUAL | EQUAL_UNSIGNED
    unsigned = LESS_UNSIGNED if a & 0xFFFFFFFFFFFFFFFF < b & 0xFFFFFFFFFFFFFFFF else GREATER_UNSIGNED
    return UNEQUAL | unsigned | (LESS if a < b else GREATER)


def floating_relations(a: float, b: float) -> int:
    """Return the bits of the relations between two floating values."""
    if a == b:
        return ORDERED | EQUAL
    if a < b:
        return ORDERED | UNEQUAL | LESS
    return ORDERED | UNEQUAL | GREATER if a > b else UNORDERED | UNEQUAL


# ----------------------------------------------------------------------------------------------------------------------
# Values as registers and memory hold them, and the operators of RTLs.


Value = Any
WIDER = {8: "W", 16: "L", 32: "Q"}  # the integer of twice so many bits
_CODES = {"F": "f", "D": "d"}


def mask(type_: str) -> int:
    """Return all ones in the width of a type."""
    return (1 << BITS[type_]) - 1


def signed(value: int, type_: str) -> int:
    """Return the signed value of an integer."""
    return value - (value >> (BITS[type_] - 1) << BITS[type_])


def number(value: int, type_: str) -> Value:
    """Return a number as a value of a type; numbers have none of their own."""
    return float(value) if type_ in "FD" else value & mask(type_)


def initial(type_: str) -> Value:
    """Return what a register holds before it is set."""
    return (0, 0) if type_ in "CG" else number(0, type_)


def to_bytes(value: Value, type_: str, big_endian: bool) -> bytes:
    """Return a value as it stands in memory; an integer is truncated."""
    if type_ in "FD":
        return struct.pack((">" if big_endian else "<") + _CODES[type_], value)
    return int(value & mask(type_)).to_bytes(BITS[type_] // 8, "big" if big_endian else "little")


def from_bytes(raw: bytes, type_: str, big_endian: bool) -> Value:
    """Return the value that stands in memory."""
    if type_ in "FD":
        return struct.unpack((">" if big_endian else "<") + _CODES[type_], raw)[0]
    return int.from_bytes(raw, "big" if big_endian else "little")


def view(value: Value, held: str, wanted: str) -> Value:
    """Return the bits of a value as another type; a single becomes a double whose high half is all ones."""
    if held == wanted:
        return value
    bits = int.from_bytes(to_bytes(value, held, False), "little")
    if (held, wanted) == ("F", "D"):
        bits |= mask("L") << 32
    return from_bytes(to_bytes(bits, INTEGER_OF[BITS[wanted]], False), wanted, False)


def halves(value: Value, type_: str) -> tuple[int, int]:
    """Return the more and the less significant half of the bits of a value."""
    bits = BITS[type_] // 2
    whole: int = view(value, type_, INTEGER_OF[2 * bits])
    return divmod(whole, 1 << bits)


def related(op: str, a: Value, b: Value) -> bool:
    """Whether a relation holds; a negated one also holds where there is no order, as with NaN."""
    if op.startswith("!") and op != "!=":
        return not related(op[1:], a, b)
    relations: dict[str, bool] = {"==": a == b, "!=": a != b, "<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b}
    return relations[op.removesuffix("u")]


def binary(op: str, type_: str, a: Value, b: Value) -> Value:
    """Apply an arithmetic operator.

    Raises ZeroDivisionError.
    """
    if type_ in "FD":
        exact = _floating(op, a, b)
        return round_single(exact) if type_ == "F" else exact
    bits = BITS[type_]
    if op in SHIFTS:
        b &= bits - 1
    match op:
        case "+" | "-" | "*":
            result = a + b if op == "+" else a - b if op == "-" else a * b
        case "&" | "|" | "^":
            result = a & b if op == "&" else a | b if op == "|" else a ^ b
        case "<<":
            result = a << b
        case ">>":
            result = signed(a, type_) >> b
        case ">>u":
            result = a >> b
        case "/":
            result = signed_divide(a, b, bits)
        case "%":
            result = signed_remainder(a, b, bits)
        case "/u":
            result = a // b
        case "%u":
            result = a % b
        case "rotl":
            result = a << b | a >> (bits - b)
        case "mulh" | "mulhu" | "mulhsu":
            x = a if op == "mulhu" else signed(a, type_)
            result = x * (signed(b, type_) if op == "mulh" else b) >> bits
        case "clmul" | "clmulh":
            result = 0
            for place in range(bits):
                if b >> place & 1:
                    result ^= a << place
            if op == "clmulh":
                result >>= bits
    return result & mask(type_)


def _floating(op: str, a: float, b: float) -> float:
    match op:
        case "+":
            return a + b
        case "-":
            return a - b
        case "*":
            return a * b
    return divide(a, b)


def unary(op: str, type_: str, a: Value) -> Value:
    """Apply an operator to one value."""
    match op:
        case "neg":
            return -a if type_ in "FD" else -a & mask(type_)
        case "not":
            return a ^ mask(type_)
        case "abs":
            return abs(a) if type_ in "FD" else absolute(a, BITS[type_])
        case "sqrt":
            root = square_root(a)
            return round_single(root) if type_ == "F" else root
    digits = f"{a:0{BITS[type_]}b}"
    match op:
        case "clz":
            return len(digits) - len(digits.lstrip("0"))
        case "ctz":
            return len(digits) - len(digits.rstrip("0"))
        case "popcount":
            return digits.count("1")
        case "brev":
            return int(digits[::-1], 2)
    return int("".join(digits[at : at + 8] for at in reversed(range(0, len(digits), 8))), 2)  # bswap


def convert(op: str, held: str, type_: str, a: Value) -> Value:
    """Convert a value of type `held`; the bits of a condition code tell which relations hold."""
    match op:
        case "bits" if held == "C":
            return integer_relations(*a)
        case "bits" if held == "G":
            return floating_relations(*a)
        case "bits":
            return view(a, held, type_)
        case "sx":
            return signed(a, held) & mask(type_)
        case "zx" | "tr":
            return a & mask(type_)
        case "cvt" if held not in "FD":
            a = signed(a, held)
    if type_ == "D":
        return float(a)
    if type_ == "F":
        return round_single(a) if held in "FD" else integer_to_single(a)
    half = 1 << (BITS[type_] - 1)
    low, high = (-half, half - 1) if op == "cvt" else (0, mask(type_))
    return to_integer(a, low, high) & mask(type_)


# ----------------------------------------------------------------------------------------------------------------------


class Evaluator:
    """Evaluates expressions, of cells and addresses that whoever extends it knows."""

    def __init__(self, word: str) -> None:
        self.word = word  # the type of addresses

    def read(self, register: Register) -> Value:
        """Return the value of a register."""
        raise NotImplementedError

    def load(self, type_: str, address: int) -> Value:
        """Return what a memory cell holds."""
        raise NotImplementedError

    def constant(self, node: Expr) -> int:
        """Return the value of a constant or address."""
        raise NotImplementedError

    def system_call(self, call: int, arguments: Sequence[int]) -> int:
        """Return the result of a system call."""
        raise NotImplementedError

    def evaluate(self, node: Expr, type_: str = "") -> Value:
        """Return the value of an expression, of type `type_` if it has none of its own."""
        type_ = node.type or type_ or self.word
        match node:
            case Register():
                return self.read(node)
            case Mem():
                return self.load(type_, self.evaluate(node.address))
            case Op(op="SYS"):
                call, *arguments = [self.evaluate(argument) for argument in node.args]
                return self.system_call(call, arguments) & mask(type_)
            case Op(op="SEL"):
                return self.evaluate(node.args[1 if self.holds(selector(node)) else 2], type_)
            case Op(op="?"):
                return self.compare(node)
            case Op() if node.op in RELATIONS:
                return number(self.holds(node), type_)
            case Op(args=(left, right)):
                return binary(node.op, type_, self.evaluate(left, type_), self.evaluate(right, type_))
            case Op(op="fma"):
                a, b, c = (self.evaluate(operand, type_) for operand in node.args)
                return fused(a, b, c, type_ == "F")
            case Op(args=(operand,)) if node.op in ("neg", "not", "abs", "sqrt", *COUNTS, *REVERSALS):
                return unary(node.op, type_, self.evaluate(operand, type_))
            case Op():
                return self.convert(node, type_)
        return number(self.constant(node), type_)

    def holds(self, relation: Op) -> bool:
        """Whether a relation holds."""
        left, right = relation.args
        type_ = left.type or right.type or self.word
        if type_ in "CG":
            a, b = self.evaluate(left)
        else:
            a, b = self.evaluate(left, type_), self.evaluate(right, type_)
        if type_ in "BWLQ" and not relation.op.endswith("u"):
            a, b = signed(a, type_), signed(b, type_)
        if type_ == "C" and relation.op.endswith("u"):
            a, b = a & mask("Q"), b & mask("Q")
        return related(relation.op, a, b)

    def compare(self, node: Op) -> tuple[Value, Value]:
        """Return the two values that a condition code holds after a comparison; integers are signed."""
        type_ = node.args[0].type or node.args[1].type or self.word
        a, b = (self.evaluate(operand, type_) for operand in node.args)
        return (a, b) if type_ in "FD" else (signed(a, type_), signed(b, type_))

    def convert(self, node: Op, type_: str) -> Value:
        """Apply a conversion."""
        held = source_type(node, self.word)
        return convert(node.op, held, type_, self.evaluate(node.args[0], held))
