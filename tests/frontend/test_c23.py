"""What C23 added to the language, by the standard's text: no gcc at hand knows all of it."""

import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from il_to_c import GCC_FLAGS, LP64, print_c
from test_programs import require

from vpo.base.c_standard import find_standard
from vpo.frontend import CompileErrors, compile_c, preprocess
from vpo.frontend.c_options import COptions
from vpo.frontend.warnings.flags import read_options

C23 = find_standard("c23")


def told(text, edition="c23"):
    found = []
    options = COptions(warnings=read_options([], 2023), standard=find_standard(edition))
    try:
        compile_c("f.c", LP64, options, source=text, warn=found.append)
    except CompileErrors as problem:
        found += problem.diagnostics
    return [f"{d.severity}: {d.message}" for d in found]


NULL_TYPE = "typedef typeof(nullptr) nullptr_t; int *p; nullptr_t n; int i; bool b;"
NULLS = {
    "static_assert(_Generic(nullptr, void *: 0, int: 0, nullptr_t: 1)); static_assert(sizeof n == sizeof(char *));": [],
    "void f(void) { p = n; b = n; n = nullptr; n = 0; n = (void *)0; (bool)n; (char *)n; (void)n; }": [],
    "int f(void) { return (n == p) + (p != n) + (n == n) + (n == 0) + !n + (n && p) + (n ? 1 : 2); }": [],
    "static_assert(_Generic(1 ? p : nullptr, int *: 1) && _Generic(1 ? nullptr : n, nullptr_t: 1));": [],
    "void f(void) { n = p; }": ["error: incompatible types when assigning to type 'nullptr_t' from type 'int *'"],
    "void f(void) { i = n; }": ["error: incompatible types when assigning to type 'int' from type 'nullptr_t'"],
    "int f(void) { return (int)n; }": ["error: conversion from 'nullptr_t' to 'int'"],
    "int f(void) { return n < n; }": ["error: invalid operands to binary < (have 'nullptr_t' and 'nullptr_t')"],
    "int f(void) { return n == i; }": ["error: invalid operands to binary == (have 'nullptr_t' and 'int')"],
    "int f(void) { return p - n; }": ["error: invalid operands to binary - (have 'int *' and 'nullptr_t')"],
    "int f(void) { return *n; }": ["error: invalid type argument of unary '*' (have 'nullptr_t')"],
}


@pytest.mark.parametrize("text", NULLS)
def test_nullptr_has_a_type_of_its_own(text):
    assert told(NULL_TYPE + text) == NULLS[text]


DECLARATIONS = {
    "auto x = 5; auto const y = 3.0f; static auto z = &x; static_assert(_Generic(&y, const float *: 1));": [],
    "constexpr struct { int a, b; } s = { 1, 2 }; int a[s.b]; static_assert(s.a + s.b == 3 || s.b);": [],
    "constexpr struct { char t[2]; struct { double d; } u; } s = { \"a\", { .5 } }; static_assert(s.u.d * 2 == 1);": [],
    "constexpr int x = { 3 }; constexpr double d = {}; int a[x]; static_assert(sizeof a / sizeof *a == 3 && !d);": [],
    "struct { int a; } s = { 1 }; int a[s.a];": ["error: the length of an array outside of functions must be constant"],
    "int *f(void) { return &(static int){ 3 }; } int a[(constexpr int){ 4 }]; static_assert(sizeof a / sizeof *a == 4);": [],
    "int x = (static int)3;": ["error: expected '{' before '3'"],
    "enum E { A, B = 5 }; enum E { A, B = A + 5 }; enum E x = B;": [],
    "enum E { A, B = 5 }; enum E { A, B = 6 };": ["error: redefinition of 'enum E'"],
    "enum E { A, B = 5 }; enum E { A };": ["error: redefinition of 'enum E'"],
    "enum E : unsigned char { A }; enum L { M = 1LL << 40, N }; enum S { T };"
    "static_assert(_Generic(A, enum E: 1) && _Generic(N, enum L: 1) && _Generic(T, int: 1));": [],
    "int f(...) { __builtin_va_list ap; __builtin_va_start(ap, 0); return 0; }": [],
    "[[nodiscard(\"why\")]] int f(void); void g(void) { f(); }":
        ["warning: ignoring return value of 'f', declared with attribute 'nodiscard': \"why\""],
    "[[deprecated(\"old\")]] int f(void); int g(void) { return f(); }": ["warning: 'f' is deprecated: old"],
    "[[strange]] int a; [[some::thing]] int b; __attribute__((odd)) int c;": [
        "warning: 'odd' attribute directive ignored", "warning: 'strange' attribute ignored",
        "warning: 'some::thing' scoped attribute directive ignored",
    ],
    "int a = u8'ab';": ["error: character constant too long for its type"],
    "\n#if 1'000 != 1000 || 0b1'1 != 3\n#error\n#endif\n": [],
    "\n#if __has_c_attribute(nodiscard) != 202003L || __has_c_attribute(__deprecated__) != 201904L || __has_c_attribute(no)\n"
    "#error\n#endif\n": [],
    "typedef int A[3]; void f(const A *); void g(const int (*p)[2]); A a; int b[4][2];"
    "void h(const A *p) { f(&a); g(b); p = &a; p == &a; }": [],
    "typedef int A[3]; void f(A *); const A a; void g(void) { f(&a); }":
        ["warning: passing argument 1 of 'f' discards 'const' qualifier from pointer target type"],
}  # fmt: skip


@pytest.mark.parametrize("text", DECLARATIONS)
def test_declarations(text):
    assert told(text) == DECLARATIONS[text]


def test_the_text_of_optional_tokens():
    source = """\
#define S(...) #__VA_OPT__(a b __VA_ARGS__ c)
#define T(x, ...) L ## #__VA_OPT__((x) #x x##__VA_ARGS__) + #__VA_OPT__()
S(1, 2) S() S(S()) T(q, z w) T(q)
"""
    text = preprocess("f.c", LP64, COptions(standard=C23), source=source).splitlines()[-1]
    assert text == r'"a b 1, 2 c" "" "a b \"\" c" L"(q) \"q\" qz w" + "" L"" + ""'


PROGRAM = r"""
int printf(const char *, ...);
struct part { short c[2]; char k; };
static int *counter(void) { return (static int[2]){ 8, 9 }; }
int main(void)
{
    constexpr struct { int a, b; double d; struct part s; } S = { 1, 2, 2.5, { { 3, 4 }, 'x' } };
    static int z[S.b] = { S.a, S.s.k };
    enum { D = S.b + 5 };
    static double d = S.d;
    const int *q = &S.b;
    auto u = S;
    u.a = 5;
    counter()[1]++;
    printf("%d %d %d %g %d %g %d\n", z[0], z[1], D, d, *q, S.d, u.a);
    printf("%d %d\n", (constexpr int){ 6 }, *++(int *){ counter() });
    typeof(nullptr) none = {};
    return none ? 1 : 0;
}
"""


def test_a_program(tmp_path):
    require("gcc")
    text = tmp_path / "ours.c"
    text.write_text(print_c(compile_c("new.c", LP64, COptions(standard=C23), source=PROGRAM)))
    subprocess.run(["gcc", *GCC_FLAGS, text, "-o", tmp_path / "ours", "-lm"], check=True)
    result = subprocess.run([tmp_path / "ours"], capture_output=True, text=True, timeout=60, check=False)
    assert (result.stdout, result.returncode) == ("1 120 7 2.5 2 2.5 5\n6 10\n", 0)
