"""Minimise loop jumps: end a loop with a copy of its test instead of a jump to it.

L5: PC=r[8]>=r[9],L6;            L5: PC=r[8]>=r[9],L6;
L7: ...                  =>      L7: ...
    PC=L5;                           PC=r[8]<r[9],L7;
L6:                              L6:
"""

from __future__ import annotations

from vpo.algebra import reverse
from vpo.analysis.cfg import build_cfg, transfer_of
from vpo.analysis.dominators import dominators
from vpo.analysis.loops import natural_loops
from vpo.function import Block, Function
from vpo.machines.machine import Machine
from vpo.opt.changes import permitted
from vpo.rtl import Branch, Jump, Rtl

MAX_TEST = 8  # RTLs in a test that is worth copying


def rotate_loops(function: Function, machine: Machine) -> bool:
    """Replace jumps back to a loop's test by copies of the test."""
    changed = False
    for label in _jumping_loops(function):
        changed |= _copy_test(function, machine, label)
    return changed


def _jumping_loops(function: Function) -> list[tuple[str, str]]:
    """Return (header, jumping block) labels of back edges that are plain jumps."""
    cfg = build_cfg(function)
    blocks = function.blocks
    found = []
    for loop in natural_loops(cfg, dominators(cfg)):
        for index in sorted(loop.blocks):
            rtl = transfer_of(blocks[index])
            effect = rtl.effects[0] if rtl is not None else None
            if isinstance(effect, Jump) and cfg.labels[effect.label] == loop.header and index != loop.header:
                found.append((blocks[loop.header].label, blocks[index].label))
    return found


def _copy_test(function: Function, machine: Machine, edge: tuple[str, str]) -> bool:
    header_label, from_label = edge
    blocks = function.blocks
    positions = {block.label: index for index, block in enumerate(blocks)}
    header, source = blocks[positions[header_label]], blocks[positions[from_label]]
    test = transfer_of(header)
    after = positions[header_label] + 1
    if test is None or len(header.rtls) > MAX_TEST or after >= len(blocks) or len(test.effects) != 1:
        return False
    branch = test.effects[0]
    if not isinstance(branch, Branch) or any(rtl.call is not None for rtl in header.rtls):
        return False
    body = blocks[after].label
    copies = [rtl.copy() for rtl in header.rtls[:-1]]
    back = (Branch(reverse(branch.condition), body),)
    if branch.label == body or not machine.is_legal(back) or not permitted():
        return False
    jump = source.rtls.pop()
    source.rtls += [*copies, Rtl(back, test.lines, test.cause)]
    following = positions[from_label] + 1
    if following >= len(blocks) or blocks[following].label != branch.label:
        leave = Block(function.label(), [Rtl((Jump(branch.label),), jump.lines, jump.cause)])
        blocks.insert(following, leave)
    return True
