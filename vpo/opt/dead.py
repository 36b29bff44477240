"""Dead assignment elimination: remove RTLs that only set registers nobody reads.

r[t1]=r[t2]+1;      (r[t1] not live after)    =>    nothing
"""

from __future__ import annotations

from vpo.analysis.liveness import has_side_effect
from vpo.opt.state import LIVENESS, FunctionState
from vpo.rtl import Set


def remove_dead_assignments(state: FunctionState) -> None:
    """Remove RTLs whose results are not live, and moves of a register to itself."""
    before = None
    while before != state.code:
        before = state.code
        _sweep(state)


def _sweep(state: FunctionState) -> None:
    liveness = state.get(LIVENESS)
    stack = state.machine.stack_pointer
    for index, block in enumerate(state.function.blocks):
        live = liveness.live_out[index]
        accesses = liveness.accesses[index]
        for place in range(len(block.rtls) - 1, -1, -1):
            rtl, entry = block.rtls[place], accesses[place]
            useless = not entry.sets & live or all(type(e) is Set and e.target is e.source for e in rtl.effects)
            if rtl.effects and useless and not has_side_effect(rtl) and stack not in rtl.sets and state.remove(block, place):
                continue
            live = (live & ~(entry.sets | entry.clobbers)) | entry.uses
