"""Variable arguments of two words, if an odd number of registers passes integers and such values go to even places."""

import pytest

from tests.kept_machines import load
from vpo.build.compiler import Compiler, Settings
from vpo.interpret.fast.interpreter import interpret

PROGRAM = """
#include <stdarg.h>
static double sum(int n, ...)
{
    va_list a;
    double s = 0;
    for (va_start(a, n); n--; s += va_arg(a, long long) * 3)
        s = (s + va_arg(a, int)) * 2 + va_arg(a, double);
    va_end(a);
    return s;
}
static long long named(int a, long long b, int c, long long d, ...)
{
    va_list v;
    va_start(v, d);
    return a + b * 3 + c * 5 + d * 7 + va_arg(v, long long) * 11;
}
int main(void) { return (int)sum(2, 1, 2.5, 3LL, 4, 5.5, 6LL) + (int)named(1, 2, 3, 4, 5LL); }
"""


@pytest.mark.parametrize("pairs", ["variadic", "always"])
def test_they_are_found_where_they_were_passed(tmp_path, pairs):
    source, description = tmp_path / "variable.c", tmp_path / "odd.yaml"
    source.write_text(PROGRAM)
    calls = f'{{align_pairs: {pairs}, arguments: {{integer: ["r[10]..r[12]"]}}}}'
    description.write_text(f"machine: odd\nextends: riscv32\ncalls: {calls}\n")
    program = Compiler(load(str(description)), Settings(level=1)).program([str(source)])
    assert interpret(program, limit=10_000).exit_status == 163


def test_where_others_lie_on_the_stack_whole(tmp_path):
    """Functions with variable arguments have them in order, whatever `aggregates: stack` says of others."""
    source = tmp_path / "variable.c"
    source.write_text(PROGRAM)
    program = Compiler(load("sh4"), Settings(level=1)).program([str(source)])
    assert interpret(program, limit=10_000).exit_status == 163
