"""Runs that go wrong: where and why, the status that a shell would tell, what was measured marked as partial."""

import json
import os
import re
import signal
import subprocess
import time

import pytest

from tests.covering import some

LOOP = """\
#include <stdio.h>
int main(void) {
    volatile int x = 0;
    puts("go");
    fflush(stdout);
    for (;;)
        x++;
}
"""

FAULTS = {
    "write": (
        "int main(void) {\n    int *p = (int *)4;\n    *p = 1;\n    return 0;\n}\n",
        r"x\.c:3: in main: wild pointer: write of 4 bytes at address 0x00000004",
        139,
    ),
    "read": (
        "char f(char *p) {\n    return *p;\n}\nint main(void) {\n    return f((char *)0xdeadbee0) + 1;\n}\n",
        r"x\.c:2: in f: wild pointer: read of 1 byte at address 0xdeadbee0",
        139,
    ),
    "library": (
        "#include <string.h>\nint main(void) {\n    return (int)strlen((char *)16);\n}\n",
        r".*strlen\.c:\d+: in strlen: wild pointer: read (of \d bytes? )?at address 0x00000010",
        139,
    ),
    "recursion": (
        "int f(int x) {\n    int a[100];\n    a[x & 7] = x;\n    return f(x + 1) + a[x & 3];\n}\n"
        "int main(void) { return f(1); }\n",
        r"x\.c:\d: in f: stack exhausted at address 0x[0-9a-f]{8}: it has [0-9,]+ bytes \(--set layout.stack_size=N .*\)",
        139,
    ),
    "large frame": (
        "int main(int c, char **v) {\n    volatile int a[4000000];\n    a[c] = 1;\n    return a[0];\n}\n",
        r"x\.c:\d: in main: stack exhausted at address 0x[0-9a-f]{8}: .*",
        139,
    ),
    "division": (
        "int main(int c, char **v) {\n    return 5 /\n        (c - 1);\n}\n",
        r"x\.c:2: in main: division by zero",
        136,
    ),
    "remainder": ("int main(int c, char **v) {\n    return 5u % (c - 1);\n}\n", r"x\.c:2: in main: division by zero", 136),
    "call": (
        "int main(void) {\n    void (*f)(void) = (void (*)(void))64;\n    f();\n    return 0;\n}\n",
        r"x\.c:3: in main: call of address 0x00000040, which is not a function",
        134,
    ),
    "abort": ("#include <stdlib.h>\nint main(void) { abort(); }\n", None, 134),
    "assert": ("#include <assert.h>\nint main(void) {\n    assert(1 > 2);\n}\n", r"x\.c:3: .*1 > 2.*", 134),
}


@pytest.mark.parametrize("machine", some(("riscv32", "m68020", "baseline"), 1))
@pytest.mark.parametrize("name", FAULTS)
def test_faults(folder, easecc, machine, name):
    text, message, status = FAULTS[name]
    folder(x=text)
    outcome = easecc("-m", machine, "-O0", "x.c")
    assert (outcome.status, outcome.out) == (status, ""), outcome.err
    assert len(outcome.err.splitlines()) == (message is not None)
    if message is not None:
        assert re.fullmatch(f"(easecc: )?{message}\n", outcome.err)


def report_of(folder, easecc, *words):
    outcome = easecc("-report", "r.json", *words)
    return outcome, json.loads((folder() / "r.json").read_text())


def test_what_was_measured_before_a_fault_is_partial(folder, easecc):
    folder(x='#include <stdio.h>\nint main(void) {\n    puts("before"); fflush(stdout);\n    *(int *)0 = 1;\n}\n')
    outcome, report = report_of(folder, easecc, "x.c")
    message = "x.c:4: in main: wild pointer: write of 4 bytes at address 0x00000000"
    assert outcome.result == (139, "before\n", f"easecc: {message}\n")
    assert (report["partial"], report["exit_status"], report["fault"]) == (True, 139, message)
    assert report["functions"]["puts"]["dynamic"] > 0
    text = easecc("-measure", "x.c").err
    assert "INCOMPLETE" not in text
    assert "The run was cut short. What follows is exact up to that moment." in text


def test_limit_of_instructions(folder, easecc):
    folder(loop=LOOP)
    outcome, report = report_of(folder, easecc, "-limit", "100000", "loop.c")
    assert (outcome.status, outcome.out) == (124, "go\n")
    assert re.fullmatch(r"easecc: loop\.c:[67]: in main: stopped after 100000 instructions\n", outcome.err)
    assert report["partial"]
    assert report["exact"]
    assert report["instructions"]["dynamic"] == 100000


def test_limit_of_time(folder, easecc):
    folder(loop=LOOP)
    assert easecc("-limit", "10000", "loop.c").status == 124  # now everything is compiled
    outcome, report = report_of(folder, easecc, "-timeout", "3", "loop.c")
    assert (outcome.status, outcome.out) == (124, "go\n")
    assert re.fullmatch(r"easecc: loop\.c:[67]: in main: stopped: its time was up\n", outcome.err)
    assert report["partial"]
    assert report["exact"]
    assert report["instructions"]["dynamic"] > 0


def test_arguments_that_do_not_fit(folder, easecc):
    folder(x="int main(void) { return 0; }\n")
    outcome = easecc("--set", "layout.stack_size=4096", "x.c", "--", "a" * 5000)
    assert outcome.result == (1, "", "easecc: the program's arguments and environment do not fit on its stack\n")


def test_program_cannot_leave_its_folder(folder, easecc):
    folder(x='#include <stdio.h>\nint main(void) { return fopen("/etc/passwd", "r") ? 0 : 7; }\n')
    assert easecc("x.c").result == (7, "", "")


ESCAPE = """\
#include <stdio.h>
int main(void) {
    static const char *const names[] = {"/proc/self/mem", "//proc/self/mem", "proc/self/maps", "/dev/ptmx", "/dev/fd/0"};
    int opened = 0;
    for (int i = 0; i < 5; i++)
        opened += fopen(names[i], "r") != NULL || fopen(names[i], "r+") != NULL;
    return opened;
}
"""


def test_program_cannot_reach_its_process_from_the_root_folder(folder, easecc, monkeypatch):
    folder(x=ESCAPE)
    monkeypatch.chdir("/")
    assert easecc(folder() / "x.c").result == (0, "", "")


# --------------------------------------------------------------------------------------- where output goes


def test_full_disk(folder, easecc):
    folder(x="int main(void) { return 3; }\n")
    for words in (["-report", "/dev/full"], ["-S", "-o", "/dev/full"], ["-c", "-o", "/dev/full"]):
        assert easecc(*words, "x.c").result == (1, "", "easecc: /dev/full: No space left on device\n")


def test_full_disk_behind_a_file_name(folder, easecc, monkeypatch):
    folder(x="int main(void) { return 3; }\n")
    (folder() / "r.json").write_text("old")

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", full)
    assert easecc("-report", "r.json", "x.c").result == (1, "", "easecc: r.json: No space left on device\n")
    assert (folder() / "r.json").read_text() == "old"
    assert sorted(p.name for p in folder().iterdir()) == ["r.json", "x.c"]


def test_full_standard_output(folder, process):
    folder(x="int main(void) { return 3; }\n")
    for words in (["-help"], ["-S", "-o", "-", "x.c"], ["-phases", "help"]):
        with open("/dev/full", "wb") as full:
            outcome = process("easecc", *words, stdout=full)
        assert outcome.status == 1
        assert re.fullmatch(r"easecc: (standard output: )?No space left on device\n", outcome.err)


def test_places_where_nothing_can_be_written(folder, easecc):
    folder(x='#include <stdio.h>\nint main(void) { puts("ran"); return 3; }\n')
    for words in (["-report"], ["-S", "-o"], ["-c", "-o"]):
        message = "easecc: missing: there is no such folder\n"
        assert easecc(*words, "missing/r.json", "x.c").result == (1, "", message)
        assert easecc(*words, ".", "x.c").result == (1, "", "easecc: .: Is a directory\n")
    assert easecc("-dump-dir", "x.c", "x.c").result == (1, "", "easecc: x.c: File exists\n")


# ------------------------------------------------------------------------------------------------ the cache

HELLO = '#include <unistd.h>\nint main(void) { write(1, "hello\\n", 6); return 3; }\n'


def test_damaged_cache_entries_are_ignored(folder, easecc, tmp_path, monkeypatch):
    folder(x=HELLO)
    cache = tmp_path / "cache"
    monkeypatch.setenv("EASE_CACHE", str(cache))
    first = easecc("-measure", "x.c")
    assert first.out == "hello\n"
    entries = [path for path in cache.rglob("*") if path.is_file()]
    assert len(entries) > 5
    for damage in (lambda b: b[: len(b) // 2], lambda b: b[:-100] + bytes(100)):
        for path in entries:
            path.write_bytes(damage(path.read_bytes()))
        assert easecc("-measure", "x.c").result == first.result


@pytest.mark.parametrize("place", some(("file/cache", "/proc/none", "/dev/null/x", ""), 1))
def test_cache_that_cannot_be_written(folder, easecc, monkeypatch, place):
    folder(x=HELLO)
    (folder() / "file").write_text("in the way")
    monkeypatch.setenv("EASE_CACHE", place)
    assert easecc("x.c").result == (3, "hello\n", "")


def test_cache_that_can_only_be_read(folder, easecc, tmp_path, monkeypatch):
    folder(x=HELLO)
    cache = tmp_path / "cache"
    cache.mkdir()
    cache.chmod(0o500)
    monkeypatch.setenv("EASE_CACHE", str(cache))
    try:
        assert easecc("x.c").result == (3, "hello\n", "")
    finally:
        cache.chmod(0o700)


# ------------------------------------------------------------------------------------------ signals and pipes


def shell(command, **environment):
    return subprocess.run(
        ["bash", "-c", command], capture_output=True, text=True, timeout=120, check=False, env={**os.environ, **environment}
    )


def test_reader_that_goes_away(folder, process):
    folder(yes='#include <stdio.h>\nint main(void) { for (;;) puts("y"); }\n')
    bin_ = os.path.dirname(__import__("sys").executable)
    for words, line in (("yes.c", "y\n"), ("-help", "usage: "), ("-S -o - yes.c", "")):
        result = shell(f"{bin_}/easecc {words} | head -1; exit ${{PIPESTATUS[0]}}")
        assert result.stdout.startswith(line)
        assert result.stderr == ""
        assert result.returncode in (0, 141)
    result = shell(f"{bin_}/easecc -help | true; exit ${{PIPESTATUS[0]}}")
    assert result.stderr == ""


# What is said of an interrupt: with the place, where the program had begun to run.
RUN_INTERRUPTED = r"easecc: (loop\.c:[67]: in main: )?interrupted\n"


@pytest.mark.parametrize("words", [["loop.c"], ["-measure", "loop.c"]])
def test_interrupt_of_a_running_program(folder, start, words):
    folder(loop=LOOP)
    child = start("easecc", *words)
    assert child.stdout.readline() == b"go\n"
    os.killpg(child.pid, signal.SIGINT)  # as the terminal does
    out, err = (text.decode() for text in child.communicate(timeout=300))
    assert (child.returncode, out) == (130, "")
    assert re.match(RUN_INTERRUPTED, err)
    assert ("The run was cut short" in err) == ("-measure" in words)
    assert "Traceback" not in err


def test_interrupt_at_any_moment(folder, start, monkeypatch):
    folder(loop=LOOP)
    monkeypatch.setenv("EASE_CACHE", "")
    for moment in (0.1, 0.25, 0.5, 1, 2):
        child = start("easecc", "-report", "r.json", "loop.c")
        time.sleep(moment)
        os.killpg(child.pid, signal.SIGINT)
        try:
            _, err = child.communicate(timeout=60)
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)
            assert b"Exception ignored" in child.communicate()[1]  # by Python's import system, before a command begins
            continue
        if child.returncode == -signal.SIGINT or b"init_import_site" in err:
            continue  # Python itself had not started
        assert child.returncode == 130
        assert re.fullmatch(RUN_INTERRUPTED, err.decode())
        if (folder() / "r.json").exists():
            assert json.loads((folder() / "r.json").read_text())["partial"]
    assert {p.name for p in folder().iterdir()} <= {"loop.c", "r.json"}


def test_termination_stops_the_program_and_leaves_nothing(folder, start, tmp_path, monkeypatch):
    folder(loop=LOOP)
    (tmp_path / "temporary").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "temporary"))
    child = start("easecc", "loop.c")
    assert child.stdout.readline() == b"go\n"
    child.terminate()
    assert child.communicate(timeout=300) == (b"", b"")  # the pipes are closed: nothing runs any more
    assert child.returncode == 143
    assert list((tmp_path / "temporary").iterdir()) == []
