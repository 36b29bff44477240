"""The kernels of the benchmarks print the same from gcc, in the interpreter and as host code, on many machines by turns."""

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
from vpo.interpret.fast.interpreter import interpret
from vpo.machines.names import machine_names

FOLDER = Path(__file__).parents[2] / "benchmarks" / "kernels"
KERNELS = json.loads((FOLDER / "kernels.json").read_text())
STRICT = ["-std=c99", "-pedantic", "-Wall", "-Wextra", "-Wshadow", "-Werror", "-O2"]


def test_index_names_every_kernel():
    assert sorted(KERNELS) == sorted(path.stem for path in FOLDER.glob("*.c"))


def turns():
    """Each kernel on a machine whose `int` has 32 bits, every fourth one in the interpreter.

    Tried always is one; native builds of all print what is expected, and programs of the suite run.
    """
    machines = [(name, usual_level(name)) for name in machine_names() if load(name).model.sizes["int"] == 4]
    for number, kernel in enumerate(KERNELS):
        way = ("interpret", "run", "run", "run")[number % 4]
        if number == 0:
            yield case(kernel, "riscv32", usual_level("riscv32"), way, usual=True)
        yield case(kernel, *machines[number % len(machines)], way, usual=False)


@pytest.mark.parametrize(("kernel", "machine", "level", "way"), list(turns()))
def test_expected_output(kernel, machine, level, way):
    program = Compiler(load(machine), Settings(level=level)).program([str(FOLDER / f"{kernel}.c")])
    words = [kernel, *KERNELS[kernel]["args"]]
    result = interpret(program, words, capture=True) if way == "interpret" else run(program, words, RunOptions(capture=True))
    assert (result.fault, result.exit_status) == (None, 0)
    assert result.output.decode() == KERNELS[kernel]["expected"]


@pytest.mark.tools
@pytest.mark.parametrize("kernel", KERNELS)
def test_expected_output_native(kernel, tmp_path):
    if shutil.which("gcc") is None:
        if os.environ.get("EASE_REQUIRE_TOOLS") == "1":
            pytest.fail("gcc is required (EASE_REQUIRE_TOOLS=1), but not installed")
        pytest.skip("gcc is not installed")
    executable = tmp_path / kernel
    subprocess.run(["gcc", *STRICT, FOLDER / f"{kernel}.c", "-o", executable, "-lm"], check=True)
    result = subprocess.run([executable, *KERNELS[kernel]["args"]], capture_output=True, timeout=20, check=False)
    assert (result.returncode, result.stderr, result.stdout.decode()) == (0, b"", KERNELS[kernel]["expected"])
