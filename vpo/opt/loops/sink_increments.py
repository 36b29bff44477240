"""Late steps: a register that steps after its old value was copied steps when the copy has been used instead.

    r[t2]=r[t1];
    r[t1]=r[t1]+4;               r[t3]=L[r[t1]];
    r[t3]=L[r[t2]];      =>      r[t1]=r[t1]+4;

That is `x=*p++;`.  The copy goes, and a machine that steps addresses by the way can join the two that are left.
"""

from __future__ import annotations

from vpo.algebra import is_step, rebuild_effect
from vpo.analysis.liveness import Access, Liveness, access
from vpo.opt.state import LIVENESS, FunctionState, merged
from vpo.rtl import Register, Rtl
from vpo.rtl.function import Block


def sink_increments(state: FunctionState) -> None:
    """Move an increment below the last use of a copy of the old value, and remove the copy."""
    liveness = state.get(LIVENESS).copy()
    for index, block in enumerate(state.function.blocks):
        if not any(map(_steps, block.rtls)):
            continue
        place = 0
        while place < len(block.rtls):
            if _delay(block, place, liveness, index, state):
                liveness.accesses[index] = _accesses(block, liveness)
            else:
                place += 1


def _steps(rtl: Rtl) -> bool:
    effect = rtl.single_set()
    return effect is not None and is_step(effect)


def _accesses(block: Block, liveness: Liveness) -> list[Access]:
    return [access(rtl, liveness.numbering) for rtl in block.rtls]


def _delay(block: Block, place: int, liveness: Liveness, index: int, state: FunctionState) -> bool:
    """Remove the copy at `place` if what it copies steps and the copy has been used before the end of the block."""
    copy = block.rtls[place].single_set()
    if copy is None or type(copy.target) is not Register or type(copy.source) is not Register:
        return False
    old, register = copy.target, copy.source
    if not (old.pseudo and register.pseudo) or old.cls != register.cls:
        return False
    mask = liveness.numbering.mask
    copied, stepping = mask((old,)), mask((register,))
    accesses = liveness.accesses[index]
    step = last = None
    for k in range(place + 1, len(block.rtls)):
        entry = accesses[k]
        if entry.sets & copied:
            return False
        if step is None and entry.sets & stepping:
            effect = block.rtls[k].single_set()
            if effect is None or effect.target is not register or not is_step(effect):
                return False
            step = k
        elif step is not None and (entry.sets | entry.uses) & stepping:
            break  # the new value is wanted here
        if entry.uses & copied:
            last = k
    else:
        k = len(block.rtls)
    if step is None or last is None or last <= step or block.rtls[last].transfer is not None:
        return False
    after = liveness.backward(index)
    if after[k - 1] & copied or accesses[step].clobbers & after[last]:
        return False
    return _move(block, place, step, last, old, register, state)


def _move(block: Block, place: int, step: int, last: int, old: Register, register: Register, state: FunctionState) -> bool:
    """Remove the copy, let what reads it up to `last` read the register instead, and put the step behind that."""
    rtls = block.rtls
    new = list(rtls)
    for k in range(place + 1, last + 1):
        if k != step and old in rtls[k].uses:
            effects = tuple(rebuild_effect(e, lambda node: register if node is old else None) for e in rtls[k].effects)
            if any(old in effect.uses for effect in effects):
                return False
            new[k] = merged(effects, rtls[k], rtls[place])
    new.insert(last + 1, rtls[step])
    del new[step], new[place]
    return state.change({block: new})
