"""Dead assignment elimination: remove RTLs that only set registers, or frame slots, that nobody reads.

r[t1]=r[t2]+1;      (r[t1] not live after)                                         =>    nothing
ST=_f(r[10]);       (_f changes no memory and always returns; its result is not live after)  =>    nothing
L[r[2]+.a]=r[t1];   (no load may concern slot .a, and its address is not known outside)  =>    nothing
"""

from __future__ import annotations

from vpo.analysis.alias import Aliases
from vpo.analysis.liveness import does_more_than_set
from vpo.analysis.memory_effects import callee_effects
from vpo.opt.state import ALIASES, LIVENESS, ROUTINE_CALLS, FunctionState
from vpo.rtl import Mem, Register, Rtl, Set
from vpo.rtl.function import Phi


def remove_dead_assignments(state: FunctionState) -> None:
    """Remove RTLs whose results are not live, and moves of a register to itself."""
    if state.function.stage == "ssa":
        _remove_unused(state)
        return
    before = None
    aliases = state.get(ALIASES)  # what is removed only makes them more cautious than they need be
    while before != state.code:
        before = state.code
        _sweep(state, aliases)


def _sweep(state: FunctionState, aliases: Aliases) -> None:
    liveness = state.get(LIVENESS)
    stack = state.machine.stack_pointer
    for index, block in enumerate(state.function.blocks):
        live = liveness.live_out[index]
        accesses = liveness.accesses[index]
        for place in range(len(block.rtls) - 1, -1, -1):
            rtl, entry = block.rtls[place], accesses[place]
            useless = not entry.sets & live or all(type(e) is Set and e.target is e.source for e in rtl.effects)
            useless = bool(rtl.effects) and useless and stack not in rtl.sets and not _has_effect(rtl, aliases)
            removable = bool(entry.clobbers) and not entry.clobbers & live and _is_removable_call(rtl, state)
            if (useless or removable) and state.remove(block, place):
                continue
            live = (live & ~(entry.sets | entry.clobbers)) | entry.uses


def _is_removable_call(rtl: Rtl, state: FunctionState) -> bool:
    """Whether an RTL calls a function that only leaves results, in registers that a call may change."""
    known = callee_effects(rtl, state.facts.effects)
    return known is not None and known.removable and rtl.call is not None and not rtl.call.results


def _has_effect(rtl: Rtl, aliases: Aliases) -> bool:
    """Whether an RTL does anything beside setting registers and cells that are never read."""
    if not rtl.acts or any(cell.volatile for cell in rtl.loads):
        return rtl.acts
    stored = [effect.target for effect in rtl.effects if type(effect) is Set and type(effect.target) is Mem]
    others = (effect for effect in rtl.effects if type(effect) is not Set or type(effect.target) is not Mem)
    return any(map(does_more_than_set, others)) or any(map(aliases.is_ever_read, stored))


def _remove_unused(state: FunctionState) -> None:
    """Remove RTLs and phis of SSA form that nothing with an effect depends on."""
    definitions: dict[Register, Phi | Rtl] = {}
    work: list[Register] = []
    needed: set[Rtl] = set()
    calls = state.get(ROUTINE_CALLS)
    parts = {rtl for call in calls.values() for rtl in call.rtls}  # needed if their results are
    for block in state.function.blocks:
        for phi in block.phis:
            definitions[phi.target] = phi
        for rtl in block.rtls:
            if _is_needed(rtl) and rtl not in parts:
                needed.add(rtl)
                work += rtl.uses
            for register in rtl.sets:
                definitions[register] = rtl
    used: set[Register] = set()
    while work:
        register = work.pop()
        definition = definitions.get(register)
        if register in used or definition is None:
            continue
        used.add(register)
        if isinstance(definition, Phi):
            work += definition.sources.values()
            continue
        work += definition.uses
        if (call := calls.get(definition)) is not None:
            needed.update(call.rtls)
            work += call.value.uses
    for block in state.function.blocks:
        phis = [phi for phi in block.phis if phi.target in used]
        rtls = [rtl for rtl in block.rtls if rtl in needed or (rtl not in parts and not used.isdisjoint(rtl.sets))]
        if len(phis) < len(block.phis) or len(rtls) < len(block.rtls):
            state.change({block: rtls}, phis={block: phis})


def _is_needed(rtl: Rtl) -> bool:
    """Whether an RTL does more than set pseudo-registers."""
    if rtl.acts or not rtl.effects:
        return True
    for register in rtl.sets:
        if not register.pseudo:
            return True
    return False
