"""Distances of shifts, where those of a machine do not count modulo the width.

A file of its own, since few machines have such, and all others need none of it.
"""

from __future__ import annotations

from collections.abc import Iterator

from vpo.algebra.building import operand_type
from vpo.rtl import BITS, RELATIONS, SHIFTS, Const, Expr, Op, subexpressions

_BY_DISTANCE = SHIFTS - {"rotl"}  # rotations count modulo the width everywhere


def keeps_distances(value: Expr, new: Expr, type_: str, distance_bits: int) -> bool:
    """Whether an equal expression shifts right where a machine's shifts do not count modulo the width.

    RTLs count so, and what is equal by that alone is not on such a machine: x<<(n-32) would be x<<n, and x<<(n&31), too.
    So a distance is one that there was, or a number below the width for certain, and none has gone.
    """
    if not distance_bits:
        return True
    were, are = list(_distances(value, type_)), list(_distances(new, type_))
    safe = {distance for distance, _, masked in were if not masked}
    if any(not masked and distance not in safe for distance, _, masked in are):
        return False
    turns = any(type(node) is Op and node.op == "rotl" for node in subexpressions(new))
    return turns or {counted for _, counted, _ in were} <= {counted for _, counted, _ in are}


def _distances(value: Expr, type_: str) -> Iterator[tuple[tuple[Expr, str], Expr, bool]]:
    """Yield the distances of shifts that are no numbers: with the type, without a full mask, and whether one has a mask.

    `type_` is that of which the value is one.
    """
    work, seen = [(value, type_)], set[tuple[Expr, str]]()
    while work:
        node, type_ = work.pop()
        if type(node) is not Op or (node, type_) in seen:
            continue
        seen.add((node, type_))
        type_ = node.type or type_
        inner = operand_type(node) if node.op in RELATIONS else type_
        work += [(arg, arg.type or inner) for arg in node.args]
        if node.op not in _BY_DISTANCE or type(node.args[1]) is Const:
            continue
        match distance := node.args[1]:
            case Op(op="&", args=(counted, Const(value=mask))) if 0 <= mask < BITS[type_]:
                yield (distance, type_), counted if mask == BITS[type_] - 1 else distance, True
            case _:
                yield (distance, type_), distance, False
