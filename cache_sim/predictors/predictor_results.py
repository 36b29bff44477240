"""What predictors came to: frozen dataclasses of integers, which add."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from operator import add

from cache_sim.predictors.predictor import Kind


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
