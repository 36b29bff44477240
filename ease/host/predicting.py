"""Simulate branch predictors in host code (`cache_sim.native.predictors` writes them)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING

from cache_sim.native.gauge import ALWAYS, Counting
from cache_sim.native.predictor_parts import Past, Place, PredictorCode
from cache_sim.native.predictors import predictor_code
from cache_sim.native.state import State
from cache_sim.predictors.predictor import Kind, Predictor
from cache_sim.predictors.predictor_results import Results, SiteResults
from ease.host.instrument import Site, Thread
from ease.host.predicting_loops import Loops
from ease.results import Counts
from vpo.analysis.control_transfers import transfers
from vpo.program import Program
from vpo.rtl import Call

if TYPE_CHECKING:
    from ease.host.run import RunResult


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
