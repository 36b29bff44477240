"""How good branch predictors are, and how few instructions make most of the executions and of the mistakes.

The last two columns are those that the report on IDtrace had for branches.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cache_sim.predictors.predictor import Kind
from cache_sim.predictors.predictor_results import SiteResults, concentration
from ease.model.results import PredictionMeasurement
from ease.reports.report import Report, Table, number, percent

SHARE = 90  # per cent, of executions and of mistakes
HEADINGS = (
    "predictor", "transfers", "executed", "mispredicted", "accuracy", "MPKI", "sites", "for 90 % executed", "per cent",
    "for 90 % mispredicted", "per cent",
)  # fmt: skip


def sites_of(prediction: PredictionMeasurement, kind: Kind) -> list[SiteResults]:
    """Return the sites of a kind."""
    return [site for site in prediction.sites.values() if site.kind == kind]


def kinds_of(prediction: PredictionMeasurement, name: str) -> list[Kind]:
    """Return the kinds that a predictor predicts and that were executed."""
    return [kind for kind in Kind if kind in prediction.predictors[name] and sites_of(prediction, kind)]


def table(prediction: PredictionMeasurement) -> Table:
    """Show each predictor for each kind of transfer."""
    rows = [
        _row(prediction, place, name, kind)
        for place, name in enumerate(prediction.predictors)
        for kind in kinds_of(prediction, name)
    ]
    note = "sites are instructions that were executed; the last columns say how many of them make 90 per cent"
    return Table(HEADINGS, rows, keys=2, note=note)


def _row(prediction: PredictionMeasurement, place: int, name: str, kind: Kind) -> list[str]:
    sites = sites_of(prediction, kind)
    executed, wrong = sum(site.executed for site in sites), sum(site.mispredicted[place] for site in sites)
    few = concentration(site.executed for site in sites), concentration(site.mispredicted[place] for site in sites)
    return [
        name,
        kind.value,
        number(executed),
        number(wrong),
        percent(executed - wrong, executed),
        f"{per_thousand(prediction, wrong):.3f}",
        number(len(sites)),
        *(cell for count in few for cell in (number(count), percent(count, len(sites)))),
    ]


def per_thousand(prediction: PredictionMeasurement, wrong: int) -> float:
    """Return a number per thousand instructions."""
    return 1000 * wrong / prediction.instructions if prediction.instructions else 0.0


def json(prediction: PredictionMeasurement) -> dict[str, Any]:
    """Return the numbers."""
    kinds = {kind: sites_of(prediction, kind) for kind in Kind}
    transfers = {kind.value: _executed(kind, sites) for kind, sites in kinds.items() if sites}
    predictors = {
        name: {kind.value: _predicted(prediction, place, kinds[kind]) for kind in kinds_of(prediction, name)}
        for place, name in enumerate(prediction.predictors)
    }
    return {"prediction": {"transfers": transfers, "predictors": predictors}}


def _executed(kind: Kind, sites: list[SiteResults]) -> dict[str, int]:
    taken = {"taken": sum(site.taken for site in sites)} if kind == Kind.BRANCH else {}
    executed = [site.executed for site in sites]
    return {"executed": sum(executed), **taken, "sites": len(sites), "sites_for_90_percent": concentration(executed, SHARE)}


def _predicted(prediction: PredictionMeasurement, place: int, sites: list[SiteResults]) -> dict[str, float]:
    wrong = [site.mispredicted[place] for site in sites]
    executed = sum(site.executed for site in sites)
    return {
        "mispredicted": sum(wrong),
        "accuracy": 1 - sum(wrong) / executed,
        "mpki": per_thousand(prediction, sum(wrong)),
        "sites_for_90_percent": concentration(wrong, SHARE),
    }


def by_predictor(prediction: PredictionMeasurement, counts: tuple[int, ...]) -> Mapping[str, int]:
    """Return numbers of mistakes by the predictor that made them: the JSON form."""
    return dict(zip(prediction.predictors, counts, strict=True))


def mistakes(prediction: PredictionMeasurement) -> dict[str, int]:
    """Return how many mistakes each predictor made."""
    columns = zip(*(site.mispredicted for site in prediction.sites.values()), strict=True)
    return dict(zip(prediction.predictors, map(sum, columns), strict=False)) or dict.fromkeys(prediction.predictors, 0)


PREDICTIONS = Report("predictions", "Branch predictors: accuracy in per cent", table, json, about="prediction")
