"""Plan the checks of an instruction cache that data do not share (`cache_sim.native.fetch_code` writes them).

All fetches of a segment are checked at its head: no data come between them that could change the cache.  Lines that are known
(`known_lines`) need no check, and checks of loops are hoisted (`hoisting`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from cache_sim.native.feedback import Feedback
from cache_sim.native.fetch_code import FetchCode, Touch
from ease.host.memory.facts import CheckedSegment, Edge, Place, SegmentFetches, touched_lines
from ease.host.memory.hoisting import Hoisted, Hoisting
from ease.host.memory.known_lines import KnownLines
from vpo.analysis.cfg import build_cfg
from vpo.function import Function


@dataclass(frozen=True, slots=True)
class FetchPlan:
    """The checks of the fetches of a function.

    `checks` has the touches that are checked at the head of a segment, `hoisted` those on an edge into a loop.  `needs` has
    the lines that code from the head of a segment on takes for known.
    """

    checks: dict[Place, list[Touch]]
    hoisted: dict[Edge, Hoisted]
    needs: dict[Place, frozenset[int]]


def plan_fetches(
    function: Function, addresses: Sequence[int], first: int, segments: Sequence[Sequence[CheckedSegment]],
    fetches: FetchCode, feedback: Feedback,
) -> FetchPlan:  # fmt: skip
    """Return the plan of a function, and add the units of fetches to those of segments.

    RTL i of the function has the number `first + i` and the bytes [addresses[i], addresses[i + 1]).
    """
    cache, code, cfg = fetches.cache.cache, fetches.code, build_cfg(function)

    def fetched_by(segment: CheckedSegment, position: int) -> SegmentFetches:
        start, end = position + segment.first, position + segment.end
        return SegmentFetches(segment, touched_lines(addresses[start : end + 1], cache.line, first + start))

    def chosen(touches: Iterable[Touch]) -> list[Touch]:
        return [replace(touch, strategy=feedback.strategy(touch.site)) for touch in touches]

    starts = function.block_starts()
    made = [[fetched_by(each, start) for each in found] for start, found in zip(starts, segments, strict=True)]
    hoisted = Hoisting(function, cfg, made, cache, code).edges()
    analysis = KnownLines(cfg, made, {edge: each.touches for edge, each in hoisted.items()}, cache.sets)
    after = analysis.mark(code.switching)
    unknown = {edge: chosen(analysis.unknown(each.touches, after[edge[0]])) for edge, each in hoisted.items()}
    hoisted = {edge: replace(hoisted[edge], touches=touches) for edge, touches in unknown.items() if touches}
    needs = analysis.needs(unknown) if code.switching else {}
    checks: dict[Place, list[Touch]] = {}
    for number, found in enumerate(made):
        for fetched in found:
            checked = [touch for touch in fetched.touches if not touch.known]
            checks[number, fetched.segment.first] = chosen(checked)
            cost = sum(touch.count for touch in fetched.touches) * code.cost("fetch")
            fetched.segment.cost += cost
            fetched.segment.worst += cost + len(checked) * code.penalty
    return FetchPlan(checks, hoisted, needs)
