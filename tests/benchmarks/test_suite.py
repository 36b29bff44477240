"""The programs of the suite print the same from gcc and as host code, on many machines by turns."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from ease.host.process.job import RunOptions
from ease.host.process.run import run
from tests.covering import case, usual_level
from tests.kept_machines import load
from vpo.build.compiler import Compiler, Settings
from vpo.machines.names import machine_names

FOLDER = Path(__file__).parents[2] / "benchmarks" / "suite"
SUITE = json.loads((FOLDER / "suite.json").read_text())
FEW = [(name, usual_level(name)) for name in ("riscv32", "m68020", "sparc")]
STRICT = ["-std=c11", "-pedantic", "-Wall", "-Wextra", "-Wshadow", "-Werror", "-O2"]


def test_index_names_every_program():
    assert sorted(SUITE) == sorted(path.stem for path in FOLDER.glob("*.c"))


def turns():
    """Each program on a machine whose `int` has 32 bits; a few are tried always, where the library is in the cache."""
    machines = [(name, usual_level(name)) for name in machine_names() if load(name).model.sizes["int"] == 4][:16]
    return [
        case(name, *(machines[number % len(machines)] if number % 6 else FEW[number // 6 % len(FEW)]), usual=number % 12 == 0)
        for number, name in enumerate(SUITE)
    ]


@pytest.mark.parametrize(("name", "machine", "level"), turns())
def test_expected_output(name, machine, level):
    program = Compiler(load(machine), Settings(level=level)).program([str(FOLDER / f"{name}.c")])
    result = run(program, [name, *SUITE[name]["args"]], RunOptions(capture=True))
    assert (result.fault, result.exit_status) == (None, 0)
    assert result.output.decode() == SUITE[name]["expected"]


@pytest.mark.tools
@pytest.mark.parametrize("name", SUITE)
def test_expected_output_native(name, tmp_path):
    if shutil.which("gcc") is None:
        if os.environ.get("EASE_REQUIRE_TOOLS") == "1":
            pytest.fail("gcc is required (EASE_REQUIRE_TOOLS=1), but not installed")
        pytest.skip("gcc is not installed")
    executable = tmp_path / name
    subprocess.run(["gcc", *STRICT, FOLDER / f"{name}.c", "-o", executable, "-lm"], check=True)
    result = subprocess.run([executable, *SUITE[name]["args"]], capture_output=True, timeout=20, check=False)
    assert (result.returncode, result.stderr, result.stdout.decode()) == (0, b"", SUITE[name]["expected"])
