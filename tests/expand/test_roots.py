"""Square roots set errno for numbers below 0, on machines with an instruction for them as on others."""

from dataclasses import replace

import pytest

from tests.covering import some
from tests.kept_machines import load
from vpo.base.c_standard import DEFAULT_STANDARD
from vpo.build.compiler import Compiler, Settings
from vpo.frontend.c_options import COptions
from vpo.interpret.fast.interpreter import interpret

PROGRAM = """
#include <errno.h>
#include <math.h>
volatile double zero, four = 4, less = -4, none;
volatile float narrow = -9;
__attribute__((noinline)) static double length(double x, double y) { return sqrt(x * x + y * y); }
__attribute__((noinline)) static double root(double x) { return sqrt(x) + 1; }
int main(void)
{
    double r;
    none = zero / zero;
    errno = 0;
    if (root(four) != 3 || sqrt(four) != 2 || sqrt(-zero) != 0 || length(less, 3) != 5 || sqrt(16.0) != 4 || errno) return 1;
    r = sqrt(none);
    if (r == r || errno) return 2;
    r = root(less);
    if (r == r || errno != EDOM * CHECKED) return 3;
    errno = 0;
    r = sqrtf(narrow);
    if (r == r || errno != EDOM * CHECKED) return 4;
    errno = 0;
    r = __builtin_sqrt(less);
    return r == r || errno != EDOM * CHECKED ? 5 : 9;
}
"""


def outcome(tmp_path, machine, level, checked=1, standard=DEFAULT_STANDARD):
    source = tmp_path / "prog.c"
    source.write_text(PROGRAM)
    settings = Settings(level=level, c=COptions(defines=(("CHECKED", str(checked)),), standard=standard))
    return interpret(Compiler(load(machine), settings).program([str(source)]))


RUN = [("riscv32", 0), ("riscv32", 2), ("m68020", 0), ("i386", "s"), ("mips", 2)]


@pytest.mark.parametrize(("machine", "level"), some(RUN, 2))
def test_errno_is_set(machine, level, tmp_path):
    found = outcome(tmp_path, machine, level)
    assert (found.fault, found.exit_status) == (None, 9)


def test_errno_may_be_of_no_matter(tmp_path):
    found = outcome(tmp_path, "riscv32", 1, 0, replace(DEFAULT_STANDARD, math_errno=False))
    assert (found.fault, found.exit_status) == (None, 9)


def test_roots_of_what_is_not_negative_call_nothing(tmp_path):
    (tmp_path / "a.c").write_text("double sqrt(double); double f(double x, double y) { return sqrt(x * x + y * y + 1); }")
    assert "sqrt" not in {str(symbol) for symbol in calls_of(tmp_path / "a.c")}
    (tmp_path / "a.c").write_text("double sqrt(double); double f(double x, double y) { return sqrt(x + y); }")
    assert calls_of(tmp_path / "a.c") == {"_sqrt"}


def calls_of(path):
    """The functions that a file's code calls."""
    unit = Compiler(load("riscv32"), Settings(level=2)).unit(str(path))
    text = "\n".join(repr(rtl) for function in unit.functions for block in function.blocks for rtl in block.rtls)
    return {name for name in ("_sqrt",) if name in text}
