"""Programs of the library that need a system, compiled by our compiler: on machines of both byte orders as on this one."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.covering import case, usual_level

PROGRAMS = Path(__file__).parent / "programs"

pytestmark = pytest.mark.tools


NAMES = (
    *("folders", "expressions", "wide_streams", "ported", "more", "built_in", "signals", "processes", "timers"),
    "variable_types",
)
MACHINES = ("riscv32", "m68020")
WIDE_TIME = "far_dates"  # needs 64 bits of time
USUAL = {("processes", "m68020")}

CASES = [case(n, m, usual=(n, m) in USUAL) for n in NAMES for m in MACHINES]


@pytest.mark.parametrize(("name", "machine"), [*CASES, case(WIDE_TIME, "riscv32", usual=True)])
def test_program_prints_the_same(name, machine, tmp_path):
    source = PROGRAMS / f"{name}.c"
    subprocess.run(["gcc", "-w", "-fno-builtin", source, "-o", tmp_path / "theirs", "-lm"], check=True)
    for kind in ("ours-work", "theirs-work"):
        (tmp_path / kind).mkdir()
    environment = {"TZ": "UTC"}
    theirs = subprocess.run(
        [tmp_path / "theirs"], cwd=tmp_path / "theirs-work", env=environment, capture_output=True, check=False
    )
    start = [sys.executable, "-c", "from ease.start import easecc; raise SystemExit(easecc())"]
    ease = [*start, "-m", machine, f"-O{usual_level(machine)}", source]
    ours = subprocess.run(ease, cwd=tmp_path / "ours-work", capture_output=True, check=False, timeout=300)
    assert ours.stdout.decode().splitlines() == theirs.stdout.decode().splitlines()
    assert ours.returncode == (theirs.returncode if theirs.returncode >= 0 else 128 - theirs.returncode)  # of a shell
