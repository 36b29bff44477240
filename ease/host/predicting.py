"""Branch predictors simulated while the program runs (`cache_sim.native.predictors` writes them)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING

from cache_sim.native.predictors import Past, Place, PredictorCode, predictor_code
from cache_sim.native.state import Field, State
from cache_sim.predictors.predictor import Kind, Predictor
from cache_sim.predictors.results import Results, SiteResults
from ease.host.instrument import Site, Thread
from ease.results import Counts
from vpo.program import Program
from vpo.rtl import Call
from vpo.transfers import transfers

if TYPE_CHECKING:
    from ease.host.run import RunResult


class Predicting:
    """Simulates predictors; how often branches are executed and taken is known from counters."""

    def __init__(self, program: Program, predictors: Mapping[str, Predictor]) -> None:
        self.program, self.predictors = program, dict(predictors)
        self.transfers = list(transfers(program))
        self.places = [Place(n, Kind(t.kind), t.address, t.target) for n, t in enumerate(self.transfers)]
        self.by_number = {t.number: place for t, place in zip(self.transfers, self.places, strict=True)}
        self.codes = self._lay_out(State(0))  # only to know the threads

    def _lay_out(self, state: State) -> list[PredictorCode]:
        return [
            predictor_code(predictor, self.places, state, str(number))
            for number, predictor in enumerate(self.predictors.values())
        ]

    @property
    def threads(self) -> Sequence[Thread]:
        """What predictors remember of the past."""
        past: list[Past] = [past for code in self.codes for past in code.past]
        return [Thread("i64", each.variable, 0) for each in past]

    def place(self, state: State, large: State) -> None:
        """Lay out the predictors' memory."""
        self.state = state
        self.codes = self._lay_out(state)

    def function(self, site: Site) -> FunctionPredicting:
        """Begin a function."""
        return FunctionPredicting(self, site)

    def text(self) -> str:
        """Return the functions that the woven code calls."""
        return "\n".join(code.functions() for code in self.codes)

    def finish(self, module: str) -> str:
        """Nothing is filled in."""
        return module

    def initialise(self, memory: bytearray, address: int) -> None:
        """All is as it was laid out."""

    def results(self, counts: Counts, run: RunResult) -> Results:
        """Return what happened in a run with this instrument."""
        assert run.state is not None
        state, memory = run.state

        @cache
        def read(field: Field) -> Sequence[int]:
            return state.read(field, memory)

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
    """The transfers of one function."""

    def __init__(self, predicting: Predicting, site: Site) -> None:
        self.predicting, self.site = predicting, site
        sizes = [len(block.rtls) for block in site.function.blocks]
        self.first = [site.first + sum(sizes[:block]) for block in range(len(sizes))]

    def variables(self) -> list[tuple[str, str]]:
        """There are only threads."""
        return []

    def enter(self) -> None:
        """Nothing stands there."""

    def before(self, block: int, index: int) -> None:
        """Nothing stands there."""

    def transfer(self, block: int, index: int, value: str) -> None:
        """Write what predictors do at a transfer or call."""
        emitter, predicting = self.site.emitter, self.predicting
        place = predicting.by_number.get(self.first[block] + index)
        if place is not None:
            if place.kind != Kind.BRANCH and emitter.bits < 64:
                value = emitter.put(f"zext i{emitter.bits} {value} to i64")
            for predictor, code in zip(predicting.predictors.values(), predicting.codes, strict=True):
                if place.kind in predictor.kinds:
                    code.transfer(emitter, place, value)
        if any(isinstance(effect, Call) for effect in self.site.function.blocks[block].rtls[index].effects):
            for code in predicting.codes:
                code.called(emitter, emitter.next_address)
