"""Keep predictor state of branches in registers during loops.

This is possible in loops without calls, for branches whose predictions no other branch of the loop influences.  Two things
are done, both exact, since nothing reads or changes the predictor of such a branch in the meantime:

A branch that either stays in the loop or leaves it *waits*: it has stayed as often as it was executed, but for the last time
if it left.  Its predictor is updated with that number when control leaves the loop; the effect of equal outcomes depends on
nothing but their number, which LLVM computes from the trip count.

Other branches of innermost loops *keep* the word of their predictor in a variable.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from cache_sim.native.code import Writer, increase
from cache_sim.native.predictor_parts import Place, PredictorCode
from cache_sim.predictors.predictor import Kind
from vpo.analysis.cfg import build_cfg
from vpo.analysis.dominators import dominators
from vpo.analysis.loops import natural_loops
from vpo.function import Function

MOST = 8  # branches of a loop that wait, and words that it keeps: registers are few, and exits may be many


@dataclass(frozen=True, slots=True)
class Waiting:
    """A branch whose predictors wait during a loop: a variable counts its executions.

    The branch stays in the loop if it is `taken` (or if it is not), and otherwise leaves it, from `block` to `outside`.
    """

    place: Place
    loop: frozenset[int]
    block: int
    outside: int
    taken: bool
    codes: Sequence[PredictorCode]

    @property
    def variable(self) -> str:
        """The name of the variable; its value is 0 outside of the loop."""
        return f"%predict.waiting{self.place.number}"

    def execute(self, out: Writer) -> None:
        """Write the count of an execution."""
        increase(out, self.variable, "1")

    def edge(self, out: Writer, source: int, target: int) -> None:
        """Write the updates on an edge out of the loop."""
        if source not in self.loop or target in self.loop:
            return
        left = (source, target) == (self.block, self.outside)
        times = out.put(f"load i64, ptr {self.variable}")
        if left:
            times = out.put(f"sub i64 {times}, 1")
        for code in self.codes:
            code.repeat(out, self.place, times, self.taken, left)
        out.lines.append(f"store i64 0, ptr {self.variable}")


@dataclass(frozen=True, slots=True)
class Kept:
    """A branch whose predictor's word is in a variable during a loop."""

    place: Place
    loop: frozenset[int]
    code: PredictorCode
    variable: str

    def edge(self, out: Writer, source: int, target: int) -> None:
        """Write the load of the word on an edge into the loop, its store on an edge out of the loop."""
        if source not in self.loop and target in self.loop:
            self.code.take(out, self.place, self.variable)
        elif source in self.loop and target not in self.loop:
            self.code.put_back(out, self.place, self.variable)


class Loops:
    """The loops of one function; `places` has the transfers of each block."""

    def __init__(self, function: Function, places: Mapping[int, Sequence[Place]], codes: Sequence[PredictorCode]) -> None:
        self.places, self.codes = places, codes
        self.cfg = build_cfg(function)
        calls = {number for number, block in enumerate(function.blocks) if any(rtl.call is not None for rtl in block.rtls)}
        found = natural_loops(self.cfg, dominators(self.cfg))  # inner ones first
        self.loops = [loop.blocks for loop in found if calls.isdisjoint(loop.blocks)]
        self.waiting = {waiting.place.number: waiting for waiting in self._waiting()}
        self.kept = {(kept.place.number, kept.code): kept for loop in self._innermost() for kept in self._keep(loop)}
        self.all: list[Waiting | Kept] = [*self.waiting.values(), *self.kept.values()]

    def edge(self, out: Writer, source: int, target: int) -> None:
        """Write everything that stands on an edge."""
        for each in self.all:
            each.edge(out, source, target)

    def variables(self) -> list[str]:
        """Return the names of all variables."""
        return [each.variable for each in self.all]

    def _branches(self, blocks: Collection[int]) -> Iterator[tuple[int, Place]]:
        """Yield the branches of some blocks."""
        for block in sorted(blocks):
            yield from ((block, place) for place in self.places[block] if place.kind == Kind.BRANCH)

    def _alone(self, place: Place, loop: frozenset[int]) -> list[PredictorCode]:
        """Return the predictors of a branch that no other branch of a loop influences."""
        others = [other for _, other in self._branches(loop) if other is not place]
        return [code for code in self.codes if code.is_alone(place, others)]

    def _waiting(self) -> Iterator[Waiting]:
        """Yield the branches whose predictors wait, each with the largest loop for which that is possible."""
        found: dict[frozenset[int], list[Waiting]] = {}
        for block, place in self._branches(self.places):
            found_in = [waiting for loop in self.loops if (waiting := self._wait(loop, block, place)) is not None]
            for waiting in found_in[-1:]:
                found.setdefault(waiting.loop, []).append(waiting)
        for together in found.values():
            yield from together if len(together) <= MOST else ()

    def _wait(self, loop: frozenset[int], block: int, place: Place) -> Waiting | None:
        """Return how the predictors of a branch wait during a loop, or None if they cannot."""
        successors = self.cfg.successors[block]  # the one that is not taken first
        outside = [target for target in successors if target not in loop]
        if block not in loop or len(successors) != 2 or len(outside) != 1:
            return None
        codes = self._alone(place, loop)
        return Waiting(place, loop, block, outside[0], outside[0] == successors[0], codes) if codes else None

    def _innermost(self) -> list[frozenset[int]]:
        """Return the innermost loops."""
        return [loop for loop in self.loops if not any(other < loop for other in self.loops)]

    def _keep(self, loop: frozenset[int]) -> list[Kept]:
        """Return the branches of a loop that keep their word in a variable; none if they are too many."""
        found = [
            Kept(place, loop, code, f"%predict.kept{place.number}.{self.codes.index(code)}")
            for _, place in self._branches(loop)
            for code in self._alone(place, loop)
            if place.number not in self.waiting or code not in self.waiting[place.number].codes
        ]
        return found if len(found) <= MOST else []
