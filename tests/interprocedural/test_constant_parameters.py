"""Parameters that all calls of a static function give the same value, or that it does not use."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from units import calls, constants, function, optimized

from vpo import il

CALLS = "int f(int x) { return g(x, 3) + g(x + 1, 3); } "


def parameters(text, name="g"):
    return [parameter.name for parameter in function(optimized(text, limit=0), name).parameters]


def test_a_constant_goes_into_the_function():
    unit = optimized("static int g(int a, int k) { return k * 2; } " + CALLS, limit=0)
    assert constants(unit, "g") == [6]
    assert [len(s.arguments) for s in function(unit, "f").body if isinstance(s, il.Call)] == [0, 0]


def test_a_parameter_that_changes_begins_with_the_constant():
    assert parameters("static int g(int a, int k) { while (a > k) k += a; return k; } " + CALLS) == ["a"]


def test_constants_go_down_chains_of_calls():
    text = "static int h(int k) { return k + 1; } static int g(int a, int k) { return a * h(k); } "
    assert constants(optimized(text + CALLS, limit=0), "h") == [4]


def test_different_values_are_passed():
    assert parameters("static int g(int a, int k) { return k * a; } int f(int x) { return g(x, 3) + g(x, 4); }") == ["a", "k"]


def test_zeros_of_either_sign_are_different():
    text = "static double g(double a) { return 1 / a; } double f(void) { return g(0.0) + g(-0.0); }"
    assert parameters(text) == ["a"]


def test_functions_that_others_can_call_keep_their_parameters():
    assert parameters("int g(int a, int k) { return k; } " + CALLS) == ["a", "k"]
    assert parameters("static int g(int a, int k) { return k; } int (*p)(int, int) = g; " + CALLS) == ["a", "k"]


def test_arguments_that_read_something_volatile_are_evaluated():
    assert parameters("volatile int v; static int g(int a) { return 1; } int f(void) { return g(v); }") == ["a"]


def test_structures_keep_their_places():
    text = """
    struct s { int a[2]; };
    static int g(int k, struct s s, int l, struct s t) { return k + s.a[l] * l + t.a[l]; }
    int f(struct s s, struct s t, int l) { return g(1, s, l, t) + g(1, t, l + 1, s); }
    """
    unit = optimized(text, limit=0)
    assert [p.name for p in function(unit, "g").parameters] == ["s", "l", "t"]
    assert sorted(function(unit, "g").parameter_scalars) == [0, 2]
    assert calls(unit, "f") == ["g", "g"]
