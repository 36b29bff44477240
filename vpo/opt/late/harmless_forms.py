"""Forms of instructions that change registers beside what their RTL says: taken only where nobody reads these (`if_dead`).

    cc=r[1]?r[3];                       cmp r1, r3
    r[0]=0;           (form 1)          mov.w r0, #0        `movs r0, #0` is shorter, but would change cc
    PC=cc<0,L5;                         blt L5

Until code is final an RTL means the first of its forms, which counts as harmless; so this comes last.
A file of its own, since neither slots nor reach have a part in it.
"""

from __future__ import annotations

from vpo.analysis.liveness import Liveness
from vpo.base.errors import CannotExpress
from vpo.machines.machine import Machine
from vpo.machines.match.record import Record
from vpo.opt.state import LIVENESS, FunctionState
from vpo.rtl import Rtl


def choose_harmless_forms(state: FunctionState) -> None:
    """Write RTLs in a later form where the first one changes a register that is read behind it.

    Raises CannotExpress where each form does.
    """
    function, machine = state.function, state.machine
    if not any(machine.record(rtl).if_dead for rtl in function.rtls()):
        return
    liveness = state.get(LIVENESS)
    for number, block in enumerate(function.blocks):
        for rtl, live in zip(block.rtls, liveness.backward(number), strict=True):
            if _harms(machine.record(rtl), live, liveness):
                _spare(rtl, live, liveness, machine)


def _spare(rtl: Rtl, live: int, liveness: Liveness, machine: Machine) -> None:
    """Switch to the first form of an RTL that changes no live register beside what it says."""
    for form, candidate in enumerate(machine.forms_of(rtl.effects)):
        if not _harms(candidate, live, liveness):
            rtl.form, rtl.record = form, candidate
            return
    raise CannotExpress(f"form of `{rtl!r}` that leaves alone what is read behind it", rtl.lines[0])


def _harms(record: Record, live: int, liveness: Liveness) -> bool:
    return bool(record.if_dead) and bool(liveness.numbering.mask(record.if_dead) & live)
