"""What real tools say of a program: the same output, as many instructions executed, each of the same size."""

from tempfile import NamedTemporaryFile

import pytest

from ease.host.process.job import RunOptions
from ease.model.results import Counts
from ease.run.emulated_references import ReferenceComparison
from ease.run.verify import Comparison, ToolMissing, compare_sizes, emulated, tools_of, truth
from ease.traces.traced_run import traced_run


def confirm(program, run):
    """Compare with a program's interpreted run; the test is skipped if a tool is missing."""
    try:
        tools_of(program.machine)
    except ToolMissing as missing:
        pytest.skip(str(missing))
    real = truth(program, ["program"])
    comparison = Comparison()
    comparison.check("output", real.output, run.output)
    counts = Counts(run.rtls, run.taken, run.traps)
    comparison.check("instructions executed", real.instructions, emulated(program, counts))
    compare_sizes(program, real, comparison)
    assert not comparison.differences


def confirm_references(program, arguments=("program",)):
    """Compare each fetch and each reference to data with the emulator's; returns how many there are of each kind."""
    try:
        tools_of(program.machine)
    except ToolMissing as missing:
        pytest.skip(str(missing))
    comparison = ReferenceComparison(program, arguments)
    with NamedTemporaryFile() as trace:
        run, _ = traced_run(program, arguments, trace.file, options=RunOptions(b"", capture=True))
        real = truth(program, arguments, watch=comparison.watcher(trace.name))
    assert (run.fault, run.output, run.exit_status) == (None, real.output, real.exit_status)
    assert not comparison.difference
    return comparison.counts
