"""Calls of a function by itself that become jumps."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from units import calls, optimized


def test_a_call_whose_result_is_returned_becomes_a_jump():
    unit = optimized("long f(long a, int n) { if (n == 0) return a; return f(a * n, n - 1); }")
    assert calls(unit, "f") == []


def test_a_call_at_the_end_of_a_function_without_result_becomes_a_jump():
    unit = optimized("void use(int); void f(int n) { if (n > 0) { use(n); f(n - 1); } else use(0); }")
    assert calls(unit, "f") == ["use", "use"]


def test_it_can_be_inlined_then():
    text = "static int gcd(int a, int b) { return b ? gcd(b, a % b) : a; } int f(int a) { return gcd(a, 6) + gcd(a, 9); }"
    assert calls(optimized(text), "f") == []


def test_a_call_whose_result_is_used_stays():
    unit = optimized("int f(int n) { return n ? 1 + f(n - 1) : 0; }")
    assert calls(unit, "f") == ["f"]


def test_a_call_stays_where_the_address_of_a_local_is_taken():
    unit = optimized("int g(int *); int f(int n, int *p) { int x = n; return n ? f(n - 1, &x) : *p; }")
    assert calls(unit, "f") == ["f"]
