"""Arithmetic of the interpreter: what Python's own operators do not do exactly as RTLs mean it.

Integers are kept unsigned, reduced to the width of their type; F and D values are Python floats, F ones rounded.  An F
value in a register that also has a D view is kept as the D whose bits are the F's below 32 ones ("NaN boxing"), so that
saving and restoring the D register preserves it.
"""

from __future__ import annotations

import math
import struct

_F32, _D64, _I32, _I64 = struct.Struct("<f"), struct.Struct("<d"), struct.Struct("<I"), struct.Struct("<Q")
_BOX = b"\xff\xff\xff\xff"
_INF = math.inf


def round_single(x: float) -> float:
    """Round to the nearest IEEE single."""
    try:
        rounded: float = _F32.unpack(_F32.pack(x))[0]
    except OverflowError:
        return math.copysign(_INF, x)
    return rounded


def box(x: float) -> float:
    """Return the double that stands for a single in a register that holds doubles."""
    boxed: float = _D64.unpack(_F32.pack(x) + _BOX)[0]
    return boxed


def unbox(x: float) -> float:
    """Return the single in the low half of a double's bits."""
    single: float = _F32.unpack(_D64.pack(x)[:4])[0]
    return single


def single_bits(x: float) -> int:
    """Return the 32 bits of a single."""
    bits: int = _I32.unpack(_F32.pack(x))[0]
    return bits


def double_bits(x: float) -> int:
    """Return the 64 bits of a double."""
    bits: int = _I64.unpack(_D64.pack(x))[0]
    return bits


def bits_single(bits: int) -> float:
    """Return the single with these 32 bits."""
    x: float = _F32.unpack(_I32.pack(bits))[0]
    return x


def bits_double(bits: int) -> float:
    """Return the double with these 64 bits."""
    x: float = _D64.unpack(_I64.pack(bits))[0]
    return x


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


HELPERS = {
    "integer_relations": integer_relations, "floating_relations": floating_relations,
    "round_single": round_single, "box": box, "unbox": unbox, "single_bits": single_bits, "double_bits": double_bits,
    "bits_single": bits_single, "bits_double": bits_double, "divide": divide, "square_root": square_root,
    "signed_divide": signed_divide, "signed_remainder": signed_remainder, "to_integer": to_integer,
    "integer_to_single": integer_to_single, "absolute": absolute,
}  # fmt: skip
