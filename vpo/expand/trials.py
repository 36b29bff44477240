"""Code that is emitted to see whether it can be, and what it costs."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from vpo.expand.cannot_express import CannotExpress
from vpo.function import Function
from vpo.rtl import Register, Rtl, Set

if TYPE_CHECKING:
    from vpo.expand.legalize import Legalizer

BYTES_PER_CYCLE = 4  # so many bytes are worth a cycle


def scratch(code: Legalizer) -> Legalizer:
    """Return a legaliser to try things out, whose registers are no dummies."""
    return type(code)(code.machine, Function("_", "", 0, False, pseudos=99))


def cost_of(code: Legalizer, emit: Callable[[Legalizer], object]) -> int | None:
    """Return what code that `emit` emits costs, by cycles and bytes; None if it raises CannotExpress.

    Copies within a class cost nothing, since most of them go when registers are assigned.
    """
    trial = scratch(code)
    try:
        emit(trial)
    except CannotExpress:
        return None
    records = [code.machine.record(rtl) for rtl in trial.out if not _is_copy(rtl)]
    return sum(record.latency * BYTES_PER_CYCLE + record.size for record in records)


def _is_copy(rtl: Rtl) -> bool:
    match rtl.effects:
        case (Set(target=Register() as target, source=Register() as source),):
            return target.cls == source.cls
    return False
