"""Static objects that nothing stores to are constants."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "frontend"))
from il_to_c import LP64

from vpo import il
from vpo.frontend import compile_c
from vpo.interprocedural.constant_data import fold_constant_data

TEXT = """
struct shape { int w; short d[3]; char name[4]; double f; int *p; };
static int x;
static struct shape s = {8, {1, 2}, "abc", 2.5, &x};
static int stored[2] = {3, 4}, copied[2] = {5, 6}, watched = 7, counter;
int global = 8, *given = copied;
const int visible = 9;
extern void take(int);
void f(int i)
{
    stored[i] = 1; ++counter; *(volatile int *)&watched;
    take(s.w), take(s.d[1]), take(s.d[2]), take(s.name[1]), take((int)s.f), take(visible);
    take(stored[1]), take(copied[1]), take(watched), take(global), take(counter), take(s.d[i]), take(*s.p);
}
"""


def test_loads_of_what_never_changes_are_numbers():
    unit = compile_c("test.c", LP64, source=TEXT)
    fold_constant_data(unit)
    constant = {data.name for data in unit.data if data.constant}
    assert constant == {"s", "visible"}
    calls = [statement for statement in unit.functions[0].body if isinstance(statement, il.Call)]
    values = [trees_value(call.arguments[0]) for call in calls]
    assert values[:6] == [8, 2, 0, ord("b"), 2, 9]
    assert values[6:] == [None] * 7


def trees_value(tree):
    """Return the number in an argument, if it is one, whatever its type becomes."""
    while isinstance(tree, il.Convert):
        tree = tree.operand
    return tree.value if isinstance(tree, il.Const) else None
