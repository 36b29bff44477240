"""A program that runs again runs from the cache, and everything else is as in its first run."""

import os
import subprocess
import sys

import pytest

SOURCE = """
#include "number.h"
int table[4];
int main(int count, char **words) { return count > 2 ? table[count * 1000000] : NUMBER + count; }
"""
RUN = """
import sys
from ease.commands.easecc import main
status = main(sys.argv[1:])
print("anew" if "vpo.build.compiler" in sys.modules else "again")
sys.exit(status)
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A program with a header, and a cache of its own."""
    (tmp_path / "prog.c").write_text(SOURCE)
    (tmp_path / "headers").mkdir()
    (tmp_path / "headers/number.h").write_text("#define NUMBER 40\n")
    monkeypatch.setenv("EASE_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def easecc(*arguments, how=("-measure", "-I", "headers")):
    """Return exit status, whether it was compiled 'anew' or ran 'again', and the report."""
    words = [sys.executable, "-c", RUN, "-m", "riscv32", *how, "prog.c", "--", *arguments]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout.strip(), done.stderr


def test_the_second_run_is_the_first_one_again(folder):
    first, second = easecc(), easecc()
    assert first[:2] == (41, "anew")
    assert second[:2] == (41, "again")
    assert first[2] == second[2]
    assert "Hottest lines" in second[2]
    status, how, report = easecc("one")  # arguments are those of this run
    assert (status, how) == (42, "again")
    assert "prog.c -- one\n" in report


def test_a_fault_is_told_as_in_a_first_run(folder, monkeypatch):
    easecc()
    status, how, report = easecc("one", "two")
    assert (status, how) == (139, "anew")  # to tell where
    monkeypatch.setenv("EASE_CACHE", "")
    assert easecc("one", "two") == (status, "anew", report)
    assert "prog.c:4" in report


def test_what_changes_is_seen(folder):
    easecc()
    (code,) = (folder / "cache/code").glob("*/*.o")
    code.unlink()
    assert easecc()[:2] == (41, "anew")
    (folder / "headers/number.h").write_text("#define NUMBER 50\n")
    assert easecc()[:2] == (51, "anew")
    assert easecc()[:2] == (51, "again")
    (folder / "number.h").write_text("#define NUMBER 60\n")  # found before the other
    assert easecc()[:2] == (61, "anew")
    (folder / "prog.c").write_text(SOURCE.replace("+ count", "- count"))
    assert easecc()[:2] == (59, "anew")


def test_warnings_are_told_in_each_run(folder):
    (folder / "prog.c").write_text(SOURCE.replace("{ return", "{ int *p = 5; return p ? 1 :"))
    first, second = easecc(), easecc()
    assert "warning" in first[2]
    assert first == second
    assert second[1] == "anew"


def test_linked_programs_run_again(folder):
    words = [sys.executable, "-m", "ease.commands.easecc", "-m", "riscv32", "-I", "headers", "prog.c", "-o", "prog"]
    assert subprocess.run(words, check=False).returncode == 0
    kept = folder / "cache/entries"
    before = len(list(kept.glob("*/*")))
    statuses = [subprocess.run(["./prog", *words], check=False).returncode for words in ((), ("one",), ("one", "two"))]
    assert statuses == [41, 42, 139]
    assert len(list(kept.glob("*/*"))) > before
    report = folder / "report.json"
    for _ in range(2):
        assert subprocess.run(["./prog"], env={**os.environ, "EASE_MEASURE": str(report)}, check=False).returncode == 41
        assert '"exit_status": 41' in report.read_text()
        report.unlink()
