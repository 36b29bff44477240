"""Predicated execution: a branch around a few RTLs goes, and they are executed under its condition.

    PC=cc<=0,L5;
    r[2]=r[3];            =>     r[2]=SEL(cc>0,r[3],r[2]);
    L5:

The same for the two sides of a choice.  Each RTL must be legal under the condition, leave it as it is and not refer to
memory; together they may cost as much time as the branches that they replace.
"""

from __future__ import annotations

from dataclasses import dataclass

from vpo.algebra import reverse, select, set_
from vpo.analysis.cfg import Cfg, transfer_of
from vpo.analysis.liveness import access, numbering_of
from vpo.machines.machine import Machine
from vpo.opt.control import clean_up_control_flow
from vpo.opt.state import CFG, FunctionState
from vpo.rtl import Branch, Effect, Jump, Op, Register, Rtl, Set
from vpo.rtl.function import Block, Function


def predicate_instructions(state: FunctionState) -> None:
    """Replace branches around short code by predicated instructions."""
    if state.machine.capabilities.predicated:
        while _convert_one(state):
            clean_up_control_flow(state)


@dataclass(frozen=True, slots=True)
class _Choice:
    """A branch at the end of a block, and the blocks executed if it is not taken and if it is (or None)."""

    branch: Branch
    block: Block
    straight: Block
    aside: Block | None


def _convert_one(state: FunctionState) -> bool:
    cfg = state.get(CFG)
    for index in range(len(state.function.blocks) - 2):
        choice = _choice(state.function, cfg, index)
        if choice is not None and _convert(choice, state):
            return True
    return False


def _choice(function: Function, cfg: Cfg, index: int) -> _Choice | None:
    """Return the choice that a block ends with, if its sides are reached from there only and meet again."""
    blocks = function.blocks
    last = transfer_of(blocks[index])
    if last is None or len(last.effects) != 1 or type(last.effects[0]) is not Branch:
        return None
    branch, straight = last.effects[0], index + 1
    target = cfg.labels[branch.label]
    if cfg.predecessors[straight] != [index] or target == straight:
        return None
    end = transfer_of(blocks[straight])
    if end is None:
        return _Choice(branch, blocks[index], blocks[straight], None) if target == straight + 1 else None
    if type(end.effects[0]) is not Jump or target != straight + 1 or cfg.predecessors[target] != [index]:
        return None
    if cfg.successors[target] != cfg.successors[straight]:
        return None
    other = transfer_of(blocks[target])
    if other is not None and type(other.effects[0]) is not Jump:
        return None
    return _Choice(branch, blocks[index], blocks[straight], blocks[target])


def _convert(choice: _Choice, state: FunctionState) -> bool:
    """Replace a choice by predicated RTLs if they are legal and not slower."""
    machine = state.machine
    branch = choice.block.rtls[-1]
    taken = _body(choice.aside) if choice.aside is not None else []
    sides = ((_body(choice.straight), reverse(choice.branch.condition)), (taken, choice.branch.condition))
    limit = machine.latency(branch.effects) * (2 if choice.aside is not None else 1)
    if sum(machine.latency(rtl.effects) for rtl in (*sides[0][0], *taken)) > limit:
        return False
    new: list[Rtl] = []
    for rtls, condition in sides:
        for rtl in rtls:
            effects = _predicated(rtl, condition, state.function, machine)
            if effects is None:
                return False
            new.append(Rtl(effects, rtl.lines, rtl.cause))
    contents = {choice.block: [*choice.block.rtls[:-1], *new], choice.straight: []}
    if choice.aside is not None:
        contents[choice.aside] = choice.aside.rtls[len(taken) :]
    return state.change(contents)


def _body(block: Block) -> list[Rtl]:
    """Return the RTLs of a block without its transfer."""
    return block.rtls[:-1] if transfer_of(block) is not None else block.rtls[:]


def _predicated(rtl: Rtl, condition: Op, function: Function, machine: Machine) -> tuple[Effect, ...] | None:
    """Return an RTL's effects under a condition, which stays as it is; None if the machine cannot do that."""
    effect = rtl.single_set
    if effect is None or type(effect.target) is not Register or effect.memory or getattr(effect.source, "op", "") == "SYS":
        return None
    effects = (set_(effect.target, select(condition, effect.source, effect.target)),)
    if not machine.is_legal(effects):
        return None
    numbering = numbering_of(function, machine)
    entry = access(Rtl(effects), numbering)
    if (entry.sets | entry.clobbers) & numbering.mask(condition.uses) or type(effects[0]) is not Set:
        return None
    return effects
