"""The plain simulator: transfers one by one, through every predictor.  Whatever is faster has to come to the same."""

from __future__ import annotations

from collections.abc import Mapping

from cache_sim.predictors.predictor import Kind, Predictor, Static
from cache_sim.predictors.predictor_results import Results, SiteResults


class Simulator:
    """Sends transfers through predictors, each of which predicts on its own; it can observe a program's transfers."""

    def __init__(self, predictors: Mapping[str, Predictor]) -> None:
        self.predictors = dict(predictors)
        self.kinds: dict[int, Kind] = {}
        self.targets: dict[int, int] = {}
        self.executed: dict[int, int] = {}
        self.taken: dict[int, int] = {}
        self.wrong: dict[int, list[int]] = {}

    def transfer(self, kind: str, address: int, target: int, outcome: int) -> None:
        """Take a transfer of a kind; `target` and `outcome` are as `Predictor` says."""
        if address not in self.kinds:
            self.kinds[address], self.targets[address] = Kind(kind), target
            self.executed[address] = self.taken[address] = 0
            self.wrong[address] = [0] * len(self.predictors)
        self.executed[address] += 1
        self.taken[address] += outcome if kind == Kind.BRANCH else 0
        for place, predictor in enumerate(self.predictors.values()):
            if kind in predictor.kinds and not isinstance(predictor, Static):
                self.wrong[address][place] += predictor.predict(address, target) != outcome
                predictor.update(address, target, outcome)

    def called(self, back: int) -> None:
        """Take a call, of which a transfer was told before if it is an indirect one, that is to return to an address."""
        for predictor in self.predictors.values():
            predictor.called(back)

    def results(self) -> Results:
        """Return what happened so far."""
        return Results({name: p.kinds for name, p in self.predictors.items()}, {a: self._site(a) for a in sorted(self.kinds)})

    def _site(self, address: int) -> SiteResults:
        executed, taken = self.executed[address], self.taken[address]
        wrong = list(self.wrong[address])
        for place, predictor in enumerate(self.predictors.values()):
            if isinstance(predictor, Static) and self.kinds[address] == Kind.BRANCH:
                wrong[place] = predictor.mispredicted(address, self.targets[address], executed, taken)
        return SiteResults(self.kinds[address], executed, taken, tuple(wrong))
