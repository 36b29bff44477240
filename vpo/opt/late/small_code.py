"""For small code: equal ends of blocks are there once, and stores of arguments become pushes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from vpo.algebra import binary
from vpo.algebra.equivalents import split_address
from vpo.analysis.cfg import end_of, transfer_of
from vpo.analysis.liveness import Liveness
from vpo.machines.machine import Machine
from vpo.opt.state import LIVENESS, FunctionState, merged
from vpo.rtl import BITS, Const, Effect, Expr, Jump, Mem, Op, Register, Return, Rtl, Set, merge_provenance
from vpo.rtl.function import Block

# ----------------------------------------------------------------------------------------------------------------------
# Cross-jumping: ends of blocks that do the same and lead to the same place are there once, for small code.
#
#     r[4]=r[5];                       r[4]=r[5];
#     L[r[2]]=r[4];                L9: L[r[2]]=r[4];
#     PC=L7;                 =>        PC=L7;
# L3: r[4]=0;                      L3: r[4]=0;
#     L[r[2]]=r[4];                    PC=L9;
#     PC=L7;
#
# Wulf et al., "The Design of an Optimizing Compiler" (1975).  Only RTLs of one cause are joined, so that what is measured by
# causes stays exact.  It happens when registers are assigned and the frame is laid out.


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


# ----------------------------------------------------------------------------------------------------------------------
# Push arguments: stores of words to the stack before a call become pushes, for small code.
#
#     L[r[4]+4]=2;                 r[0]=L[_x];
#     r[0]=L[_x];                  r[4]=r[4]+8;
#     L[r[4]]=r[0];                r[4]=r[4]+-4; L[r[4]+-4]=2;
#     ST=_f(); ...;         =>     r[4]=r[4]+-4; L[r[4]+-4]=r[0];
#                                  ST=_f(); ...;
#
# The stack pointer first moves beyond the arguments, and is where it was when the pushes have filled their cells: nothing else
# changes.  It happens when the frame is laid out.


Cell = tuple[int, int]  # of the stack: from where to where, from the stack pointer on


def push_arguments(state: FunctionState) -> None:
    """Make runs of stores before calls pushes where that saves bytes."""
    if state.function.stage != "framed" or state.machine.convention.grows_up:
        return
    for number, block in enumerate(state.function.blocks):
        calls = [place for place, rtl in enumerate(block.rtls) if rtl.call is not None]
        if not calls:
            continue
        liveness = state.get(LIVENESS)
        after = liveness.backward(number)
        for place in reversed(calls):
            if place:
                _push(state, block, place, liveness, after[place - 1])


def _push(state: FunctionState, block: Block, place: int, liveness: Liveness, live: int) -> None:
    """Push what the RTLs before a call store; `live` are the registers that live there."""
    machine, rtls = state.machine, block.rtls
    cells = _movable(rtls[:place], state)
    chosen = _without_gaps(cells)
    if not chosen:
        return
    arguments = [rtls[number] for number in chosen]
    sp, total = machine.stack_pointer, cells[chosen[-1]][1]
    step = Rtl((Set(sp, binary("+", sp, Const(total))),), rtls[place].lines, arguments[0].cause)
    new = [step, *(merged(_pushed(rtl, machine), rtl) for rtl in reversed(arguments))]
    if not all(machine.is_legal(rtl.effects) for rtl in new):
        return
    changed = {register for rtl in new for register in machine.clobbers(rtl.effects)}
    used = {register for rtl in arguments for register in rtl.uses}
    if changed & used or liveness.numbering.mask(tuple(changed)) & live:
        return
    if _size(new, machine) < _size(arguments, machine):
        start = min(chosen)
        rest = [rtl for number, rtl in enumerate(rtls[start:place], start) if number not in chosen]
        state.splice(block, start, place, [*rest, *new])


def _movable(rtls: Sequence[Rtl], state: FunctionState) -> dict[int, Cell]:
    """Return the places of stores to the stack that may as well happen at the end of some RTLs, with their cells."""
    machine, sp = state.machine, state.machine.stack_pointer
    found: dict[int, Cell] = {}
    changed: set[Register] = set()  # by the RTLs behind
    touched: list[Cell] = []
    for place in reversed(range(len(rtls))):
        rtl = rtls[place]
        cells = _cells(rtl, sp, state.function.outgoing)
        if rtl.call is not None or sp in rtl.sets or cells is None:
            break
        effect = rtl.single_set
        stores = effect is not None and isinstance(effect.target, Mem) and not effect.target.volatile and not rtl.loads
        if effect is not None and sp in effect.source.uses:
            stores = False  # it would push another address, as the stack pointer has moved by then
        if stores and cells and changed.isdisjoint(rtl.uses) and not any(_overlap(cells[0], other) for other in touched):
            found[place] = cells[0]
        else:
            changed.update(rtl.sets, machine.clobbers(rtl.effects))
        touched += cells
    return found


def _cells(rtl: Rtl, sp: Register, outgoing: int) -> list[Cell] | None:
    """Return the cells of the stack that an RTL names; None if it may concern others where arguments are."""
    found = []
    for cell in (*rtl.loads, *rtl.stores):
        base, offset = split_address(cell.address)
        if base == (sp, None):
            found.append((offset, offset + BITS[cell.type] // 8))
        elif sp in cell.uses:
            return None
    values = [effect.source for effect in rtl.effects if isinstance(effect, Set)]
    return found if all(_leaves_arguments(value, sp, outgoing) for value in values) else None


def _leaves_arguments(value: Expr, sp: Register, outgoing: int) -> bool:
    """Whether a value is no address of a place where arguments are."""
    if isinstance(value, Mem) or sp not in value.uses:
        return True
    base, offset = split_address(value) if isinstance(value, Op) else (None, 0)
    return base == (sp, None) and offset >= outgoing


def _overlap(one: Cell, other: Cell) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def _without_gaps(cells: dict[int, Cell]) -> list[int]:
    """Return the stores that fill cells from the stack pointer on, in the order of these."""
    found: list[int] = []
    end = 0
    for place, (start, behind) in sorted(cells.items(), key=lambda item: item[1]):
        if start == end:
            found.append(place)
            end = behind
    return found


def _pushed(store: Rtl, machine: Machine) -> tuple[Effect, ...]:
    """Return the effects of an instruction that pushes what an RTL stores."""
    (cell,), effect, sp = store.stores, store.single_set, machine.stack_pointer
    assert effect is not None
    back = binary("+", sp, Const(-(BITS[cell.type] // 8)))
    return Set(sp, back), Set(Mem(cell.type, back), effect.source)


def _size(rtls: Sequence[Rtl], machine: Machine) -> int:
    """Return how many bytes some instructions take."""
    return sum(machine.record(rtl).size for rtl in rtls)
