"""Another process starts and stops measuring while a program runs."""

import json
import os
import subprocess
import sys

import pytest

from ease.host.sampling.attaching import Attached, NotAttachable

PROGRAM = r"""
#include <unistd.h>
static volatile int sum;
static void work(void) { int i; for (i = 0; i < 1000; i++) sum += i; }
int main(void) { char c; while (read(0, &c, 1) == 1) { work(); write(1, &c, 1); } return 7; }
"""


def ease(*words):
    return subprocess.run([sys.executable, "-m", "ease.commands.ease_command", *words], capture_output=True, text=True)


def test_what_lies_between_start_and_stop_is_measured(tmp_path):
    source, report = tmp_path / "program.c", tmp_path / "report.json"
    source.write_text(PROGRAM)
    command = [sys.executable, "-m", "ease.commands.easecc", "-sample", "shm", "-report", str(report), str(source)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0) as run:

        def step():
            run.stdin.write(b"x")
            assert run.stdout.read(1) == b"x"

        step()
        process = str(run.pid)
        assert process in ease("attach").stdout.split()
        assert ease("attach", process).stdout.startswith("not measured; 0 samples")
        assert ease("attach", process, "start").returncode == 0
        step()
        assert ease("attach", process, "status").stdout.startswith("measured; 0 samples")
        step()
        assert ease("attach", process, "stop").returncode == 0
        step()
        step()
        assert "1 samples" in ease("attach", process).stdout
        run.stdin.close()
        assert run.wait() == 7


    found = json.loads(report.read_text())
    assert found["sampling"]["samples"] == 1
    calls = found["functions"]["_work"]["dynamic"] if "_work" in found["functions"] else found["functions"]["work"]["dynamic"]
    whole = found["sampling"]["instructions"]
    assert whole / 5 * 1.5 < calls < whole / 5 * 2.5  # two of five steps


def test_there_must_be_such_a_run():
    with pytest.raises(NotAttachable, match="runs nothing"):
        Attached.to(os.getpid())
    found = ease("attach", str(os.getpid()), "start")
    assert found.returncode == 1
    assert "runs nothing" in found.stderr
