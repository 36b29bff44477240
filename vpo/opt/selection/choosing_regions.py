"""Regions between a branch and the join of its ways that only compute, so that instructions may choose in their place."""

from __future__ import annotations

from collections.abc import Collection

from vpo.analysis.cfg import branch_of, transfer_of
from vpo.analysis.dominators import BLOCKS, MANY_BLOCKS, Region, region_of
from vpo.analysis.frequency import branch_comparison
from vpo.analysis.liveness import does_more_than_set
from vpo.machines.machine import Machine
from vpo.opt.selection.covering import are_unwanted, literal
from vpo.opt.state import CFG, FunctionState
from vpo.rtl import Register, Rtl, Set
from vpo.rtl.function import Block

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
    able = state.machine.capabilities.chooses | state.machine.capabilities.compares
    if not able and is_code(region.head.rtls[-1]):
        return False
    changed: set[Register] = set()
    for block in region.inner:
        besides = _changed_by(block, state.machine, able)
        if besides is None:
            return False
        changed |= besides
    return not changed or (able and are_unwanted(changed, region.join, state))


def _changed_by(block: Block, machine: Machine, able: bool) -> set[Register] | None:
    """Return what a block changes besides what it computes, such as codes for a machine that is `able` to choose.

    None if it does more.
    """
    found = branch_comparison(block) if able else None
    changed, known = set[Register](), set[Register]()
    for rtl in block.rtls:
        if rtl is transfer_of(block):
            continue
        effect = rtl.single_set
        if found is not None and rtl is found.compare:
            changed.update(rtl.sets)
        elif effect is None or getattr(effect.source, "op", "") in TRAPPING:
            return None
        elif able and effect.target.type == "C" and not effect.memory:
            known.update(rtl.sets)
            changed.update((*rtl.sets, *machine.may_clobber(rtl.effects)))
        elif only_computes(effect, machine, known):
            changed.update(machine.may_clobber(rtl.effects))
        else:
            return None
    return changed


def is_code(branch: Rtl) -> bool:
    """Whether a branch tests a condition code."""
    return any(register.type == "C" for register in branch.uses)


def only_computes(effect: Set, machine: Machine, known: Collection[Register] = ()) -> bool:
    """Whether an effect sets a pseudo-register to what follows from others, `known` ones and those that have one value."""
    target, source = effect.target, literal(effect.source)
    if type(target) is not Register or not target.pseudo or source.memory or does_more_than_set(effect):
        return False
    return all(r.pseudo or r in machine.zero or r is machine.stack_pointer or r in known for r in effect.uses)
