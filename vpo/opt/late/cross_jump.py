"""Cross-jumping: ends of blocks that do the same and lead to the same place are there once, for small code.

    r[4]=r[5];                       r[4]=r[5];
    L[r[2]]=r[4];                L9: L[r[2]]=r[4];
    PC=L7;                 =>        PC=L7;
L3: r[4]=0;                      L3: r[4]=0;
    L[r[2]]=r[4];                    PC=L9;
    PC=L7;

Wulf et al., "The Design of an Optimizing Compiler" (1975).  Only RTLs of one cause are joined, so that what is measured by
causes stays exact.  It happens when registers are assigned and the frame is laid out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from vpo.analysis.cfg import end_of, transfer_of
from vpo.machines.machine import Machine
from vpo.opt.state import FunctionState
from vpo.rtl import Effect, Jump, Return, Rtl, merge_provenance
from vpo.rtl.function import Block

Content = tuple[tuple[Effect, ...], str]


def merge_tails(state: FunctionState) -> None:
    """Join equal ends of blocks until none is left that saves bytes."""
    if state.function.stage != "framed":
        return
    while any(_merge(state, tails) for tails in _groups(state)):
        pass


def _groups(state: FunctionState) -> Iterator[list[Block]]:
    """Yield blocks that lead to one place, or return, and whose last RTLs before that are the same."""
    groups: dict[tuple[object, Content], list[Block]] = {}
    blocks = state.function.blocks
    for block, following in zip(blocks, [*blocks[1:], None], strict=True):
        end = end_of(block)
        goal = _goal(block, following)
        if goal is not None and end:
            groups.setdefault((goal, _content(block.rtls[end - 1])), []).append(block)
    yield from (group for group in groups.values() if len(group) > 1)


def _goal(block: Block, following: Block | None) -> object:
    """Return where control goes behind a block in any case: a label, or the effects that return; None if it depends."""
    last = transfer_of(block)
    if last is None:
        return following.label if following is not None else None
    if isinstance(last.transfer, Return):
        return last.effects
    return last.transfer.label if isinstance(last.transfer, Jump) and len(last.effects) == 1 else None


def _content(rtl: Rtl) -> Content:
    return rtl.effects, rtl.cause


def _merge(state: FunctionState, blocks: list[Block]) -> bool:
    """Let all but one of some blocks jump to the common end of that one; return whether that was done."""
    kept = next((block for block in blocks if transfer_of(block) is None), blocks[0])
    others = [block for block in blocks if block is not kept]
    length = _common(kept, others)
    place = end_of(kept) - length
    tail = Block(kept.label if place == 0 else state.function.label())
    jump: tuple[Effect, ...] = (Jump(tail.label),)
    if state.machine.may_clobber(jump) or not _saves(state.machine, others[0].rtls[-length - 1 :], jump):
        return False
    tail.rtls = _joined(kept, others, length)
    contents: dict[Block, list[Rtl]] = {}
    for block in others:
        last = block.rtls[-1]
        contents[block] = [*block.rtls[: end_of(block) - length], Rtl(jump, last.lines, last.cause)]
    if place == 0:
        return state.change({**contents, kept: tail.rtls})
    layout = [new for block in state.function.blocks for new in ((block, tail) if block is kept else (block,))]
    return state.change({**contents, kept: kept.rtls[:place]}, layout)


def _common(kept: Block, others: Iterable[Block]) -> int:
    """Return how many RTLs before the transfers are the same in all blocks."""
    bodies = [[_content(rtl) for rtl in reversed(block.rtls[: end_of(block)])] for block in (kept, *others)]
    length = 0
    while all(len(body) > length and body[length] == bodies[0][length] for body in bodies):
        length += 1
    return length


def _saves(machine: Machine, tail: list[Rtl], jump: tuple[Effect, ...]) -> bool:
    """Whether code is smaller if a block has a jump in the place of a tail and the transfer behind it."""
    size = sum(machine.record(rtl).size for rtl in tail)
    return machine.is_legal(jump) and size > machine.record(Rtl(jump)).size


def _joined(kept: Block, others: list[Block], length: int) -> list[Rtl]:
    """Return the common tail with the provenance of all."""
    tails = [block.rtls[end_of(block) - length : end_of(block)] for block in (kept, *others)]
    same = [Rtl(rtls[0].effects, *merge_provenance(*rtls)) for rtls in zip(*tails, strict=True)]
    return [*same, *kept.rtls[end_of(kept) :]]
