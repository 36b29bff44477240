"""The types within an RTL of a description: an operation has operands of one type, and its result has that type."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from vpo.rtl import BITS, FLOAT_TYPES, RELATIONS, SHIFTS, Branch, Mem, Op, Set

CONVERSIONS = "write cvtD, cvtF, cvtL to convert numbers, sxL, zxL, trW for widths, bitsL, bitsF for the bits"


def type_problem(effect: Any) -> str:
    """Return what is wrong with the types of an effect, '' if nothing is; variables that are operands may have any type."""
    for node in _operations(effect):
        problem = _operation(node)
        if problem:
            return problem
    return _assignment(effect) if isinstance(effect, Set) else ""


def _operations(node: Any) -> Iterator[Op]:
    match node:
        case Set():
            yield from _operations(node.target)
            yield from _operations(node.source)
        case Branch():
            yield from _operations(node.condition)
        case Mem():
            yield from _operations(node.address)
        case Op():
            for argument in node.args:
                yield from _operations(argument)
            yield node


def _operation(node: Op) -> str:
    operands = node.args[1:] if node.op == "SEL" else node.args[:1] if node.op in SHIFTS else node.args
    types = list(dict.fromkeys(argument.type for argument in operands if argument.type))
    if len(operands) > 1 and len(types) > 1:
        return f"`{node.op}` of types {' and '.join(types)}: operands have one type; {CONVERSIONS}"
    return ""


def _assignment(effect: Set) -> str:
    """Return what is wrong with setting a target of one type to a source of another; stores may leave high bits out."""
    target, source = effect.target.type, effect.source.type
    compares = isinstance(effect.source, Op) and effect.source.op in (*RELATIONS, "?")
    if not source or not target or source == target or compares:
        return ""
    both = (target, source)
    if all(type_ in BITS and type_ not in FLOAT_TYPES for type_ in both) and isinstance(effect.target, Mem):
        return "" if BITS[target] < BITS[source] else f"{BITS[source]} bits into a cell of {BITS[target]}: {CONVERSIONS}"
    return f"a value of type {source} set to one of type {target}: {CONVERSIONS}"
