"""Floating constants: where an instruction states their bits, or makes them of what is always zero, they are in no pool."""

import pytest

from tests.kept_machines import load
from vpo.build.compiler import Compiler, Settings

SOURCE = """
double zero(void) { return 0.0; }
double minus(void) { return -0.0; }
double sum(double *p, int n) { double s = 0; for (int i = 0; i < n; i++) s += p[i]; return s; }
int compared(double x) { return x < 0; }
double third(double x) { return x + 3.0; }
float tenth(float x) { return x + 0.1f; }
void store(float *p) { *p = 1; }
"""
POOLED = {
    "s390x": {"minus", "third", "tenth", "store"},
    "aarch64": {"minus", "tenth"},
    "x86_64": {"zero", "minus", "compared", "third", "tenth", "store"},
    "riscv32": {"minus", "third", "tenth", "store"},
    "i386": {"zero", "minus", "compared", "third", "tenth"},
}


@pytest.mark.parametrize("name", POOLED)
def test_which_constants_are_in_a_pool(name, tmp_path):
    """An operation on what is in memory takes its constant from there."""
    (tmp_path / "f.c").write_text(SOURCE)
    unit = Compiler(load(name), Settings(level=2)).unit(str(tmp_path / "f.c"))
    assert {each.name.partition(".")[0].lstrip("_") for each in unit.data if not each.parts} == POOLED[name]
