"""Programs mean the same to the front end (through the IL printed as C) as to gcc."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.covering import some

sys.path.insert(0, str(Path(__file__).parent))
from il_to_c import GCC_FLAGS, LP64, print_c

from vpo.frontend import compile_c
from vpo.frontend.c_options import COptions

HERE = Path(__file__).parent
PROGRAMS = sorted((HERE / "programs").glob("*.c"))
LIBRARY = HERE.parents[1] / "vpo" / "libc"
CSMITH_INCLUDE = "/usr/include/csmith"
SEEDS = [1, 12, 13, 14, 19, 24, 54, 78]
pytestmark = pytest.mark.tools


def require(tool):
    if shutil.which(tool) is None:
        if os.environ.get("EASE_REQUIRE_TOOLS") == "1":
            pytest.fail(f"{tool} is missing")
        pytest.skip(f"{tool} is missing")


def run(program):
    result = subprocess.run([program], capture_output=True, timeout=60, check=False)
    return result.returncode, result.stdout


def compiled(source, includes):
    """The unit of a program, with the functions that arithmetic on complex numbers calls."""
    text = source.read_text()
    if "_Complex" in text:
        text, includes = f'{text}\n#include "{LIBRARY}/src/complex_arithmetic.c"\n', [*includes, f"{LIBRARY}/include"]
    return compile_c(str(source), LP64, COptions(includes), source=text)


def outputs(source, directory, gcc_includes, our_includes):
    """What gcc's build prints, and what ours does."""
    require("gcc")
    theirs, ours, text = directory / "theirs", directory / "ours", directory / "ours.c"
    flags = ["-w", "-O0", "-fwrapv", "-fno-strict-aliasing", *[f"-I{path}" for path in gcc_includes]]
    subprocess.run(["gcc", *flags, source, "-o", theirs], check=True)
    text.write_text(print_c(compiled(source, our_includes)))
    subprocess.run(["gcc", *GCC_FLAGS, text, "-o", ours, "-lm"], check=True)
    return run(theirs), run(ours)


def test_programs_were_found():
    assert len(PROGRAMS) >= 2


@pytest.mark.parametrize("source", some(PROGRAMS, 8), ids=lambda path: path.stem)
def test_program_means_the_same(source, tmp_path):
    include = str(HERE / "include")
    theirs, ours = outputs(source, tmp_path, [include], [include])
    assert ours == theirs
    assert theirs[1]


@pytest.mark.parametrize("seed", some(SEEDS, 2, first=2))
def test_random_program_means_the_same(seed, tmp_path):
    require("csmith")
    source = tmp_path / "random.c"
    options = ["--seed", str(seed), "--no-packed-struct", "--no-builtins", "--max-funcs", "4"]
    subprocess.run(["csmith", *options, "-o", source], check=True)
    library = LIBRARY / "include"
    theirs, ours = outputs(source, tmp_path, [CSMITH_INCLUDE], [str(library), CSMITH_INCLUDE])
    assert ours == theirs
    assert b"checksum" in theirs[1]
