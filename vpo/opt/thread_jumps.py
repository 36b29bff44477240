"""Jump threading: go past a branch that is decided wherever control comes from one way.

    r[t1]=1;                     r[t1]=1;
    PC=L5;                       PC=L6;
    ...                    =>    ...
L5: PC=r[t1]!=0,L6;          L5: PC=r[t1]!=0,L6;

Truth values that are computed by branches, and results of functions that were inlined, are tested so.  The block of the branch
may hold a few RTLs more; they are copied.  Heads of loops stay, so that no loop gets a second entry.
"""

from __future__ import annotations

from collections.abc import Callable

from vpo.algebra import CONSTANTS, rebuild, rebuild_effect
from vpo.analysis.cfg import Cfg, branch_of, transfer_of
from vpo.analysis.liveness import does_more_than_set
from vpo.opt.state import CFG, LOOPS, FunctionState
from vpo.rtl import Const, Expr, Jump, Register, Rtl, Set
from vpo.rtl.function import Block

MAX_COPIED = 3  # RTLs before the branch, beside moves of registers, which mostly vanish
BLOCKS_BEFORE = 6  # so many in a row are looked at
ROUNDS = 4  # a way past one test may lead to another
Known = dict[Register, Expr]


def thread_jumps(state: FunctionState) -> None:
    """Let jumps to a branch that they decide go where it leads."""
    if state.function.stage != "pseudo":
        return
    heads = {loop.header for loop in state.get(LOOPS)}
    tests = [number for number, block in enumerate(state.function.blocks) if number not in heads and _is_test(block)]
    for _ in range(ROUNDS):
        cfg = state.get(CFG)  # that of all changes of a round: each block goes through one test
        if sum(_thread_through(state, cfg, test) for test in tests) == 0:
            return


def _is_test(block: Block) -> bool:
    """Whether a block only decides where to go, and can be copied."""
    if branch_of(block) is None:
        return False
    singles = [rtl.single_set() for rtl in block.rtls[:-1]]
    if sum(single is None or not isinstance(single.source, Register) for single in singles) > MAX_COPIED:
        return False
    return all(single is not None and not does_more_than_set(single) and not single.source.memory for single in singles)


def _thread_through(state: FunctionState, cfg: Cfg, number: int) -> bool:
    """Let the blocks that go to a test and nowhere else go past it if they decide it; return whether one does."""
    blocks = state.function.blocks
    test, branch = blocks[number], branch_of(blocks[number])
    assert branch is not None
    changed = False
    for before in [p for p in cfg.predecessors[number] if cfg.successors[p] == [number] and p != number]:
        taken = _outcome(test, _known_behind(blocks, cfg, before))
        if taken is not None:
            block = blocks[before]
            changed |= state.change({block: _past(block, test, branch.label if taken else blocks[number + 1].label)})
    return changed


def _known_behind(blocks: list[Block], cfg: Cfg, number: int) -> Known:
    """Return the registers that hold constants at the end of a block, as it and the blocks right before it tell."""
    way = [number]
    while len(way) < BLOCKS_BEFORE and len(cfg.predecessors[way[-1]]) == 1:
        way.append(cfg.predecessors[way[-1]][0])
    known: Known = {}
    for block in reversed(way):
        for rtl in blocks[block].rtls:  # all of them: one that is left out may set what an older block made known
            _follow(rtl, known)
    return known


def _follow(rtl: Rtl, known: Known) -> None:
    """Note what an RTL makes of registers; hard ones may be changed by the way."""
    single = rtl.single_set()
    value = None
    if single is not None and isinstance(single.target, Register) and not does_more_than_set(single):
        effect = rebuild_effect(single, _replacing(known))
        value = effect.source if isinstance(effect, Set) else None
    for target in rtl.sets:
        known.pop(target, None)
    if single is None or not isinstance(single.target, Register) or value is None:
        return
    if single.target.type == "C" or (single.target.pseudo and isinstance(value, CONSTANTS)):
        known[single.target] = value


def _replacing(known: Known) -> Callable[[Expr], Expr | None]:
    return lambda node: known.get(node) if type(node) is Register else None


def _outcome(block: Block, known: Known) -> bool | None:
    """Return whether the branch of a test is taken if some registers are known; None if they do not tell."""
    known = dict(known)
    for rtl in block.rtls[:-1]:
        _follow(rtl, known)
    branch = branch_of(block)
    assert branch is not None
    outcome = rebuild(branch.condition, _replacing(known))
    return bool(outcome.value) if isinstance(outcome, Const) else None


def _past(block: Block, test: Block, goal: str) -> list[Rtl]:
    """Return the RTLs of a block that does what a test does, and goes on behind it."""
    last = transfer_of(block)
    kept = block.rtls[:-1] if last is not None else block.rtls
    why = last if last is not None else test.rtls[-1]
    copies = [Rtl(rtl.effects, rtl.lines, rtl.cause) for rtl in test.rtls[:-1]]
    return [*kept, *copies, Rtl((Jump(goal),), why.lines, why.cause)]
