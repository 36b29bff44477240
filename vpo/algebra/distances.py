"""Distances of shifts, where those of a machine do not count modulo the width.

A file of its own, since few machines have such, and all others need none of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from vpo.algebra.building import operand_type
from vpo.rtl import BITS, RELATIONS, SHIFTS, Const, Expr, Op, Register, subexpressions

_BY_DISTANCE = SHIFTS - {"rotl"}  # rotations count modulo the width everywhere


Definition = Callable[[Register], Expr | None]


def keeps_distances(
    value: Expr, new: Expr, type_: str, types: frozenset[str], defined: Definition = lambda register: None
) -> bool:
    """Whether an equal expression shifts right where a machine's shifts of some types do not count modulo the width.

    RTLs count so, and what is equal by that alone is not on such a machine: x<<(n-32) would be x<<n, and x<<(n&31), too.
    So a distance is one that there was, or a number below the width for certain, and of others none has gone. `defined`
    tells what registers are set to, if that is known.
    """
    if not types:
        return True
    were, are = set(_distances(value, type_, types, defined)), set(_distances(new, type_, types, defined))
    if not are <= were:
        return False
    return were <= are or any(type(node) is Op and node.op == "rotl" for node in subexpressions(new))


def _distances(value: Expr, type_: str, types: frozenset[str], defined: Definition) -> Iterator[tuple[Expr, str]]:
    """Yield the distances of shifts of some types, with the type, that may be the width or more.

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
        if node.op in _BY_DISTANCE and type_ in types and not _is_below(node.args[1], BITS[type_], defined):
            yield node.args[1], type_


def _is_below(node: Expr, width: int, defined: Definition) -> bool:
    """Whether a number is not negative and below a power of two for certain."""
    match node:
        case Const():
            return True  # which a description or the program states
        case Op(op="&", args=(_, Const(value=mask))) if 0 <= mask < width:
            return True
        case Op(op="^" | "-", args=(Const(value=number), other) | (other, Const(value=number))) if number == width - 1:
            return type(node.args[1 if node.op == "-" else 0]) is not Const and _is_below(other, width, defined)
        case Op(op="zx" | "sx" | "tr", args=(other,)):
            return _is_below(other, width, defined)
        case Register():
            source = defined(node)
            return type(source) is Op and source.op == "&" and _is_below(source, width, defined)
    return False
