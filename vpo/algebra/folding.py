"""Folding of constants: operators on numbers of so many bits."""

from __future__ import annotations

import math
import struct
from fractions import Fraction

from vpo.rtl import NAMED, Const

# ----------------------------------------------------------------------------------------------------------------------
# What the named operators make of numbers: counts and reversals of bits, rotation, high and carry-less products, fma.
#
# Numbers are unsigned representations of so many bits.  `vpo/algebra/values.py` says the same in plainer words.


def leading_zeros(a: int, bits: int) -> int:
    """Return how many bits are 0 above the highest that is 1; all if none is."""
    return bits - a.bit_length()


def trailing_zeros(a: int, bits: int) -> int:
    """Return how many bits are 0 below the lowest that is 1; all if none is."""
    return (a & -a).bit_length() - 1 if a else bits


def reversed_bytes(a: int, bits: int) -> int:
    """Return a number with its bytes in the other order."""
    return int.from_bytes(a.to_bytes(bits // 8, "little"), "big")


def reversed_bits(a: int, bits: int) -> int:
    """Return a number with its bits in the other order."""
    return int(f"{a:0{bits}b}"[::-1], 2)


def rotated(a: int, distance: int, bits: int) -> int:
    """Return a number rotated to the left, by a distance modulo its width."""
    distance %= bits
    return (a << distance | a >> (bits - distance)) & ((1 << bits) - 1)


def high_product(a: int, b: int, bits: int, signs: str) -> int:
    """Return the high half of a product; each letter of `signs` tells whether an operand has a sign: 's' or 'u'."""
    a, b = (x - (x >> (bits - 1) << bits) if sign == "s" else x for x, sign in zip((a, b), signs, strict=True))
    return (a * b) >> bits & ((1 << bits) - 1)


def carryless(a: int, b: int) -> int:
    """Return the product of two numbers as polynomials over GF(2): partial products are added without carries."""
    result = 0
    while b:
        lowest = b & -b
        result ^= a * lowest
        b ^= lowest
    return result


def fused(a: float, b: float, c: float, single: bool = False) -> float:
    """Return a*b+c, rounded once, to a single if so."""
    if not (math.isfinite(a) and math.isfinite(b) and math.isfinite(c)):
        return c if math.isfinite(a) and math.isfinite(b) else a * b + c
    exact = Fraction(a) * Fraction(b) + Fraction(c)
    if not exact:
        return a * b + c if not (a and b) else 0.0  # of zeros, the signs tell which one; else two numbers cancel
    try:
        nearest = float(exact)
    except OverflowError:
        return math.inf if exact > 0 else -math.inf
    return _single(nearest, exact) if single else nearest


def _single(nearest: float, exact: Fraction) -> float:
    """Return the single next to a number, of which `nearest` is the double next to it."""
    if nearest != exact and math.frexp(nearest)[0] * 2**53 % 2 == 0:  # an odd last bit tells on which side it is
        nearest = math.nextafter(nearest, math.inf if exact > nearest else -math.inf)
    try:
        rounded: float = struct.unpack("<f", struct.pack("<f", nearest))[0]
    except OverflowError:
        return math.copysign(math.inf, nearest)
    return rounded


BIT_OPERATORS = {
    "leading_zeros": leading_zeros, "trailing_zeros": trailing_zeros, "reversed_bytes": reversed_bytes,
    "reversed_bits": reversed_bits, "rotated": rotated, "high_product": high_product, "carryless": carryless, "fused": fused,
}  # fmt: skip


def named(op: str, a: int, b: int, bits: int) -> int:
    """Apply an operator of two operands that is written as a function."""
    match op:
        case "rotl":
            return rotated(a, b, bits)
        case "clmul":
            return carryless(a, b) & ((1 << bits) - 1)
        case "clmulh":
            return carryless(a, b) >> bits
    return high_product(a, b, bits, {"mulh": "ss", "mulhu": "uu", "mulhsu": "su"}[op])


def of_bits(op: str, a: int, bits: int) -> int:
    """Apply an operator that counts bits or puts them in the other order."""
    match op:
        case "clz":
            return leading_zeros(a, bits)
        case "ctz":
            return trailing_zeros(a, bits)
        case "popcount":
            return a.bit_count()
        case "bswap":
            return reversed_bytes(a, bits)
    return reversed_bits(a, bits)



# ----------------------------------------------------------------------------------------------------------------------


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
