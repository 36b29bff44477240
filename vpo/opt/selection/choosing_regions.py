"""Regions between a branch and the join of its ways that only compute, so that instructions may choose in their place."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterator, Mapping
from dataclasses import replace

from vpo.analysis.cfg import Cfg, branch_of, tested_truth, transfer_of
from vpo.analysis.dominators import BLOCKS, MANY_BLOCKS, Region, region_of
from vpo.analysis.frequency import Comparison, branch_comparison
from vpo.analysis.liveness import does_more_than_set
from vpo.machines.machine import Machine
from vpo.opt.selection.covering import are_unwanted, hard_operands, literal
from vpo.opt.state import CFG, FunctionState
from vpo.rtl import CODE_TYPES, QUOTIENTS, Branch, Const, Jump, Op, Register, Rtl, Set
from vpo.rtl.function import Block, Phi

TREE = 6  # RTLs by which values come together behind a join


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
    capabilities = state.machine.capabilities
    able = capabilities.chooses or capabilities.compares or capabilities.predicated
    if not able and tests_code(region.head):
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
    hard = hard_operands(machine) if able else frozenset()
    for rtl in block.rtls:
        if rtl is transfer_of(block):
            continue
        effect = rtl.single_set
        if found is not None and rtl is found.compare:
            changed.update(rtl.sets)
        elif effect is None or getattr(effect.source, "op", "") in QUOTIENTS:
            return None
        elif able and (effect.target.type == "C" or effect.target in hard) and not effect.memory:
            known.update(rtl.sets)
            changed.update((*rtl.sets, *machine.may_clobber(rtl.effects)))
        elif only_computes(effect, machine, known):
            changed.update(machine.may_clobber(rtl.effects))
        else:
            return None
    return changed


def tests_code(block: Block) -> bool:
    """Whether the branch at the end of a block tests a condition code, or a hard register that a comparison has set."""
    return any(register.type in CODE_TYPES for register in block.rtls[-1].uses) or tested_truth(block) is not None


def compared_by_branch(block: Block) -> Comparison | None:
    """Return what the branch at the end of a block compares, floating numbers too: their codes may have been copied."""
    *above, branch = block.rtls
    condition = branch.transfer.condition if type(branch.transfer) is Branch and len(branch.effects) == 1 else None
    code = condition.args[0] if condition is not None else None
    if condition is None or type(code) is not Register or code.type != "G" or condition.args[-1] is not Const(0):
        return branch_comparison(block)
    for rtl in reversed(above):
        effect = rtl.single_set
        if rtl.call is not None or (code in rtl.sets and effect is None):
            return None
        if effect is not None and effect.target is code:
            if type(effect.source) is Op and effect.source.op == "?":
                return Comparison(Op(condition.op, "", *effect.source.args), rtl, branch)
            if type(effect.source) is not Register:
                return None
            code = effect.source
    return None


def falls_into_join(region: Region, blocks: list[Block]) -> bool:
    """Whether the join stands behind the head, but for what is between them."""
    behind = blocks[blocks.index(region.head) + 1 :]
    return next((block for block in behind if block not in region.inner), None) is region.join


def remaining(phi: Phi, region: Region, chosen: Register) -> Phi:
    """Return a phi of the join that takes what was chosen if control comes from the head."""
    gone = {block.label for block in region.inner}
    others = {label: source for label, source in phi.sources.items() if label not in gone}
    return Phi(phi.target, {**others, region.head.label: chosen}, phi.lines, phi.cause)


def trees_of(
    join: Block, inside: set[Register], definitions: Mapping[Register, Rtl], users: Mapping[Register, list[Rtl | Phi]]
) -> Iterator[list[Rtl]]:
    """Yield RTLs of the join by which all that registers are used for comes to the last of them, and no further."""
    found: list[Rtl] = []
    for rtl in join.rtls:
        if not inside.intersection(rtl.uses):
            continue
        if len(found) == TREE or not rtl.sets or definitions.get(rtl.sets[0]) is not rtl:
            return
        found.append(rtl)
        if all(user in found for register in inside for user in users.get(register, ())):
            yield found
        inside.add(rtl.sets[0])


def only_computes(effect: Set, machine: Machine, known: Collection[Register] = ()) -> bool:
    """Whether an effect sets a pseudo-register to what follows from others, `known` ones and those that have one value."""
    target, source = effect.target, literal(effect.source)
    if type(target) is not Register or not target.pseudo or source.memory or does_more_than_set(effect):
        return False
    return all(r.pseudo or r in machine.zero or r is machine.stack_pointer or r in known for r in effect.uses)


def merge_followers(state: FunctionState, kept: Container[str]) -> None:
    """Join blocks to those before them that alone lead to them, and only there: so a choice stands where it is used.

    Those with the labels `kept` are left alone.
    """
    blocks, number = state.function.blocks, 0
    while number + 1 < len(blocks):
        free = not any(block.label in kept for block in blocks[number : number + 2])
        if not free or not _joins_next(state.get(CFG), number, blocks[number]) or not _merge_next(state, number):
            number += 1


def _joins_next(cfg: Cfg, number: int, block: Block) -> bool:
    """Whether control goes from a block to the next one, and to that from nowhere else, by a jump or without one."""
    ends = block.rtls[-1].transfer if block.rtls else None
    alone = {*cfg.successors[number]} == {number + 1} and {*cfg.predecessors[number + 1]} == {number}
    return alone and (ends is None or type(ends) is Jump)


def _merge_next(state: FunctionState, number: int) -> bool:
    blocks, cfg = state.function.blocks, state.get(CFG)
    block, following = blocks[number : number + 2]
    rtls = [rtl for rtl in block.rtls if type(rtl.transfer) is not Jump]
    copies = [Rtl((Set(phi.target, one),), phi.lines, phi.cause) for phi in following.phis for one in phi.sources.values()]
    names = {following.label: block.label}

    def renamed(phi: Phi) -> Phi:
        return replace(phi, sources={names.get(way, way): source for way, source in phi.sources.items()})

    phis = {blocks[n]: list(map(renamed, blocks[n].phis)) for n in cfg.successors[number + 1]}
    contents = {block: [*rtls, *copies, *following.rtls], following: []}
    return state.change(contents, [*blocks[: number + 1], *blocks[number + 2 :]], {**phis, following: []})
