"""Values that registers take in halves: the first half of a new value is no use of the old one."""

import itertools
import re

from tests.kept_machines import load
from vpo.build.compiler import Compiler, Settings

SOURCE = "double g(double); double f(double a) { double b = g(1), c = g(2); return a + b * c + b + c; }"


def test_halves_that_step_their_address_keep_nothing_alive(tmp_path):
    """Doubles that come from memory by two steps of a pointer need no cells for spills."""
    path = tmp_path / "f.c"
    path.write_text(SOURCE)
    (function,) = Compiler(load("sh4"), Settings(level=0)).unit(str(path)).functions
    halves = [rtl for rtl in function.rtls() if re.match(r"f\[\d+\]=bitsD\(\(bitsQ\(", repr(rtl))]
    steps = [pair for pair in itertools.pairwise(halves) if all("r[" in repr(rtl) for rtl in pair)]
    assert steps
    assert not [slot for slot in function.slots.values() if slot.kind == "spill"]
