"""Constants and addresses that no single instruction states: from halves of an address, a literal pool, or its parts.

r[5]=_sum;     =>     r[6]=HI[_sum]; r[5]=r[6]+LO[_sum];     or     r[5]=L[LIT[_sum]];
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from vpo.algebra import binary
from vpo.lower import address_parts
from vpo.rtl import Const, Expr, Half, Mem, Register, Set, Slot, Symbol
from vpo.rtl.function import FAR

if TYPE_CHECKING:
    from vpo.lower.legalize import Legalizer


def state(code: Legalizer, target: Register, source: Expr) -> bool:
    """Emit target=source for a constant or an address; return False if the machine has no way to it."""
    if not isinstance(source, Const | Symbol | Slot):
        return False
    if isinstance(source, Symbol) or (isinstance(source, Slot) and source.name.startswith(FAR)):
        high = code.fresh(target.cls)
        halves = Set(high, Half("HI", source)), Set(target, binary("+", high, Half("LO", source)))
        if all(code.machine.is_legal((effect,)) for effect in halves):
            return all(code.attempt(effect) for effect in halves)
    if not isinstance(source, Slot) and code.attempt(Set(target, Mem(target.type, Half("LIT", source)))):
        return True
    return not isinstance(source, Const) and address_parts.state(code, target, source)
