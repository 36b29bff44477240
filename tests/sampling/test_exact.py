"""Samples at exact instructions equal windows of the run, which are found in another way: by two runs that are cut short."""

from itertools import pairwise
from random import Random

import pytest
from fake_machine import CELLS, program_of
from generate import RandomProgram
from sampled_programs import MACHINES, PREDICTORS, PROGRAM, SYSTEM, everything, measured

from cache_sim.config import ConfigurationError
from cache_sim.parse import load as load_system
from ease.host.process.job import RunOptions
from ease.model.sampling import parse_sample
from ease.run.measure_options import MeasureOptions
from ease.run.measuring import counted_run, measured_run
from ease.run.windows import Window, measure_window
from ease.sampling.sampled_run import sampled_run
from tests.covering import case, some


@pytest.mark.parametrize("machine", some(("riscv32", "sparc", "vax"), 1))
def test_samples_equal_windows(programs, machine):
    program = programs(PROGRAM, machine)
    whole = measured(measured_run, program)[1].characteristics.instructions.dynamic
    random = Random(machine)
    start, length = random.randrange(whole), random.randrange(1, 3000)

    def silent(limit, instruments, capture):
        options = RunOptions(capture=True, limit=limit, tier="quick")
        return counted_run(program, ["program"], options, instruments=instruments)

    window = measure_window(program, Window(start, length), silent, MeasureOptions(load_system(SYSTEM), PREDICTORS))
    spec = f"hc:start={start},length={length},warm=all"
    sampled = measured(sampled_run, program, parse_sample(spec), spec, load_system(SYSTEM), PREDICTORS)[1]
    found, expected = everything(sampled), everything(window)
    assert found[0] == expected[0]
    assert [c.misses for c in found[1].results.caches] == [c.misses for c in expected[1].results.caches]
    assert found[1].sites == expected[1].sites
    assert found[2] == expected[2]
    assert sampled.sampling.measured == min(length, whole - start)
    assert sampled.sampling.instructions == whole


def test_samples_begin_when_control_arrives(programs):
    """The third call of a function is the first instruction of the sample, and the number of calls is right."""
    program = programs(PROGRAM, "riscv32")
    spec = "ra:put,arrival=3,length=1+ra:put,arrival=20,length=1"
    sampled = measured(sampled_run, program, parse_sample(spec), spec)[1]
    assert sampled.sampling.samples == 2
    assert {name for name, counts in sampled.counts.rtls.items() if any(counts)} == {"_put"}
    assert sampled.counts.rtls["_put"][0] == 2
    whole = measured(measured_run, program)[1].characteristics
    every = measured(sampled_run, program, parse_sample("ra:main,length=50G"))[1]
    assert every.characteristics.functions["_main"] == whole.functions["_main"]
    with pytest.raises(ConfigurationError, match="no function 'absent'"):
        sampled_run(program, ["program"], parse_sample("ra:absent,length=1"))


def halves(whole, cuts, random):
    """Two specifications which together measure everything between random cuts, each the parts that the other leaves out."""
    places = [0, *sorted(random.sample(range(1, whole), cuts)), whole]
    parts = [f"hc:start={start},length={end - start}" for start, end in pairwise(places)]
    return "+".join(parts[::2]), "+".join(parts[1::2])


def assert_halves_are_the_whole(program, arguments, cuts, random):
    whole, counts = counted_run(program, arguments, RunOptions(capture=True, tier="quick"))
    executed = sum(
        count * program.machine.record(rtl).counted
        for name, function in program.functions.items()
        for rtl, count in zip(function.rtls(), counts.rtls[name], strict=True)
    )
    found = []
    for spec in halves(executed, min(cuts, executed // 3), random):
        result, sampled = sampled_run(
            program, arguments, parse_sample(spec), spec, options=RunOptions(capture=True, tier="quick")
        )
        assert (result.output, result.exit_status) == (whole.output, whole.exit_status)
        found.append(sampled.counts)
    for name, rtls in counts.rtls.items():
        assert list(map(sum, zip(*(each.rtls[name] for each in found), strict=True))) == rtls, name
        assert list(map(sum, zip(*(each.taken[name] for each in found), strict=True))) == counts.taken[name], name


@pytest.mark.parametrize("machine", [case(name, usual=name == "riscv32") for name in MACHINES])
def test_a_thousand_switches_at_random_points(programs, machine):
    assert_halves_are_the_whole(programs(PROGRAM, machine), ["program"], 1000, Random(machine))


@pytest.mark.parametrize("seed", [case(seed, usual=seed < 2) for seed in range(20)])
def test_random_programs(seed):
    program = program_of(RandomProgram(seed, slots=seed % 2, functions=5).text(), slots=seed % 2, cells=CELLS)
    assert_halves_are_the_whole(program, [], 200, Random(seed))
