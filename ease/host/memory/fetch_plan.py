"""Plan the checks of an instruction cache that data do not share (`cache_sim.native.fetch_code` writes them).

All fetches of a segment are checked at its head: no data come between them that could change the cache.  Lines that are known
to be the last used of their sets (`known_lines`) need no check.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from cache_sim.native.feedback import Feedback
from cache_sim.native.fetch_code import FetchCode, Touch
from ease.host.memory.facts import CheckedSegment, Place, SegmentFetches, touched_lines
from ease.host.memory.known_lines import KnownLines
from vpo.analysis.cfg import build_cfg
from vpo.function import Function


@dataclass(frozen=True, slots=True)
class FetchPlan:
    """The checks of the fetches of a function.

    By the place of the first RTL of a segment, `checks` has the touches to check there, and `needs` the lines that code from
    there on takes for known.
    """

    checks: dict[Place, list[Touch]]
    needs: dict[Place, frozenset[int]]


def plan_fetches(
    function: Function, extents: Sequence[tuple[int, int]], first: int, segments: Sequence[Sequence[CheckedSegment]],
    fetches: FetchCode, feedback: Feedback,
) -> FetchPlan:  # fmt: skip
    """Return the plan of a function, and add the units of fetches to those of segments.

    RTL i of the function has the number `first + i` and is fetched as the bytes `extents[i]` (`Program.fetched`).
    """
    cache, code = fetches.cache.cache, fetches.code

    def fetched_by(segment: CheckedSegment, position: int) -> SegmentFetches:
        start, end = position + segment.first, position + segment.end
        return SegmentFetches(segment, touched_lines(extents[start:end], cache.line, first + start))

    starts = function.block_starts()
    made = [[fetched_by(each, start) for each in found] for start, found in zip(starts, segments, strict=True)]
    analysis = KnownLines(build_cfg(function), made, cache.sets)
    analysis.mark(code.switching)
    needs = analysis.needs() if code.switching else {}
    checks: dict[Place, list[Touch]] = {}
    for number, found in enumerate(made):
        for fetched in found:
            checked = [replace(t, strategy=feedback.strategy(t.site)) for t in fetched.touches if not t.known]
            checks[number, fetched.segment.first] = checked
            cost = sum(touch.count for touch in fetched.touches) * code.cost("fetch")
            fetched.segment.cost += cost
            fetched.segment.worst += cost + len(checked) * code.penalty
    return FetchPlan(checks, needs)
