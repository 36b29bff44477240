"""Regions: the parts of a function that need its frame or a saved register; ways outside pay for neither.

A region has all blocks between two that need it, so that no way enters it twice.  A short return that ways from a region and
others share is made anew for the others: they then return early.

    PC=r[10]==0,L5;                          PC=r[10]==0,L6;
    ST=_f(r[10]); r[1]=NPC;                  ST=_f(r[10]); r[1]=NPC;
L5: r[10]=r[15];                     =>  L5: r[10]=r[15];
    PC=r[1],RT(r[10]);                       PC=r[1],RT(r[10]);
                                         L6: r[10]=r[15];
                                             PC=r[1],RT(r[10]);
"""

from __future__ import annotations

from collections.abc import Iterable

from vpo.analysis.cfg import Cfg, falls_through, jumps_computed, transfer_of
from vpo.analysis.liveness import Liveness
from vpo.opt.frame.lazy_code_motion import Edge
from vpo.opt.state import CFG, FREQUENCIES, LIVENESS, FunctionState, retarget
from vpo.rtl import Call, Expr, Op, Register, Return, Rtl, Set
from vpo.rtl.function import Block

WORTH = 0.08  # saves or restores for each time the function is entered that one more of them in the code must avoid
OFTEN = 0.1  # how often, for each time the function is entered, ways return early for whom a return is made anew
SHORT = 3  # RTLs of such a return


def touched(state: FunctionState) -> list[int]:
    """Return the registers that each block reads or changes, not counting what returns say of them."""
    liveness: Liveness = state.get(LIVENESS)
    found = []
    for block, entries in zip(state.function.blocks, liveness.accesses, strict=True):
        mask = 0
        for rtl, entry in zip(block.rtls, entries, strict=True):
            mask |= entry.sets | entry.clobbers
            if not rtl.acts or type(rtl.transfer) is not Return:
                mask |= entry.uses
        found.append(mask)
    return found


def users(state: FunctionState, registers: Iterable[Register], by_block: list[int] | None = None) -> int:
    """Return the blocks that read or change registers, not counting what returns say of them; `by_block` is `touched`."""
    bits, using = state.get(LIVENESS).numbering.mask(tuple(registers)), 0
    for index, mask in enumerate(touched(state) if by_block is None else by_block):
        if mask & bits:
            using |= 1 << index
    return using


def users_of_frame(state: FunctionState) -> int:
    """Return the blocks that refer to the frame, or call."""
    sp = state.machine.stack_pointer
    return sum(
        1 << index
        for index, block in enumerate(state.function.blocks)
        if True in [rtl.call is not None or sp in rtl.uses or sp in rtl.sets for rtl in block.rtls if not _is_return(rtl)]
    )


def hands_out_frame(state: FunctionState) -> bool:
    """Return whether anything but a reference by the stack pointer has an address in the frame."""
    sp = state.machine.stack_pointer
    for rtl in state.function.rtls():
        if sp not in rtl.uses or _is_return(rtl):
            continue
        for effect in rtl.effects:
            if type(effect) is Set and effect.target is not sp and _computes_with(effect.source, sp):
                return True
            if type(effect) is not Set and type(effect) is not Call and sp in effect.uses:
                return True
    return False


def _computes_with(value: Expr, register: Register) -> bool:
    """Whether a value is computed from a register, and not only read from a cell by it."""
    work = [value]
    while work:
        part = work.pop()
        if part is register:
            return True
        if type(part) is Op:
            work += part.args
    return False


class Paths:
    """Which blocks lead to which, in one or more steps."""

    def __init__(self, cfg: Cfg) -> None:
        self.reaches = _transitive(cfg.successors)
        self.reached = _transitive(cfg.predecessors)

    def behind(self, using: int) -> int:
        """Return some blocks, and all that any of them leads to."""
        return using | sum(1 << index for index, reached in enumerate(self.reached) if reached & using)

    def between(self, using: int) -> int:
        """Return some blocks, and all between any two of them."""
        result = using
        for index, reaches in enumerate(self.reaches):
            if reaches & using and self.reached[index] & using:
                result |= 1 << index
        return result


def edges_across(cfg: Cfg, region: int) -> list[Edge]:
    """Return the edges into a region and out of it."""
    return [(i, j) for i in cfg.reachable() for j in cfg.successors[i] if (region >> i ^ region >> j) & 1]


def entry_of(region: int, cfg: Cfg) -> int | None:
    """Return the block by which alone a region is entered, from outside only; None if there is none."""
    entries = {j for _, j in edges_across(cfg, region) if region >> j & 1}
    if len(entries) != 1:
        return None
    (entry,) = entries
    return None if any(region >> i & 1 for i in cfg.predecessors[entry]) else entry


def only_behind(region: int, cfg: Cfg) -> int:
    """Return the blocks that no way from the entry reaches but through a region."""
    others = ~region & 1
    work = [0] if others else []
    while work:
        for j in cfg.successors[work.pop()]:
            if not (region | others) >> j & 1:
                others |= 1 << j
                work.append(j)
    return sum(1 << index for index in cfg.reachable() if not others >> index & 1) & ~region


def is_closed(region: int, cfg: Cfg) -> bool:
    """Return whether a region is left by returns only."""
    return not any(region >> i & 1 for i, _ in edges_across(cfg, region))


def pays(state: FunctionState, region: int) -> bool:
    """Return whether code around a region is executed less often than at entry and returns, by enough for its size."""
    return gain(state, region) > 0


def gain(state: FunctionState, region: int) -> float:
    """Return how much less often code around a region is executed than at entry and returns, less what its size is worth."""
    frequencies, cfg = state.get(FREQUENCIES), state.get(CFG)
    returning = [index for index, block in enumerate(state.function.blocks) if returns(block)]
    crossed = edges_across(cfg, region)
    inside = [index for index in returning if region >> index & 1]
    simple = frequencies[0] + sum(frequencies[index] for index in returning)
    flow, places = _on_edges(crossed, cfg, frequencies)
    flow += region & 1 and frequencies[0]
    flow += sum(frequencies[index] for index in inside)
    more = places + len(inside) + (region & 1) - len(returning) - 1
    return simple - flow - WORTH * frequencies[0] * (1 + max(more, 0))


def _on_edges(crossed: list[Edge], cfg: Cfg, frequencies: list[float]) -> tuple[float, int]:
    """Return how often code on edges is executed, and how often it stands there: all edges to a block share one."""
    flow, places, edges = 0.0, 0, set(crossed)
    for j in {j for _, j in crossed}:
        arriving = [(i, j) for i in cfg.predecessors[j] if (i, j) in edges]
        shared = len(arriving) == len(cfg.predecessors[j])
        flow += frequencies[j] if shared else sum(min(frequencies[i], frequencies[j]) for i, j in arriving)
        places += 1 if shared else len(arriving)
    return flow, places


def returns(block: Block) -> bool:
    """Whether a block ends by a return."""
    return bool(block.rtls) and _is_return(block.rtls[-1])


def _is_return(rtl: Rtl) -> bool:
    return type(rtl.transfer) is Return


def return_early(state: FunctionState, registers: Iterable[Register]) -> None:
    """Make short returns anew for ways that need neither the frame nor some registers, where others need them."""
    cfg, blocks = state.get(CFG), list(state.function.blocks)
    meeting = [index for index, before in enumerate(cfg.predecessors) if len(before) > 1]
    short = [index for index in meeting if returns(blocks[index]) and len(blocks[index].rtls) <= SHORT]
    using = users_of_frame(state) if short else 1
    if using & 1:
        return
    using |= users(state, registers)
    if using & 1 or not using:
        return
    frequencies, behind = state.get(FREQUENCIES), Paths(cfg).behind(using)
    for index in short:
        block = blocks[index]
        if not behind >> index & 1 or using >> index & 1:
            continue
        early = [p for p in cfg.predecessors[index] if not behind >> p & 1 and not jumps_computed(blocks[p])]
        if sum(min(frequencies[p], frequencies[index]) for p in early) > OFTEN * frequencies[0]:
            _make_anew(state, block, [blocks[p] for p in early])


def _make_anew(state: FunctionState, block: Block, before: list[Block]) -> None:
    """Let blocks that lead to a return go to one that is like it."""
    blocks = state.function.blocks
    new = Block(state.function.label(), [rtl.copied() for rtl in block.rtls])
    place = blocks.index(block)
    falling = blocks[place - 1] in before and falls_through(blocks[place - 1])
    if not state.insert_block(place if falling else len(blocks), new):
        return
    with state.required():
        for other in before:
            last = transfer_of(other)
            if last is not None:
                state.replace(other, last, tuple(retarget(effect, block.label, new.label) for effect in last.effects))


def _transitive(edges: list[list[int]]) -> list[int]:
    """Return for each block the set of blocks that one or more edges lead to."""
    result = [sum(1 << j for j in set(targets)) for targets in edges]
    changed = True
    while changed:
        changed = False
        for index in range(len(edges) - 1, -1, -1):
            new = result[index]
            for target in edges[index]:
                new |= result[target]
            if new != result[index]:
                result[index] = new
                changed = True
    return result
