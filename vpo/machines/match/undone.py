"""Whether some number may make an instruction compute a value on samples: its operators are undone, from the result on.

    r[a]+(r[b]<<k)  is  v              where v-r[a] is r[b]<<k, and one sample tells which k that would be
    r[a]+(r[b]<<k)+c  is  v            where this holds of the differences of all samples from the first one

No is certain, and far cheaper than all numbers that might be tried.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from vpo.algebra.samples import UNSIGNED, Vector, evaluate
from vpo.rtl import BITS, RELATIONS, Op, Variable

SHIFTED = ("<<", ">>", ">>u")
WIDTHS = [UNSIGNED[type_] for type_ in "BWLQ"]


@lru_cache(maxsize=4096)
def numbers_in(node: Any) -> int:
    """Return how often open numbers stand in an expression of a pattern."""
    return sum(map(numbers_in, node.args)) if isinstance(node, Op) else isinstance(node, Variable)


def may_make(node: Any, vectors: Mapping[Any, Any], wanted: Vector) -> bool:
    """Whether an expression with open numbers may have the low bits of a vector, as many as that is wide.

    Raises NotSampledError.
    """
    numbers = numbers_in(node)
    if numbers == 2 and isinstance(node, Op) and len(node.args) == 1:
        return _of_one(node, vectors, wanted)
    if numbers == 2 and isinstance(node, Op) and node.op == "+" and any(isinstance(arg, Variable) for arg in node.args):
        return _differs_so(node.args[isinstance(node.args[0], Variable)], vectors, _differences(wanted))
    if numbers != 1:
        return True
    if not isinstance(node, Op):
        return bool((wanted == wanted[:1]).all())
    if len(node.args) == 1:
        return _of_one(node, vectors, wanted)
    if node.op in RELATIONS:
        return int(wanted.max()) <= 1
    if len(node.args) != 2 or node.type not in UNSIGNED:
        return True
    open_, other = node.args if numbers_in(node.args[0]) else node.args[::-1]
    if node.op in SHIFTED:
        return open_ is node.args[0] or _shifted(node, evaluate(other, vectors, node.type), wanted)
    known = evaluate(other, vectors, node.type).astype(wanted.dtype)
    match node.op:
        case "+":
            return may_make(open_, vectors, wanted - known)
        case "^":
            return may_make(open_, vectors, wanted ^ known)
        case "-":
            return may_make(open_, vectors, wanted + known if open_ is node.args[0] else known - wanted)
        case "&":
            return bool((wanted & known == wanted).all())
        case "|":
            return bool((wanted | known == wanted).all())
    return True


def _differences(vector: Vector) -> Vector:
    """Return by how much values differ from the first one."""
    return vector - vector[0]


def _differs_so(node: Any, vectors: Mapping[Any, Any], wanted: Vector) -> bool:
    """Whether values of an expression with an open number may differ by a vector from the first one."""
    if not isinstance(node, Op) or len(node.args) != 2 or node.type not in UNSIGNED:
        return True
    a, b = node.args
    if node.op == "<<" and isinstance(b, Variable) and not numbers_in(a):
        if int(wanted.max()) == 0:
            return True  # all bits that are wanted may have been shifted out
        low = Op("<<", "BWLQ"[WIDTHS.index(wanted.dtype)], a, b)
        return _shifted(low, _differences(evaluate(a, vectors, node.type).astype(wanted.dtype)), wanted)
    if node.op == "+" and numbers_in(node) == 1:
        open_, other = (a, b) if numbers_in(a) else (b, a)
        known = evaluate(other, vectors, node.type).astype(wanted.dtype)
        return _differs_so(open_, vectors, wanted - _differences(known))
    return True


def _of_one(node: Op, vectors: Mapping[Any, Any], wanted: Vector) -> bool:
    """As above, of an operator with one operand."""
    (arg,) = node.args
    if node.op in ("sx", "zx") and arg.type in UNSIGNED and WIDTHS.index(wanted.dtype) <= WIDTHS.index(UNSIGNED[arg.type]):
        return may_make(arg, vectors, wanted)  # fewer bits are wanted than are extended
    match node.op:
        case "not":
            return may_make(arg, vectors, ~wanted)
        case "neg":
            return may_make(arg, vectors, wanted - wanted - wanted)
        case "tr":
            return may_make(arg, vectors, wanted)
        case "zx" if arg.type in UNSIGNED and wanted.dtype == UNSIGNED.get(node.type):
            low = wanted.astype(UNSIGNED[arg.type])
            return bool((low.astype(wanted.dtype) == wanted).all()) and may_make(arg, vectors, low)
        case "sx" if arg.type in UNSIGNED:
            return may_make(arg, vectors, wanted.astype(UNSIGNED[arg.type]))
    return True


def _shifted(node: Op, shifted: Vector, wanted: Vector) -> bool:
    """Whether a vector may be another one shifted, all by one distance."""
    bits = BITS[node.type]
    if shifted.dtype != wanted.dtype or len(shifted) != len(wanted):
        return True
    for place, value in enumerate(shifted.tolist()):
        result = int(wanted[place])
        if node.op == "<<" and value & 1:
            distance = (result & -result).bit_length() - 1
        elif node.op == ">>u" and value >> (bits - 1):
            distance = bits - result.bit_length()
        elif node.op == ">>" and value >> (bits - 2) == 1:
            distance = bits - 1 - result.bit_length()
        else:
            continue
        if not 0 <= distance < bits:
            return False
        by = Op(node.op, node.type, _SHIFTED, _DISTANCE)
        return bool((evaluate(by, {_SHIFTED: shifted, _DISTANCE: distance}, node.type) == wanted).all())
    return True


_SHIFTED, _DISTANCE = Variable("shifted"), Variable("distance")
