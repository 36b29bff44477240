"""Strides of addresses in registers, on SSA form, where one instruction accesses a cell and steps by a register only.

                                                       L3: r[t9]=r[t5]<<1;
    L4: r[t2]=sxL(W[r[t1.2]]);                         L4: r[t2]=sxL(W[r[t1.2]]);
        r[t1.3]=r[t1.2]+(r[t5]<<1);            =>          r[t1.3]=r[t1.2]+r[t9];

Most machines compute the stride in the addition, which then costs one instruction more than an access that steps.
"""

from __future__ import annotations

from vpo.analysis.cfg import end_of
from vpo.analysis.dominators import Loop
from vpo.opt.loops.loop_variables import single_latch_loops
from vpo.opt.selection.stepping_loads import stepped, stepping_load
from vpo.opt.ssa.wanted_bits import WantedBits
from vpo.opt.state import LIVENESS, FunctionState
from vpo.rtl import Expr, Op, Register, Rtl, Set
from vpo.rtl.function import Block

ASKED = 1 << 40  # the number of a register that no function has


def hoist_strides(state: FunctionState) -> None:
    """Compute the strides of addresses in front of loops, where an instruction can then access and step."""
    for loop, place, _ in single_latch_loops(state):
        blocks = state.function.blocks
        steps = [
            (block, rtl, phi.target, stride)
            for phi in blocks[loop.header].phis
            for block in (blocks[number] for number in sorted(loop.blocks))
            for rtl in block.rtls
            if (stride := _stride(rtl, phi.target)) is not None
        ]
        for block, rtl, variable, stride in steps:
            if _varies(state, loop, stride) or not _accesses(state, loop, variable, stride):
                continue
            _hoist(state, blocks[place], block, rtl, variable, stride)


def _stride(rtl: Rtl, variable: Register) -> Op | None:
    """Return what an RTL adds to a variable, if it computes that, too."""
    match rtl.single_set:
        case Set(target=Register(pseudo=True), source=Op(op="+", args=(a, b))):
            for one, other in ((a, b), (b, a)):
                if one is variable and isinstance(other, Op) and not other.memory and variable not in other.uses:
                    return other
    return None


def _varies(state: FunctionState, loop: Loop, stride: Op) -> bool:
    """Whether a loop may change what is computed of registers."""
    if not all(used.pseudo or used in state.machine.zero for used in stride.uses):
        return True
    blocks = [state.function.blocks[number] for number in loop.blocks]
    made = {register for block in blocks for rtl in block.rtls for register in rtl.sets}
    made.update(phi.target for block in blocks for phi in block.phis)
    return not made.isdisjoint(stride.uses)


def _accesses(state: FunctionState, loop: Loop, variable: Register, stride: Op) -> bool:
    """Whether a loop accesses a cell at a variable, and one instruction could step that by a register, too."""
    register = Register(variable.cls, ASKED, variable.type, True)
    rtls = (rtl for number in loop.blocks for rtl in state.function.blocks[number].rtls)
    found = [rtl for rtl in rtls if any(cell.address is variable for cell in (*rtl.loads, *rtl.stores))]
    return any(_steps(state, rtl, variable, register) and not _steps(state, rtl, variable, stride) for rtl in found)


def _steps(state: FunctionState, rtl: Rtl, variable: Register, by: Expr) -> bool:
    """Whether an instruction does what an RTL does and adds something to a variable."""
    machine, total = state.machine, Op("+", variable.type, variable, by)
    if machine.is_legal((*rtl.effects, stepped(variable, total))):
        return True
    return bool(
        stepping_load(machine, rtl, variable, total) and stepping_load(machine, rtl, variable, total, WantedBits(state))
    )


def _hoist(state: FunctionState, preheader: Block, block: Block, rtl: Rtl, variable: Register, stride: Op) -> None:
    """Compute a stride at the end of a block, for an RTL in a loop behind it."""
    effect = rtl.single_set
    assert effect is not None
    by = state.function.pseudo(variable.cls, variable.type)
    before, step = (Set(by, stride),), (Set(effect.target, Op("+", variable.type, variable, by)),)
    machine, liveness = state.machine, state.get(LIVENESS)
    changed = liveness.numbering.mask(machine.may_clobber(before))
    if changed & liveness.live_out[state.function.blocks.index(preheader)] or not all(map(machine.is_legal, (before, step))):
        return
    if not {*machine.may_clobber(step)} <= {*machine.may_clobber(rtl.effects)}:
        return
    end = end_of(preheader)
    contents = [*preheader.rtls[:end], Rtl(before, rtl.lines, rtl.cause), *preheader.rtls[end:]]
    rest = [Rtl(step, rtl.lines, rtl.cause) if each is rtl else each for each in block.rtls]
    state.change({preheader: contents, block: rest})
