"""Samples at exact instructions equal windows of the run, which are found in another way: by two runs that are cut short."""

import functools
from random import Random

import pytest
from sampled_programs import MACHINES, PREDICTORS, PROGRAM, SYSTEM, everything, measured

from cache_sim.config import ConfigurationError
from cache_sim.parse import load as load_system
from ease.measuring import counted_run, measured_run
from ease.sampling.sampled_run import sampled_run
from ease.sampling.spec import parse_sample
from ease.windows import Window, measure_window


@pytest.mark.parametrize("machine", MACHINES)
def test_samples_equal_windows(programs, machine):
    program = programs(PROGRAM, machine, 2)
    run = functools.partial(counted_run, program, ["program"], capture=True, tier="quick")
    whole = measured(measured_run, program)[1].characteristics.instructions.dynamic
    random = Random(machine)
    start, length = random.randrange(whole), random.randrange(1, 3000)

    def silent(**options):
        return run(**{**options, "capture": True})

    window = measure_window(program, Window(start, length), silent, load_system(SYSTEM), PREDICTORS)
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
    program = programs(PROGRAM, "riscv32", 2)
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
