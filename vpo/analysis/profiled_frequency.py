"""How often blocks are executed, as an earlier run of the program tells by its source lines."""

from __future__ import annotations

from statistics import median_low

from vpo.analysis.cfg import Cfg
from vpo.analysis.frequency import RARELY
from vpo.analysis.loops import Loop, loops_around
from vpo.function import Block, Function
from vpo.line_profile import LineProfile


def profiled_frequencies(
    function: Function, cfg: Cfg, idom: dict[int, int], loops: list[Loop], estimated: list[float], profile: LineProfile
) -> list[float] | None:
    """Return how often each block is executed for each time the function is entered; None if the run did not enter it.

    A block is executed as often as its lines were.  Lines are coarse: that of a `for` begins the loop and ends each round.
    So a block that is in no more loops than what dominates it is not executed more often than that.  Where nothing is known
    of a block, it is to its dominator as was `estimated`.
    """
    counts = [_count(block, function.file, profile) for block in function.blocks]
    entered = profile.times(function.file, function.line) or counts[0]
    if not entered:
        return None
    around = loops_around(len(function.blocks), loops)
    result = [RARELY] * len(function.blocks)
    result[0] = 1.0
    for number in cfg.reverse_postorder()[1:]:
        above, count = idom[number], counts[number]
        often = result[above] * estimated[number] / estimated[above] if count is None else count / entered
        if around[number] <= around[above]:
            often = min(often, result[above])
        result[number] = max(RARELY, often)
    return result


def _count(block: Block, file: str, profile: LineProfile) -> float | None:
    """Return how often a block was executed, by the median of its lines; None if the run says nothing of them."""
    lines = dict.fromkeys(rtl.lines[0] for rtl in block.rtls)
    known = [times for line in lines if (times := profile.times(file, line)) is not None]
    return median_low(known) if known else None
