"""Jumps, calls and loops by way of a register that holds no values of C."""

from tests.kept_machines import load
from vpo.build.compiler import Compiler, Settings

SOURCE = """\
int chosen(int a, int *p)
{
    switch (a) {
    case 0: return p[1] * 5;
    case 1: return p[2] - 77;
    case 2: return *p / 3;
    case 3: return *p + 8;
    case 4: return p[8] ^ 1;
    case 5: return *p & 99;
    case 6: return p[3] | 12;
    }
    return -1;
}
int called(int (*f)(int), int a) { return f(a) + 1; }
void counted(int *p, int *q, int n) { do { *p = *q * *q; p++; q += 3; } while (--n != 0); }
"""


def test_it_takes_addresses_and_counts(tmp_path):
    path = tmp_path / "f.c"
    path.write_text(SOURCE)
    unit = Compiler(load("powerpc"), Settings(level=1)).unit(str(path))
    text = {function.name: [repr(rtl) for rtl in function.rtls()] for function in unit.functions}
    assert any("PC=ct[0],{" in rtl for rtl in text["_chosen"])
    assert any("ST=ct[0](" in rtl for rtl in text["_called"])
    assert any("PC=ct[0]!=1," in rtl and "ct[0]=ct[0]+-1;" in rtl for rtl in text["_counted"])
