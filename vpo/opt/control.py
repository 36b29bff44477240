"""Control-flow cleanup: unreachable code, branch chaining, useless jumps, reversed branches, merged blocks.

PC=r[1]==0,L2;            PC=r[1]!=0,L3;
PC=L3;              =>
L2: ...                   L2: ...
"""

from __future__ import annotations

from vpo.algebra import binary, reverse
from vpo.analysis.cfg import build_cfg, transfer_of
from vpo.function import Block, Function
from vpo.machines.machine import Machine
from vpo.rtl import Branch, Const, Effect, IndirectJump, Jump, Rtl


def clean_up_control_flow(function: Function, machine: Machine) -> bool:
    """Remove unreachable code and useless jumps, chain branches and merge blocks, until nothing changes."""
    changed = False
    while (
        _fold_branches(function)
        | _chain_branches(function)
        | _remove_unreachable(function)
        | _remove_useless_jumps(function)
        | _reverse_branches(function, machine)
        | _merge_blocks(function)
    ):
        changed = True
    return changed


def _fold_branches(function: Function) -> bool:
    """Replace branches whose condition is constant."""
    changed = False
    for block in function.blocks:
        rtl = transfer_of(block)
        if rtl is None or not isinstance(rtl.effects[0], Branch):
            continue
        left, right = rtl.effects[0].condition.args
        if not (isinstance(left, Const) and isinstance(right, Const)):
            continue
        outcome = binary(rtl.effects[0].condition.op, left, right)
        assert isinstance(outcome, Const)
        block.rtls.pop()
        if outcome.value:
            block.rtls.append(Rtl((Jump(rtl.effects[0].label),), rtl.lines, rtl.cause))
        changed = True
    return changed


def retarget(effect: Effect, old: str, new: str) -> Effect:
    """Return a transfer with one label replaced by another."""
    match effect:
        case Jump(label=label) if label == old:
            return Jump(new)
        case Branch(condition=condition, label=label) if label == old:
            return Branch(condition, new)
        case IndirectJump(target=target, labels=labels) if old in labels:
            return IndirectJump(target, tuple(dict.fromkeys(new if name == old else name for name in labels)))
    return effect


def _chain_branches(function: Function) -> bool:
    """Let a transfer to a block that only jumps go straight to where that leads."""
    forward: dict[str, str] = {}
    for index, block in enumerate(function.blocks):
        if not block.rtls and index + 1 < len(function.blocks):
            forward[block.label] = function.blocks[index + 1].label
        elif len(block.rtls) == 1 and isinstance(block.rtls[0].effects[:1] and block.rtls[0].effects[0], Jump):
            jump = block.rtls[0].effects[0]
            assert isinstance(jump, Jump)
            forward[block.label] = jump.label
    changed = False
    for block in function.blocks:
        rtl = transfer_of(block)
        if rtl is None or isinstance(rtl.transfer, IndirectJump):
            continue
        label = getattr(rtl.transfer, "label", None)
        seen = {label}
        end = label
        while end in forward and forward[end] not in seen:
            end = forward[end]
            seen.add(end)
        if label is not None and end != label and end is not None:
            rtl.effects = tuple(retarget(e, label, end) for e in rtl.effects)
            rtl.record = None
            changed = True
    return changed


def _remove_unreachable(function: Function) -> bool:
    reachable = build_cfg(function).reachable()
    if len(reachable) == len(function.blocks):
        return False
    function.blocks[:] = [block for index, block in enumerate(function.blocks) if index in reachable]
    return True


def _remove_useless_jumps(function: Function) -> bool:
    """Drop jumps and branches to the next block."""
    changed = False
    for index, block in enumerate(function.blocks[:-1]):
        rtl = transfer_of(block)
        if rtl is None or len(rtl.effects) != 1 or not isinstance(rtl.effects[0], Jump | Branch):
            continue
        following = index + 1
        while following < len(function.blocks):
            if function.blocks[following].label == rtl.effects[0].label:
                block.rtls.pop()
                changed = True
                break
            if function.blocks[following].rtls:
                break
            following += 1
    return changed


def _reverse_branches(function: Function, machine: Machine) -> bool:
    """Turn a branch over a jump into the opposite branch."""
    changed = False
    blocks = function.blocks
    for index in range(len(blocks) - 2):
        rtl, over = transfer_of(blocks[index]), blocks[index + 1]
        if rtl is None or len(over.rtls) != 1 or len(over.rtls[0].effects) != 1:
            continue
        branch, jump = rtl.effects[0], over.rtls[0].effects[0]
        if not (isinstance(branch, Branch) and isinstance(jump, Jump)) or branch.label != blocks[index + 2].label:
            continue
        if any(_targets(b, over.label) for b in blocks):
            continue
        new: tuple[Effect, ...] = (Branch(reverse(branch.condition), jump.label),)
        if machine.is_legal(new):
            rtl.effects, rtl.record = new, None
            over.rtls.clear()
            changed = True
    return changed


def _targets(block: Block, label: str) -> bool:
    rtl = transfer_of(block)
    if rtl is None:
        return False
    effect = rtl.transfer
    return getattr(effect, "label", None) == label or label in getattr(effect, "labels", ())


def _merge_blocks(function: Function) -> bool:
    """Join a block to its only predecessor when that falls through or jumps to it alone."""
    cfg = build_cfg(function)
    blocks = function.blocks
    changed = False
    gone: set[int] = set()
    for index in range(len(blocks) - 1, 0, -1):
        previous = index - 1
        if cfg.predecessors[index] == [previous] and cfg.successors[previous] == [index] and not _named(function, index):
            if transfer_of(blocks[previous]) is not None:
                continue
            blocks[previous].rtls.extend(blocks[index].rtls)
            gone.add(index)
            cfg.successors[previous] = cfg.successors[index]
            for successor in cfg.successors[index]:
                cfg.predecessors[successor] = [previous if p == index else p for p in cfg.predecessors[successor]]
            changed = True
    if gone:
        function.blocks[:] = [b for i, b in enumerate(blocks) if i not in gone]
    return changed


def _named(function: Function, index: int) -> bool:
    """Whether a transfer names the block (a branch to the next block, say)."""
    label = function.blocks[index].label
    return _targets(function.blocks[index - 1], label)
