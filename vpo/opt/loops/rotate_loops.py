"""Minimise loop jumps: end a loop with a copy of its test instead of a jump to it.

L5: PC=r[8]>=r[9],L6;            L5: PC=r[8]>=r[9],L6;
L7: ...                  =>      L7: ...
    PC=L5;                           PC=r[8]<r[9],L7;
L6:                              L6:
"""

from __future__ import annotations

from vpo.algebra import reverse
from vpo.analysis.cfg import transfer_of
from vpo.opt.state import CFG, LOOPS, FunctionState
from vpo.rtl import Branch, Jump, Rtl
from vpo.rtl.function import Block

MAX_TEST = 16  # RTLs in a test that is worth copying


def rotate_loops(state: FunctionState) -> None:
    """Replace jumps back to a loop's test by copies of the test."""
    for labels in _jumping_loops(state):
        _copy_test(state, *labels)


def _jumping_loops(state: FunctionState) -> list[tuple[str, str]]:
    """Return (header, jumping block) labels of back edges that are plain jumps."""
    cfg = state.get(CFG)
    blocks = state.function.blocks
    found = []
    for loop in state.get(LOOPS):
        for index in sorted(loop.blocks):
            rtl = transfer_of(blocks[index])
            effect = rtl.effects[0] if rtl is not None else None
            if isinstance(effect, Jump) and cfg.labels[effect.label] == loop.header and index != loop.header:
                found.append((blocks[loop.header].label, blocks[index].label))
    return found


def _copy_test(state: FunctionState, header_label: str, from_label: str) -> None:
    """Put a copy of the test at the head of a loop in place of the jump to it at the end of a block."""
    blocks = state.function.blocks
    positions = {block.label: index for index, block in enumerate(blocks)}
    header, source = blocks[positions[header_label]], blocks[positions[from_label]]
    test = transfer_of(header)
    after = positions[header_label] + 1
    if test is None or len(header.rtls) > (1 if state.small else MAX_TEST) or after >= len(blocks) or len(test.effects) != 1:
        return
    branch = test.effects[0]
    if not isinstance(branch, Branch) or any(rtl.call is not None for rtl in header.rtls):
        return
    body = blocks[after].label
    back = Rtl((Branch(reverse(branch.condition), body),), test.lines, test.cause)
    if branch.label == body or not state.machine.is_legal(back.effects):
        return
    jump = source.rtls[-1]
    contents = [*source.rtls[:-1], *(rtl.copy() for rtl in header.rtls[:-1]), back]
    following = positions[from_label] + 1
    if following < len(blocks) and blocks[following].label == branch.label:
        state.change({source: contents})
    else:
        leave = Block(state.function.label(), [Rtl((Jump(branch.label),), jump.lines, jump.cause)])
        state.change({source: contents}, [*blocks[:following], leave, *blocks[following:]])
