"""Programs mean the same after interprocedural transformations: the intermediate language, printed as C, says so to gcc."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.covering import some

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1] / "frontend"))
from il_to_c import GCC_FLAGS, print_c
from test_programs import PROGRAMS, compiled, require, run
from units import P8

from vpo.interprocedural import Inlining, optimize_unit

HERE = Path(__file__).parent
LIMITS = (0, 400)  # 0: only what is done before inlining; many operations: everything that can be inlined
SOURCES = [*PROGRAMS, HERE / "inlined.c", HERE / "aggregates.c", HERE / "small_aggregates.c", HERE / "chosen.c"]
pytestmark = pytest.mark.tools


def output(unit, folder, name):
    text, binary = folder / f"{name}.c", folder / name
    text.write_text(print_c(unit))
    subprocess.run(["gcc", *GCC_FLAGS, "-O0", text, "-o", binary, "-lm"], check=True)
    return run(binary)


@pytest.mark.parametrize("source", some(SOURCES, 8), ids=lambda path: path.stem)
def test_program_means_the_same(source, tmp_path):
    require("gcc")

    def unit():
        return compiled(source, [str(HERE.parent / "frontend" / "include")])

    plain = output(unit(), tmp_path, "plain")
    assert plain[1]
    for limit in LIMITS:
        changed = unit()
        optimize_unit(changed, P8, Inlining(limit))
        assert output(changed, tmp_path, f"limit{limit}") == plain
