"""Integers of 128 bits on a machine of 64: the routines of the library, and code of two words, against gcc."""

import subprocess
from pathlib import Path

import pytest

from tests.covering import case
from tests.kept_machines import load
from tests.programs.running import LEVELS, compiler
from vpo.frontend import compile_c
from vpo.frontend.warnings.diagnostics import CompileErrors
from vpo.interpret.fast.interpreter import interpret

PROGRAM = Path(__file__).parents[1] / "frontend" / "programs" / "int128.c"


@pytest.mark.tools
@pytest.mark.parametrize("level", [case(level, usual=level == 1) for level in LEVELS])
def test_program_prints_what_gcc_has(level, tmp_path):
    subprocess.run(["gcc", "-w", PROGRAM, "-o", tmp_path / "theirs"], check=True)
    want = subprocess.run([tmp_path / "theirs"], capture_output=True, check=True).stdout
    result = interpret(compiler("riscv64", level).program([str(PROGRAM)]), ["program"], capture=True, limit=5_000_000)
    assert result.fault is None
    assert result.output == want


def test_machines_of_less_than_64_bits_have_none():
    with pytest.raises(CompileErrors, match="'__int128' is not supported"):
        compile_c("wide.c", load("riscv32").model, source="__int128 x;\n")
