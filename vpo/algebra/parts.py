"""What an expression consists of: an address of what varies and an offset, a value of bits of others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

from vpo.rtl import BITS, FLOAT_TYPES, Const, Expr, Mem, Op, Slot, Symbol

# ----------------------------------------------------------------------------------------------------------------------
# The parts of an address, what varies and a byte offset, and which cells lie side by side by them.


def split_address(address: Any) -> tuple[Any, int]:
    """Split an address into what varies and a byte offset."""
    if isinstance(address, Const):
        return None, address.value
    if isinstance(address, Symbol | Slot):
        return (type(address), address.name), address.offset
    if isinstance(address, Op) and address.op == "+":
        base, right = address.args
        inner, offset = split_address(right)
        if inner is None or isinstance(right, Symbol | Slot):
            return (base, inner), offset
    return (address, None), 0


def is_run(cells: Sequence[Mem]) -> bool:
    """Whether cells of one type lie side by side, in ascending order."""
    places = [split_address(cell.address) for cell in cells]
    size = BITS[cells[0].type] // 8
    return all(cell.type == cells[0].type for cell in cells) and all(
        a[0] == b[0] and a[1] + size == b[1] for a, b in pairwise(places)
    )


# ----------------------------------------------------------------------------------------------------------------------
# Where the bits of a value come from, if operators do nothing but move them: shifts, masks, extensions, joined parts.
#
#     (r[1]<<24)|(r[1]>>u8)        bits 24..31 are bits 0..7 of r[1], and bits 0..23 are its bits 8..31
#
# Two expressions with the same sources are the same value, however they are written.


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
