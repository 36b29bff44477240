"""The compiler whose hot modules are native (`make native`) makes the code that its sources make as plain Python."""

import filecmp
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PYTHON = ROOT / "build" / "native" / "bin" / "python"
MODULES = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["ease"]["native"]
COMPILED = [
    ("riscv32", 2, "queens"), ("m68020", 2, "matmult"), ("vax", 1, "queens"), ("sparc", 1, "matmult"),
    ("short16", 0, "queens"),
]  # fmt: skip
PRINT_CODE = """
import sys
from vpo.build.compiler import Compiler, Settings
from vpo.machines.read.load import load
from vpo.text import print_unit
for machine, level, file in zip(*[iter(sys.argv[1:])] * 3):
    unit = Compiler(load(machine), Settings(level=int(level))).unit(file)
    print(print_unit(unit, load(machine).cells))
"""


def printed(python, source, *arguments):
    """Return what a source prints in an interpreter."""
    environment = {**os.environ, "EASE_CACHE": ""}
    command = [python, "-P", "-c", source, *arguments]
    result = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env=environment, timeout=300, check=False)
    assert result.returncode == 0, result.stderr
    return result.stdout


@pytest.fixture(scope="module")
def native():
    """The Python that has the native compiler of these sources; skips if it has not been built."""
    if not is_current():
        pytest.skip("`make native` has not been run since the sources changed")
    return PYTHON


def is_current():
    if not PYTHON.exists():
        return False
    installed = Path(printed(PYTHON, "import vpo; print(vpo.__path__[0])").strip())
    names = [str(path.relative_to(ROOT / "vpo")) for path in (ROOT / "vpo").rglob("*.py")]
    return filecmp.cmpfiles(ROOT / "vpo", installed, names, shallow=False)[0] == names


def test_modules_are_native(native):
    names = [module.removesuffix(".py").replace("/", ".") for module in MODULES]
    source = "import sys, importlib as i; print(*(i.import_module(name).__file__ for name in sys.argv[1:]), sep='\\n')"
    files = printed(native, source, *names).split()
    assert len(files) == len(MODULES)
    assert all(file.endswith(".so") for file in files)


def test_code_is_that_of_plain_python(native):
    wanted = [part for machine, level, name in COMPILED for part in (machine, str(level), f"samples/{name}.c")]
    assert printed(native, PRINT_CODE, *wanted) == printed(sys.executable, PRINT_CODE, *wanted)


def test_keys_of_the_cache_tell_the_forms_apart(native):
    source = "from vpo.base.cache import code_version; print(code_version())"
    assert printed(native, source) != printed(sys.executable, source)
