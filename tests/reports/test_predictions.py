"""Reports of branch predictors: what sums to what, and that measurements add."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cache_sim.parse import load
from ease.host.process.job import RunOptions
from ease.reports import REPORTS
from ease.reports.render import as_dictionary, as_text
from ease.run.measure_options import MeasureOptions
from ease.run.measuring import measure

DOCUMENT = Path(__file__).parents[2] / "docs" / "report-format.md"
OURS = [name for name, report in REPORTS.items() if report.about == "prediction"]
SPEC = "taken+not-taken+btfn+profile+bimodal:64+bimodal:each+gshare:256,4+ras:4+btb:16,2"
RUNS = [("riscv32", 1), ("vax", 1), ("m68020", 0)]


@pytest.fixture(scope="module")
def measured(small):
    """A function that measures small.c with predictors, once."""
    made = {}

    def run(machine, level):
        if (machine, level) not in made:
            made[machine, level] = measure(
                small(machine, level), ["small"], MeasureOptions(predict=SPEC), RunOptions(capture=True, tier="fast")
            )
        return made[machine, level]

    return run


@pytest.mark.parametrize("run", RUNS)
def test_lines_and_sites_sum_to_all(measured, run):
    values = as_dictionary(measured(*run))
    prediction = values["prediction"]
    lines = [line for of_file in prediction["lines"].values() for line in of_file.values()]
    for name, kinds in prediction["predictors"].items():
        whole = sum(kind["mispredicted"] for kind in kinds.values())
        assert whole > 0 or name == "ras:4"
        assert sum(part["mispredicted"][name] for part in lines) == whole
        assert sum(part["mispredicted"][name] for part in prediction["sites"]) == whole
    executed = sum(kind["executed"] for kind in prediction["transfers"].values())
    assert sum(part["executed"] for part in lines) == sum(part["executed"] for part in prediction["sites"]) == executed
    assert prediction["transfers"]["branch"]["executed"] == values["branches"]["conditional"]["dynamic"]
    assert prediction["transfers"]["branch"]["taken"] == values["branches"]["taken"]


@pytest.mark.parametrize("run", RUNS)
def test_what_follows_from_counts(measured, run):
    prediction = as_dictionary(measured(*run))["prediction"]
    wrong = {name: kinds.get("branch", {}).get("mispredicted") for name, kinds in prediction["predictors"].items()}
    branches = prediction["transfers"]["branch"]
    assert wrong["not-taken"] == branches["taken"]
    assert wrong["taken"] == branches["executed"] - branches["taken"]
    assert wrong["profile"] <= min(wrong["taken"], wrong["not-taken"], wrong["btfn"])
    assert wrong["ras:4"] is wrong["btb:16,2"] is None
    assert set(prediction["predictors"]["btb:16,2"]) >= {"call", "return"}


@pytest.mark.parametrize("run", RUNS)
def test_tables_sum_to_their_last_row(measured, run):
    prediction = measured(*run).prediction
    for name in ("predict-branches", "predict-lines"):
        table = REPORTS[name].table(prediction)
        for column, heading in enumerate(table.headings):
            if heading in prediction.predictors:
                numbers = [int(row[column].replace(",", "")) for row in table.rows]
                assert sum(numbers) == int(table.total[column].replace(",", ""))


def test_the_rest_is_as_without_predictors(small, measured):
    plain = measure(small(*RUNS[0]), ["small"], options=RunOptions(capture=True, tier="fast"))
    assert measured(*RUNS[0]).characteristics == plain.characteristics
    assert "prediction" not in as_dictionary(plain)
    system = load("I:256,16,1+D:128,16,2+switch:1000")
    both = measure(small(*RUNS[0]), ["small"], MeasureOptions(system, SPEC), RunOptions(capture=True, tier="fast"))
    assert both.prediction == measured(*RUNS[0]).prediction
    assert (
        both.memory
        == measure(small(*RUNS[0]), ["small"], MeasureOptions(system), RunOptions(capture=True, tier="fast")).memory
    )


def test_measurements_add(small, measured):
    one = measured(*RUNS[0])
    twice, once = (as_dictionary(m)["prediction"]["predictors"]["bimodal:64"]["branch"] for m in (one + one, one))
    assert twice["mispredicted"] == 2 * once["mispredicted"]
    assert twice["mpki"] == pytest.approx(once["mpki"])
    for other in (None, "taken"):
        with pytest.raises(ValueError, match="do not add"):
            one + measure(small(*RUNS[0]), ["small"], MeasureOptions(predict=other), RunOptions(capture=True, tier="fast"))


def test_text_has_every_report(measured):
    text = as_text(measured(*RUNS[0]))
    assert all(f"\n{REPORTS[name].title}\n" in text for name in OURS)


def test_every_key_is_documented(measured):
    documented = re.findall(r"^\| `prediction\.(\w+)` \|", DOCUMENT.read_text(), re.MULTILINE)
    assert documented == ["transfers", "predictors", "sites", "lines"] == list(as_dictionary(measured(*RUNS[0]))["prediction"])
