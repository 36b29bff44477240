"""Phases are found as they were made, and one sample of each tells of the whole run."""

from itertools import accumulate, pairwise
from statistics import mean

import numpy as np
import pytest
from sampled_programs import measured

from cache_sim.config import ConfigurationError
from cache_sim.parse import load as load_system
from ease.host.process.job import RunOptions
from ease.host.process.run import run
from ease.host.sampling.sampled import Sampled
from ease.model.estimates import Ratio, Stratum, stratified
from ease.model.sampling import parse_sample
from ease.run.measuring import measured_run
from ease.sampling.phases import Cluster, choose, find_clusters
from ease.sampling.sampled_run import sampled_run
from tests.covering import some

SPEC = "phases:every=5k,clusters=8,warm=all"
PROGRAM = r"""
#include <stdio.h>
static int cells[3000];
static int fill(int n) { int i; for (i = 0; i < 3000; i++) cells[i] = i ^ n; return cells[n]; }
static int sum(int n) { int i, s = 0; for (i = 0; i < 2500; i++) s += cells[i * 97 % 3000] & n; return s; }
static int mix(int n) { int i; for (i = 0; i < 4000; i++) n = n & 1 ? n * 3 + 1 : n >> 1 ^ i; return n; }
int main(void) {
    int i, c, s = 0;
    while ((c = getchar()) != EOF)
        for (i = 0; i < 3; i++)
            s ^= c == 'f' ? fill(s & 15) : c == 's' ? sum(i) : mix(i);
    printf("%d\n", s);
    return s & 63;
}
"""
INPUT = b"fsmfsmmmfsmsssfsmm"


def test_clusters_are_those_that_were_made():
    random = np.random.default_rng(1)
    kinds = random.integers(0, 1000, (4, 300))
    owners = random.integers(0, 4, 200)
    vectors = [random.poisson(kinds[owner]).tolist() for owner in owners]
    found = find_clusters(vectors, 10)
    assert {each.members for each in found} == {tuple(np.flatnonzero(owners == kind).tolist()) for kind in range(4)}
    assert all(each.representative in each.members for each in found)
    assert find_clusters(vectors, 10) == found
    assert len(find_clusters(vectors[:1], 10)) == len(find_clusters([[1, 2]] * 9, 10)) == 1


@pytest.mark.parametrize(("machine", "spec"), some([("riscv32", f"{SPEC},samples=4"), ("sparc", SPEC)], 1))
def test_phases_tell_of_the_whole_run(programs, machine, spec):
    program, system = programs(PROGRAM, machine), load_system("I:256,16,1+D:1k,16,2")
    whole, full = measured(measured_run, program, system, "bimodal:64", True, stdin=INPUT)
    result, found = measured(sampled_run, program, parse_sample(spec), spec, system, "bimodal:64", True, stdin=INPUT)
    assert (result.output, result.exit_status) == (whole.output, whole.exit_status)
    executed = full.characteristics.instructions.dynamic
    assert found.sampling.instructions == executed
    several = "samples" in spec
    assert 3 <= found.sampling.samples <= (40 if several else 8)
    assert found.sampling.measured < executed / (4 if several else 10)
    truth = {f"misses of {each.cache.name}": (each.miss_ratio, 0.06) for each in full.memory.results.caches}
    truth["cycles an instruction"] = full.timing.total / executed, 0.03
    wrong = sum(site.mispredicted[0] for site in full.prediction.sites.values())
    truth["mispredicted by bimodal:64, an instruction"] = wrong / executed, 0.1
    estimates = {each.name: each for each in found.sampling.estimates}
    for name, (value, most) in truth.items():
        assert estimates[name].value == pytest.approx(value, rel=most, abs=0.001), name
        if several and value > 0.001:  # what is rare is told too surely
            assert abs(estimates[name].value - value) <= estimates[name].half < 0.5 * value + 0.01, name
        assert (estimates[name].half is not None) is several


def test_with_an_interval_of_the_whole_run_estimates_are_exact(programs):
    program = programs(PROGRAM, "riscv32")
    full = measured(measured_run, program, stdin=b"fsm")[1]
    found = measured(sampled_run, program, parse_sample("phases:every=1G"), "", stdin=b"fsm")[1]
    assert found.counts.rtls == full.counts.rtls
    reads = sum(count.dynamic for kind, count in full.characteristics.references.items() if kind.direction == "read")
    estimates = {each.name: each.value for each in found.sampling.estimates}
    assert estimates["reads an instruction"] == reads / full.characteristics.instructions.dynamic


@pytest.fixture(scope="module")
def intervals(programs):
    """The clusters of all intervals of a run, where they end, and what happened in each: the population."""
    program = programs(PROGRAM, "riscv32")
    sampled = Sampled(program, parse_sample("every=1k,length=1k"), vectors=True)
    result = run(program, ["program"], RunOptions(INPUT, capture=True, tier="quick"), instruments=[sampled])
    rows = [[0] * len(sampled.recorded(result).rows[0]), *sampled.recorded(result).rows]
    changes = [[after - before for before, after in zip(*pair, strict=True)] for pair in pairwise(rows)]
    width = len(sampled.columns)
    sums = [dict(zip(sampled.columns, change[:width], strict=True)) for change in changes]
    clusters = find_clusters([change[width:] for change in changes], 6)
    return clusters, tuple(accumulate(each["instructions"] for each in sums)), sums


EACH = "instructions"


@pytest.mark.parametrize(("samples", "confidence"), some([(5, 0.8), (12, 0.95), (5, 0.95), (12, 0.8)], 2))
def test_coverage_of_samples_of_phases(intervals, samples, confidence):
    """Of many choices of intervals, as many as claimed, or hardly fewer, hold the true value."""
    clusters, ends, sums = intervals
    assert len(clusters) > 2
    covered = []
    for above, below in (("reads", EACH), ("writes", EACH), ("branches", EACH), ("taken", "branches")):
        ratio = Ratio(above, {above: 1}, {below: 1})
        truth = sum(each[above] for each in sums) / sum(each[below] for each in sums)
        for seed in range(300):
            phases = choose(clusters, samples, ends, seed)
            found = phases.estimate(ratio, [sums[number] for number in phases.measured], confidence)
            covered.append(abs(found.value - truth) <= found.half)
    assert mean(covered) > confidence - 0.04


def test_what_no_interval_can_tell():
    one, several = Stratum(9, 9.0, [1], [10]), Stratum(9, 3.0, [1, 2, 1], [10, 10, 10])
    assert stratified("", [one, several], 0.95).half is None
    assert stratified("", [several, Stratum(1, 1.0, [4], [10])], 0.95).half > 0
    assert stratified("", [Stratum(2, 1.0, [4, 5], [10, 10])], 0.95).half == 0
    nothing = stratified("", [Stratum(9, 3.0, [0, 0, 0], [10, 10, 10])], 0.95)
    assert nothing.value == 0
    assert nothing.half == pytest.approx(3 / 30, rel=0.01)


def test_several_intervals_are_chosen_at_random():
    clusters = [Cluster(3, tuple(range(50)), (7, 9)), Cluster(60, (60, 61))]
    assert choose(clusters, 1, ()).chosen == ((3,), (60,))
    first, far, second = choose(clusters, 8, ()).chosen
    assert (len(first), far, second) == (8, (7, 9), (60, 61))
    assert {7, 9}.isdisjoint(first)
    assert choose(clusters, 8, ()).chosen == (first, far, second)
    with pytest.raises(ConfigurationError, match="samples=31 is not from 1 to 30"):
        parse_sample("phases:every=1k,samples=31")
