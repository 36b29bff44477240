"""The true value lies within the intervals of estimates as often as they claim."""

from itertools import pairwise
from random import Random
from statistics import mean

import pytest
from sampled_programs import PREDICTORS, PROGRAM, SYSTEM

from cache_sim.config import ConfigurationError
from cache_sim.parse import load as load_system
from cache_sim.predictors.predictors import load as load_predictors
from ease.host.process.job import RunOptions
from ease.host.process.run import run
from ease.host.sampling.sampled import Sampled, SampledCaching, SampledPredicting
from ease.model.estimates import estimate, quantile
from ease.model.sampling import parse_sample
from vpo.analysis.transfers import unit


def test_quantiles_are_those_of_student():
    known = {(0.95, 1): 12.706, (0.95, 2): 4.303, (0.95, 4): 2.776, (0.95, 10): 2.228, (0.997, 30): 3.230, (0.99, 100): 2.626}
    for (confidence, freedom), value in known.items():
        assert quantile(confidence, freedom) == pytest.approx(value, rel=0.0005)


def test_what_no_sample_has_may_be_rare():
    found = estimate("", [0] * 100, [10] * 100, 0.1, 0.95)
    assert found.value == 0
    assert found.half == pytest.approx(3 / 1000, rel=0.01)  # the rule of three
    assert estimate("", [0] * 100, [10] * 100, 1.0, 0.95).half == 0


@pytest.fixture(scope="module")
def units(programs):
    """All columns of every hundred instructions of a run: the population."""
    program = programs(PROGRAM, "riscv32", 2)
    caching = SampledCaching(program, load_system(SYSTEM), always=True)
    predicting = SampledPredicting(program, load_predictors(PREDICTORS, unit(program)))
    sampled = Sampled(program, parse_sample("every=100,length=100"), [caching, predicting])
    result = run(program, ["program"], RunOptions(capture=True, tier="quick"), instruments=[sampled])
    rows = [[0] * len(sampled.columns), *sampled.recorded(result).rows]
    differences = [[after - before for before, after in zip(*pair, strict=True)] for pair in pairwise(rows)]
    return {name: [row[place] for row in differences] for place, name in enumerate(sampled.columns)}


RATIOS = (("reads", "instructions"), ("data read", "reads"), ("taken", "branches"), ("mistakes 1", "branches"))


@pytest.mark.parametrize(("above", "below"), RATIOS)
@pytest.mark.parametrize("confidence", [0.8, 0.95])
def test_coverage_of_samples_at_random(units, above, below, confidence):
    """In 600 samples of 250 of all units, as often as claimed, give or take what chance does."""
    truth, random, population = sum(units[above]) / sum(units[below]), Random(above), range(len(units[below]))
    covered = []
    for _ in range(600):
        chosen = random.sample(population, 250)
        share = len(chosen) / len(population)
        found = estimate("", [units[above][i] for i in chosen], [units[below][i] for i in chosen], share, confidence)
        covered.append(abs(found.value - truth) <= found.half)
    assert confidence - 0.06 < mean(covered) < confidence + 0.05


def test_coverage_of_samples_at_even_distances(units):
    """Of all samples that take each n-th unit, at least as many as claimed hold the true values."""
    covered = []
    for above, below in RATIOS:
        truth = sum(units[above]) / sum(units[below])
        for every in range(11, 30):
            for offset in range(every):
                parts = [units[name][offset::every] for name in (above, below)]
                found = estimate("", *parts, 1 / every, 0.95)
                covered.append(abs(found.value - truth) <= found.half)
    assert len(covered) > 1000
    assert mean(covered) > 0.93


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("every=10", "length=N is missing"),
        ("every=10,length=x", "is no number of instructions"),
        ("every=10,length=11", "but every is 10"),
        ("every=10,length=1,length=2", "given twice"),
        ("every=10,length=1,confidence=100", "is no number of per cent"),
        ("every=10,length=1,often=1", "'often=1' is none of"),
        ("hc:start=1,length=5+hc:start=3,length=1", "samples overlap"),
        ("hc:start=1,length=5,warm=3", "there is only warm=all"),
        ("later:x", "the kinds of samples are"),
        ("shm,often=1", "'often=1' is none of"),
    ],
)
def test_mistakes_are_told(spec, message):
    with pytest.raises(ConfigurationError, match=message):
        parse_sample(spec)
