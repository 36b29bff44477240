"""Which registers an instruction reads and writes."""

from __future__ import annotations

from collections.abc import Collection

from vpo.rtl import Call, Effect, Register, Return, Rtl, Set


def accesses(rtl: Rtl, hidden: Collection[Effect] = ()) -> tuple[set[Register], set[Register]]:
    """Return the registers that an instruction reads and writes.

    What a callee reads does not count, nor do hidden effects.
    """
    read: set[Register] = set()
    written: set[Register] = set()
    for effect in rtl.effects:
        if hidden and effect in hidden:
            continue
        read.update(effect.target.uses if isinstance(effect, Call | Return) else effect.uses)
        if isinstance(effect, Set) and isinstance(effect.target, Register):
            written.add(effect.target)
    return read, written
