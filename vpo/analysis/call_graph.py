"""Calls of a program: which function a call reaches, and which functions an indirect call may reach."""

from __future__ import annotations

from collections.abc import Iterator

from vpo.il import AddressItem
from vpo.program import Program
from vpo.rtl import Branch, Call, Effect, Expr, IndirectJump, Mem, Return, Set, Symbol, subexpressions

INDIRECT = ""  # the callee of an indirect call


def callee_of(program: Program, call: Call) -> str:
    """Return the name of the function called, or INDIRECT."""
    target = call.target
    if type(target) is Symbol and target.offset == 0 and target.name in program.functions:
        return target.name
    return INDIRECT


def address_taken(program: Program) -> list[str]:
    """Functions that an indirect call may reach, in program order."""
    taken = {item.symbol for data in program.data for item in data.items if isinstance(item, AddressItem)}
    for function in program.functions.values():
        for rtl in function.rtls():
            for effect in rtl.effects:
                for node in _read_expressions(effect):
                    taken.update(x.name for x in subexpressions(node) if isinstance(x, Symbol))
    return [name for name in program.functions if name in taken]


def _read_expressions(effect: Effect) -> Iterator[Expr]:
    match effect:
        case Set(target=target, source=source):
            yield source
            if isinstance(target, Mem):
                yield target.address
        case Branch(condition=condition):
            yield condition
        case IndirectJump(target=target) | Return(target=target):
            yield target
        case Call(target=target) if not (type(target) is Symbol and target.offset == 0):
            yield target
