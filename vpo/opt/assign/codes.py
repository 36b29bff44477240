"""Condition codes that spilling must leave alone."""

from __future__ import annotations

from collections.abc import Sequence

from vpo.analysis.liveness import has_side_effect
from vpo.machines.machine import Machine
from vpo.rtl import Register, Rtl


def is_code(register: Register) -> bool:
    """Whether a register holds what a comparison found out."""
    return register.type in ("C", "G")


def keep_codes(rtls: Sequence[Rtl], machine: Machine) -> list[Rtl]:
    """Return the RTLs of a block, none of which, computing the address of a cell, say, changes a code still wanted.

    RTLs that spilling has put there and that do go before the one that sets the code.
    """
    kept = list(rtls)
    while (change := _first_change(kept, machine)) is not None:
        setter, place = change
        moved = kept[setter + 1 : place + 1]
        if not all(_commute(kept[setter], rtl) for rtl in moved):
            raise AssertionError(f"a spill changes the condition code of {kept[setter]!r}")
        kept[setter : place + 1] = [*moved, kept[setter]]
    return kept


def _first_change(rtls: Sequence[Rtl], machine: Machine) -> tuple[int, int] | None:
    """Return the place where a code is set, and that of the first RTL that changes it before it is read."""
    set_at: dict[Register, int] = {}
    changed: dict[Register, int] = {}
    for place, rtl in enumerate(rtls):
        lost = [(set_at[code], changed[code]) for code in rtl.uses if is_code(code) and code in changed]
        if lost:
            return min(lost)
        for code in filter(is_code, rtl.sets):
            set_at[code] = place
            changed.pop(code, None)
        for code in machine.clobbers(rtl.effects):
            if code in set_at and set_at[code] != place:
                changed.setdefault(code, place)
    return None


def _commute(setter: Rtl, rtl: Rtl) -> bool:
    """Whether an RTL that sets a code may as well come behind another one."""
    if not set(setter.uses).isdisjoint(rtl.sets) or not set(setter.sets).isdisjoint((*rtl.uses, *rtl.sets)):
        return False
    if rtl.cause == "spill":  # no other cell than its own is concerned
        return set(setter.loads).isdisjoint(rtl.stores) and set(setter.stores).isdisjoint((*rtl.loads, *rtl.stores))
    return not has_side_effect(rtl) and not (rtl.loads and setter.stores)
