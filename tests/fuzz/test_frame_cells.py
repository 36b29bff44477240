"""Programs that read their stacks do the same in host code and in the interpreter; `make fuzz` tries many more."""

import pytest

from tests.covering import some
from tests.fuzz import csmith, frame_cells
from tests.fuzz.test_csmith import require

pytestmark = pytest.mark.tools


RUN = [(1, "riscv32", 2), (2, "mips", 2), (4, "sparc", 2), (6, "vax", 1)]


@pytest.mark.parametrize(("seed", "machine", "level"), some(RUN, 1))
def test_cells_are_those_of_the_interpreter(seed, machine, level, tmp_path):
    require([] if csmith.version() else [csmith.CSMITH])
    assert frame_cells.failure(seed, machine, level, tmp_path) is None
