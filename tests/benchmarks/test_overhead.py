"""The benchmark of what measuring costs runs, says what is not there yet, and complains about what it does not know."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.covering import some

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "overhead.py"


def run(*options):
    return subprocess.run([sys.executable, SCRIPT, *options], capture_output=True, text=True, check=False, timeout=120)


@pytest.mark.thorough
def test_one_program(tmp_path):
    times = tmp_path / "times.json"
    options = ["--programs", "nbody", "--modes", "counts,dcache", "--floor", "4.5,0.9", "--repeat", "1", "--compiles", "1"]
    result = run(*options, "-O", "1", "--all", "--json", times)
    assert result.stderr == ""
    assert result.stdout.startswith("riscv32 -O1, 1 programs, shortest of 1")
    measured = json.loads(times.read_text())["nbody"]
    assert measured["run"].keys() == measured["compile"].keys() == {"plain", "counts", "dcache"}
    assert 1 < measured["least"]["dcache"] < 3
    assert all(seconds > 0 for seconds in measured["run"].values())


@pytest.mark.parametrize(
    ("option", "message"),
    some([
        (["--modes", "wings"], "there is no mode 'wings' (there are control, counts"),
        (["--peers", "pixie"], "there is no peer 'pixie' (there are gcc"),
        (["--programs", "samples,tetris"], "there is no program 'tetris'"),
    ], 1),
)
def test_unknown_names(option, message):
    result = run(*option)
    assert result.returncode == 1
    assert message in result.stderr
    assert result.stdout == ""
