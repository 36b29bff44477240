"""Variable arguments in registers, and a va_list that tells which are left: as System V has them for two machines."""

import pytest

from tests.kept_machines import load
from vpo.build.compiler import Compiler, Settings
from vpo.interpret.fast.interpreter import interpret
from vpo.machines.read.source import DescriptionError

SOURCE = """\
#include <stdarg.h>
struct mixed { double d; int i; };
struct words { long x, y; };
struct packed { float f, g; };
struct large { char s[20]; };
struct even { long a, b; } __attribute__((aligned(16)));

static int two(va_list *p, va_list q)
{
    return va_arg(*p, int) + va_arg(q, int);
}

static int sum(int pairs, double first, ...)
{
    va_list p, q;
    double r = first;

    va_start(p, first);
    va_copy(q, p);
    while (pairs--)
        r += va_arg(p, int) + va_arg(p, double);
    struct mixed m = va_arg(p, struct mixed);
    struct words w = va_arg(p, struct words);
    struct packed f = va_arg(p, struct packed);
    struct large s = va_arg(p, struct large);
    struct even e = va_arg(p, struct even);
    r += m.d + m.i + w.x + w.y + f.f + f.g + s.s[3] + e.a - e.b + 10 * two(&p, q);
    va_end(p);
    return r;
}

int main(void)
{
    struct mixed m = {1.5, 2};
    struct words w = {3, 4};
    struct packed f = {5, 6};
    struct large s = {{1, 2, 3, 4}};
    struct even e = {9, 7};

    return sum(1, 0.5, 1, 2.0, m, w, f, s, e, 1, 2) != 31 + 10 * 2
        || sum(2, 0.5, 1, 2.0, 3, 4.0, m, w, f, s, e, 1, 2) != 38 + 10 * 2
        || sum(6, 0.5, 1, 2.0, 3, 4.0, 1, 2.0, 3, 4.0, 1, 2.0, 3, 4.0, m, w, f, s, e, 1, 2) != 58 + 10 * 2;
}
"""


@pytest.mark.parametrize("name", ["x86_64", "powerpc"])
def test_arguments_are_found(name, tmp_path):
    machine = load(name)
    path = tmp_path / "sum.c"
    path.write_text(SOURCE)
    program = Compiler(machine, Settings(level=1)).program([str(path)])
    assert interpret(program, ["sum"]).exit_status == 0
    calls = [rtl for rtl in program.functions["_main"].rtls() if "_sum(" in repr(rtl)]
    assert all(str(machine.convention.variadic_count) in repr(rtl) for rtl in calls)
    assert len(calls) == 3


def test_such_a_list_needs_registers():
    with pytest.raises(DescriptionError, match="'variadic_list: registers'"):
        load("i386", ["calls.variadic_list=registers"])
