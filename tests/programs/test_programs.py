"""Programs print what another compiler's build prints, at every level, machines by turns.

The expected output stands beside each program; `EASE_UPDATE_PROGRAMS=1` has gcc write it anew.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.covering import case
from tests.programs.running import LEVELS, MACHINES, TRIED, compiler
from vpo.interpret.fast.interpreter import interpret

HERE = Path(__file__).parent
PROGRAMS = sorted(HERE.glob("*.c"))
DEAR = "structs"  # takes half a minute; tests/machines and tests/fuzz pass structures, too
MODEL = ("-m32", "-malign-double", "-msse2", "-mfpmath=sse", "-fwrapv", "-ffp-contract=off", "-w")


def test_programs_were_found():
    assert len(PROGRAMS) >= 12


@pytest.mark.skipif(os.environ.get("EASE_UPDATE_PROGRAMS") != "1", reason="writes what the other tests expect")
@pytest.mark.parametrize("source", PROGRAMS, ids=lambda path: path.stem)
def test_update(source, tmp_path):
    binary = tmp_path / "program"
    subprocess.run(["gcc", "-O1", *MODEL, source, "-o", binary, "-lm"], check=True)
    source.with_suffix(".out").write_bytes(subprocess.run([binary], capture_output=True, check=False).stdout)


def runs():
    """Every program on every machine at every level; tried always is each once, levels and machines by turns."""
    for number, source in enumerate(PROGRAMS):
        for level in LEVELS:
            for machine in MACHINES:
                usual = (machine, level) == TRIED[number % len(TRIED)] and source.stem != DEAR
                yield case(source, machine, level, usual=usual)


@pytest.mark.parametrize(("source", "machine", "level"), list(runs()), ids=lambda value: getattr(value, "stem", str(value)))
def test_output(source, machine, level):
    result = interpret(compiler(machine, level).program([str(source)]), ["program"], capture=True, limit=20_000_000)
    assert result.fault is None
    assert result.output == source.with_suffix(".out").read_bytes()
