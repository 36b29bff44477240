"""`ease trace info` of several files tells whether they are of one run."""

import pytest

from cache_sim.traces.trace_file import TraceFile
from ease.commands.runs.trace_command import main as ease_trace
from ease.host.process.job import RunOptions
from ease.traces.checking import difference
from ease.traces.traced_run import profiled_run
from tests.traces.programs import ENDING

SOURCE = "int main(int c, char **v) { int i, s = 0; for (i = 0; i < 10 * c; i++) s += %s; return s; }"


@pytest.fixture
def written(tmp_path, programs, traced, monkeypatch):
    """A function that writes the trace of a run to a file of a name."""
    monkeypatch.chdir(tmp_path)

    def write(name, text, *arguments, machine="riscv32", profile=False, **options):
        facts = {"arguments": list(arguments)}
        if profile:
            with open(name, "wb") as out:
                profiled_run(programs(text, machine), ["program", *arguments], out, facts, options=RunOptions(capture=True))
        else:
            (tmp_path / name).write_bytes(traced(programs(text, machine), *arguments, facts=facts, **options)[0])

    return write


def test_files_of_one_run_and_of_others(written, capsys):
    text = SOURCE % "i"
    written("a", text, "x")
    written("same", text, "x")
    written("branch", text, "x", data=False)
    written("profile", text, "x", profile=True)
    assert ease_trace(["convert", "a", "-o", "list.trace"]) == 0
    assert ease_trace(["info", "a", "same", "branch", "profile", "list.trace"]) == 0
    assert [line.split(": ")[1] for line in capsys.readouterr().out.splitlines()[-4:]] == ["of the same run as a"] * 4
    written("arguments", text, "y")
    written("program", SOURCE % "i * i", "x")
    written("machine", text, "x", machine="sparc")
    written("cut", text, "x", limit=30)
    assert ease_trace(["info", "a", "arguments", "program", "machine", "cut"]) == 1
    told = [line.split(": ")[1] for line in capsys.readouterr().out.splitlines()[-4:]]
    assert told[0].startswith("of a run with other arguments, ['y']")
    assert told[1].startswith("of another program")
    assert told[2].startswith("of a program for another machine, sparc")
    assert told[3].startswith("of a run that ended otherwise")


def test_runs_that_differ_in_addresses_only_are_told_apart(programs, traced, tmp_path):
    program = programs("int a[256]; int main(int c, char **v) { return a[(unsigned char)v[1][0]]; }", "riscv32")
    traces = []
    for name, argument in (("one", "A"), ("other", "B"), ("again", "A")):
        (tmp_path / name).write_bytes(traced(program, argument)[0])  # nothing says which arguments there were
        traces.append(TraceFile(tmp_path / name))
    assert difference(traces[0], traces[2]) == ""
    assert "other addresses" in difference(traces[0], traces[1])


def test_a_list_of_another_tool_tells_no_program(tmp_path, written, capsys):
    written("a", ENDING["indirect"])
    (tmp_path / "foreign.din").write_text("2 100\n0 200\n")
    assert ease_trace(["convert", "foreign.din", "-o", "foreign.trace"]) == 0
    assert ease_trace(["info", "a", "foreign.trace"]) == 1
    assert "does not tell" in capsys.readouterr().out
