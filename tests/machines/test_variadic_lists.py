"""Variable arguments in registers, and a va_list that tells which are left, as System V has it, or is one pointer."""

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


WALKED = """\
#include <stdarg.h>
struct point { double x, y; };
struct three { float x, y, z; };
struct two { int x, y; };
struct odd { char s[7]; };
struct large { double d[4]; };

static int rest(int count, va_list list)
{
    int sum = 0;
    while (count--)
        sum = 3 * sum + va_arg(list, int);
    struct point p = va_arg(list, struct point);
    struct two t = va_arg(list, struct two);
    struct three f = va_arg(list, struct three);
    struct odd o = va_arg(list, struct odd);
    struct large l = va_arg(list, struct large);
    if (o.s[6] != 'g' || l.d[0] != 15 || l.d[3] != 18)
        return 2000;
    return sum + 1000 * (p.x != 8 || p.y != 9 || t.x != 10 || t.y != 11 || f.x != 12 || f.y != 13 || f.z != 14);
}

static int floating(double a, double b, double c, double d, double e, double f, double g, double h, double last, ...)
{
    va_list list;
    va_start(list, last);
    int found = rest(3, list);
    va_end(list);
    return found + a != 35 || last != 9;
}

static int aggregates(int a, int b, int c, int d, int e, int f, int g, struct point h, struct two i, int last, ...)
{
    va_list list;
    va_start(list, last);
    int found = rest(3, list);
    va_end(list);
    return found + a != 35 || h.y != 5 || i.y != 7 || last != 9;
}

static int plain(int count, ...)
{
    va_list list;
    va_start(list, count);
    int found = rest(count, list);
    va_end(list);
    return found;
}

int main(void)
{
    struct point p = {8, 9}, q = {4, 5};
    struct two t = {10, 11}, u = {6, 7};
    struct three f = {12, 13, 14};
    struct odd o = {"abcdefg"};
    struct large l = {{15, 16, 17, 18}};

    return floating(1, 2, 3, 4, 5, 6, 7, 8, 9, 2, 4, 4, p, t, f, o, l)
        | aggregates(1, 2, 3, 4, 5, 6, 7, q, u, 9, 2, 4, 4, p, t, f, o, l)
            << 1
        | (plain(0, p, t, f, o, l) != 0) << 2 | (plain(1, 5, p, t, f, o, l) != 5) << 3
        | (plain(2, 1, 5, p, t, f, o, l) != 8) << 4
        | (plain(3, 0, 1, 5, p, t, f, o, l) != 8) << 5 | (plain(4, 0, 0, 1, 5, p, t, f, o, l) != 8) << 6
        | (plain(6, 0, 0, 0, 0, 1, 5, p, t, f, o, l) != 8) << 7;
}
"""


@pytest.mark.parametrize("name", ["aarch64", "s390x", "xtensa", "riscv64"])
def test_one_pointer_walks_over_all_arguments(name, tmp_path):
    """Named arguments may lie on the stack while registers are left, and conventions may keep named aggregates whole."""
    path = tmp_path / "walked.c"
    path.write_text(WALKED)
    result = interpret(Compiler(load(name), Settings(1)).program([str(path)]), ["walked"], capture=True, limit=1_000_000)
    assert (result.fault, result.exit_status) == (None, 0)


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
