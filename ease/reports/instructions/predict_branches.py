"""Mispredictions by the instruction that transfers control."""

from __future__ import annotations

from typing import Any

from cache_sim.predictors.predictor import Kind
from cache_sim.predictors.predictor_results import SiteResults
from ease.model.results import PredictionMeasurement, TransferSite
from ease.reports.instructions.predictions import by_predictor, mistakes
from ease.reports.report import Report, Table, number, percent, shares

HEADINGS = ("site", "line", "instruction", "transfer", "executed", "per cent taken")


def table(prediction: PredictionMeasurement) -> Table:
    """Count mistakes by site, those with most first."""
    ordered = sorted(prediction.sites.items(), key=lambda item: (-sum(item[1].mispredicted), -item[1].executed))
    rows = [(_key(site, found), found.mispredicted) for site, found in ordered]
    return shares(HEADINGS, rows, mistakes(prediction), "sites", keys=4)


def _key(site: TransferSite, found: SiteResults) -> tuple[str, ...]:
    taken = percent(found.taken, found.executed) if found.kind == Kind.BRANCH else ""
    return str(site.number), str(site.line), site.instruction, found.kind.value, number(found.executed), taken


def json(prediction: PredictionMeasurement) -> dict[str, Any]:
    """Return a list of all sites that were executed."""
    return {"prediction": {"sites": [_site(prediction, site, found) for site, found in sorted(prediction.sites.items())]}}


def _site(prediction: PredictionMeasurement, site: TransferSite, found: SiteResults) -> dict[str, Any]:
    return {
        "site": site.number,
        "function": site.function,
        "file": site.line.file,
        "line": site.line.number,
        "instruction": site.instruction,
        "address": site.address,
        "kind": found.kind.value,
        "executed": found.executed,
        "taken": found.taken if found.kind == Kind.BRANCH else None,
        "mispredicted": by_predictor(prediction, found.mispredicted),
    }


PREDICT_BRANCHES = Report("predict-branches", "Mispredictions by instruction", table, json, about="prediction")
