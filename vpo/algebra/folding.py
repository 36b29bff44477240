"""Folding of constants: operators on numbers of so many bits."""

from __future__ import annotations

from vpo.algebra.bit_operators import named
from vpo.rtl import NAMED, Const


def wrap(value: int, bits: int) -> int:
    """Return the signed `bits`-bit number congruent to value."""
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


def fold(op: str, bits: int, a: int, b: int) -> int | None:
    """Return `a op b` on signed `bits`-bit integers (relations: 0 or 1), or None where it would trap."""
    mask = (1 << bits) - 1
    if op in NAMED:
        return wrap(named(op, a & mask, b & mask, bits), bits)
    unsigned = op.endswith("u")
    if unsigned:
        a, b, op = a & mask, b & mask, op[:-1]
    match op:
        case "+":
            result = a + b
        case "-":
            result = a - b
        case "*":
            result = a * b
        case "/" | "%":
            if b == 0:
                return None
            quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
            result = quotient if op == "/" else a - b * quotient
        case "&":
            result = a & b
        case "|":
            result = a | b
        case "^":
            result = a ^ b
        case "<<":
            result = a << (b & (bits - 1))
        case ">>":
            result = (a & mask if unsigned else a) >> (b & (bits - 1))
        case _:
            return int(relate(op, a, b))
    return wrap(result, bits)


def relate(op: str, a: float, b: float) -> bool:
    """Whether a relation without its 'u' holds between two numbers; floating ones may be unordered."""
    match op:
        case "==":
            return a == b
        case "!=":
            return a != b
        case "<":
            return a < b
        case "<=":
            return a <= b
        case ">":
            return a > b
        case ">=":
            return a >= b
        case "!<":
            return not a < b
        case "!<=":
            return not a <= b
        case "!>":
            return not a > b
        case "!>=":
            return not a >= b
    raise ValueError(f"not a relation: {op}")


def extended(op: str, value: int, bits: int) -> Const:
    """Return the extension of a number, which does not tell of how many bits it is."""
    return Const(wrap(value, bits) if op == "sx" else value & ((1 << bits) - 1))
