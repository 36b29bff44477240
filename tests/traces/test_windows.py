"""What a window of a run is said to have done is what the interpreter, with plain simulators, does in these instructions."""

import tempfile

import pytest

from cache_sim import reference
from cache_sim.config import ConfigurationError
from cache_sim.parse import load as load_system
from cache_sim.predictors import Simulator, load
from cache_sim.traces.trace_file import TraceFile
from ease.commands.ease_command import main as ease
from ease.commands.easecc import main as easecc
from ease.commands.runs.trace_command import main as ease_trace
from ease.host.process.job import RunOptions
from ease.model.attribution import attribute_predictions
from ease.run.measure_options import MeasureOptions
from ease.run.measuring import counted_run
from ease.run.windows import Window, difference, measure_window
from ease.traces.traced_run import window_trace
from tests.covering import some
from tests.traces.conftest import regenerated, trace_of
from tests.traces.programs import ENDING
from vpo.analysis.transfers import unit
from vpo.interpret.fast.interpreter import interpret

PROGRAM = r"""
static int numbers[60];
static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
static int odd(int n) { return n & 1; }
static int (*const choices[])(int) = { fib, odd };
int main(void) {
    double sum = 0;
    int i;
    for (i = 0; i < 40; i++) {
        numbers[i * 7 % 60] += choices[i & 1](i % 6);
        sum += numbers[i % 60] * 0.5;
    }
    return (fib(6) + (int)sum) & 63;
}
"""
CACHES, PREDICTORS = "I:256,16,1+D:256,16,2+L2:1k,32,4", "bimodal:64+gshare:64,4+ras:4+btb:16,2"
MACHINES = ("riscv32", "sparc", "vax")  # sparc: delay slots; vax: instructions that refer to memory several times
WINDOWS = [(0, 700), *((1000 + 7 * n, 300 + n) for n in range(6))]


def plain(program, limit):
    """Return counts, cache results and mispredictions of the interpreter up to a limit."""
    caches, predictors = reference.Simulator(load_system(CACHES)), Simulator(load(PREDICTORS, unit(program)))
    result = interpret(program, ["program"], capture=True, limit=limit, observer=caches, transfers=predictors)
    return (result.rtls, result.taken, result.traps), caches.results(), predictors.results()


def seen(prediction):
    """Return what predictors saw; that a branch is taken, counts tell, and do so behind its delay slot."""
    return {site.number: (results.executed, results.mispredicted) for site, results in prediction.sites.items()}


@pytest.fixture(scope="module")
def measured(programs):
    """A function that measures a window of the program on a machine."""

    def measure(machine, *window):
        program = programs(PROGRAM, machine)

        def run(limit, instruments, capture):
            options = RunOptions(capture=True, limit=limit, tier="fast")
            return counted_run(program, ["program"], options, instruments=instruments)

        return program, measure_window(program, Window(*window), run, MeasureOptions(load_system(CACHES), PREDICTORS))

    return measure


@pytest.mark.parametrize("machine", some(MACHINES, 1))
def test_windows_are_those_of_the_interpreter(measured, machine):
    for start, length in WINDOWS if machine != "vax" else WINDOWS[2:4]:
        program, found = measured(machine, start, length)
        until, before = plain(program, start + length), plain(program, start)
        counts, caches, predictions = difference(until, before) if start else until
        assert (found.counts.rtls, found.counts.taken, found.counts.traps) == counts
        assert found.memory.results == caches.without_sites()
        assert not found.partial
        assert seen(found.prediction) == seen(attribute_predictions(program, found.counts, predictions))


def test_a_window_behind_the_end_is_told(measured):
    with pytest.raises(ConfigurationError, match="instructions; the window begins behind them"):
        measured("riscv32", 10_000_000, 1)


@pytest.mark.parametrize(("machine", "data"), some([("riscv32", True), ("sparc", False)], 1))
def test_the_trace_of_a_window_is_that_part_of_the_trace(programs, traced, machine, data):
    program = programs(ENDING["nested loops"], machine)
    kinds = ("fetch", "read", "write", "branch") if data else ("fetch", "branch")
    content, _, counts = traced(program, data=data)
    for start, length in ((0, 70), (333, 100), (counts.instructions - 20, 1000)):
        with tempfile.TemporaryFile() as out:
            window_trace(program, ["program"], out, Window(start, length), data, {}, options=RunOptions(capture=True))
            out.seek(0)
            found = regenerated(TraceFile(out), kinds=kinds)
        assert found == regenerated(trace_of(content), kinds=kinds, start=start, count=length)
    with pytest.raises(ConfigurationError, match="the window begins behind them"):
        window_trace(program, ["program"], None, Window(counts.instructions, 1), data, {}, options=RunOptions(capture=True))


def test_windows_of_traces_by_command(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "program.c").write_text(ENDING["nested loops"])
    assert easecc(["-trace", "execution", "-trace-to", "live", "-window", "300,40", "program.c"]) == 0
    assert easecc(["-record", "it.run", "program.c"]) == 42
    assert ease(["replay", "it.run", "-trace", "execution", "-trace-to", "again", "-warmup", "200", "-window", "100,40"]) == 0
    live, again = (regenerated(TraceFile(name)) for name in ("live", "again"))
    assert len([row for row in live if row[0] == 2]) == 40
    assert live == again
    assert easecc(["-window", "1,2", "program.c"]) == 2
    assert easecc(["-trace", "profile", "-window", "1,2", "program.c"]) == 2
    assert "needs -trace" in capsys.readouterr().err


def test_a_slice_of_a_trace_is_that_part_of_it(programs, traced, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    content, _, counts = traced(programs(ENDING["nested loops"], "riscv32", 1))
    (tmp_path / "whole.trace").write_bytes(content)
    assert ease_trace(["slice", "whole.trace", "-o", "part.trace", "--from", "1000", "--count", "50"]) == 0
    part, whole = TraceFile("part.trace"), TraceFile("whole.trace")
    assert regenerated(part) == regenerated(whole, start=1000, count=50)
    assert part.facts["window"] == [1000, 50]
    assert ease_trace(["slice", "part.trace", "-o", "rest.trace", "--from", "40"]) == 0
    assert regenerated(TraceFile("rest.trace")) == regenerated(whole, start=1040, count=10)
    assert ease_trace(["slice", "whole.trace", "-o", "none.trace", "--from", str(counts.instructions)]) == 1
    assert "the window begins behind them" in capsys.readouterr().err
    assert not (tmp_path / "none.trace").exists()


@pytest.mark.parametrize("machine", some(("riscv32", "vax"), 1))
def test_a_part_between_calls_of_functions(programs, traced, tmp_path, monkeypatch, capsys, machine):
    """From the first call of one up to the next call of another; masks of registers (vax) are no instructions."""
    monkeypatch.chdir(tmp_path)
    program = programs(PROGRAM, machine, 1)
    (tmp_path / "whole.trace").write_bytes(traced(program)[0])
    assert ease_trace(["slice", "whole.trace", "-o", "part.trace", "--from", "odd", "--until", "fib"]) == 0
    part, whole = TraceFile("part.trace"), TraceFile("whole.trace")
    start, length = part.facts["window"]
    assert length > 5
    assert regenerated(part) == regenerated(whole, start=start, count=length)
    entered = {name: program.addresses[name][:-1] for name in ("_odd", "_fib")}
    fetched = [address for kind, address, _ in regenerated(whole, start=start, count=length + 2) if kind == 2]
    assert fetched[0] in entered["_odd"]
    assert fetched[-1] in entered["_fib"]
    assert not set(fetched[:-3]) & set(entered["_fib"])
    assert ease_trace(["view", "whole.trace", "--from", "odd", "--until", "fib"]) == 0
    shown = capsys.readouterr().out
    assert shown.lstrip().startswith(f"{start:,}  ")
    for wrong in ("absent", "main"):
        assert ease_trace(["view", "whole.trace", "--from", "fib", "--until", wrong]) == 1
    said = capsys.readouterr().err
    assert "no function 'absent'" in said
    assert "'main' is not called" in said
