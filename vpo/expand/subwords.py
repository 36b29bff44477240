"""Bytes and halves of words, on machines that load and store only words.

A cell lies within one aligned word, `distance` bits above its lowest bit.  A store writes the whole word back, so objects
must not share words: `smallest_stored` is what they are aligned to.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from vpo.algebra import set_
from vpo.rtl import BITS, Const, Expr, Mem, Register

if TYPE_CHECKING:
    from vpo.expand.legalize import Legalizer


def smallest_stored(code: Legalizer) -> int:
    """Return how many bytes the smallest cell has that can be stored without changing what is beside it."""
    machine = code.machine
    classes = (machine.values.integer, machine.values.address)
    value, address = (Register(cls, -1 - n, machine.classes[cls].type, True) for n, cls in enumerate(classes))
    stored = (t for t in "BW" if BITS[t] < BITS[value.type] and code.is_stated(set_(Mem(t, address), value)))
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
        high = code.operate("<<", value, code.operate("-", rest, distance))
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
    hole = code.convert("not", code.word, code.operate("<<", code.reg(ones, code.integer), distance))
    part = code.operate("&", code.reg(value, code.integer), ones)
    kept = code.operate("&", around, hole)
    code.store(word, code.operate("|", kept, code.operate("<<", part, distance)))
    return True


def _is_part(code: Legalizer, cell: Mem) -> bool:
    return cell.type in ("B", "W") and BITS[cell.type] < BITS[code.word]


def _surroundings(code: Legalizer, cell: Mem) -> tuple[Mem, Expr]:
    """Return the aligned word around a cell, and how far the cell's lowest bit is above the word's."""
    size, part = BITS[code.word] // 8, BITS[cell.type] // 8
    address = code.reg(code.address_register(cell.address), code.integer)
    start = code.operate("&", address, Const(-size))
    byte = code.operate("&", address, Const(size - part))
    if code.machine.big_endian:
        byte = code.operate("-", Const(size - part), byte)
    return Mem(code.word, code.reg(start, code.address), cell.volatile), code.operate("<<", byte, Const(3))
