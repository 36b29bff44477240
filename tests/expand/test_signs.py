"""Which divisions need not round towards zero, because what they divide is never negative."""

import pytest

from tests.kept_machines import load
from vpo.build.compiler import Compiler, Settings
from vpo.text import show_effects

SOURCE = """
int next(void);
int counter(const unsigned char *p) { int n = 0; while (*p++) n++; return n / 8; }
int sum(const unsigned char *p) { int s = 1; while (*p) s = s * 2 + *p++ % 7; return s % 16; }
int two(const unsigned char *p) { int a = 0, b = 0; while (*p++) { int c = a; a = b + 1; b = c; } return a / 4 + b / 4; }
int masked(int x) { return (x & 1023) / 16; }
int compared(int a, int b) { int less = a < b; return (less + 7) / 8; }
int parameter(int x) { return x / 8; }
int down(const unsigned char *p) { int n = 0; while (*p++) n--; return n / 8; }
int through(const unsigned char *p, int x) { int a = 0, b = 0; while (*p++) { b = a; a = x; } return b / 8; }
int called(void) { int n = next(); return n / 8; }
int seen(const int *p) { int n = 0; n = *p; return n / 8; }
int narrowed(const unsigned *p) { int n = 0; n = (int)*p; return n / 8; }
int exposed(int (*f)(int *)) { int n = 0; f(&n); return n / 8; }
short cut(int x) { short s = 0; s = (short)(x & 65535); return s / 8; }
"""
NEVER_NEGATIVE = {"counter", "sum", "two", "masked", "compared"}


@pytest.fixture(scope="module")
def rounded(tmp_path_factory):
    """The functions that ask for a sign."""
    source = tmp_path_factory.mktemp("signs") / "signs.c"
    source.write_text(SOURCE)
    functions = Compiler(load("riscv32"), Settings(1)).unit(str(source)).functions
    return {f.name[1:] for f in functions if any(">>31" in show_effects(rtl.effects) for rtl in f.rtls())}, {
        f.name[1:] for f in functions
    }


def test_only_what_may_be_negative_asks_for_the_sign(rounded):
    asking, functions = rounded
    assert asking == functions - NEVER_NEGATIVE
