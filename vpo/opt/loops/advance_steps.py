"""Advance steps, on SSA form: step an address where it is used last, if one instruction does both.

    L4: r[t2]=L[r[t1.2]];                    L4: r[t2]=L[r[t1.2]];
        PC=r[t2]==0,L7;                          r[t1.3]=r[t1.2]+4;
        ...                          =>          PC=r[t2]==0,L7;
    L7: r[t1.3]=r[t1.2]+4;                       ...
        PC=r[t1.3]!=r[t9],L4;                L7: PC=r[t1.3]!=r[t9],L4;

`vpo/opt/selection/simultaneous.py` joins the two later. Within a block that is the work of `vpo/opt/loops/defer_steps.py`.
"""

from __future__ import annotations

from vpo.analysis.dominators import Loop, dominates
from vpo.opt.loops.defer_steps import stepped
from vpo.opt.loops.loop_variables import Users
from vpo.opt.state import DOMINATORS, LIVENESS, LOOPS, FunctionState
from vpo.rtl import Register, Rtl


def advance_steps(state: FunctionState) -> None:
    """Move steps of addresses to the blocks of a loop in which these are used last, where one instruction does both."""
    if state.function.stage != "ssa" or not state.machine.capabilities.pairs:
        return
    loops = state.get(LOOPS)
    if not loops:
        return
    users = Users(state)
    inner: dict[int, Loop] = {}  # the innermost loop of each block
    for loop in sorted(loops, key=lambda loop: -len(loop.blocks)):
        inner.update(dict.fromkeys(loop.blocks, loop))
    for loop in loops:
        for phi in state.function.blocks[loop.header].phis:
            found = _step(users, phi.target)
            if found is None:
                continue
            step, number = found
            there = users.homes[step]
            together = inner.get(number) is inner.get(there) is loop and dominates(state.get(DOMINATORS), number, there)
            if number != there and together and _move(state, step, there, number, phi.target):
                users.homes[step] = number


def _step(users: Users, variable: Register) -> tuple[Rtl, int] | None:
    """Return what steps a variable, and the one block in which else it is used."""
    readers = users.of.get(variable, [])
    rtls = [user for user in readers if isinstance(user, Rtl)]
    step = next((rtl for rtl in rtls if _steps(rtl, variable)), None)
    places = {users.homes[rtl] for rtl in rtls if rtl is not step}
    if step is None or len(places) != 1 or len(rtls) != len(readers):
        return None
    return step, places.pop()


def _steps(rtl: Rtl, register: Register) -> bool:
    effect = rtl.single_set()
    return effect is not None and isinstance(effect.target, Register) and stepped(effect.source) is register


def _move(state: FunctionState, step: Rtl, there: int, number: int, old: Register) -> bool:
    """Move a step from one block behind the last use of its old value in another one, if one instruction does both."""
    blocks = state.function.blocks
    here = blocks[number].rtls
    last = max(position for position, rtl in enumerate(here) if old in rtl.uses)
    if here[last].transfer is not None or not state.machine.is_legal((*here[last].effects, *step.effects)):
        return False
    liveness = state.get(LIVENESS)
    if liveness.numbering.mask(state.machine.may_clobber(step.effects)) & liveness.backward(number)[last]:
        return False
    without = [rtl for rtl in blocks[there].rtls if rtl is not step]
    return state.change({blocks[there]: without, blocks[number]: [*here[: last + 1], step, *here[last + 1 :]]})
