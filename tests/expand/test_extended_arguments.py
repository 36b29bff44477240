"""Arguments are extended only where the callee may rely on it."""

import pytest

from tests.kept_machines import load
from tests.opt.test_cookbook import instructions
from vpo.build.compiler import Compiler, Settings
from vpo.interpret.fast.interpreter import interpret

CALLS = """
int g(int);
int h(signed char);
int v(int, ...);
int old();
int f1(int a, int b) { return g(a + b); }
int f2(int *p, int i) { return g(p[1] * i); }
int f3(int a, int b) { return h(a + b); }
int f4(int a, int b) { return v(1, a + b); }
int f5(int a, int b) { return old(a + b); }
"""
PROGRAM = """
#define N __attribute__((noinline))
N long wide(int x) { return x; }
N unsigned long plain(unsigned x) { return x; }
N long last(int a, int b, int c, int d, int e, int f, int g, int h, int i, int j) { return a + (long)j * i - (h < g); }
N int at(const int *p, int i) { return p[i]; }
N long tail(int n, int sum) { return n <= 0 ? (long)sum : tail(n - 3, sum * 5 - n); }
int main(void)
{
    int t[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9}, x = 0x7ffffff0;
    long (*volatile call)(int) = wide;
    unsigned long sum = 0;
    for (int i = -20; i < 20; i++, x += 0x1234567) {
        sum = sum * 31 + wide(x + i) + plain(x - i) + call(x * i) + at(t + 4, i % 5) + tail(i * 3, x ^ i);
        sum = sum * 31 + last(x + 1, 2, 3, 4, 5, 6, x * 7, x - 8, x + i, -x + i);
    }
    return (sum ^ sum >> 8 ^ sum >> 16 ^ sum >> 24 ^ sum >> 32 ^ sum >> 40 ^ sum >> 48 ^ sum >> 56) & 255;
}
"""


@pytest.mark.parametrize(("name", "extends"), [("aarch64", "SXTW"), ("x86_64", "MOVSLQ")])
def test_no_instruction_extends_what_the_callee_extends(name, extends, tmp_path):
    (tmp_path / "a.c").write_text(CALLS)
    found = instructions(load(name), 2, tmp_path / "a.c")
    assert [extends in found[f"f{number}"] for number in (1, 2, 4, 5)] == [False, False, True, True]
    assert [each for each in found["f3"] if each in ("SXTB", "MOVSBQ", "MOVSBL")]


@pytest.mark.parametrize("level", [0, 1, 2])
@pytest.mark.parametrize("name", ["aarch64", "x86_64"])
def test_callees_see_the_same_numbers(name, level, tmp_path):
    (tmp_path / "a.c").write_text(PROGRAM)
    runs = [
        interpret(Compiler(load(each), Settings(level=level)).program([str(tmp_path / "a.c")])) for each in (name, "riscv64")
    ]
    assert runs[0].fault is None
    assert runs[0].exit_status == runs[1].exit_status
