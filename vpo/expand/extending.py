"""Values extended to a word that no instruction extends: low bits by a mask or two shifts, a cell by its simplest address.

r[1]=sxL(trB(r[2]));     =>     r[3]=r[2]<<24; r[1]=r[3]>>24;
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from vpo.algebra import set_, unary
from vpo.expand import subwords
from vpo.rtl import BITS, Const, Mem, Op, Register

if TYPE_CHECKING:
    from vpo.expand.legalize import Legalizer


def extend(code: Legalizer, target: Register, source: Op) -> bool:
    """Emit target=source if that extends low bits or a cell; returns whether there is a way."""
    return _low_bits(code, target, source) or _load(code, target, source)


def _low_bits(code: Legalizer, target: Register, source: Op) -> bool:
    """Emit an extension of a register's low bits by a mask or by two shifts; returns whether `source` is such."""
    inner = source.args[0]
    if source.op not in ("sx", "zx") or not isinstance(inner, Op) or inner.op != "tr":
        return False
    value = code.reg(code.atom(inner.args[0]), code.integer)
    bits = BITS[inner.type]
    if source.op == "zx" and bits < 16:
        code.binary_into(target, "&", value, Const((1 << bits) - 1))
        return True
    distance = Const(BITS[target.type] - bits)
    shifted = code.operate("<<", value, distance, code.integer)
    code.binary_into(target, ">>" if source.op == "sx" else ">>u", shifted, distance)
    return True


def _load(code: Legalizer, target: Register, source: Op) -> bool:
    """Emit a load of a narrow cell, extended, whose address was not legal; returns whether there is a way."""
    inner = source.args[0]
    if source.op not in ("sx", "zx") or not isinstance(inner, Mem):
        return False
    for cell in code.cell(inner):
        effect = set_(target, unary(source.op, source.type, cell))
        if code.attempt(effect):
            return True
    return code.expand(effect) or subwords.load(code, target, source.op, inner)
