"""Phases are found as they were made, and one sample of each tells of the whole run."""

import numpy as np
import pytest
from sampled_programs import MACHINES, measured

from cache_sim.parse import load as load_system
from ease.measuring import measured_run
from ease.sampling.clustering import find_clusters
from ease.sampling.sampled_run import sampled_run
from ease.sampling.spec import parse_sample

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


@pytest.mark.parametrize("machine", MACHINES[:2])
def test_phases_tell_of_the_whole_run(programs, machine):
    program, system = programs(PROGRAM, machine, 2), load_system("I:256,16,1+D:1k,16,2")
    whole, full = measured(measured_run, program, system, "bimodal:64", True, stdin=INPUT)
    schedule = parse_sample(SPEC)
    result, found = measured(sampled_run, program, schedule, SPEC, system, "bimodal:64", True, stdin=INPUT)
    assert (result.output, result.exit_status) == (whole.output, whole.exit_status)
    executed = full.characteristics.instructions.dynamic
    assert found.sampling.instructions == executed
    assert 3 <= found.sampling.samples <= 8
    assert found.sampling.measured < executed / 10
    estimates = {each.name: each.value for each in found.sampling.estimates}
    assert estimates["cycles an instruction"] == pytest.approx(full.timing.total / executed, rel=0.03)
    for cache in full.memory.results.caches:
        assert estimates[f"misses of {cache.cache.name}"] == pytest.approx(cache.miss_ratio, rel=0.06, abs=0.001)
    wrong = sum(site.mispredicted[0] for site in full.prediction.sites.values())
    assert estimates["mispredicted by bimodal:64, an instruction"] == pytest.approx(wrong / executed, rel=0.1)


def test_with_an_interval_of_the_whole_run_estimates_are_exact(programs):
    program = programs(PROGRAM, "riscv32", 2)
    full = measured(measured_run, program, stdin=b"fsm")[1]
    found = measured(sampled_run, program, parse_sample("phases:every=1G"), "", stdin=b"fsm")[1]
    assert found.counts.rtls == full.counts.rtls
    reads = sum(count.dynamic for kind, count in full.characteristics.references.items() if kind.direction == "read")
    estimates = {each.name: each.value for each in found.sampling.estimates}
    assert estimates["reads an instruction"] == reads / full.characteristics.instructions.dynamic
