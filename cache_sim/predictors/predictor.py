"""What a branch predictor is, and the plain simulator: transfers one by one, through every predictor."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from operator import add
from typing import ClassVar

from cache_sim.config import ConfigurationError, demand_power_of_two

# ----------------------------------------------------------------------------------------------------------------------
# What a branch predictor is.  Those that there are, are dataclasses: fields that can be given are their configuration.


class Kind(StrEnum):
    """A transfer of control that has to be predicted: where it goes is known only when it is executed."""

    BRANCH = "branch"  # conditional, to a known target
    JUMP = "jump"  # to an address worked out
    CALL = "call"  # likewise
    RETURN = "return"


BRANCHES = frozenset({Kind.BRANCH})
MOST_ENTRIES = 1 << 20  # what a run keeps of them has to find room in memory


def demand_entries(entries: int) -> None:
    """Raise ConfigurationError for a number of entries that is no power of two, or too large."""
    demand_power_of_two("entries", entries)
    if entries > MOST_ENTRIES:
        message = f"{entries:,} entries are more than the {MOST_ENTRIES:,} that a predictor may have"
        raise ConfigurationError(message, "entries")


class Predictor(ABC):
    """Predicts transfers of some kinds.

    `address` is where in the program the transfer is (the same each time), `target` where a branch goes if it is taken
    (0 for other kinds).  An outcome is whether a branch was taken (0 or 1); for other kinds, the address gone to.
    """

    kinds: ClassVar[frozenset[Kind]] = BRANCHES

    @abstractmethod
    def predict(self, address: int, target: int) -> int | None:
        """Return the outcome expected; None if nothing is known."""

    def update(self, address: int, target: int, outcome: int) -> None:  # noqa: B027  some learn nothing
        """Be told the outcome, after `predict`."""

    def called(self, back: int) -> None:  # noqa: B027  calls need not matter
        """Be told of any call, direct or not, and of the address that it is to return to."""


@dataclass
class Static(Predictor):
    """A predictor of branches that does not change its mind: what it mispredicts follows from counts."""

    @property
    def known(self) -> bool:
        """Whether it is known before the run what is predicted."""
        return True

    def mispredicted(self, address: int, target: int, executed: int, taken: int) -> int:
        """Return how often a branch was mispredicted that was executed and taken so often."""
        return executed - taken if self.predict(address, target) else taken


# ----------------------------------------------------------------------------------------------------------------------
# What predictors came to: frozen dataclasses of integers, which add.


@dataclass(frozen=True, slots=True)
class SiteResults:
    """A transfer of the program: how often executed, taken (if it is a branch), mispredicted by each predictor.

    A predictor that does not predict its kind has 0 there.
    """

    kind: Kind
    executed: int
    taken: int
    mispredicted: tuple[int, ...]

    def __add__(self, other: SiteResults) -> SiteResults:
        mispredicted = tuple(map(add, self.mispredicted, other.mispredicted))
        return SiteResults(self.kind, self.executed + other.executed, self.taken + other.taken, mispredicted)


@dataclass(frozen=True, slots=True)
class Results:
    """`predictors` has the kinds that each of them predicts; `sites` every transfer that was executed, by address."""

    predictors: Mapping[str, frozenset[Kind]]
    sites: Mapping[int, SiteResults]

    def mispredicted(self, name: str, kind: Kind | None = None) -> int:
        """Return how often a predictor was wrong.

        Raises ValueError if there is none of the name.
        """
        place = list(self.predictors).index(name)
        return sum(site.mispredicted[place] for site in self.sites.values() if kind in (None, site.kind))


def concentration(counts: Iterable[int], percent: int = 90) -> int:
    """Return how few of some counts make up so much of their sum: those of the IDtrace report, of branches."""
    ordered = sorted(counts, reverse=True)
    wanted, found, number = percent * sum(ordered), 0, 0
    for count in ordered:
        if 100 * found >= wanted:
            break
        found += count
        number += 1
    return number


# ----------------------------------------------------------------------------------------------------------------------
# The plain simulator: transfers one by one, through every predictor.  Whatever is faster has to come to the same.


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
