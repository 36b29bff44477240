"""Bytes and halves of words, on machines that load and store only words.

A cell lies within one aligned word, `distance` bits above its lowest bit.  A store writes the whole word back, so objects
must not share words: `smallest_stored` is what they are aligned to.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from vpo.algebra import binary, set_
from vpo.rtl import BITS, INTEGER_TYPES, Const, Expr, Mem, Op, Register, Slot, Symbol

if TYPE_CHECKING:
    from vpo.lower.legalize import Legalizer


def smallest_stored(code: Legalizer) -> int:
    """Return how many bytes the smallest cell has that can be stored without changing what is beside it."""
    machine = code.machine
    classes = (machine.values.integer, machine.values.address)
    value, address = (Register(cls, -1 - n, machine.classes[cls].type, True) for n, cls in enumerate(classes))
    stored = (t for t in "BWL" if BITS[t] < BITS[value.type] and code.is_stated(set_(Mem(t, address), value)))
    return BITS[next(stored, value.type)] // 8


def load(code: Legalizer, target: Register, extension: str, cell: Mem) -> bool:
    """Emit a load of a cell, extended by 'sx' or 'zx', from the word around it; returns whether it is smaller than a word."""
    if not _is_part(code, cell):
        return False
    word, distance = _surroundings(code, cell)
    value = code.fresh(code.integer)
    code.load(value, word)
    rest = Const(BITS[code.word] - BITS[cell.type])
    if extension == "zx" and BITS[cell.type] < 16:
        ones = Const((1 << BITS[cell.type]) - 1)
        code.move(target, code.operate("&", code.operate(">>u", value, distance), ones))
    else:
        high = code.operate("<<", value, code.operate("^", distance, rest))
        code.binary_into(target, ">>" if extension == "sx" else ">>u", high, rest)
    return True


def store(code: Legalizer, cell: Mem, value: Expr) -> bool:
    """Emit a store into a cell, by changing the word around it; returns whether it is smaller than a word."""
    if not _is_part(code, cell):
        return False
    word, distance = _surroundings(code, cell)
    ones = Const((1 << BITS[cell.type]) - 1)
    around = code.fresh(code.integer)
    code.load(around, word)
    differing = code.operate("^", code.operate(">>u", around, distance), code.reg(value, code.integer))
    change = code.operate("<<", code.operate("&", differing, ones), distance)
    code.store(word, code.operate("^", around, change))
    return True


def _is_part(code: Legalizer, cell: Mem) -> bool:
    return cell.type in INTEGER_TYPES and BITS[cell.type] < BITS[code.word]


def _surroundings(code: Legalizer, cell: Mem) -> tuple[Mem, Expr]:
    """Return the aligned word around a cell, and how far the cell's lowest bit is above the word's.

    Where shifts are instructions, the distance is right modulo the bits of a word, which is all that they look at.
    """
    size, part = BITS[code.word] // 8, BITS[cell.type] // 8
    last = size - part if code.machine.big_endian else 0
    offset = _offset(code, cell.address, size)
    if offset is not None:
        start = binary("+", cell.address, Const(-(offset % size)))
        return Mem(code.word, start, cell.volatile), Const((offset % size ^ last) * 8)
    address = code.reg(code.address_register(cell.address), code.integer)
    start = code.reg(code.operate("&", address, Const(-size)), code.address)
    byte = address if _has_shifts(code) else code.operate("&", address, Const(size - part))
    distance = code.operate("<<", byte, Const(3))
    return Mem(code.word, start, cell.volatile), code.operate("^", distance, Const(last * 8)) if last else distance


def _has_shifts(code: Legalizer) -> bool:
    """Whether instructions shift by what is in a register; routines do so by less than the bits of a word."""
    a, b = (Register(code.integer, -1 - n, code.word, True) for n in range(2))
    return all(code.is_stated(set_(a, Op(op, code.word, a, b))) for op in ("<<", ">>u"))


def _offset(code: Legalizer, address: Expr, size: int) -> int | None:
    """Return how far an address is from one that is known to be a word's; None if that is not known."""
    match address:
        case Symbol() if smallest_stored(code) == size:
            return address.offset
        case Op(op="+", args=(Register() as base, Slot() as slot)) if base is code.machine.stack_pointer:
            return slot.offset if code.function.slots[slot.name].align % size == 0 else None
    return None
