"""Control-flow cleanup: unreachable code, branch chaining, useless jumps, reversed branches, blocks in order and merged.

PC=r[1]==0,L2;            PC=r[1]!=0,L3;
PC=L3;              =>
L2: ...                   L2: ...

Once there is a frame, and blocks will not become empty any more, those that are only jumped to come behind the jump
(`_bring_up`), and loops that jump back from a block of their own get it in front of their head (`_turn_edges`).
"""

from __future__ import annotations

from collections import Counter

from vpo.algebra import binary, reverse
from vpo.analysis.cfg import falls_through, transfer_of
from vpo.opt.state import CFG, FREQUENCIES, LOOPS, FunctionState
from vpo.rtl import Branch, Const, Delay, IndirectJump, Jump, Rtl
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
        if state.function.stage == "framed":
            _bring_up(state)
        _merge_blocks(state)
    if state.function.stage == "framed":
        _turn_edges(state)
        _remove_useless_jumps(state)  # to what stood behind such a block


def _fold_branches(state: FunctionState) -> None:
    """Replace branches whose condition is constant."""
    for block in state.function.blocks:
        rtl = transfer_of(block)
        branch = rtl.transfer if rtl is not None else None
        if rtl is None or type(branch) is not Branch:
            continue
        left, right = branch.condition.args
        if not (type(left) is Const and type(right) is Const):
            continue
        outcome = binary(branch.condition.op, left, right)
        assert type(outcome) is Const
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
    return jump if type(jump) is Jump and not rest else None


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
    named: Counter[str] | None = None  # counted where it is first wanted
    for index in range(len(blocks) - 2):
        rtl, over = transfer_of(blocks[index]), blocks[index + 1]
        if rtl is None or len(over.rtls) != 1 or len(over.rtls[0].effects) != 1:
            continue
        branch, jump = rtl.transfer, over.rtls[0].effects[0]
        if not (type(branch) is Branch and type(jump) is Jump) or branch.label != blocks[index + 2].label:
            continue
        if named is None:
            named = Counter(label for block in blocks for label in _goals(block))
        if named[over.label]:
            continue
        turned = Branch(reverse(branch.condition), jump.label)
        effects = tuple(turned if effect is branch else effect for effect in rtl.effects)
        opposite = Rtl(effects, rtl.lines, rtl.cause)
        if state.change({blocks[index]: [*blocks[index].rtls[:-1], opposite], over: []}):
            named[branch.label] -= 1


def _bring_up(state: FunctionState) -> None:
    """Put blocks that are only jumped to behind the jump that is taken most often, which then goes.

    Blocks that fall into each other stay together, so that no jump is needed elsewhere.
    """
    blocks = state.function.blocks
    runs: list[list[Block]] = []
    for index, block in enumerate(blocks):
        if not index or not falls_through(blocks[index - 1]):
            runs.append([])
        runs[-1].append(block)
    heads = {run[0].label: place for place, run in enumerate(runs) if place}
    ways = [(place, heads[label]) for place, run in enumerate(runs) if (label := _only_goal(run[-1])) in heads]
    if not ways:
        return
    if len(ways) > 1:
        weights, numbers = state.get(FREQUENCIES), state.get(CFG).labels
        ways.sort(key=lambda way: -weights[numbers[runs[way[0]][-1].label]])
    following: dict[int, int] = {}
    moved: set[int] = set()
    beginning, ending = list(range(len(runs))), list(range(len(runs)))  # of what is put together, by its end and beginning
    for place, goal in ways:
        begin, end = beginning[place], ending[goal]
        if goal not in moved and end != place:
            following[place] = goal
            moved.add(goal)
            beginning[end], ending[begin] = begin, end
    if not following:
        return
    order: list[Block] = []
    for place in (place for place in range(len(runs)) if place not in moved):
        at: int | None = place
        while at is not None:
            order += runs[at]
            at = following.get(at)
    state.change({runs[place][-1]: runs[place][-1].rtls[:-1] for place in following}, order)


def _only_goal(block: Block) -> str:
    """Return where a block jumps at its end, if its last RTL does nothing else."""
    rtl = transfer_of(block)
    transfer = rtl.transfer if rtl is not None and len(rtl.effects) == 1 else None
    return transfer.label if type(transfer) is Jump else ""


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
        behind = [n for n in sorted(loop.blocks) if n > head and _only_goal(blocks[n]) == label]
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

