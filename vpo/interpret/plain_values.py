"""Operators of RTLs on values, one at a time: unsigned integers, floats, and the pairs that condition codes hold."""

from __future__ import annotations

import struct
from typing import Any

from vpo.algebra import INTEGER_OF
from vpo.interpret import exact_arithmetic
from vpo.rtl import BITS, SHIFTS

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
        return exact_arithmetic.round_single(exact) if type_ == "F" else exact
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
            result = exact_arithmetic.signed_divide(a, b, bits)
        case "%":
            result = exact_arithmetic.signed_remainder(a, b, bits)
        case "/u":
            result = a // b
        case "%u":
            result = a % b
    return result & mask(type_)


def _floating(op: str, a: float, b: float) -> float:
    match op:
        case "+":
            return a + b
        case "-":
            return a - b
        case "*":
            return a * b
    return exact_arithmetic.divide(a, b)


def unary(op: str, type_: str, a: Value) -> Value:
    """Apply an operator to one value."""
    match op:
        case "neg":
            return -a if type_ in "FD" else -a & mask(type_)
        case "not":
            return a ^ mask(type_)
        case "abs":
            return abs(a) if type_ in "FD" else exact_arithmetic.absolute(a, BITS[type_])
    root = exact_arithmetic.square_root(a)
    return exact_arithmetic.round_single(root) if type_ == "F" else root


def convert(op: str, held: str, type_: str, a: Value) -> Value:
    """Convert a value of type `held`; the bits of a condition code tell which relations hold."""
    match op:
        case "bits" if held == "C":
            return exact_arithmetic.integer_relations(*a)
        case "bits" if held == "G":
            return exact_arithmetic.floating_relations(*a)
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
        return exact_arithmetic.round_single(a) if held in "FD" else exact_arithmetic.integer_to_single(a)
    half = 1 << (BITS[type_] - 1)
    low, high = (-half, half - 1) if op == "cvt" else (0, mask(type_))
    return exact_arithmetic.to_integer(a, low, high) & mask(type_)
