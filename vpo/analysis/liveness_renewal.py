"""Bring liveness up to date after changes of some blocks, without looking at the others.

What may be needed less is taken back, against the flow of control, up to where it is needed in any case; then what is needed
is followed from there and from the changed blocks.  It takes as long as the live ranges of the registers concerned are.
"""

from __future__ import annotations

from collections.abc import Iterable

from vpo.analysis.cfg import Cfg
from vpo.analysis.liveness import Liveness, access, kept_at_returns, summary
from vpo.function import Block, Function


def renewed(old: Liveness, function: Function, cfg: Cfg, changed: Iterable[Block]) -> Liveness | None:
    """Return the liveness of a function after changes of blocks, but not of control flow; None if it must be computed anew.

    Where parts of registers are set, an RTL may concern what others do, whatever block they are in.
    """
    numbers = [cfg.labels[block.label] for block in changed]
    if old.partial or 2 * len(numbers) > len(function.blocks):
        return None
    new = Liveness(old.numbering, old.live_in[:], old.live_out[:], old.accesses[:], old.gen[:], old.kill[:], old.base[:])
    kept = kept_at_returns(function, new.numbering)
    ends: dict[int, int] = {}  # the blocks that may need something else at their ends
    for number in numbers:
        block = function.blocks[number]
        accesses = new.accesses[number] = [access(rtl, new.numbering) for rtl in block.rtls]
        if any(entry.partial for entry in accesses):
            return None
        new.gen[number], new.kill[number], ends[number] = summary(function, block, accesses, kept, new.numbering)
    if function.stage == "ssa":
        ends = {predecessor: 0 for number in numbers for predecessor in cfg.predecessors[number]} | ends
    for number, end in ends.items():
        new.base[number] = end | _read_by_phis(function, cfg, number, new)
    work = _take_back(old, new, cfg, [number for number in ends if _summary(old, number) != _summary(new, number)])
    new.solve(cfg, work)
    return new


def _summary(liveness: Liveness, number: int) -> tuple[int, int, int]:
    return liveness.gen[number], liveness.kill[number], liveness.base[number]


def _read_by_phis(function: Function, cfg: Cfg, number: int, liveness: Liveness) -> int:
    """Return what the phis of its successors read at the end of a block."""
    label, result = function.blocks[number].label, 0
    for successor in cfg.successors[number]:
        for phi in function.blocks[successor].phis:
            result |= liveness.numbering.mask((phi.sources[label],))
    return result


def _take_back(old: Liveness, new: Liveness, cfg: Cfg, numbers: list[int]) -> list[int]:
    """Remove what may not be live any more because some blocks have changed; return the blocks to be looked at again."""
    less = 0
    for number in numbers:
        less |= old.gen[number] & ~new.gen[number]
        less |= new.kill[number] & ~old.kill[number]
        less |= old.base[number] & ~new.base[number]
    again = set(numbers)
    stack = [(number, less) for number in numbers] if less else []
    live_in, gen = new.live_in, new.gen
    while stack:
        number, mask = stack.pop()
        mask &= live_in[number] & ~gen[number]
        if mask:
            live_in[number] &= ~mask
            again.add(number)
            again.update(cfg.predecessors[number])
            stack += [(predecessor, mask) for predecessor in cfg.predecessors[number]]
    return sorted(again)
