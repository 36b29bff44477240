"""The compiler whose hot modules are native (`make native`) makes the code that its sources make as plain Python."""

import filecmp
import os
import re
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
CLASSES = re.compile(r"^class (\w+)(?:\(([\w., ]+)\))?:", re.MULTILINE)
IMPORTS = re.compile(r"^from (\S+) import (\([^)]*\)|.*)", re.MULTILINE)
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


def test_no_plain_class_extends_a_native_one():
    """Python refuses such a class when it is made, which only somebody with a native compiler would see."""
    classes = {name: module for module in MODULES for name, _ in CLASSES.findall((ROOT / module).read_text())}
    extended = []
    for path in sorted(path for package in ("vpo", "ease") for path in (ROOT / package).rglob("*.py")):
        if (file := str(path.relative_to(ROOT))) in MODULES:
            continue
        text = path.read_text()
        imported = {word: module for module, names in IMPORTS.findall(text) for word in re.findall(r"\w+", names)}
        for name, bases in CLASSES.findall(text):
            for base in bases.split(", "):  # imported from its module, or from the package that has it
                if base in imported and base in classes:
                    module = classes[base].removesuffix(".py").replace("/", ".")
                    if imported[base] in (module, module.rpartition(".")[0]):
                        extended.append(f"{file}: {name} extends {base} of {classes[base]}")
    assert not extended


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
