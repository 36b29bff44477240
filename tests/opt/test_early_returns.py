"""At -O2 a way that returns early saves no registers; below, all are saved at entry."""

import pytest

from tests.kept_machines import load
from vpo.build.compiler import Compiler, Settings

TEXT = "int g(int); int f(int n) { return n < 2 ? n : g(n - 1) + g(n - 2) * n; }"


@pytest.mark.parametrize(("level", "early"), [(1, False), (2, True)])
@pytest.mark.parametrize("machine", ["riscv32", "m88100"])
def test_early_returns_save_nothing(machine, level, early, tmp_path):
    path = tmp_path / "f.c"
    path.write_text(TEXT)
    function = Compiler(load(machine), Settings(level=level)).unit(str(path)).functions[0]
    assert any(rtl.cause == "save" for rtl in function.rtls())
    assert any(rtl.cause == "save" for rtl in function.blocks[0].rtls) is not early
