"""Hoist moves above branches, so that no block and no jump is needed for them alone.

    PC=r[t1]<9,L7;                     r[t2]=r[t1];
    ...                                PC=r[t1]<9,L2;
L7: r[t2]=r[t1];               =>
    PC=L2;

Leaving SSA form puts moves on edges.  Where a block before a branch leads to one that only moves, its moves can be made
before the branch if what they set is not wanted on the other way, or is set alike there.  That pays if the other way is
taken more rarely than the jump that it saves.
"""

from __future__ import annotations

from vpo.algebra import CONSTANTS
from vpo.analysis.cfg import branch_of, transfer_of
from vpo.analysis.liveness import Liveness, access
from vpo.opt.state import CFG, FREQUENCIES, LIVENESS, FunctionState
from vpo.rtl import Effect, Jump, Register, Rtl
from vpo.rtl.function import Block


def hoist_moves(state: FunctionState) -> None:
    """Make moves before a branch instead of behind it, where that saves jumps."""
    cfg, blocks = state.get(CFG), state.function.blocks
    known: tuple[Liveness, list[float]] | None = None  # as it was before all changes, once it is asked for
    for number, block in enumerate(blocks):
        ways = cfg.successors[number]
        if branch_of(block) is None or len(ways) != 2:
            continue
        hoisted = 0  # registers that have their values from one way now, which the other may not change
        for way, other in (ways, ways[::-1]):
            if cfg.predecessors[way] != [number] or not _moves(blocks[way]):
                continue
            liveness, frequencies = known = known or (state.get(LIVENESS), state.get(FREQUENCIES))
            wanted = liveness.live_in[other] | hoisted
            alike = blocks[other] if cfg.predecessors[other] == [number] else None
            saved = frequencies[way] if transfer_of(blocks[way]) is not None else 0.0
            hoisted |= _hoist(state, liveness, block, blocks[way], wanted, alike, saved / max(frequencies[other], 1e-9))


def _moves(block: Block) -> list[Rtl]:
    """Return the RTLs of a block that only moves registers and constants, and perhaps jumps; else none."""
    last = transfer_of(block)
    moves = block.rtls if last is None else block.rtls[:-1]
    if last is not None and not (len(last.effects) == 1 and type(last.effects[0]) is Jump):
        return []
    return moves if all(_is_move(rtl) for rtl in moves) else []


def _is_move(rtl: Rtl) -> bool:
    effect = rtl.single_set
    if effect is None or not isinstance(effect.target, Register) or not effect.target.pseudo:
        return False
    return isinstance(effect.source, CONSTANTS) or (isinstance(effect.source, Register) and effect.source.pseudo)


def _hoist(
    state: FunctionState, liveness: Liveness, block: Block, way: Block, wanted: int, alike: Block | None, worth: float
) -> int:
    """Hoist the moves of one way if they all can be, and cost less on the other way than a jump on this one.

    Returns the registers that the moves set, none if they stay.
    """
    moves = _moves(way)
    leading = _leading_moves(alike) if alike is not None else []
    same: set[tuple[Effect, ...]] = {rtl.effects for rtl in leading}
    both = [rtl for rtl in moves if rtl.effects in same]
    if len(moves) - len(both) > worth or (not worth and not both):
        return 0
    numbering = liveness.numbering
    place = len(block.rtls) - 1
    targets = numbering.mask(tuple(register for rtl in moves for register in rtl.sets))
    if targets & wanted & ~numbering.mask(tuple(register for rtl in both for register in rtl.sets)):
        return 0
    changed = targets
    for rtl in moves:
        changed |= access(rtl, numbering).clobbers
    reads = numbering.mask(tuple(register for rtl in moves for register in rtl.uses))
    spared = access(block.rtls[place], numbering).uses & changed  # a condition code that moves would change
    if spared & targets:
        return 0
    while spared:
        place -= 1
        entry = access(block.rtls[place], numbering) if place >= 0 else None
        if entry is None or block.rtls[place].call is not None:
            return 0
        if (entry.sets | entry.clobbers) & (reads | targets) or entry.uses & targets:
            return 0
        spared = (spared & ~entry.sets) | (entry.uses & changed)
    contents = {block: [*block.rtls[:place], *moves, *block.rtls[place:]], way: way.rtls[len(moves) :]}
    if both and alike is not None:
        gone = {rtl.effects for rtl in both}
        contents[alike] = [rtl for rtl in leading if rtl.effects not in gone] + alike.rtls[len(leading) :]
    return targets if state.change(contents) else 0


def _leading_moves(block: Block) -> list[Rtl]:
    """Return the moves at the head of a block that could come in any order."""
    found: list[Rtl] = []
    sets: set[Register] = set()
    uses: set[Register] = set()
    for rtl in block.rtls:
        if not _is_move(rtl) or not sets.isdisjoint((*rtl.uses, *rtl.sets)) or not uses.isdisjoint(rtl.sets):
            break
        found.append(rtl)
        sets.update(rtl.sets)
        uses.update(rtl.uses)
    return found
