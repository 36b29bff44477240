"""`easecc -trace` and `ease trace`, as users call them."""

import json
import os
import re
import subprocess
import sys

import pytest

from cache_sim.traces.trace_file import TraceFile
from ease.commands.runs.trace_command import main as ease_trace
from tests.covering import some
from tests.traces.conftest import regenerated
from tests.traces.programs import ENDING

SOURCE = ENDING["indirect"]
BLOCKS = ("blocks in the program", "blocks entered")
EASE = (sys.executable, "-m", "ease.commands.ease_command")


@pytest.fixture
def easecc(tmp_path, monkeypatch):
    """Run easecc in a folder with a program; returns the finished process."""
    (tmp_path / "program.c").write_text(SOURCE)
    monkeypatch.chdir(tmp_path)

    def run(*words, **options):
        return subprocess.run(
            [sys.executable, "-m", "ease.commands.easecc", *words, "program.c"], capture_output=True, check=False,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}, **options,
        )  # fmt: skip

    return run


def test_a_trace_is_written_looked_at_and_checked(easecc, capsys):
    done = easecc("-trace", "execution", "-trace-to", "out.trace", "-m", "riscv32")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"42.3333\n", b"")
    assert [ease_trace([name, "out.trace"]) for name in ("info", "stats", "check")] == [0, 0, 0]
    shown = capsys.readouterr().out
    assert "machine               riscv32" in shown
    assert "instructions a block" in shown
    assert "references, as the run counted them" in shown
    assert ease_trace(["view", "out.trace", "--from", "10", "--count", "3"]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines() if line[:12].strip()] == ["10", "11", "12"]


@pytest.mark.parametrize("machine", some(("riscv32", "i386"), 1))
def test_blocks_are_those_of_the_report(machine, easecc, tmp_path, capsys):
    """A block without instructions, where another begins, is none, and is not entered either."""
    assert easecc("-trace", "profile", "-trace-to", "p.trace", "-m", machine).returncode == 0
    assert easecc("-report", "p.json", "-show", "blocks", "-m", machine).returncode == 0
    sizes = json.loads((tmp_path / "p.json").read_text())["blocks"]["by_size"]
    assert ease_trace(["stats", "p.trace"]) == 0
    shown = capsys.readouterr().out
    told = [int(re.search(rf"^{name} +([\d,]+)$", shown, re.MULTILINE)[1].replace(",", "")) for name in BLOCKS]
    assert told == [sum(count[how] for count in sizes.values()) for how in ("static", "dynamic")]


def test_entries_of_lines_and_misses_are_not_called_instructions(easecc, capsys):
    assert easecc("-trace", "execution", "-trace-to", "e.trace").returncode == 0
    assert easecc("-trace", "cache:32", "-trace-to", "c.trace").returncode == 0
    assert ease_trace(["convert", "e.trace", "--filter", "I:256,16,1", "-o", "f.trace"]) == 0
    for file, called in (("c.trace", "entries, for lines of 32 bytes"), ("f.trace", "fetches that missed")):
        assert ease_trace(["info", file]) == 0
        assert re.search(rf"^{called} +[\d,]+$", shown := capsys.readouterr().out, re.MULTILINE)
        assert "instruction" not in shown
        assert ease_trace(["stats", file]) == 1
        assert f"this trace has {called}" in capsys.readouterr().err


def test_kinds_are_checked_and_branch_traces_have_no_data(easecc, capsys):
    wrong = easecc("-trace", "branches")
    assert wrong.returncode == 2
    assert b"did you mean 'branch'" in wrong.stderr
    assert easecc("-trace", "branch", "-trace-to", "b.trace").returncode == 0
    assert ease_trace(["check", "b.trace"]) == 0
    assert easecc("-trace", "profile", "-trace-to", "p.trace").returncode == 0
    assert ease_trace(["stats", "p.trace"]) == 0
    assert "Instruction mix" in capsys.readouterr().out


def test_what_is_no_trace_is_told(easecc, capsys):
    assert ease_trace(["info", "program.c"]) == 1
    assert ease_trace(["info", "nothing.trace"]) == 1
    said = capsys.readouterr().err
    assert "not a trace" in said
    assert "No such file" in said


def test_a_full_disk_leaves_no_file(easecc, tmp_path):
    done = easecc("-trace", "execution", "-trace-to", "/dev/full")
    assert done.returncode == 1
    assert b"No space left on device" in done.stderr
    assert b"Traceback" not in done.stderr
    done = easecc("-trace", "execution", "-trace-to", "missing/out.trace")
    assert done.returncode == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["program.c"]


def test_a_consumer_reads_from_a_pipe(easecc, tmp_path):
    os.mkfifo(tmp_path / "pipe")
    reader = subprocess.Popen(
        [sys.executable, "-c", "import sys, ease.traces as t; print(sum(len(e) for e in t.open('pipe').events()))"],
        stdout=subprocess.PIPE, env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )  # fmt: skip
    assert easecc("-trace", "execution", "-trace-to", "pipe").returncode == 0
    assert int(reader.communicate(timeout=60)[0]) > 1000


def test_commands_read_from_a_pipe(easecc, tmp_path):
    os.mkfifo(tmp_path / "run.otr")
    words = [*EASE, "trace", "view", "run.otr"]
    viewer = subprocess.Popen(words, stdout=subprocess.PIPE, env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)})
    assert easecc("-trace", "execution", "-trace-to", "run.otr").returncode == 0
    assert viewer.communicate(timeout=60)[0].count(b"program.c:") > 10


def test_hints_name_a_part_of_the_code(easecc, tmp_path, capsys):
    assert easecc("-trace", "execution", "-trace-to", "e.trace").returncode == 0
    rows = [row for events in TraceFile("e.trace").events() for row in zip(
        events.kinds.tolist(), events.addresses.tolist(), strict=True)]  # fmt: skip
    fetched = sorted({address for kind, address in rows if kind == 2})
    begin, end = fetched[len(fetched) // 3], fetched[len(fetched) // 2]
    (tmp_path / "hints").write_text(f"TRACE_BEG {begin:#x}\nMAIN_CALL 12\nJTAB_TAG 0x40 12\n\nTRACE_END_TAG {end}\n")
    assert ease_trace(["convert", "e.trace", "-H", "hints", "-o", "part.din"]) == 0
    expected, inside = [], False
    for kind, address in rows:
        inside = begin <= address < end if kind == 2 else inside
        expected += [(kind, address)] if inside else []
    lines = [line.split() for line in (tmp_path / "part.din").read_text().splitlines()]
    assert [(int(line[0]), int(line[1], 16)) for line in lines] == expected
    assert 0 < len(expected) < len(rows)
    for wrong, said in (("TRACE_BEG", "hints:1: a hint"), ("JTAB 1", "hints:1: a hint"), ("START 1", "hints:1: a hint")):
        (tmp_path / "hints").write_text(wrong)
        assert ease_trace(["convert", "e.trace", "-H", "hints", "-o", "part.din"]) == 1
        assert said in capsys.readouterr().err


def test_the_trace_of_a_replay_is_that_of_the_run(easecc, tmp_path):
    assert easecc("-trace", "execution", "-trace-to", "live.trace").returncode == 0
    assert easecc("-record", "run.run").returncode == 0
    (tmp_path / "program.c").unlink()
    words = ["replay", "run.run", "-trace", "execution", "-trace-to", "again.trace"]
    done = subprocess.run(
        [sys.executable, "-m", "ease.commands.ease_command", *words], check=False, capture_output=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (0, b"42.3333\n"), done.stderr
    live, again = (regenerated(TraceFile(name)) for name in ("live.trace", "again.trace"))
    assert live == again


@pytest.mark.thorough
def test_a_trace_on_standard_input(easecc):
    assert easecc("-trace", "execution", "-trace-to", "out.trace", "-m", "riscv32").returncode == 0
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}

    def said(name, file, source):
        done = subprocess.run([*EASE, "trace", name, file], stdin=source, capture_output=True, check=True, env=environment)
        return [line.split() for line in done.stdout.splitlines() if not line.startswith(b"bytes")]

    for name in ("info", "stats", "check"):
        with open("out.trace", "rb") as source:
            assert said(name, "-", source)[1:] == said(name, "out.trace", None)[1:]
