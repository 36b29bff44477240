"""Runs whose processes a server forks are as runs in processes of their own; no server outlives the one that uses it."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ease.host.process import process
from ease.host.process.job import RunOptions
from ease.host.process.run import run

pytestmark = pytest.mark.skipif(not process.has_descriptors_of_processes(), reason="no descriptors of processes here")

PROGRAM = """
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    FILE *file = argc > 2 ? fopen(argv[2], "r") : stdin;
    int character, count = 0;
    while (file && (character = getc(file)) != EOF)
        count += character == 'a';
    printf("%s %d\\n", argv[1], count);
    fflush(stdout);
    if (argc > 3)
        for (;;) ;
    return count;
}
"""


@pytest.fixture
def servers(monkeypatch):
    """The servers of this test alone."""
    monkeypatch.setattr(process, "_servers", process._Servers())
    yield process._servers
    if process._servers.server is not None:
        process._servers.give_up(process._servers.server)


@pytest.fixture
def count(programs):
    """Run the program; return its output, status and counters."""
    program = programs(PROGRAM, "riscv32")

    def count(*arguments, stdin=b"banana", **options):
        result = run(program, ["program", *arguments], RunOptions(capture=True, stdin=stdin, **options))
        return result.output, result.exit_status, result.counters

    return count


def test_the_second_run_is_forked_and_equal(count, servers):
    first = count("one")
    assert servers.server is None
    second, third = count("one"), count("one")
    assert servers.server is not None
    assert servers.server.has_served
    assert first == second == third
    assert first[:2] == (b"one 3\n", 3)
    assert count("two", stdin=b"ab")[:2] == (b"two 1\n", 1)


def test_no_descriptor_is_left(count, servers):
    count("one"), count("one")
    before = sorted(os.listdir("/proc/self/fd"))
    count("one"), count("one", limit=1000), count("one")
    assert sorted(os.listdir("/proc/self/fd")) == before


def test_a_changed_process_has_another_server(count, servers, monkeypatch, tmp_path):
    count("one"), count("one")
    old = servers.server
    (tmp_path / "here").write_text("aaaa")
    monkeypatch.chdir(tmp_path)  # each run brings its folder
    assert count("file", "here", roots=[tmp_path])[:2] == (b"file 4\n", 4)
    assert servers.server is old
    monkeypatch.setenv("ANOTHER", "variable")
    assert count("one")[1] == 3
    assert servers.server is None
    assert count("one")[1] == 3
    assert servers.server is not None
    assert servers.server is not old


def test_a_killed_server_is_replaced(count, servers):
    count("one"), count("one")
    os.kill(servers.server.pid, signal.SIGKILL)
    assert count("one")[:2] == (b"one 3\n", 3)
    assert servers.server is None
    count("one")
    assert servers.server.has_served


ENDLESS = """
import ease
from ease.host.process.job import RunOptions
from ease.host.process.run import run
program = ease.Machine("riscv32").compile("program.c").linked
for arguments in (["one"], ["two"], ["three", "none", "for ever"]):
    run(program, ["program", *arguments], RunOptions(stdin=b"banana"))
"""


def _descendants(pid):
    """Return the numbers of a process's descendants."""
    with contextlib.suppress(OSError):
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        return {int(child) for child in children}.union(*(_descendants(int(child)) for child in children))
    return set()


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_nothing_outlives_the_process(tmp_path, number):
    (tmp_path / "program.c").write_text(PROGRAM)
    streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    with subprocess.Popen([sys.executable, "-c", ENDLESS], cwd=tmp_path, **streams) as parent:
        said = b""
        while b"three" not in said:
            piece = os.read(parent.stdout.fileno(), 100)
            assert piece, "it has ended"
            said += piece
        started = _descendants(parent.pid)
        assert len(started) == 2  # the server and the run
        parent.send_signal(number)
        parent.stdout.read()
    for _ in range(100):
        if not any(Path(f"/proc/{pid}").exists() for pid in started):
            return
        time.sleep(0.1)
    pytest.fail("a process goes on")
