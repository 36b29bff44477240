"""Values extended to a word that no instruction extends: low bits by a mask or two shifts, a cell by its simplest address.

r[1]=sxL(trB(r[2]));     =>     r[3]=r[2]<<24; r[1]=r[3]>>24;
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from vpo.algebra import set_, unary
from vpo.expand import subwords
from vpo.expand.trials import cost_of
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
    if source.op == "zx" and _masks(code, bits):
        _mask(code, target, value, bits)
    else:
        _shift(code, target, value, ">>" if source.op == "sx" else ">>u", bits)
    return True


def _mask(code: Legalizer, target: Register, value: Register, bits: int) -> None:
    code.binary_into(target, "&", value, Const((1 << bits) - 1))


def _shift(code: Legalizer, target: Register, value: Register, right: str, bits: int) -> None:
    distance = Const(BITS[target.type] - bits)
    code.binary_into(target, right, code.operate("<<", value, distance, code.integer), distance)


def _masks(code: Legalizer, bits: int) -> bool:
    """Whether clearing all but so many low bits costs no more by a mask than by two shifts."""
    found, key = code.plans.found, ("masks", bits)
    if key not in found:
        target, value = (Register(code.integer, -1 - n, code.word, True) for n in range(2))
        by_mask = cost_of(code, partial(_mask, target=target, value=value, bits=bits))
        by_shifts = cost_of(code, partial(_shift, target=target, value=value, right=">>u", bits=bits))
        found[key] = by_mask is not None and (by_shifts is None or by_mask <= by_shifts)
    return bool(found[key])


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
