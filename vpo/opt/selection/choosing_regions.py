"""Regions between a branch and the join of its ways that only compute, so that instructions may choose in their place."""

from __future__ import annotations

from vpo.analysis.cfg import branch_of
from vpo.analysis.dominators import BLOCKS, MANY_BLOCKS, Region, region_of
from vpo.analysis.frequency import branch_comparison
from vpo.analysis.liveness import does_more_than_set
from vpo.machines.machine import Machine
from vpo.opt.selection.covering import are_unwanted, literal
from vpo.opt.state import CFG, FunctionState
from vpo.rtl import Register, Rtl, Set

TRAPPING = ("/", "%", "/u", "%u")


def find_regions(state: FunctionState) -> list[Region]:
    """Return the regions of a function that only compute, inner ones first."""
    blocks, cfg = state.function.blocks, state.get(CFG)
    position = {index: place for place, index in enumerate(cfg.reverse_postorder())}
    heads = sorted((index for index in position if branch_of(blocks[index])), key=lambda index: -position[index])
    most = MANY_BLOCKS if state.machine.capabilities.chooses else BLOCKS
    found = (region_of(head, blocks, cfg, position, most) for head in heads)
    return [region for region in found if region is not None and _may_run(region, state)]


def _may_run(region: Region, state: FunctionState) -> bool:
    """Whether what a region computes may be executed where it was not: nobody wants what it changes besides."""
    machine = state.machine
    compares: set[Rtl] = set()
    able = machine.capabilities.chooses | machine.capabilities.compares
    if (codes := is_code(region.head.rtls[-1])) and not able:
        return False
    if codes:
        compares = {found.compare for block in region.inner if (found := branch_comparison(block)) is not None}
    changed: set[Register] = set()
    for rtl in region.rtls():
        if rtl in compares:
            changed.update(rtl.sets)
            continue
        effect = rtl.single_set
        idle = effect is not None and codes and effect.target.type == "C" and not effect.memory  # it compares for nobody
        if effect is None or getattr(effect.source, "op", "") in TRAPPING or not (idle or only_computes(effect, machine)):
            return False
        changed.update(rtl.sets if idle else ())
        changed.update(machine.may_clobber(rtl.effects))
    return not changed or (codes and are_unwanted(changed, region.join, state))


def is_code(branch: Rtl) -> bool:
    """Whether a branch tests a condition code."""
    return any(register.type == "C" for register in branch.uses)


def only_computes(effect: Set, machine: Machine) -> bool:
    """Whether an effect sets a pseudo-register to what follows from others, and from registers that always have one value."""
    target, source = effect.target, literal(effect.source)
    if type(target) is not Register or not target.pseudo or source.memory or does_more_than_set(effect):
        return False
    return all(r.pseudo or r in machine.zero or r is machine.stack_pointer for r in effect.uses)
