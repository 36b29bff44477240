"""Defer steps, on SSA form: add a constant to a register only when its old value has been used for the last time.

    r[t1.3]=r[t1.2]+4;               r[t2]=L[r[t1.2]];
    r[t2]=L[r[t1.2]];        =>      r[t1.3]=r[t1.2]+4;

That is `x=*p++;`.  Old and new value then need not be in two registers, and a machine that steps addresses by the way can
join the two.  `vpo/opt/defer_around.py` does it for steps that can come in the next round of a loop.
"""

from __future__ import annotations

from vpo.analysis.liveness import Liveness
from vpo.function import Block
from vpo.opt.defer_around import defer_around
from vpo.opt.state import LIVENESS, FunctionState
from vpo.rtl import Const, Op, Register, Rtl


def defer_steps(state: FunctionState) -> None:
    """Move steps of registers behind the last uses of what they step from."""
    if state.function.stage != "ssa":
        return
    defer_around(state)
    liveness = state.get(LIVENESS)
    for number, block in enumerate(state.function.blocks):
        after = _deferred(state, block, liveness, number)
        if after:
            gone = {rtl for group in after.values() for rtl in group}
            state.change({block: [new for rtl in block.rtls if rtl not in gone for new in (rtl, *after.get(rtl, ()))]})


def _deferred(state: FunctionState, block: Block, liveness: Liveness, number: int) -> dict[Rtl, list[Rtl]]:
    """Return the RTLs to move, by the RTL behind which they belong."""
    first: dict[Register, int] = {}
    last: dict[Register, int] = {}
    for position, rtl in enumerate(block.rtls):
        for register in rtl.uses:
            first.setdefault(register, position)
            last[register] = position
    live_out = liveness.live_out[number]
    live: list[int] = []  # behind each RTL, where it matters
    copied: dict[Register, tuple[int, Register]] = {}
    moved: set[int] = set()
    after: dict[Rtl, list[Rtl]] = {}
    for position, rtl in enumerate(block.rtls):
        effect = rtl.single_set()
        if effect is None or not isinstance(effect.target, Register) or not effect.target.pseudo:
            continue
        if isinstance(effect.source, Register) and effect.source.pseudo:
            copied[effect.target] = position, effect.source
            continue
        group, old = [position], stepped(effect.source)
        if old in copied and first[old] == last[old] == position and not live_out & liveness.numbering.mask((old,)):
            start, old = copied[old]  # the copy that an instruction with two addresses changes
            group = [start, position]
        if old is None or not old.pseudo or live_out & liveness.numbering.mask((old,)):
            continue
        end = last.get(old, -1)
        if end <= position or first.get(effect.target, end + 1) <= end or end in moved or block.rtls[end].transfer is not None:
            continue
        clobbers = state.machine.may_clobber(rtl.effects)
        if clobbers:
            live = live or liveness.backward(number)
            if liveness.numbering.mask(clobbers) & live[end]:
                continue
        after.setdefault(block.rtls[end], []).extend(block.rtls[index] for index in group)
        moved.update(group)
    return after


def stepped(source: object) -> Register | None:
    """Return the register to which an expression adds a constant."""
    if isinstance(source, Op) and source.op == "+" and isinstance(source.args[1], Const):
        old = source.args[0]
        return old if isinstance(old, Register) else None
    return None
