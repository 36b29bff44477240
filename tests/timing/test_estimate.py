"""What is estimated from counts is what the plain clock says that watches the interpreter, cause by cause and line by line."""

import dataclasses
from pathlib import Path

import pytest

from ease.host.process.job import RunOptions
from ease.model.results import CYCLE_CAUSES
from ease.reports import REPORTS
from ease.reports.render import as_dictionary, as_text
from ease.run.measure_options import MeasureOptions
from ease.run.measuring import counted_run, measure
from ease.timing.estimate import estimate
from tests.covering import some
from tests.timing.plain_clock import Clock
from vpo.interpret.fast.interpreter import interpret

I486 = str(Path(__file__).parents[2] / "benchmarks" / "i486.yaml")
RUNS = [("riscv32", 1), ("mips", 2), ("sparc", 2), ("m68020", 0), ("i386", "s"), (I486, 1), ("arm", 1), ("vax", 1)]


@pytest.mark.parametrize(("machine", "level"), some(RUNS, 2))
def test_equal_to_the_plain_clock(compiled, machine, level):
    program = compiled(machine, level)
    clock = Clock(program)
    interpret(program, ["program"], capture=True, observer=clock)
    result, counts = counted_run(program, ["program"], RunOptions(capture=True, tier="fast"))
    timing = estimate(program, counts)
    assert result.fault is None
    assert timing.cycles == clock.spent()
    assert timing.instructions <= timing.total


def test_each_cause_occurs(compiled):
    found = set()
    for machine, level in RUNS[:4]:
        program = compiled(machine, level)
        found |= (
            estimate(program, counted_run(program, ["program"], RunOptions(capture=True, tier="fast"))[1]).by_cause().keys()
        )
    assert found >= {"instruction", "multi-cycle", "interlock", "taken", "delay slot"}


def test_without_a_timing_section_latencies_count(compiled):
    program = compiled("short16")
    assert not program.machine.timing.stated
    counts = counted_run(program, ["program"], RunOptions(capture=True, tier="fast"))[1]
    records = [(program.machine.record(rtl), times) for name, function in program.functions.items()
               for rtl, times in zip(function.rtls(), counts.rtls[name], strict=True)]  # fmt: skip
    latencies = sum(record.latency * times for record, times in records if record.counted and record.size)
    timing = measure(program, ["program"], MeasureOptions(timing=True), RunOptions(capture=True, tier="fast")).timing
    assert timing.total == latencies > timing.instructions
    assert "no timing section" in timing.assumptions[-1]


def test_reports_sum_and_say_that_they_are_estimates(compiled):
    measured = measure(compiled("riscv32"), ["program"], MeasureOptions(timing=True), RunOptions(capture=True, tier="fast"))
    values = as_dictionary(measured)["timing"]
    assert values["estimate"] is True
    assert sum(values["causes"].values()) == values["cycles"]
    lines = [causes for of_file in values["lines"].values() for causes in of_file.values()]
    for parts in (lines, values["functions"].values()):
        assert sum(sum(causes.values()) for causes in parts) == values["cycles"]
    for name in ("cycles", "cycles-lines", "cycles-functions"):
        assert "This is an estimate" in as_text(measured, [name])
        table = REPORTS[name].table(measured.timing)
        assert sum(int(row[1].replace(",", "")) for row in table.rows) == int(table.total[1].replace(",", ""))
    assert values["causes"].keys() <= CYCLE_CAUSES.keys()


def test_estimates_add(compiled):
    measured = measure(compiled("riscv32"), ["program"], MeasureOptions(timing=True), RunOptions(capture=True, tier="fast"))
    assert (measured + measured).timing.total == 2 * measured.timing.total
    with pytest.raises(ValueError, match="with and without a timing estimate"):
        measured + dataclasses.replace(measured, timing=None)
    other = dataclasses.replace(measured.timing, assumptions=("others",))
    with pytest.raises(ValueError, match="different assumptions"):
        measured + dataclasses.replace(measured, timing=other)
