"""Dead assignment elimination: remove RTLs that only set registers nobody reads.

r[t1]=r[t2]+1;      (r[t1] not live after)    =>    nothing
"""

from __future__ import annotations

from vpo.analysis.cfg import build_cfg
from vpo.analysis.liveness import compute_liveness, has_side_effect
from vpo.function import Function
from vpo.machines.machine import Machine
from vpo.opt.changes import permitted
from vpo.rtl import Set


def remove_dead_assignments(function: Function, machine: Machine) -> bool:
    """Remove RTLs whose results are not live, and moves of a register to itself."""
    changed = False
    while _sweep(function, machine):
        changed = True
    return changed


def _sweep(function: Function, machine: Machine) -> bool:
    cfg = build_cfg(function)
    liveness = compute_liveness(function, cfg, machine)
    stack_bit = machine.stack_pointer
    changed = False
    for index, block in enumerate(function.blocks):
        live = liveness.live_out[index]
        kept = []
        for rtl, entry in zip(reversed(block.rtls), reversed(liveness.accesses[index]), strict=True):
            useless = not entry.sets & live or all(type(e) is Set and e.target is e.source for e in rtl.effects)
            if rtl.effects and useless and not has_side_effect(rtl) and stack_bit not in rtl.sets and permitted():
                changed = True
                continue
            kept.append(rtl)
            live = (live & ~(entry.sets | entry.clobbers)) | entry.uses
        kept.reverse()
        block.rtls = kept
    return changed
