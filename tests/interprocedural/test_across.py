"""Functions of one file in another file of the same command."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from units import LP64, P8, calls, function, optimized

from vpo import il
from vpo.frontend import compile_c
from vpo.interprocedural import Inlining, inline_across, optimize_unit


def together(*texts, limit=15):
    """Return the units of files that are compiled by one command."""
    units = []
    for number, text in enumerate(texts):
        units.append(compile_c(f"{number}.c", LP64, source=text))
        optimize_unit(units[-1], P8, Inlining(limit))
    inline_across(units, P8, Inlining(limit))
    return units


def test_a_function_goes_into_another_file():
    first, second = together("int g(int); int f(int x) { return g(x) + g(2); }", "int g(int a) { return a + 1; }")
    assert calls(first, "f") == []
    assert [f.name for f in second.functions] == ["g"]


def test_its_statements_have_the_line_of_the_call():
    first, _ = together("int g(int);\n\nint f(int x) { return g(x * 2); }", "int g(int a) { return a % 9 + a; }")
    assert {s.line for s in function(first, "f").body if not isinstance(s, il.Label)} == {3}


def test_what_refers_to_something_static_stays():
    first, _ = together(
        "int g(void), h(void); const char *t(void); int f(void) { return g() + h() + *t(); }",
        """
        static int count; static int step(void); static int (*p)(void) = step; static int step(void) { return p != 0; }
        int g(void) { return ++count; } int h(void) { static int n; return n++; } const char *t(void) { return "text"; }
        """,
    )
    assert calls(first, "f") == ["g", "h", "t"]


def test_names_that_are_static_in_the_other_file_mean_something_else_there():
    second = "int count; int h(void) { return 2; } int g(void) { return count + h(); } int k(void) { return count; }"
    first, _ = together("static int h(void) { return 7; } int g(void); int f(void) { return g() + h(); }", second)
    assert calls(first, "f") == []  # h has gone into g before
    first, _ = together("static int count; int k(void); int f(void) { return k() + count++; }", second)
    assert calls(first, "f") == ["k"]


def test_a_static_function_hides_the_one_of_the_other_file():
    first, _ = together("static int g(void) { return 3; } int f(void) { return g(); }", "int g(void) { return 4; }")
    returned = [s.value for s in function(first, "f").body if isinstance(s, il.Return)]
    assert [value.value for value in returned] == [3]


def test_calls_around_a_circle_of_files_end():
    text = "int {1}(int); int {0}(int n) {{ return n ? n + {1}(n - 1) : 0; }}"
    first, second, third = together(text.format("a", "b"), text.format("b", "c"), text.format("c", "a"))
    assert {name for unit, f in ((first, "a"), (second, "b"), (third, "c")) for name in calls(unit, f)} <= {"a", "b", "c"}


def test_one_file_is_as_before():
    text = "static int g(int a) { return a * 3; } int f(int x) { return g(x); }"
    (unit,) = together(text)
    assert len(function(unit, "f").body) == len(function(optimized(text), "f").body)
