"""Programs print what another compiler's build prints, at every level on one machine, without and with all phases on others.

The expected output stands beside each program; `EASE_UPDATE_PROGRAMS=1` has gcc write it anew.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.programs.running import LEVELS, MACHINES, compiler
from vpo.interpret.interpreter import interpret

HERE = Path(__file__).parent
PROGRAMS = sorted(HERE.glob("*.c"))
MODEL = ("-m32", "-malign-double", "-msse2", "-mfpmath=sse", "-fwrapv", "-ffp-contract=off", "-w")


def test_programs_were_found():
    assert len(PROGRAMS) >= 12


@pytest.mark.skipif(os.environ.get("EASE_UPDATE_PROGRAMS") != "1", reason="writes what the other tests expect")
@pytest.mark.parametrize("source", PROGRAMS, ids=lambda path: path.stem)
def test_update(source, tmp_path):
    binary = tmp_path / "program"
    subprocess.run(["gcc", "-O1", *MODEL, source, "-o", binary, "-lm"], check=True)
    source.with_suffix(".out").write_bytes(subprocess.run([binary], capture_output=True, check=False).stdout)


RUNS = [(machine, level) for machine in MACHINES for level in LEVELS if machine == MACHINES[0] or level != 1]


@pytest.mark.parametrize(("machine", "level"), RUNS)
@pytest.mark.parametrize("source", PROGRAMS, ids=lambda path: path.stem)
def test_output(source, machine, level):
    result = interpret(compiler(machine, level).program([str(source)]), ["program"], capture=True, limit=20_000_000)
    assert result.fault is None
    assert result.output == source.with_suffix(".out").read_bytes()
