"""Late steps: a register that steps after its old value was copied steps when the copy has been used instead.

    r[t2]=r[t1];
    r[t1]=r[t1]+4;               r[t3]=L[r[t1]];
    r[t3]=L[r[t2]];      =>      r[t1]=r[t1]+4;

That is `x=*p++;`.  The copy goes, and a machine that steps addresses by the way can join the two that are left.
"""

from __future__ import annotations

from vpo.algebra import is_step, rebuild_effect
from vpo.analysis.cfg import build_cfg
from vpo.analysis.liveness import Access, Liveness, access, compute_liveness
from vpo.function import Block, Function
from vpo.machines.machine import Machine
from vpo.opt.changes import permitted
from vpo.rtl import Effect, Register, Rtl, merge_provenance


def sink_increments(function: Function, machine: Machine) -> bool:
    """Move an increment below the last use of a copy of the old value, and remove the copy."""
    liveness = compute_liveness(function, build_cfg(function), machine)
    changed = False
    for index, block in enumerate(function.blocks):
        place = 0
        while place < len(block.rtls):
            if _delay(block, place, liveness, index, machine):
                changed = True
                liveness.accesses[index] = _accesses(block, liveness)
            else:
                place += 1
    return changed


def _accesses(block: Block, liveness: Liveness) -> list[Access]:
    return [access(rtl, liveness.numbering) for rtl in block.rtls]


def _delay(block: Block, place: int, liveness: Liveness, index: int, machine: Machine) -> bool:
    """Remove the copy at `place` if what it copies steps and the copy has been used before the end of the block."""
    copy = block.rtls[place].single_set()
    if copy is None or type(copy.target) is not Register or type(copy.source) is not Register:
        return False
    old, register = copy.target, copy.source
    if not (old.pseudo and register.pseudo) or old.cls != register.cls:
        return False
    mask = liveness.numbering.mask
    accesses = liveness.accesses[index]
    step = last = None
    for k in range(place + 1, len(block.rtls)):
        entry = accesses[k]
        if entry.sets & mask((old,)):
            return False
        if step is None and entry.sets & mask((register,)):
            effect = block.rtls[k].single_set()
            if effect is None or effect.target is not register or not is_step(effect):
                return False
            step = k
        elif step is not None and (entry.sets | entry.uses) & mask((register,)):
            break  # the new value is wanted here
        if entry.uses & mask((old,)):
            last = k
    else:
        k = len(block.rtls)
    after = liveness.backward(index)
    if step is None or last is None or last <= step or after[k - 1] & mask((old,)):
        return False
    if accesses[step].clobbers & after[last] or block.rtls[last].transfer is not None:
        return False
    return _move(block, place, step, last, old, register, machine)


def _move(block: Block, place: int, step: int, last: int, old: Register, register: Register, machine: Machine) -> bool:
    rtls = block.rtls
    renamed: dict[int, tuple[Effect, ...]] = {}
    for k in range(place + 1, last + 1):
        if k != step and old in rtls[k].uses:
            effects = tuple(rebuild_effect(e, lambda node: register if node is old else None) for e in rtls[k].effects)
            if any(old in effect.uses for effect in effects) or not machine.is_legal(effects):
                return False
            renamed[k] = effects
    if not permitted():
        return False
    for k, effects in renamed.items():
        rtls[k] = Rtl(effects, *merge_provenance(rtls[k], rtls[place]))
    rtls[last + 1 : last + 1] = [rtls[step]]
    del rtls[step], rtls[place]
    return True
