"""Sums, differences and logic of 32 bits compare their result with 0 on a machine of 64 bits."""

import pytest

from tests.ground_truth import confirm
from tests.kept_machines import load
from tests.opt.test_cookbook import instructions
from vpo.build.compiler import Compiler, Settings
from vpo.interpret.fast.interpreter import interpret

CODE = """
int printf(const char *, ...);
volatile unsigned calls;
unsigned f1(unsigned a, unsigned b) { return (int)(a - b) < 0 ? b : a; }
unsigned f2(unsigned a, unsigned *b) { a -= *b; return (int)a >= 0 ? a + 9 : *b; }
unsigned f3(unsigned a, unsigned b) { a += b; if (a == 0) calls += 9; return a; }
unsigned f4(unsigned a, unsigned b) { do b -= a, a++; while ((int)b >= 0); return a; }
unsigned f5(unsigned a, unsigned b) { a &= 0xff00; if (a) calls += 1; return a; }
unsigned f6(unsigned a, unsigned b) { a ^= b; if (a == 0) calls += 3; return a; }
unsigned f7(unsigned a, unsigned b) { a |= b; if ((int)a < 0) calls += 5; return a; }
unsigned f8(unsigned a, unsigned b) { a += 100; if ((int)a < 0) calls += 7; return a; }
int main(void)
{
    static const unsigned d[] = {0, 1, -1u, 99, -100u, 0x7fffffff, 0x80000000, 0x7fffff9c, 0xff00, 0xffff0000};
    unsigned sum = 0;
    for (int i = 0; i < 10; i++)
        for (int j = 0; j < 10; j++) {
            unsigned a = d[i], b = d[j];
            sum = sum * 31 + f1(a, b) + 3 * f2(a, (unsigned *)&d[j]) + 5 * f3(a, b) + 7 * f4(i + 100, b / 8);
            sum = sum * 31 + f5(a, b) + 3 * f6(a, b) + 5 * f7(a, b) + 7 * f8(a, b);
        }
    printf("%u %u\\n", sum, calls);
    return 0;
}
"""
EXPECTED = b"1155838280 716\n"  # gcc's


def test_no_comparison_follows(tmp_path, monkeypatch):
    monkeypatch.setenv("EASE_CACHE", "")
    (tmp_path / "a.c").write_text(CODE)
    found = instructions(load("x86_64"), 2, tmp_path / "a.c")
    for name in ("f2", "f5", "f6", "f7"):
        assert not {"TESTL", "TESTQ", "CMPL", "CMPQ"}.intersection(found[name]), name


@pytest.mark.parametrize("level", [0, 2])
def test_results_are_right(level, tmp_path, monkeypatch):
    monkeypatch.setenv("EASE_CACHE", "")
    (tmp_path / "a.c").write_text(CODE)
    program = Compiler(load("x86_64"), Settings(level=level)).program([str(tmp_path / "a.c")])
    run = interpret(program, ["program"], capture=True)
    assert (run.fault, run.output) == (None, EXPECTED)
    confirm(program, run)
