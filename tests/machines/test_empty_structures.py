"""Structs and unions of no bytes: passed, returned, assigned and put into others on every machine, as gcc does it."""

import pytest

from tests.covering import some
from tests.kept_machines import load
from vpo.build.compiler import Compiler, Settings
from vpo.interpret.fast.interpreter import interpret
from vpo.machines.read.source import machine_names

PROGRAM = """
#include <stdarg.h>
struct e {}; union u {}; struct z { int a[0]; };
struct w { struct e e; int x; struct e z[2]; int y; };
struct e given, many[3] = { {}, {}, {} };
struct w w = { {}, 7, {}, 2 };
static int calls;
struct e result(struct e a, int x) { calls += x; return a; }
struct z zero(int x, struct z a, int y) { calls += x * y; return a; }
union u none(void) { }
struct e old(a, e, b) int a, b; struct e e; { calls += a - b; return e; }
struct w large(struct w a, struct e e, struct w b) { a.x += b.x; a.e = e; return a; }
int variable(int n, struct e e, ...)
{
    va_list list; int a, b; struct e z;
    va_start(list, e); a = va_arg(list, int); z = va_arg(list, struct e); b = va_arg(list, int); va_end(list);
    given = z;
    return a * n + b;
}
int between(int a, struct e e, int b, struct e m[], double d) { return a * 10 + b + (int)d; }
struct e (*pointer)(struct e, int) = result;
int main(void)
{
    struct e x = result(given, 3), y, *p = many; union u u, v = {}; struct w s = w, t = { .x = 4 }; struct z z;
    z = zero(1, z, 2); y = x; y = p[1]; *p = result(y, 2); u = v; u = none();
    x = between(1, x, 2, many, 0.0) ? pointer(x, 5) : y; x = y, x; y = (struct e){};
    s = large(s, (struct e){}, t); p++; p += 2; y = old(9, y, 2);
    if (sizeof x + sizeof many + sizeof u + sizeof z != 0 || sizeof w != 2 * sizeof(int)) return 1;
    if (s.x != 11 || s.y != 2 || calls != 19) return 2;
    return variable(3, x, 4, x, 5) + between(4, x, 2, many, 1.5);
}
"""
STATUS = 60  # gcc's


@pytest.mark.parametrize("name", some(machine_names(), 6, first=1))
def test_empty_structures(name, tmp_path):
    source = tmp_path / "prog.c"
    source.write_text(PROGRAM)
    outcome = interpret(Compiler(load(name), Settings()).program([str(source)]))
    assert (outcome.fault, outcome.exit_status) == (None, STATUS)
