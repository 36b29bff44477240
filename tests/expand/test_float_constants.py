"""Floating constants: where an instruction states their bits, they are in no pool."""

import pytest

from tests.kept_machines import load
from vpo.build.compiler import Compiler, Settings

SOURCE = """
double zero(void) { return 0.0; }
double minus(void) { return -0.0; }
double sum(double *p, int n) { double s = 0; for (int i = 0; i < n; i++) s += p[i]; return s; }
int compared(double x) { return x < 0; }
"""
POOLED = {
    "s390x": {"minus"}, "aarch64": {"minus"}, "x86_64": {"zero", "minus", "compared"},
    "riscv32": {"zero", "minus", "sum", "compared"},
}  # fmt: skip


@pytest.mark.parametrize("name", POOLED)
def test_which_constants_are_in_a_pool(name, tmp_path):
    """An operation on what is in memory takes its constant from there."""
    (tmp_path / "f.c").write_text(SOURCE)
    unit = Compiler(load(name), Settings(level=2)).unit(str(tmp_path / "f.c"))
    assert {each.name.partition(".")[0].lstrip("_") for each in unit.data if not each.parts} == POOLED[name]
