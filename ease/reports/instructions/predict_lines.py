"""Mispredictions by source line."""

from __future__ import annotations

from operator import add
from typing import Any

from ease.model.results import PredictionMeasurement
from ease.model.tables import Line
from ease.reports.instructions.predictions import by_predictor, mistakes
from ease.reports.report import Report, Table, number, shares


def _lines(prediction: PredictionMeasurement) -> dict[Line, tuple[int, tuple[int, ...]]]:
    """Return how many transfers were executed, and mispredicted, at each line; most mistakes come first."""
    found: dict[Line, tuple[int, tuple[int, ...]]] = {}
    for site, counts in prediction.sites.items():
        executed, wrong = found.get(site.line, (0, (0,) * len(counts.mispredicted)))
        found[site.line] = executed + counts.executed, tuple(map(add, wrong, counts.mispredicted))
    return dict(sorted(found.items(), key=lambda item: (-sum(item[1][1]), -item[1][0])))


def table(prediction: PredictionMeasurement) -> Table:
    """Count mistakes by line, those with most first."""
    found = _lines(prediction).items()
    rows = [((str(line), number(executed)), wrong) for line, (executed, wrong) in found]
    return shares(["line", "executed"], rows, mistakes(prediction), "lines", keys=1)


def json(prediction: PredictionMeasurement) -> dict[str, Any]:
    """Return the mistakes of all lines, by file."""
    files: dict[str, Any] = {}
    for line, (executed, wrong) in sorted(_lines(prediction).items()):
        values = {"executed": executed, "mispredicted": by_predictor(prediction, wrong)}
        files.setdefault(line.file, {})[str(line.number)] = values
    return {"prediction": {"lines": files}}


PREDICT_LINES = Report("predict-lines", "Mispredictions by source line", table, json, about="prediction")
