"""Where the bits of a value come from, if operators do nothing but move them: shifts, masks, extensions, joined parts.

    (r[1]<<24)|(r[1]>>u8)        bits 24..31 are bits 0..7 of r[1], and bits 0..23 are its bits 8..31

Two expressions with the same sources are the same value, however they are written.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from vpo.rtl import BITS, FLOAT_TYPES, Const, Expr, Op

Bit = tuple[Any, int] | None  # a leaf and the number of one of its bits; None: the bit is 0
Bits = tuple[Bit, ...]  # lowest first


def bit_sources(node: Expr, leaf: Callable[[Expr], Bits | None]) -> Bits | None:
    """Return the sources of the bits of an integer expression; None if operators make bits of others.

    `leaf` answers for what is no operator.
    """
    if not isinstance(node, Op):
        return leaf(node)
    if node.type not in BITS or node.type in FLOAT_TYPES:
        return None
    size, first = BITS[node.type], bit_sources(node.args[0], leaf)
    if first is None:
        return None
    if len(node.args) == 1:
        return _converted(node.op, first, size)
    second = node.args[1]
    if isinstance(second, Const):
        return _with_constant(node.op, first, second.value, size)
    other = bit_sources(second, leaf) if node.op in ("|", "^", "+") else None
    return None if other is None else _joined(node.op, first, other)


def _converted(op: str, bits: Bits, size: int) -> Bits | None:
    """Return the bits of an extension or the low part."""
    match op:
        case "zx":
            return bits + (None,) * (size - len(bits))
        case "sx":
            return bits + bits[-1:] * (size - len(bits))
        case "tr":
            return bits[:size]
    return None


def _with_constant(op: str, bits: Bits, value: int, size: int) -> Bits | None:
    """Return the bits of a shift by a number or of a mask."""
    match op:
        case "<<":
            return ((None,) * (value % size) + bits)[:size]
        case ">>u":
            return bits[value % size :] + (None,) * (value % size)
        case ">>":
            return bits[value % size :] + bits[-1:] * (value % size)
        case "&":
            return tuple(bit if value >> place & 1 else None for place, bit in enumerate(bits))
    return None


def _joined(op: str, a: Bits, b: Bits) -> Bits | None:
    """Return the bits of two values that have none in common."""
    if len(a) != len(b) or any(x and y and (op != "|" or x != y) for x, y in zip(a, b, strict=True)):
        return None
    return tuple(x or y for x, y in zip(a, b, strict=True))
