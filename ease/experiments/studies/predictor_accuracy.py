"""How well branches are predicted, and how few of them make most mistakes: Tables 4 and 5 of the IDtrace report."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence

from cache_sim.predictors.predictor import Kind
from cache_sim.predictors.simulator import concentration
from cache_sim.predictors.spec import load as load_predictors
from ease.experiments.experiment import Table
from ease.experiments.studies.questions import Answer, Answers, Measured, Study
from ease.reports.pictures import Curve, Panel
from ease.reports.predictions import SHARE, sites_of
from ease.reports.report import number, percent

PREDICTORS = "bimodal:1024+bimodal:each"  # that of the report, and one in which no branches share a counter


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the predictors."""
    parser.add_argument(
        "--predict", metavar="SPEC", default=PREDICTORS, help=f"predictors of branches, as easecc's -predict ({PREDICTORS})"
    )


def check(options: argparse.Namespace) -> object:
    """Raise ConfigurationError for predictors that there are not."""
    return load_predictors(options.predict)


def ask(measured: Measured, options: argparse.Namespace) -> Answer:
    """Return how often branches were executed and mispredicted, and how few make most of it."""
    prediction = measured(predict=options.predict).prediction
    assert prediction is not None
    sites = sites_of(prediction, Kind.BRANCH)
    predictors = {}
    for place, name in enumerate(prediction.predictors):
        if Kind.BRANCH in prediction.predictors[name]:
            wrong = [site.mispredicted[place] for site in sites]
            predictors[name] = {"mispredicted": sum(wrong), "making_most": concentration(wrong, SHARE)}
    executed = [site.executed for site in sites]
    return {
        "executed": sum(executed), "branches": len(sites), "making_most": concentration(executed, SHARE),
        "predictors": predictors,
    }  # fmt: skip


def tables(_: argparse.Namespace, found: Answers) -> Sequence[Table]:
    """Show what is executed, and what each predictor makes of it."""
    shown = []
    for machine, answers in found.items():
        rows = [["program", "executed", "branches", f"for {SHARE} %", "per cent"]]
        for name, each in answers.items():
            few = [number(each["making_most"]), percent(each["making_most"], each["branches"])]
            rows.append([name, number(each["executed"]), number(each["branches"]), *few])
        shown.append(Table(f"Branches that make {SHARE} per cent of those executed, {machine}", rows))
        rows = [["predictor", "program", "branches", "mispredicted", "accuracy", f"for {SHARE} %", "per cent"]]
        for predictor in _predictors(answers):
            for name, each in answers.items():
                rows.append([predictor, name, *_predicted(each, predictor)])
        shown.append(Table(f"Branches that make {SHARE} per cent of those mispredicted, {machine}", rows, keys=2))
    return shown


def _predictors(answers: Mapping[str, Answer]) -> list[str]:
    return list(dict.fromkeys(name for each in answers.values() for name in each["predictors"]))


def _predicted(each: Answer, predictor: str) -> list[str]:
    wrong, few = (each["predictors"][predictor][key] for key in ("mispredicted", "making_most"))
    accuracy = percent(each["executed"] - wrong, each["executed"])
    return [number(each["branches"]), number(wrong), accuracy, number(few), percent(few, each["branches"])]


def panels(_: argparse.Namespace, found: Answers) -> Sequence[Panel]:
    """Draw the share of mispredictions of each program, a curve for each machine and predictor."""
    programs = list(next(iter(found.values())))
    curves = [
        Curve(
            f"{machine} {predictor}",
            [100 * answers[name]["predictors"][predictor]["mispredicted"] / max(answers[name]["executed"], 1)
             for name in programs],
        )
        for machine, answers in found.items()
        for predictor in _predictors(answers)
    ]  # fmt: skip
    return [Panel("% of the branches mispredicted", "program", programs, curves)]


PREDICTION = Study(
    "prediction", "how well branches are predicted, and how few make most mistakes", arguments, check, ask, tables, panels
)
