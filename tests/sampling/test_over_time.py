"""Whatever a run counts and simulates, its intervals add up to the whole, and each is what the plain simulator says."""

import re
from pathlib import Path

import pytest
from sampled_programs import MACHINES, PREDICTORS, PROGRAM, SYSTEM, everything, measured

from cache_sim.history import Recorder
from cache_sim.parse import load as load_system
from ease.model.regions import find_regions
from ease.reports.over_time import OVER_TIME
from ease.reports.render import as_dictionary
from ease.run.measuring import measured_run
from tests.covering import some
from vpo.interpret.fast.interpreter import interpret

EVERY = 5000


@pytest.mark.thorough
@pytest.mark.parametrize("machine", some(MACHINES[1::2], 1))
def test_intervals_add_up_to_the_run(programs, machine):
    program = programs(PROGRAM, machine)
    predictors = f"{PREDICTORS}+profile"
    system, regions = load_system(SYSTEM), find_regions(["compare", "main"], program)
    _, whole = measured(measured_run, program, system, predictors, True, None, (), regions)
    _, found = measured(measured_run, program, system, predictors, True, EVERY, (), regions)
    assert everything(found) == everything(whole)
    timeline, executed = found.timeline, whole.characteristics.instructions.dynamic
    sums = {figure.name: sum(figure.above) for figure in timeline.figures}
    assert timeline.ends[-1] == executed
    assert all(0 <= end - EVERY * number <= timeline.distance for number, end in enumerate(timeline.ends[:-1], 1))
    traps = sum(number for spent, number in whole.timing.cycles.items() if spent.cause == "window")
    assert sums["cycles an instruction"] == whole.timing.total - traps
    for cache in whole.memory.results.caches:
        assert sums[f"misses of {cache.cache.name}"] == cache.misses.total
    for place, name in enumerate(whole.prediction.predictors):
        wrong = sum(site.mispredicted[place] for site in whole.prediction.sites.values())
        assert wrong > 0
        assert sums.get(f"mispredicted by {name}, an instruction", wrong) == wrong
    assert "mispredicted by profile, an instruction" not in sums  # is known after the run only
    for name in ("compare", "main"):
        assert sums[f"in {name}"] == whole.regions[name].characteristics.instructions.dynamic > 0


def test_each_interval_is_the_plain_simulators(programs):
    program, system, limit = programs(PROGRAM, "riscv32"), load_system(SYSTEM), 12 * EVERY
    timeline = measured(measured_run, program, system, moments=EVERY, limit=limit)[1].timeline
    plain = Recorder(system, 1, most=1 << 30)
    interpret(program, ["program"], capture=True, observer=plain, limit=limit)
    assert len(timeline.ends) > 8
    moments = plain.history().moments
    for cache in system.caches:
        figure = next(each for each in timeline.figures if each.name == f"misses of {cache.name}")
        for number, end in enumerate(timeline.ends, 1):
            assert sum(figure.above[:number]) == moments[end - 1][cache.name].misses.total
            assert sum(figure.below[:number]) == moments[end - 1][cache.name].accesses.total


def test_the_report_puts_intervals_together(programs):
    timeline = measured(measured_run, programs(PROGRAM, "riscv32"), moments=500)[1].timeline
    table = OVER_TIME.table(timeline)
    assert len(timeline.ends) > 24 >= len(table.rows) > 10
    assert sum(timeline.thinned(7).figures[0].above) == sum(timeline.figures[0].above)
    assert [panel.ends[-1] for panel in OVER_TIME.panels(timeline)] == [timeline.ends[-1]] * len(timeline.figures)


def test_keys_are_documented(programs):
    found = as_dictionary(measured(measured_run, programs(PROGRAM, "riscv32"), moments=500)[1])["over_time"]
    text = (Path(__file__).parents[2] / "docs" / "report-format.md").read_text()
    assert re.findall(r"^\| `over_time\.(\w+)`", text, re.MULTILINE) == list(found)
