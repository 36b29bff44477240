"""At -Os bytes decide where at -O2 the time does."""

import pytest

from tests.kept_machines import load
from vpo.build.compiler import Compiler, Settings

FULL = r"""
unsigned a[8];
int main(int n, char **v)
{
    unsigned b = a[0], c = a[1], d = a[2], e = a[3], f = a[4], g = a[5], h = a[6], i = a[7];
    unsigned k = n * 3, l = n * 5, m = n * 7, o = n * 11, p = n * 13, q = n * 17;
    do {
        b += c ^ k; c += d ^ l; d += e ^ m; e += f ^ o; f += g ^ p; g += h ^ q; h += i ^ k; i += b ^ l;
    } while (--n);
    return b ^ c ^ d ^ e ^ f ^ g ^ h ^ i ^ m ^ o ^ p ^ q;
}
"""


@pytest.mark.parametrize("level", [2, "s"])
def test_values_go_to_another_bank_where_the_moves_are_shorter_than_loads(level, tmp_path):
    source = tmp_path / "a.c"
    source.write_text(FULL)
    program = Compiler(load("thumb2"), Settings(level=level)).program([str(source)])
    spills = [rtl for rtl in program.functions["_main"].rtls() if rtl.cause == "spill"]
    assert spills
    elsewhere = [rtl for rtl in spills if any(register.cls == "n" for register in (*rtl.uses, *rtl.sets))]
    assert bool(elsewhere) == (level == 2)
