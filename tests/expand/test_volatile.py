"""Volatile cells are accessed just as often as the program says, also where an expansion makes the access."""

import pytest

TEXT = """
volatile char *narrow; volatile int *wide; volatile short half;
int main(int count, char **words) { if (count > 9) { *narrow; *wide; half; *narrow-- ; half = 1; } return 0; }
"""


@pytest.mark.parametrize(("machine", "level"), [("m68020", 0), ("m68020", 2), ("vax", 0), ("riscv32", 1), ("sparc", 2)])
def test_each_access_is_made_once(programs, machine, level):
    rtls = programs(TEXT, machine, level).functions["_main"].rtls()
    loads = [cell.type for rtl in rtls for cell in rtl.loads if cell.volatile]
    stores = [cell.type for rtl in rtls for cell in rtl.stores if cell.volatile]
    assert (sorted(loads), stores) == (["B", "B", "L", "W"], ["W"])
