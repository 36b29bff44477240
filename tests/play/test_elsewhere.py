"""Where there is no LLVM, numpy, solver or whatever else a browser lacks: the same answers, from the interpreter."""

import json
import os
import subprocess
import sys

import pytest

import ease
from ease.lab.play.answers import answer

ABSENT = ["llvmlite", "numpy", "zstandard", "bitwuzla", "elftools", "resvg_py", "rich", "resource", "pwd"]
WITHOUT = f"""
import json, os, sys
for name in {ABSENT}:
    sys.modules[name] = None  # importing it is an error
for name in ("memfd_create", "link", "geteuid", "sched_getaffinity", "fork"):
    delattr(os, name)
from ease.lab.play.answers import answer
print(json.dumps([answer(asked) for asked in json.loads(sys.argv[1])]))
"""
CLAMP = """
static int clamp(int x) { return x < -9 ? -9 : x > 20 ? 20 : x; }
int main(void) { int s = 0; for (int i = -40; i < 40; i++) s += clamp(i); return s & 127; }
"""
MIN = """
instructions:
  MIN: {rtl: 'r[d]=SEL(r[a]<r[b],r[a],r[b]);', asm: 'min $d,$a,$b'}
  MAX: {rtl: 'r[d]=SEL(r[a]<r[b],r[b],r[a]);', asm: 'max $d,$a,$b'}
"""


def test_answers_without_what_a_browser_lacks(tmp_path, monkeypatch):
    """Each side compiles and runs for itself: nothing is kept."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("EASE_CACHE", "")
    asked = {"machine": "riscv32", "changes": MIN, "source": CLAMP}
    words = [sys.executable, "-P", "-c", WITHOUT, json.dumps([asked])]
    found = subprocess.run(words, capture_output=True, text=True, check=True, env={**os.environ, "PYTHONPATH": os.getcwd()})
    (elsewhere,), here = json.loads(found.stdout), json.loads(json.dumps(answer(asked)))
    assert elsewhere == here
    assert [row[0] for row in here["instructions"] if row[3]] == ["MIN"]


def test_a_run_in_the_interpreter_only_counts(tmp_path):
    source = tmp_path / "program.c"
    source.write_text("int main(void) { for (volatile int i = 0; i < 1000; i++); return 3; }")
    program = ease.Machine("riscv32").compile(str(source))
    run, same = program.measure(interpreted=True), program.measure(interpreted=False)
    assert (run.instructions, run.cycles, run.exit_status) == (same.instructions, same.cycles, 3)
    assert program.measure(interpreted=True, limit=100).fault.endswith("stopped after 100 instructions")
    with pytest.raises(ease.Error, match="only counts"):
        program.measure(interpreted=True, cache="1K")


def test_a_run_that_takes_too_long(tmp_path):
    source = tmp_path / "program.c"
    source.write_text("int main(void) { for (volatile int i = 0;; i++); }")
    run = ease.Machine("riscv32").compile(str(source)).measure(interpreted=True, timeout=0.05)
    assert run.fault == "stopped: its time was up"
    assert run.instructions > 10_000
