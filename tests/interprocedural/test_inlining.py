"""Which calls are replaced by bodies, and how the bodies look there."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from units import calls, function, optimized, remaining

from vpo import il

BIG = "{ int s = 0; " + " ".join(f"if (a > {i}) s += a * {i} ^ s;" for i in range(40)) + " return s; }"
TWICE = f"static int big(int a) {BIG} int f(int a) {{ return big(a) + big(a + 1); }}"


def test_small_functions_go_into_their_callers():
    unit = optimized("static int add(int a, int b) { return a + b; } int f(int x) { return add(x, 1) + add(x, 2); }")
    assert remaining(unit) == ["f"]
    assert calls(unit, "f") == []


def test_functions_that_others_may_call_stay_too():
    unit = optimized("int add(int a, int b) { return a + b; } int f(int x) { return add(x, 1); }")
    assert remaining(unit) == ["add", "f"]
    assert calls(unit, "f") == []


def test_big_functions_are_inlined_only_where_they_are_called_once():
    assert calls(optimized(TWICE), "f") == ["big", "big"]
    assert remaining(optimized(TWICE.replace(" + big(a + 1)", ""))) == ["f"]


def test_a_greater_limit_inlines_more_and_none_nothing():
    assert calls(optimized(TWICE, limit=1000), "f") == []
    assert calls(optimized("static int g(void) { return 1; } int f(void) { return g(); }", limit=0), "f") == ["g"]


def test_calls_in_loops_are_worth_more():
    body = "{ int s = a; " + "s ^= s << 3; " * 15 + "return s; }"
    text = f"int g(int a) {body} int f(int a) {{ return g(a); }} int l(int a) {{ while (a < 9) a += g(a); return a; }}"
    unit = optimized(text)
    assert calls(unit, "f") == ["g"]
    assert calls(unit, "l") == []


def test_functions_declared_inline_may_be_bigger():
    body = "{ int s = a; " + "s ^= s << 3; " * 15 + "return s; }"
    assert calls(optimized(f"int g(int a) {body} int f(int a) {{ return g(a); }}"), "f") == ["g"]
    assert calls(optimized(f"static inline int g(int a) {body} int f(int a) {{ return g(a) + g(a + 1); }}"), "f") == []


def test_where_code_is_to_be_small_loops_and_wishes_do_not_count():
    body = "{ int s = a; " + "s ^= s << 3; " * 4 + "return s; }"
    text = f"static inline int g(int a) {body} int f(int a) {{ while (a < 9) a += g(a); return g(a); }}"
    assert calls(optimized(text, limit=1, small=True), "f") == ["g", "g"]
    assert calls(optimized(text.replace("s ^= s << 3; " * 4, ""), limit=1, small=True), "f") == []
    assert calls(optimized(text, limit=3), "f") == []


def test_functions_declared_noinline_stay():
    text = "int g(void) __attribute__((noinline)); int g(void) { return 1; } [[gnu::noipa]] static int h(void) { return 2; }"
    assert calls(optimized(f"{text} int f(void) {{ return g() + h(); }}"), "f") == ["g", "h"]


def test_recursive_functions_are_not_inlined():
    unit = optimized("static int fact(int n) { return n ? n * fact(n - 1) : 1; } int f(void) { return fact(9); }")
    assert calls(unit, "f") == ["fact"]
    assert calls(unit, "fact") == ["fact"]


def test_recursion_with_a_large_frame_stays():
    text = "int g(char *); int f(int n) {{ char b[{}]; return n ? g(b) + f(n - 1) : 0; }}"
    assert calls(optimized(text.format(16)), "f").count("g") > 1
    assert calls(optimized(text.format(4096)), "f") == ["g", "f"]


def test_cycles_of_calls_end():
    unit = optimized("int g(int); int f(int n) { return n ? 1 + g(n - 1) : 0; } int g(int n) { return n ? 2 * f(n - 1) : 1; }")
    assert set(calls(unit, "f") + calls(unit, "g")) <= {"f", "g"}


def test_calls_that_do_not_fit_stay():
    text = """
    int va(int n, ...) { return n; }
    int old(a, b) int a, b; { return a; }
    int g(double);
    int f(int n) { return va(1, n) + old(n) + ((int (*)(int)) g)(n); }
    int g(double d) { return d > 1; }
    """
    assert calls(optimized(text), "f") == ["va", "old", "g"]


def test_functions_with_a_machine_instruction_stay():
    text = "double fabs(double x) { return x < 0 ? -x : x; } double f(double x) { return fabs(x); }"
    assert calls(optimized(text, kept={"fabs"}), "f") == ["fabs"]
    assert calls(optimized(text), "f") == []


def test_a_function_passed_to_an_inlined_one_is_called_directly_and_inlined():
    text = """
    static int twice(int x) { return 2 * x; }
    static int apply(int (*f)(int), int x) { return f(x); }
    int f(int x) { return apply(twice, x) + apply(twice, 3); }
    """
    unit = optimized(text)
    assert calls(unit, "f") == []
    assert remaining(unit) == ["f"]


def test_constant_arguments_decide_branches():
    text = """
    void a(void); void b(void);
    static void choose(int which) { switch (which) { case 1: a(); break; default: if (which > 5) b(); } }
    void f(void) { choose(1); choose(7); choose(3); }
    """
    unit = optimized(text)
    assert calls(unit, "f") == ["a", "b"]
    assert not any(isinstance(s, il.Branch | il.Switch) for s in function(unit, "f").body)


def test_a_local_whose_address_only_inlined_functions_take_is_not_exposed():
    from vpo.il.uses import exposed_locals

    unit = optimized("static void set(int *p) { *p = 3; } int f(void) { int x; set(&x); return x; }")
    assert not exposed_locals(function(unit, "f").body)


def test_statements_keep_their_lines():
    unit = optimized("static int g(int a)\n{\n return\n a * 7; }\nint f(int x)\n{ return g(x) + g(x + 1); }")
    lines = [s.line for s in function(unit, "f").body if not isinstance(s, il.Label)]
    assert set(lines) == {3, 6}


def test_recursive_functions_are_inlined_into_themselves():
    """One call goes three times, of several each goes once; more than fits, or all where code is to be small, stay."""
    tree = "int f(struct t *t) { return t ? t->v + f(t->l) + f(t->r) : 0; }"
    assert calls(optimized(f"struct t {{ struct t *l, *r; int v; }}; {tree}"), "f") == ["f"] * 4
    assert calls(optimized("int f(int n, int *p) { return n ? *p + f(n - 1, p + 1) : 1; }"), "f") == ["f"]
    assert calls(optimized(f"struct t {{ struct t *l, *r; int v; }}; {tree}", limit=1), "f") == ["f"] * 2
    assert calls(optimized(f"int f(int a) {BIG.replace('return s', 'return a ? f(a - 1) + s : s')}"), "f") == ["f"]


def test_recursion_that_shall_stay_stays():
    text = "__attribute__((noinline)) int f(int n) { return n ? n + f(n - 1) : 1; }"
    assert calls(optimized(text), "f") == ["f"]
