"""How a program is run, and what is measured, go as records from the command to the process."""

import inspect
from dataclasses import fields

import pytest

from ease.commands.compile.command_line import parse
from ease.host.process.job import RunOptions
from ease.host.process.run import run
from ease.run.measuring import MeasureOptions, counted_run, measure, measured_run, recorded_run, simulated_run, swept_run
from ease.run.windows import measure_window
from ease.run.wrong_paths import wrong_path_run
from ease.sampling.sampled_run import sampled_run
from ease.traces.traced_run import line_trace, profiled_run, traced_run, window_trace

WITH_A_SYSTEM = (simulated_run, recorded_run, wrong_path_run)  # which is what they are about
RUNS = (run, counted_run, measure, measured_run, swept_run, sampled_run, measure_window, traced_run, profiled_run, line_trace,
        window_trace)  # fmt: skip


@pytest.mark.parametrize("function", [*RUNS, *WITH_A_SYSTEM])
def test_no_option_is_written_out_again(function):
    parameters = inspect.signature(function).parameters
    written = {field.name for record in (RunOptions, MeasureOptions) for field in fields(record)} & set(parameters)
    assert written <= ({"system", "predict"} if function in WITH_A_SYSTEM else set())
    assert not any(each.kind is each.VAR_KEYWORD for each in parameters.values())


def test_every_command_runs_a_program_as_its_options_say(tmp_path):
    command = parse(["-run", "-limit", "5", "-timeout", "2", "-files", str(tmp_path), "a.c"])
    assert command.run_options() == RunOptions(limit=5, timeout=2.0, roots=(str(tmp_path),))
