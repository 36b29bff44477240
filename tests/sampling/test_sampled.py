"""Programs of which samples are measured do what they do anyway, and what is measured is what was executed."""

import pytest

from cache_sim.parse import load as load_system
from ease.measuring import measured_run
from ease.sampling.sampled_run import sampled_run
from ease.sampling.spec import parse_sample

MACHINES = ("riscv32", "sparc", "arm", "m68020", "vax", "mips")
SYSTEM = "I:256,16,1+D:256,16,2"
PREDICTORS = "bimodal:16+gshare:64,4+ras:4+btb:16,2"
PROGRAM = r"""
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
static jmp_buf place;
static int numbers[200];
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static int depth(int n) { if (n == 3) longjmp(place, n + 1); return n ? depth(n - 1) + 1 : 0; }
static double mean(int n) { double sum = 0; int i; for (i = 0; i < n; i++) sum += numbers[i]; return sum / n; }
int main(int argc, char **argv)
{
    int i, j, back;
    unsigned seed = 1;
    for (j = 0; j < 12; j++) {
        for (i = 0; i < 200; i++)
            numbers[i] = (seed = seed * 1103515245u + 12345u) >> 20;
        qsort(numbers, 200, sizeof *numbers, compare);
        back = setjmp(place);
        if (back == 0)
            depth(j);
        printf("%d %d %d %.3f\n", numbers[0], numbers[199], back, mean(200));
    }
    exit(numbers[3] & 63);
}
"""


def everything(measurement):
    """What a measurement says, without what tells that it was sampled."""
    memory, prediction = measurement.memory, measurement.prediction
    return measurement.characteristics, memory, prediction and prediction.sites, measurement.timing


def measured(run, program, *args, **options):
    return run(program, ["program"], *args, capture=True, tier="quick", **options)


@pytest.mark.parametrize("machine", MACHINES)
def test_with_all_sampled_the_results_are_those_of_the_whole_run(programs, machine):
    program = programs(PROGRAM, machine, 2)
    whole, full = measured(measured_run, program, load_system(SYSTEM), PREDICTORS, True)
    schedule = parse_sample("every=1k,length=1k")
    result, sampled = measured(sampled_run, program, schedule, "", load_system(SYSTEM), PREDICTORS, True)
    assert (result.output, result.exit_status) == (whole.output, whole.exit_status)
    assert everything(sampled) == everything(full)
    executed = full.characteristics.instructions.dynamic
    assert sampled.sampling.instructions == sampled.sampling.measured == executed
    assert all(estimate.half == 0 for estimate in sampled.sampling.estimates)


@pytest.mark.parametrize("machine", MACHINES)
def test_thousands_of_switches_change_nothing(programs, machine):
    program = programs(PROGRAM, machine, 2)
    whole, full = measured(measured_run, program)
    for spec in ("every=97,length=41,warm=all,offset=0", "every=301,length=7,warm=80"):
        result, sampled = measured(sampled_run, program, parse_sample(spec), spec, load_system(SYSTEM), PREDICTORS)
        assert (result.output, result.exit_status) == (whole.output, whole.exit_status)
        assert sampled.sampling.instructions == full.characteristics.instructions.dynamic
        assert sampled.sampling.samples > 500
        assert 0 < sampled.sampling.measured < sampled.sampling.instructions


def test_kept_warm_all_the_time_caches_see_the_whole_run(programs):
    """Samples that begin at each possible place add up to what the whole run does."""
    program = programs(PROGRAM, "riscv32", 2)
    system = load_system(SYSTEM)
    full = measured(measured_run, program, system)[1]
    parts = [
        measured(sampled_run, program, parse_sample(f"every=40k,length=10k,warm=all,offset={offset}"), "", system)[1]
        for offset in range(0, 40_000, 10_000)
    ]
    for place, cache in enumerate(full.memory.results.caches):
        found = sum(part.memory.results.caches[place].misses.total for part in parts)
        assert abs(found - cache.misses.total) <= 10  # samples may begin somewhat late
