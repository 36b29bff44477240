"""Branch predictors that programs on one machine share: addresses are virtual, so programs disturb each other's entries."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import gcd

from cache_sim.config import ConfigurationError
from cache_sim.predictors.predictor import BRANCHES, Kind, Predictor, Static
from cache_sim.predictors.spec import load
from cache_sim.traces.regeneration import BRANCH, Events
from vpo.analysis.transfers import transfers, unit
from vpo.program import Program


@dataclass(frozen=True, slots=True)
class Predicting:
    """Which predictors there are, as `load` reads them; `flushes`: they forget everything when another program goes on."""

    spec: str
    flushes: bool
    unit: int
    places: tuple[Mapping[int, tuple[int, int]], ...]  # of each program's branches: address and target, by RTL


def predicting(spec: str, flushes: bool, programs: Sequence[Program]) -> Predicting:
    """Return what programs share.

    Raises ConfigurationError for predictors of other transfers than branches, and for those that are known after the run only.
    """
    for name, predictor in load(spec).items():
        if predictor.kinds != BRANCHES or (isinstance(predictor, Static) and not predictor.known):
            raise ConfigurationError(f"predictor '{name}': programs share predictors of branches, without a profile")
    places = tuple(
        {each.number: (each.address, each.target) for each in transfers(program) if each.kind == Kind.BRANCH}
        for program in programs
    )
    return Predicting(spec, flushes, gcd(*map(unit, programs)), places)


class SharedPredictors:
    """Predicts the branches of programs in the order of their turns, and counts by program."""

    def __init__(self, shared: Predicting, numbers: Sequence[int]) -> None:
        self.shared, self.places = shared, [shared.places[number] for number in numbers]
        self.predictors: list[Predictor] = []
        self.forget()
        self.executed = [0] * len(numbers)
        self.wrong = [[0] * len(self.predictors) for _ in numbers]

    def forget(self) -> None:
        """Bring all predictors to their beginning."""
        self.predictors = list(load(self.shared.spec, self.shared.unit).values())

    def take(self, program: int, parts: Iterable[Events]) -> None:
        """Predict the branches of a turn."""
        for events in parts:
            branches = events.kinds == BRANCH
            sites, outcomes = events.sites[branches].tolist(), events.sizes[branches].tolist()
            self.executed[program] += len(sites)
            for place, predictor in enumerate(self.predictors):
                self.wrong[program][place] += self._mistakes(predictor, self.places[program], sites, outcomes)

    @staticmethod
    def _mistakes(
        predictor: Predictor, places: Mapping[int, tuple[int, int]], sites: Sequence[int], outcomes: Sequence[int]
    ) -> int:
        predict, update, wrong = predictor.predict, predictor.update, 0
        for site, outcome in zip(sites, outcomes, strict=True):
            address, target = places[site]
            wrong += predict(address, target) != outcome
            update(address, target, outcome)
        return wrong
