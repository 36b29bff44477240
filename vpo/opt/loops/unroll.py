"""Copies of parts of loops: of the test, so that no jump leads to it, and of bodies that run a few times."""

from __future__ import annotations

from typing import NamedTuple

from vpo.algebra import CONSTANTS, rebuild, reverse
from vpo.analysis.cfg import branch_of, falls_through, jumps_computed, transfer_of
from vpo.analysis.dominators import Loop, dominates
from vpo.analysis.liveness import does_more_than_set
from vpo.opt.ssa.split_edges import preheader_of
from vpo.opt.state import CFG, DOMINATORS, LOOPS, FunctionState, retarget
from vpo.rtl import CODE_TYPES, Branch, Const, Expr, Jump, Register, Rtl
from vpo.rtl.function import Block

# ----------------------------------------------------------------------------------------------------------------------
# Minimise loop jumps: end a loop with a copy of its test instead of a jump to it.
#
# L5: PC=r[8]>=r[9],L6;            L5: PC=r[8]>=r[9],L6;
# L7: ...                  =>      L7: ...
#     PC=L5;                           PC=r[8]<r[9],L7;
# L6:                              L6:
#
# So are several tests, one after the other, of which each but the last branches to what they are for, if those behind the
# first take no more room than the jump.  Where room counts, a test that would take more of it twice is moved to the end, and
# the loop begins with a jump to it.


MAX_TEST = 16  # RTLs in a test that is worth copying


def rotate_loops(state: FunctionState) -> None:
    """Replace jumps back to a loop's test by copies of the test."""
    for labels in dict(_jumping_loops(state)).items():
        _gather(state, *labels)
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


def _gather(state: FunctionState, header: str, from_label: str) -> None:
    """Let branches back to a loop's test go to a jump to it, which is at the end of a block, so that a copy serves all."""
    cfg, blocks = state.get(CFG), state.function.blocks
    place = next(number for number, block in enumerate(blocks) if block.label == from_label)
    ends = cfg.predecessors[cfg.labels[header]]
    loop = next((loop for loop in state.get(LOOPS) if loop.header == cfg.labels[header]), None)
    back = [blocks[end] for end in ends if loop is not None and end in loop.blocks and end != loop.header]
    branching = [block for block in back if (branch := branch_of(block)) is not None and branch.label == header]
    if not branching:
        return
    source = blocks[place]
    latch = Block(state.function.label(), source.rtls[-1:])
    contents = {source: source.rtls[:-1]}
    for block in branching:
        last = block.rtls[-1]
        effects = tuple(retarget(effect, header, latch.label) for effect in last.effects)
        contents[block] = [*block.rtls[:-1], Rtl(effects, last.lines, last.cause)]
    state.change(contents, [*blocks[: place + 1], latch, *blocks[place + 1 :]])


def _copy_test(state: FunctionState, header_label: str, from_label: str) -> None:
    """Put a copy of the test at the head of a loop in place of the jump to it at the end of a block."""
    blocks = state.function.blocks
    positions = {block.label: index for index, block in enumerate(blocks)}
    header, source = blocks[positions[header_label]], blocks[positions[from_label]]
    test = transfer_of(header)
    after = positions[header_label] + 1
    if test is None or len(header.rtls) > MAX_TEST or after >= len(blocks) or len(test.effects) != 1:
        return
    if _copy_tests(state, _tests(state, positions[header_label]), source):
        return
    branch = test.effects[0]
    if not isinstance(branch, Branch) or any(rtl.call is not None for rtl in header.rtls):
        return
    body = blocks[after].label
    back = Rtl((Branch(reverse(branch.condition), body),), test.lines, test.cause)
    if branch.label == body or not state.machine.is_legal(back.effects):
        return
    jump = source.rtls[-1]
    if state.small and not _is_worth_its_room(state, header):
        _move_test(state, header, source, back)
        return
    contents = [*source.rtls[:-1], *(rtl.copy() for rtl in header.rtls[:-1]), back]
    following = positions[from_label] + 1
    if following < len(blocks) and blocks[following].label == branch.label:
        state.change({source: contents})
    else:
        leave = Block(state.function.label(), [Rtl((Jump(branch.label),), jump.lines, jump.cause)])
        state.change({source: contents}, [*blocks[:following], leave, *blocks[following:]])


def _tests(state: FunctionState, place: int) -> list[Block]:
    """Return the blocks at the head of a loop that test one after the other whether to go on, none if there is one test.

    Each but the last branches to the block behind the last, which branches elsewhere.
    """
    blocks, tests, end = state.function.blocks, list[Block](), ""
    for block in blocks[place:]:
        branch = branch_of(block)
        if block.label == end:
            return tests if _label(tests[-1]) != end else []
        if not block.rtls:
            continue
        if branch is None or len(block.rtls[-1].effects) != 1 or any(rtl.call is not None for rtl in block.rtls):
            return []
        if tests and _label(tests[-1]) != end:
            return []
        end = end or branch.label
        tests.append(block)
    return []


def _label(block: Block) -> str:
    """Return where the branch at the end of a block goes."""
    branch = branch_of(block)
    return branch.label if branch is not None else ""


def _copy_tests(state: FunctionState, tests: list[Block], source: Block) -> bool:
    """Put copies of tests in place of the jump to the first of them at the end of a block; return whether that was done."""
    if not tests or any(_counts(rtl) for block in tests[1:] for rtl in block.rtls[:-1]):
        return False
    if state.small and any(_stays(rtl) for rtl in tests[0].rtls[:-1]):
        return False
    first, last = tests[0].rtls[-1], tests[-1].rtls[-1]
    goes, leaves = first.transfer, last.transfer
    assert isinstance(goes, Branch)
    assert isinstance(leaves, Branch)
    back = Rtl((Branch(reverse(leaves.condition), goes.label),), last.lines, last.cause)
    if not state.machine.is_legal(back.effects):
        return False
    copies = [[rtl.copy() for rtl in block.rtls] for block in tests]
    copies[-1][-1] = back
    new = [Block(state.function.label(), rtls) for rtls in copies[1:]]
    blocks, jump = state.function.blocks, source.rtls[-1]
    following = blocks.index(source) + 1
    if following == len(blocks) or blocks[following].label != leaves.label:
        new.append(Block(state.function.label(), [Rtl((Jump(leaves.label),), jump.lines, jump.cause)]))
    contents = {source: [*source.rtls[:-1], *copies[0]]}
    return state.change(contents, [*blocks[:following], *new, *blocks[following:]])


def _is_worth_its_room(state: FunctionState, header: Block) -> bool:
    """Whether a copy of a test takes no more than the jump: it is a branch alone, or the first test is known to hold."""
    if not any(map(_stays, header.rtls[:-1])):
        return True
    if sum(map(_counts, header.rtls)) > 1:
        return False
    cfg = state.get(CFG)
    number = cfg.labels[header.label]
    (loop,) = (loop for loop in state.get(LOOPS) if loop.header == number)
    before = preheader_of(cfg, loop)
    if before is None:
        return False
    known = _known_before(state, before, {register for rtl in header.rtls for register in rtl.uses})
    for rtl in header.rtls:
        _execute(rtl, known, set())
    return _goal(state, number, known) in loop.blocks


def _move_test(state: FunctionState, header: Block, source: Block, back: Rtl) -> None:
    """Put the test at the head of a loop behind the block that jumps to it, if control leaves the loop there."""
    blocks, branch = state.function.blocks, header.rtls[-1].transfer
    place, end = blocks.index(header), blocks.index(source)
    follows = blocks[end + 1].label if end + 1 < len(blocks) else ""
    if not isinstance(branch, Branch) or branch.label != follows or not 0 < place < end:
        return
    above = blocks[:place]
    if falls_through(above[-1]):
        above.append(Block(state.function.label(), [Rtl((Jump(header.label),), back.lines, "control")]))
    contents = {source: source.rtls[:-1], header: [*header.rtls[:-1], back]}
    state.change(contents, [*above, *blocks[place + 1 : end + 1], header, *blocks[end + 1 :]])


# ----------------------------------------------------------------------------------------------------------------------
# Unroll loops completely that are known to run a few times.
#
#     L3: r[t1]=0;                         L3: r[t1]=0;
#     L4: ... r[t1] ...                    L4: ... r[t1] ...  r[t1]=r[t1]+1;  PC=r[t1]<2,L7;  PC=L6;
#         r[t1]=r[t1]+1;            =>     L7: ... r[t1] ...  r[t1]=r[t1]+1;  PC=r[t1]<2,L6;
#         PC=r[t1]<2,L4;                   L6:
#     L6:
#
# Every iteration gets a copy of the blocks, with its tests: constant propagation finds that these are decided, and what else
# depends on the loop's variables.  How often the loop runs is found by executing what decides it with the constants that are
# known before it.  Only loops without other loops in them are unrolled, but what has become one may be next.


MAX_ITERATIONS = 8
MAX_SIZE = 160  # RTLs of all iterations together as the expander writes them, without moves and constants
MAX_STEPS_BACK = 8  # blocks before the loop in which constants are looked for

Known = dict[Register, Expr]


def unroll_loops(state: FunctionState) -> None:
    """Replace loops that run a few times, as often as is known, by copies of their bodies."""
    if state.function.stage != "pseudo" or state.small:
        return
    tried: set[str] = set()
    while (found := _next_loop(state, tried)) is not None:
        _unroll(state, *found)


class _Run(NamedTuple):
    """How often a loop runs, and the label where control goes on in the last iteration."""

    iterations: int
    leave: str


def _next_loop(state: FunctionState, tried: set[str]) -> tuple[Loop, _Run] | None:
    """Return a loop to be unrolled that has not been `tried`, and how it runs."""
    blocks = state.function.blocks
    loops = state.get(LOOPS)
    for loop in loops:
        label = blocks[loop.header].label
        inner = any(other.header in loop.blocks for other in loops if other is not loop)
        above = loop.header - 1  # a block that falls into the header, not by a jump
        if label in tried or inner or any(jumps_computed(blocks[number]) for number in loop.blocks):
            continue
        if above in loop.blocks and falls_through(blocks[above]):
            continue
        tried.add(label)
        size = sum(_counts(rtl) for number in loop.blocks for rtl in blocks[number].rtls)
        most = min(MAX_ITERATIONS, MAX_SIZE // max(size, 1))
        run = _run_of(state, loop, most)
        if run is not None:
            return loop, run
    return None


def _stays(rtl: Rtl) -> bool:
    """Whether an RTL is likely to stay: no move and no constant."""
    effect = rtl.single_set
    return effect is None or not isinstance(effect.source, (Register, *CONSTANTS))


def _counts(rtl: Rtl) -> bool:
    """Whether an RTL is likely to stay, or one that comes with it: no move, no constant, no comparison beside its branch."""
    effect = rtl.single_set
    return _stays(rtl) and (effect is None or effect.target.type not in CODE_TYPES)


# ------------------------------------------------------------------------------------------------- how often a loop runs


def _run_of(state: FunctionState, loop: Loop, most: int) -> _Run | None:
    """Return in which iteration control leaves a loop at the latest; None if that is not known, or not one of the first."""
    cfg, idom, blocks = state.get(CFG), state.get(DOMINATORS), state.function.blocks
    before = preheader_of(cfg, loop)
    latches = [number for number in cfg.predecessors[loop.header] if number in loop.blocks]
    if before is None or len(latches) != 1 or most < 1:
        return None
    always = sorted((n for n in loop.blocks if dominates(idom, n, latches[0])), key=cfg.reverse_postorder().index)
    elsewhere = {r for n in loop.blocks.difference(always) for rtl in blocks[n].rtls for r in rtl.sets if r.pseudo}
    known = _known_before(state, before, {r for n in always for rtl in blocks[n].rtls for r in rtl.uses} - elsewhere)
    for iteration in range(1, most + 1):
        for number in always:
            _forget_hard(known)
            for rtl in blocks[number].rtls:
                _execute(rtl, known, elsewhere)
            goal = _goal(state, number, known)
            if goal is not None and goal not in loop.blocks:
                return _Run(iteration, blocks[goal].label)
    return None


def _known_before(state: FunctionState, block: int, wanted: set[Register]) -> Known:
    """Return the constants that registers hold at the end of a block, as far as they are set shortly before it."""
    known: Known = {}
    for _ in range(MAX_STEPS_BACK):
        for rtl in reversed(state.function.blocks[block].rtls):
            for register in wanted.intersection(rtl.sets):
                wanted.discard(register)
                effect = rtl.single_set
                if effect is not None and isinstance(effect.source, Const):
                    known[register] = effect.source
        predecessors = state.get(CFG).predecessors[block]
        if len(predecessors) != 1 or not wanted:
            break
        block = predecessors[0]
    return known


def _execute(rtl: Rtl, known: Known, elsewhere: set[Register]) -> None:
    """Bring what is known up to date; nothing is ever known of registers that are set `elsewhere`."""
    effect = rtl.single_set
    value = None
    if effect is not None and not does_more_than_set(effect):
        value = rebuild(effect.source, lambda node: known.get(node) if type(node) is Register else None)
    if rtl.call is not None:
        _forget_hard(known)
    for register in rtl.sets:
        known.pop(register, None)
        if value is not None and register not in elsewhere and (isinstance(value, Const) or not register.pseudo):
            known[register] = value


def _forget_hard(known: Known) -> None:
    """Know nothing more of hard registers, condition codes among them: code between blocks or a call may set them."""
    for register in [register for register in known if not register.pseudo]:
        del known[register]


def _goal(state: FunctionState, number: int, known: Known) -> int | None:
    """Return the block that the branch at the end of a block leads to; None if that is not known."""
    branch = branch_of(state.function.blocks[number])
    successors = state.get(CFG).successors[number]
    if branch is None or len(successors) < 2:
        return None
    outcome = rebuild(branch.condition, lambda node: known.get(node) if type(node) is Register else None)
    goal = state.get(CFG).labels[branch.label]
    if not isinstance(outcome, Const):
        return None
    return goal if outcome.value else next(s for s in successors if s != goal)


# ------------------------------------------------------------------------------------------------------------ copies


def _unroll(state: FunctionState, loop: Loop, run: _Run) -> None:
    """Put copies of a loop's blocks behind its end; each goes on with the next where the loop would begin again."""
    blocks, numbers = state.function.blocks, sorted(loop.blocks)
    header = blocks[loop.header].label
    (latch,) = (number for number in state.get(CFG).predecessors[loop.header] if number in loop.blocks)
    labels = {blocks[number].label: blocks[number].label for number in numbers}
    contents: dict[Block, list[Rtl]] = {}
    copies: list[Block] = []
    for iteration in range(1, run.iterations + 1):
        following = {label: state.function.label() for label in labels} if iteration < run.iterations else {header: run.leave}
        targets = {**labels, header: following[header]}
        for number, behind in zip(numbers, [*numbers[1:], None], strict=True):
            block = blocks[number]
            rtls = [_retargeted(rtl, targets, iteration > 1) for rtl in block.rtls]
            if iteration > 1:
                copies.append(Block(labels[block.label], rtls))
                parted = behind != number + 1
            else:
                contents[block] = rtls
                parted = number == latch
            if parted and falls_through(block):
                goal = blocks[number + 1].label
                copies.append(Block(state.function.label(), [_jump(block, targets.get(goal, goal), state.function.line)]))
        labels = following
    state.change(contents, [*blocks[: latch + 1], *copies, *blocks[latch + 1 :]])


def _retargeted(rtl: Rtl, targets: dict[str, str], copy: bool) -> Rtl:
    """Return an RTL with other labels; the one given if it is no `copy` and has none of them."""
    label = getattr(rtl.transfer, "label", None)
    if label is None or targets.get(label, label) == label:
        return rtl.copy() if copy else rtl
    return Rtl(tuple(retarget(effect, label, targets[label]) for effect in rtl.effects), rtl.lines, rtl.cause)


def _jump(near: Block, label: str, line: int) -> Rtl:
    return Rtl((Jump(label),), near.rtls[-1].lines if near.rtls else (line,), "control")
