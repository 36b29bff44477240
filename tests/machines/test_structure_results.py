"""Results in memory whose calls and returns have an RTL of their own: both ways of running agree, whoever calls whom."""

import pytest

from ease.host.process.job import RunOptions
from ease.host.process.run import run
from tests.covering import some
from tests.kept_machines import load
from vpo.build.compiler import Compiler, Settings
from vpo.interpret.fast.interpreter import interpret
from vpo.machines.names import machine_names
from vpo.machines.read.composition import read

SPECIAL = [name for name in machine_names() if "hidden_call" in read(name)["calls"]]
# functions called directly and through pointers, with results in memory and without, more arguments than registers, and `...`
PROGRAM = """
#include <stdarg.h>
struct s { int a, b, c; };
struct big { struct s s[9]; };
struct s three(int a, int b, int c) { struct s s; s.a = a; s.b = b; s.c = c; return s; }
struct big nine(struct s s, int n, ...)
{
    struct big big; int i; va_list list;
    va_start(list, n);
    for (i = 0; i < 9; i++) { big.s[i] = s; big.s[i].a += i < n ? va_arg(list, int) : i; }
    va_end(list);
    return big;
}
int plain(int a, int b, int c) { return a + b * c; }
struct s deep(int n) { return n ? three(deep(n - 1).a + 1, plain(n, 2, 3), n) : three(0, 0, 0); }
struct s eight(int a, int b, int c, int d, int e, int f, int g, int h) { return three(a + h, b + g, c * d + e * f); }
struct s (*volatile to_three)(int, int, int) = three;
int (*volatile to_plain)(int, int, int) = plain;
int main(void)
{
    int total = 0, i;
    for (i = 0; i < 5; i++) {
        struct s s = to_three(i, to_plain(i, 1, 2), 3);
        struct big big = nine(s, 2, 5, 6);
        total += s.b + deep(i).a * 2 + big.s[0].a + big.s[8].a + eight(1, 2, 3, 4, 5, 6, 7, i).c;
        three(1, 2, 3);
    }
    return total & 127;
}
"""
STATUS = 79  # gcc's


def program(name, tmp_path, settings):
    (tmp_path / "prog.c").write_text(PROGRAM)
    return Compiler(load(name), settings).program([str(tmp_path / "prog.c")])


def test_there_are_such_machines():
    assert SPECIAL


@pytest.mark.parametrize("level", some([0, 1, 2], 1))
@pytest.mark.parametrize("name", SPECIAL)
def test_both_ways_of_running(name, level, tmp_path):
    compiled = program(name, tmp_path, Settings(level=level))
    oracle = interpret(compiled)
    assert (oracle.fault, oracle.exit_status) == (None, STATUS)
    for check in (True, False):
        host = run(compiled, options=RunOptions(check_returns=check))
        assert (host.fault, host.exit_status) == (None, STATUS)


@pytest.mark.parametrize("name", SPECIAL)
def test_before_frames_are_laid_out(name, tmp_path):
    compiled = program(name, tmp_path, Settings(phases=("control", "dead")))
    assert interpret(compiled).exit_status == STATUS
