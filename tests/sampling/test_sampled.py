"""Programs of which samples are measured do what they do anyway, and what is measured is what was executed."""

import pytest
from sampled_programs import MACHINES, PREDICTORS, PROGRAM, SYSTEM, everything, measured

from cache_sim.parse import load as load_system
from ease.model.sampling import cost, parse_sample
from ease.run.measuring import measured_run
from ease.sampling.sampled_run import sampled_run
from tests.covering import case, some


@pytest.mark.parametrize("machine", [case(name, usual=name == "m68020") for name in MACHINES])
def test_with_all_sampled_the_results_are_those_of_the_whole_run(programs, machine):
    program = programs(PROGRAM, machine)
    whole, full = measured(measured_run, program, load_system(SYSTEM), PREDICTORS, True)
    schedule = parse_sample("every=1k,length=1k")
    result, sampled = measured(sampled_run, program, schedule, "", load_system(SYSTEM), PREDICTORS, True)
    assert (result.output, result.exit_status) == (whole.output, whole.exit_status)
    assert everything(sampled) == everything(full)
    executed = full.characteristics.instructions.dynamic
    assert sampled.sampling.instructions == sampled.sampling.measured == executed
    assert all(estimate.half == 0 for estimate in sampled.sampling.estimates)
    parts = list(sampled.sampling.within.values())
    assert 0 < parts[0] <= parts[1] <= parts[2] <= parts[3] <= 1
    assert parts[3] > 0.9
    assert executed / 100 < sampled.sampling.passed < executed / 2
    estimates = {estimate.name: estimate.value for estimate in sampled.sampling.estimates}
    traps = sum(number for spent, number in full.timing.cycles.items() if spent.cause == "window")
    assert estimates["cycles an instruction"] == pytest.approx((full.timing.total - traps) / executed, rel=1e-12)
    for cache in full.memory.results.caches:
        assert estimates[f"misses of {cache.cache.name}"] == pytest.approx(cache.miss_ratio, rel=1e-12)


@pytest.mark.parametrize("machine", some(("m68020", "riscv32", "arm"), 1))
def test_thousands_of_switches_change_nothing(programs, machine):
    program = programs(PROGRAM, machine, 1 if machine == "m68020" else 2)  # 4125 samples, of which two make a row
    whole, full = measured(measured_run, program)
    for spec in ("every=97,length=41,warm=all,offset=0", "every=301,length=7,warm=80"):
        result, sampled = measured(sampled_run, program, parse_sample(spec), spec, load_system(SYSTEM), PREDICTORS)
        assert (result.output, result.exit_status) == (whole.output, whole.exit_status)
        assert sampled.sampling.instructions == full.characteristics.instructions.dynamic
        assert sampled.sampling.samples > 300
        assert 0 < sampled.sampling.measured < sampled.sampling.instructions
        spent = {each.version: each for each in result.spent}
        assert list(spent) == (["warm", "measured"] if "all" in spec else ["fast", "warm", "measured"])
        assert sum(each.instructions for each in result.spent) == sampled.sampling.instructions
        assert spent["measured"].instructions == sampled.sampling.measured
        assert sum(each.part for each in result.spent) == pytest.approx(1)
        assert all(each.part > 0 for each in result.spent)
        assert cost(result.spent, 1.0).startswith(f"an instruction took: {result.spent[0].version} ")


SYSTEMS = [
    "I:256,16,1,prefetch+D:256,16,4,prefetch,through+L2:1k,16,8+causes",
    "U:512,16,2,fifo,noallocate+L2:2k,32,4,plru+TLB:4x256,full",
    SYSTEM,
]


@pytest.mark.thorough
@pytest.mark.parametrize("text", some(SYSTEMS, 1))
def test_kept_warm_all_the_time_caches_see_the_whole_run(programs, text):
    """Samples that begin at each possible place add up to what the whole run does."""
    program = programs(PROGRAM, "riscv32")
    system = load_system(text)
    full = measured(measured_run, program, system)[1]
    parts = [
        measured(sampled_run, program, parse_sample(f"every=40k,length=10k,warm=all,offset={offset}"), "", system)[1]
        for offset in range(0, 40_000, 10_000)
    ]
    for place, cache in enumerate(full.memory.results.caches):
        found = sum(part.memory.results.caches[place].misses.total for part in parts)
        assert abs(found - cache.misses.total) <= 10  # samples may begin somewhat late
        if cache.causes is not None:
            causes = [part.memory.results.caches[place].causes for part in parts]
            assert abs(sum(each.compulsory for each in causes) - cache.causes.compulsory) <= 10
