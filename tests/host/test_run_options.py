"""How a program is run, and what is measured, go as records from the command to the process."""

import inspect
from dataclasses import fields, replace

import pytest

from ease.commands.compile.command_line import parse
from ease.host.process.job import RunOptions
from ease.host.process.run import run
from ease.run.measure_options import MeasureOptions
from ease.run.measuring import counted_run, measure, measured_run, observed_run
from ease.run.windows import measure_window
from ease.run.wrong_paths import wrong_path_run
from ease.sampling.sampled_run import sampled_run
from ease.traces.traced_run import line_trace, profiled_run, traced_run, window_trace
from tests.kept_machines import load
from vpo.build.compiler import Compiler, Settings

WITH_A_SYSTEM = (wrong_path_run,)  # which is what they are about
RUNS = (run, counted_run, measure, measured_run, observed_run, sampled_run, measure_window, traced_run, profiled_run,
        line_trace, window_trace)  # fmt: skip


@pytest.mark.parametrize("function", [*RUNS, *WITH_A_SYSTEM])
def test_no_option_is_written_out_again(function):
    parameters = inspect.signature(function).parameters
    written = {field.name for record in (RunOptions, MeasureOptions) for field in fields(record)} & set(parameters)
    assert written <= ({"system", "predict"} if function in WITH_A_SYSTEM else set())
    assert not any(each.kind is each.VAR_KEYWORD for each in parameters.values())


def test_every_command_runs_a_program_as_its_options_say(tmp_path):
    command = parse(["-run", "-limit", "5", "-timeout", "2", "-files", str(tmp_path), "a.c"])
    assert command.run_options() == RunOptions(limit=5, timeout=2.0, roots=(str(tmp_path),))


def test_what_is_kept_with_a_program_serves_its_further_runs_alone(tmp_path):
    """Counts of runs in a row, of which plans and code are kept, are those of a program that runs for the first time."""
    text = "int main(int c, char **v) { int i, n = 0; for (i = 0; i < 9 * c; i++) n += i & c; return c > 2 ? n : n & 1; }"
    (tmp_path / "p.c").write_text(text)
    linked = Compiler(load("riscv32"), Settings(1)).program([str(tmp_path / "p.c")])
    weights = counted_run(linked, ["p", "1"])[1]
    for more in ({}, {"options": RunOptions(limit=200)}, {"weights": weights}, {}, {"options": RunOptions(tier="full")}):
        for arguments in (["p"], ["p", "1", "2"]):
            fresh = counted_run(replace(linked), arguments, **more)[1]
            assert counted_run(linked, arguments, **more)[1] == fresh
