"""Split live ranges where the ways to calls leave those without, so that only the former need registers that are saved.

    r[t1]=r[10];                       r[t1]=r[10];
    PC=r[t1]<2,L4;                     PC=r[t1]<2,L4;
L3: r[10]=r[t1]-1; call; ...r[t1]  =>  L3: r[t2]=r[t1]; r[10]=r[t2]-1; call; ...r[t2]
L4: return                             L4: return

A register that is live across calls gets another name in the part of the function that makes them, and its own back where it
is live behind it.  Shrink-wrapping (frame/callee_saves.py) then saves nothing on the way that returns early.  Where one
instruction saves all registers, that way must need none of them, or the part must be rare.
After Cooper and Simpson, "Live Range Splitting in a Graph Coloring Register Allocator" (CC 1998).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from vpo.analysis.dominators import dominance_intervals, dominator_tree, is_within
from vpo.analysis.liveness import access
from vpo.opt.frame.lazy_code_motion import Edge, insert_on_edges, tables_differ
from vpo.opt.frame.save_instructions import saves_together, scratch_registers
from vpo.opt.loops.loop_variables import most_live
from vpo.opt.ssa.construct_ssa import rename
from vpo.opt.state import CFG, DOMINATORS, FREQUENCIES, LIVENESS, LOOPS, FunctionState
from vpo.rtl import Register, Rtl, Set
from vpo.rtl.function import Block

OFTEN = 0.95  # a part that is executed more often for each call of the function leaves no early way
RARE = 0.1  # what is executed less often for each call of the function may have moves for nothing


def split_ranges(state: FunctionState) -> None:
    """Give registers that live across calls other names in the parts of a function that make calls."""
    if not any(rtl.call is not None for rtl in state.function.rtls()) or not state.machine.convention.saved:
        return
    blocks, frequencies = state.function.blocks, state.get(FREQUENCIES)
    heads = _heads(state)
    intervals = dominance_intervals(state.get(DOMINATORS)) if heads else {}
    reached = state.get(CFG).reachable()
    parts = [(blocks[head], [blocks[index] for index in reached if is_within(intervals, head, index)]) for head in heads]
    together = {block for _, part in parts for block in part}
    roomy = not saves_together(state.machine.convention.saved, state.machine) or _fits_scratch_registers(state, together)
    rare = {blocks[head] for head in heads if frequencies[head] < RARE * frequencies[0]}
    calling = {block for block in blocks if any(rtl.call is not None for rtl in block.rtls)} if heads else set()
    for head, part in parts:
        if roomy or head in rare:
            _split(state, head, part, together, calling)


def _fits_scratch_registers(state: FunctionState, parts: set[Block]) -> bool:
    """Return whether what lives outside of some parts has room in registers that nobody saves."""
    machine, liveness = state.machine, state.get(LIVENESS)
    outside = [index for index in state.get(CFG).reachable() if state.function.blocks[index] not in parts]
    live = {each for index in outside for each in (liveness.live_in[index], *liveness.backward(index))}
    room = Counter(machine.classes[register.cls].bank for register in scratch_registers(machine))
    return all(used <= room[bank] for bank, used in most_live(machine, liveness, live).items())


def _heads(state: FunctionState) -> list[int]:
    """Return the blocks, outside loops, that dominate parts with a call or more for each time they are entered."""
    cfg, idom, frequencies = state.get(CFG), state.get(DOMINATORS), state.get(FREQUENCIES)
    children, intervals = dominator_tree(idom), dominance_intervals(idom)
    calls = {i: frequencies[i] for i, block in enumerate(state.function.blocks) if any(r.call is not None for r in block.rtls)}
    looping = {block for loop in state.get(LOOPS) for block in loop.blocks}
    heads: list[int] = []
    work = list(children[0])
    while work:
        block = work.pop()
        made = sum(weight for caller, weight in calls.items() if caller in intervals and is_within(intervals, block, caller))
        alone = len(cfg.predecessors[block]) == 1 and block not in looping
        if alone and made >= frequencies[block] and frequencies[block] < OFTEN * frequencies[0]:
            heads.append(block)
        elif made:
            work += children[block]
    return sorted(heads)


def _split(state: FunctionState, head: Block, blocks: list[Block], parts: set[Block], calling: set[Block]) -> None:
    """Give registers other names in the part that a block dominates, if they live across calls there and in parts only.

    `calling` are the blocks with calls.
    """
    function, cfg, liveness = state.function, state.get(CFG), state.get(LIVENESS)
    place = {block: index for index, block in enumerate(function.blocks)}
    part = {place[block] for block in blocks}
    within = outside = 0
    for index in cfg.reachable():
        if function.blocks[index] not in calling:
            continue
        crossing = _live_across_calls(state, index)
        within |= crossing if index in part else 0
        outside |= crossing if function.blocks[index] not in parts else 0
    wanted = liveness.live_in[place[head]] & within & ~outside
    exits = [(i, j) for i in sorted(part) for j in cfg.successors[i] if j not in part]
    live = [liveness.live_in[index] for index in (place[head], *(j for _, j in exits))]
    registers = [r for r in liveness.numbering.members(wanted) if r.pseudo and _can_move(state, r, live)]
    if registers and state.permits():
        names = {register: function.pseudo(register.cls, register.type) for register in registers}
        with state.required():
            _rename(state, head, blocks, exits, names)


def _live_across_calls(state: FunctionState, index: int) -> int:
    """Return the registers that live across a call in a block."""
    liveness = state.get(LIVENESS)
    block, accesses = state.function.blocks[index], liveness.accesses[index]
    found = 0
    for rtl, entry, after in zip(block.rtls, accesses, liveness.backward(index), strict=True):
        if rtl.call is not None:
            found |= after & ~entry.sets
    return found


def _can_move(state: FunctionState, register: Register, live: list[int]) -> bool:
    """Return whether one instruction moves such a register, and changes nothing else that is live."""
    move = Rtl((Set(register, Register(register.cls, -1, register.type, True)),), (0,))
    if not state.machine.is_legal(move.effects):
        return False
    clobbers = access(move, state.get(LIVENESS).numbering).clobbers
    return not any(clobbers & each for each in live)


def _rename(state: FunctionState, head: Block, part: list[Block], exits: list[Edge], names: dict[Register, Register]) -> None:
    """Rename registers in a part, with moves at its head, and on the edges that leave it where they are live."""
    function, cfg, liveness = state.function, state.get(CFG), state.get(LIVENESS)
    numbering = liveness.numbering
    code: dict[Edge, Callable[[], list[Rtl]]] = {}
    makers: dict[tuple[int, tuple[Register, ...]], Callable[[], list[Rtl]]] = {}
    for i, j in exits:
        live = tuple(register for register in names if liveness.live_in[j] >> numbering.number(register) & 1)
        if live:
            lines = function.blocks[j].rtls[0].lines if function.blocks[j].rtls else (function.line,)
            code[i, j] = makers.setdefault((j, live), lambda r=live, n=lines: _moves({names[x]: x for x in r}, n))  # type: ignore[misc]
    if tables_differ(function, cfg, code):
        return
    lines = head.rtls[0].lines if head.rtls else (function.line,)
    contents = {block: [rename(rtl, names, names) for rtl in block.rtls] for block in part}
    contents[head] = [*_moves(names, lines), *contents[head]]
    state.change(contents)
    insert_on_edges(state, cfg, code)


def _moves(names: dict[Register, Register], lines: tuple[int, ...]) -> list[Rtl]:
    return [Rtl((Set(new, old),), lines, "program") for old, new in names.items()]
