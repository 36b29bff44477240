"""Control-flow cleanup: unreachable code, branch chaining, useless jumps, reversed branches, merged blocks.

PC=r[1]==0,L2;            PC=r[1]!=0,L3;
PC=L3;              =>
L2: ...                   L2: ...

Once there is a frame, loops that jump back from a block of their own get it in front of their head (`_turn_edges`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from vpo.algebra import CONSTANTS, binary, rebuild, rebuild_effect, reverse
from vpo.analysis.cfg import Cfg, branch_of, falls_through, transfer_of
from vpo.analysis.liveness import does_more_than_set
from vpo.opt.state import CFG, FREQUENCIES, LOOPS, FunctionState
from vpo.rtl import Branch, Const, Delay, Expr, IndirectJump, Jump, Register, Rtl, Set
from vpo.rtl.function import Block, Function


def clean_up_control_flow(state: FunctionState) -> None:
    """Remove unreachable code and useless jumps, chain branches and merge blocks, until nothing changes."""
    before = None
    while before != state.code:
        before = state.code
        _fold_branches(state)
        _chain_branches(state)
        _remove_unreachable(state)
        _remove_useless_jumps(state)
        _reverse_branches(state)
        _merge_blocks(state)
    if state.function.stage == "framed":
        _turn_edges(state)
        _remove_useless_jumps(state)  # to what stood behind such a block


def _fold_branches(state: FunctionState) -> None:
    """Replace branches whose condition is constant."""
    for block in state.function.blocks:
        rtl = transfer_of(block)
        branch = rtl.transfer if rtl is not None else None
        if rtl is None or not isinstance(branch, Branch):
            continue
        left, right = branch.condition.args
        if not (isinstance(left, Const) and isinstance(right, Const)):
            continue
        outcome = binary(branch.condition.op, left, right)
        assert isinstance(outcome, Const)
        jump = (Jump(branch.label),) if outcome.value else ()
        beside = tuple(effect for effect in rtl.effects if effect is not branch and not isinstance(effect, Delay))
        for parts in ((beside + jump,), (beside, jump)):  # in one instruction if the machine has that, else one by one
            if state.change({block: [*block.rtls[:-1], *(Rtl(part, rtl.lines, rtl.cause) for part in parts if part)]}):
                break


def _chain_branches(state: FunctionState) -> None:
    """Let a transfer to a block that only jumps go straight to where that leads."""
    forward = _forwarding(state.function)
    for block in state.function.blocks:
        rtl = transfer_of(block)
        label = getattr(rtl.transfer, "label", None) if rtl is not None else None
        seen = {label}
        end = label
        while end in forward and forward[end] not in seen:
            end = forward[end]
            seen.add(end)
        if end is not None and end != label:
            state.redirect(block, end)


def _forwarding(function: Function) -> dict[str, str]:
    """Return where blocks lead that do nothing else, by label."""
    forward: dict[str, str] = {}
    for index, block in enumerate(function.blocks):
        if not block.rtls and index + 1 < len(function.blocks):
            forward[block.label] = function.blocks[index + 1].label
        elif len(block.rtls) == 1 and (jump := _only_jump(block.rtls[0])) is not None:
            forward[block.label] = jump.label
    return forward


def _only_jump(rtl: Rtl) -> Jump | None:
    """Return the jump of an RTL that does nothing else but tell when its delay slots are executed."""
    jump, rest = rtl.transfer, [effect for effect in rtl.effects if not isinstance(effect, Jump | Delay)]
    return jump if isinstance(jump, Jump) and not rest else None


def _remove_unreachable(state: FunctionState) -> None:
    reachable = state.get(CFG).reachable()
    if len(reachable) < len(state.function.blocks):
        state.keep_blocks(reachable)


def _remove_useless_jumps(state: FunctionState) -> None:
    """Drop jumps and branches to the next block."""
    blocks = state.function.blocks
    for index, block in enumerate(blocks[:-1]):
        rtl = transfer_of(block)
        if rtl is None or len(rtl.effects) != 1 or not isinstance(rtl.effects[0], Jump | Branch):
            continue
        following = index + 1
        while following < len(blocks):
            if blocks[following].label == rtl.effects[0].label:
                state.remove(block, len(block.rtls) - 1)
                break
            if blocks[following].rtls:
                break
            following += 1


def _reverse_branches(state: FunctionState) -> None:
    """Turn a branch over a jump into the opposite branch."""
    blocks = state.function.blocks
    named = Counter(label for block in blocks for label in _goals(block))
    for index in range(len(blocks) - 2):
        rtl, over = transfer_of(blocks[index]), blocks[index + 1]
        if rtl is None or len(over.rtls) != 1 or len(over.rtls[0].effects) != 1:
            continue
        branch, jump = rtl.transfer, over.rtls[0].effects[0]
        if not (isinstance(branch, Branch) and isinstance(jump, Jump)) or branch.label != blocks[index + 2].label:
            continue
        if named[over.label]:
            continue
        turned = Branch(reverse(branch.condition), jump.label)
        effects = tuple(turned if effect is branch else effect for effect in rtl.effects)
        opposite = Rtl(effects, rtl.lines, rtl.cause)
        if state.change({blocks[index]: [*blocks[index].rtls[:-1], opposite], over: []}):
            named[branch.label] -= 1


def _goals(block: Block) -> tuple[str, ...]:
    """Return the labels that the transfer at the end of a block names."""
    rtl = transfer_of(block)
    match rtl.transfer if rtl is not None else None:
        case Jump(label=label) | Branch(label=label):
            return (label,)
        case IndirectJump(labels=labels):
            return labels
    return ()


def _merge_blocks(state: FunctionState) -> None:
    """Join a block to its only predecessor when that falls through or jumps to it alone."""
    cfg = state.get(CFG)
    blocks = state.function.blocks
    for index in range(len(blocks) - 1, 0, -1):  # from the end: indices of earlier blocks stay as they are
        previous = index - 1
        alone = cfg.predecessors[index] == [previous] and cfg.successors[previous] == [index]
        if alone and not _named(state.function, index) and transfer_of(blocks[previous]) is None:
            state.merge(index)


def _named(function: Function, index: int) -> bool:
    """Whether a transfer names the block (a branch to the next block, say)."""
    return function.blocks[index].label in _goals(function.blocks[index - 1])


def _turn_edges(state: FunctionState) -> None:
    """Let loops fall into their head from a block that jumped to it, if those who fell into it now jump, and more rarely."""
    for label in [state.function.blocks[loop.header].label for loop in state.get(LOOPS)]:
        (loop,) = (loop for loop in state.get(LOOPS) if state.function.blocks[loop.header].label == label)
        blocks, head, above = state.function.blocks, loop.header, loop.header - 1
        behind = [n for n in sorted(loop.blocks) if n > head and _goes_only(blocks[n], label)]
        ways = [n for n in behind if not falls_through(blocks[n - 1])]
        if not ways or above < 0 or above in loop.blocks or not falls_through(blocks[above]):
            continue
        weights = state.get(FREQUENCIES)
        way = max(ways, key=weights.__getitem__)
        if weights[way] <= weights[above]:
            continue
        jump = blocks[way].rtls[-1]
        entry = Block(state.function.label(), [jump.copy()])
        others = [*blocks[: above + 1], entry, blocks[way], *(block for block in blocks[head:] if block is not blocks[way])]
        state.change({blocks[way]: blocks[way].rtls[:-1]}, others)


def _goes_only(block: Block, label: str) -> bool:
    """Whether a block ends with a jump to a label."""
    rtl = transfer_of(block)
    return rtl is not None and len(rtl.effects) == 1 and rtl.effects[0] == Jump(label)


# ----------------------------------------------------------------------------------------------------------------------
# Jump threading: go past a branch that is decided wherever control comes from one way.
#
#     r[t1]=1;                     r[t1]=1;
#     PC=L5;                       PC=L6;
#     ...                    =>    ...
# L5: PC=r[t1]!=0,L6;          L5: PC=r[t1]!=0,L6;
#
# Truth values that are computed by branches, and results of functions that were inlined, are tested so.  The block of the
# branch may hold a few RTLs more; they are copied.  Heads of loops stay, so that no loop gets a second entry.


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
