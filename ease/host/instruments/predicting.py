"""Simulate branch predictors in host code (`cache_sim.native.predictors` writes them)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from cache_sim.native.code import State, Writer, increase
from cache_sim.native.gauge import ALWAYS, Counting
from cache_sim.native.predictors import Past, Place, PredictorCode, predictor_code
from cache_sim.predictors.predictor import Kind, Predictor, Results, SiteResults
from ease.host.instruments.instrument import Site, Thread
from ease.model.results import Counts
from vpo.analysis.cfg import build_cfg
from vpo.analysis.dominators import dominators, natural_loops
from vpo.analysis.transfers import transfers
from vpo.program import Program
from vpo.rtl import Call
from vpo.rtl.function import Function

if TYPE_CHECKING:
    from ease.host.process.run import RunResult


# ----------------------------------------------------------------------------------------------------------------------
# Keep predictor state of branches in registers during loops.
#
# This is possible in loops without calls, for branches whose predictions no other branch of the loop influences.  Two things
# are done, both exact, since nothing reads or changes the predictor of such a branch in the meantime:
#
# A branch that either stays in the loop or leaves it *waits*: it has stayed as often as it was executed, but for the last time
# if it left.  Its predictor is updated with that number when control leaves the loop; the effect of equal outcomes depends on
# nothing but their number, which LLVM computes from the trip count.
#
# Other branches of innermost loops *keep* the word of their predictor in a variable.


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


# ----------------------------------------------------------------------------------------------------------------------


class Predicting:
    """Simulates branch predictors; counters tell how often branches are executed and taken.

    With `waiting`, the predictor of a branch in a loop may be updated when the loop ends.  A program that does not end by
    itself then misses updates.
    """

    follows_cut = False
    counting: Counting = ALWAYS

    def __init__(self, program: Program, predictors: Mapping[str, Predictor], waiting: bool = True) -> None:
        self.program, self.predictors, self.waiting = program, dict(predictors), waiting
        self.transfers = list(transfers(program))
        self.places = [Place(n, Kind(t.kind), t.address, t.target) for n, t in enumerate(self.transfers)]
        self.by_number = {t.number: place for t, place in zip(self.transfers, self.places, strict=True)}
        self.codes = self._lay_out(State(0))  # only to know the threads

    def _lay_out(self, state: State) -> list[PredictorCode]:
        return [
            predictor_code(predictor, self.places, state, str(number), self.counting)
            for number, predictor in enumerate(self.predictors.values())
        ]

    @property
    def threads(self) -> Sequence[Thread]:
        """The histories of predictors."""
        past: list[Past] = [past for code in self.codes for past in code.past]
        return [Thread("i64", each.variable, 0) for each in past]

    def place(self, state: State, large: State) -> None:
        """Lay out the predictors' memory."""
        self.state = state
        self.codes = self._lay_out(state)

    def function(self, site: Site) -> FunctionPredicting:
        """Return the instrument of one function."""
        return FunctionPredicting(self, site)

    def text(self) -> str:
        """Return the functions that the woven code calls."""
        return "\n".join(code.functions() for code in self.codes)

    def results(self, counts: Counts, run: RunResult) -> Results:
        """Return what happened in a run with this instrument."""
        read = cache(run.read)
        sites: dict[int, SiteResults] = {}
        for transfer, place in zip(self.transfers, self.places, strict=True):
            executed = counts.rtls[transfer.function][transfer.position]
            taken = counts.taken[transfer.function][transfer.block] if place.kind == Kind.BRANCH else 0
            wrong = [
                code.mistakes(place, read, executed, taken) if place.kind in predictor.kinds else 0
                for predictor, code in zip(self.predictors.values(), self.codes, strict=True)
            ]
            if executed:
                sites[place.address] = SiteResults(place.kind, executed, taken, tuple(wrong))
        return Results({name: predictor.kinds for name, predictor in self.predictors.items()}, sites)


class FunctionPredicting:
    """Writes the predictors at the transfers of one function."""

    def __init__(self, predicting: Predicting, site: Site) -> None:
        self.predicting, self.site = predicting, site
        self.starts = [site.first + start for start in site.function.block_starts()]  # as RTLs are numbered in the program
        places: dict[int, list[Place]] = {}
        for number, (block, start) in enumerate(zip(site.function.blocks, self.starts, strict=True)):
            numbers = range(start, start + len(block.rtls))
            places[number] = [predicting.by_number[n] for n in numbers if n in predicting.by_number]
        self.loops = Loops(site.function, places, predicting.codes if predicting.waiting else ())

    def variables(self) -> list[tuple[str, str]]:
        """Return the variables of the function."""
        return [("i64", name) for name in self.loops.variables()]

    def enter(self) -> None:
        """Write that no updates wait."""
        self.site.emitter.lines += [f"store i64 0, ptr {each.variable}" for each in self.loops.waiting.values()]

    def begin(self, block: int) -> None:
        """Write nothing."""

    def before(self, block: int, index: int) -> None:
        """Write nothing."""

    def transfer(self, block: int, index: int, value: str) -> None:
        """Write the predictions and updates of a transfer or call."""
        emitter, predicting = self.site.emitter, self.predicting
        place = predicting.by_number.get(self.starts[block] + index)
        if place is not None:
            if place.kind != Kind.BRANCH and emitter.bits < 64:
                value = emitter.put(f"zext i{emitter.bits} {value} to i64")
            waiting = self.loops.waiting.get(place.number)
            if waiting is not None:
                waiting.execute(emitter)
            for predictor, code in zip(predicting.predictors.values(), predicting.codes, strict=True):
                if place.kind in predictor.kinds and (waiting is None or code not in waiting.codes):
                    self._predict(code, place, value)
        if any(isinstance(effect, Call) for effect in self.site.function.blocks[block].rtls[index].effects):
            for code in predicting.codes:
                code.called(emitter, emitter.next_address)

    def _predict(self, code: PredictorCode, place: Place, outcome: str) -> None:
        """Write the prediction and update of one predictor at a transfer."""
        kept = self.loops.kept.get((place.number, code))
        if kept is not None:
            code.change(self.site.emitter, kept.variable, outcome)
        else:
            code.transfer(self.site.emitter, place, outcome)

    def edge(self, source: int, target: int) -> None:
        """Write the updates that stand on an edge."""
        self.loops.edge(self.site.emitter, source, target)
