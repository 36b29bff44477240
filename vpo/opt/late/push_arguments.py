"""Push arguments: stores of words to the stack before a call become pushes, for small code.

    L[r[4]+4]=2;                 r[0]=L[_x];
    r[0]=L[_x];                  r[4]=r[4]+8;
    L[r[4]]=r[0];                r[4]=r[4]+-4; L[r[4]+-4]=2;
    ST=_f(); ...;         =>     r[4]=r[4]+-4; L[r[4]+-4]=r[0];
                                 ST=_f(); ...;

The stack pointer first moves beyond the arguments, and is where it was when the pushes have filled their cells: nothing else
changes.  It happens when the frame is laid out.
"""

from __future__ import annotations

from collections.abc import Sequence

from vpo.algebra import binary
from vpo.algebra.parts import split_address
from vpo.analysis.liveness import Liveness
from vpo.machines.machine import Machine
from vpo.opt.state import LIVENESS, FunctionState, merged
from vpo.rtl import BITS, Const, Effect, Expr, Mem, Op, Register, Rtl, Set
from vpo.rtl.function import Block

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
        effect = rtl.single_set()
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
    (cell,), effect, sp = store.stores, store.single_set(), machine.stack_pointer
    assert effect is not None
    back = binary("+", sp, Const(-(BITS[cell.type] // 8)))
    return Set(sp, back), Set(Mem(cell.type, back), effect.source)


def _size(rtls: Sequence[Rtl], machine: Machine) -> int:
    """Return how many bytes some instructions take."""
    return sum(machine.record(rtl).size for rtl in rtls)
