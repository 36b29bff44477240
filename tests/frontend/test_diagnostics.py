"""What is said about wrong programs, and where."""

import re
import sys
from pathlib import Path

import pytest

from tests.covering import some

sys.path.insert(0, str(Path(__file__).parent))
from il_to_c import LP64

from vpo.frontend import CompileErrors, compile, compile_c
from vpo.frontend.warnings.diagnostics import NESTING_LIMIT
from vpo.il.traversal import expressions_of, walk

CASES = [
    ("int f(void) { return x; }", ["1:22: error: 'x' undeclared"]),
    ("int f(void) { int a; int a; return 0; }", ["1:26: error: redeclaration of 'a'"]),
    ("int f(int); char f(int);", ["1:18: error: conflicting types for 'f'"]),
    ("int x; double x;", ["1:15: error: conflicting types for 'x'"]),
    ("int f(int a) { return 0; } int g(void) { return f(); }", ["1:49: error: too few arguments to function 'f'"]),
    ("int f(int a) { return 0; } int g(void) { return f(1, 2); }", ["1:49: error: too many arguments to function 'f'"]),
    (
        "struct S { int a; }; int f(struct S s) { return s + 1; }",
        ["1:49: error: used 'struct S' where a scalar is required"],
    ),
    (
        "int f(int n) { goto l; int a[n]; l: return 0; }",
        ["1:16: error: jump into scope of identifier with variably modified type; 'a' declared in line 1"],
    ),
    (
        "int f(int n) { goto l; typedef int t[n]; l: return 0; }",
        ["1:16: error: jump into scope of identifier with variably modified type; 't' declared in line 1"],
    ),
    (
        "int f(int n) { switch (n) { int (*a)[n]; default: return 0; } }",
        ["1:42: error: switch jumps into scope of identifier with variably modified type; 'a' declared in line 1"],
    ),
    ("int f(int n) { int b; l: b = 1; int a[n]; a[0] = b; if (a[0]) goto l; { goto m; } m: return 0; }", []),
    ("int x = _Generic(1, int: 1, signed: 2);", ["1:29: error: '_Generic' specifies two compatible types"]),
    ("int x = _Generic(1, default: 1, default: 2);", ["1:33: error: duplicate 'default' case in '_Generic'"]),
    ("struct s; int x = _Generic(1, int: 1, struct s: 2);", ["1:39: error: '_Generic' association has incomplete type"]),
    ("int x = _Generic(1, int: 1, int (void): 2);", ["1:29: error: '_Generic' association has function type"]),
    (
        "int f(int n) { return _Generic(1, int: 1, int [n]: 2); }",
        ["1:43: error: '_Generic' association has variable length type"],
    ),
    ("int x = 1; int f(void) { return __builtin_fpclassify(1, 2, 3, 4, 5, x); }",
     ["1:33: error: non-floating-point argument in call to function '__builtin_fpclassify'"]),
    ("int f(a) int a; _Static_assert(1, \"\"); { return a; }", []),
    (
        "int f(a) int a; int g(int n) { return n; } { return a; }",
        ["1:21: error: a function cannot be defined among the declarations of parameters"],
    ),
    (
        "struct s { int a; }; int x = offsetof(struct s, 1);",
        ["1:49: error: the second argument of 'offsetof' designates a member: names, '.' and '[...]'"],
    ),
    ("int x = 3; int y = __builtin_offsetof(x, a);", ["1:20: error: the first argument of 'offsetof' is a type name"]),
    ("int f(int n) { retrun n; }", ["1:16: error: unknown type name 'retrun'; did you mean 'return'?"]),
    ("retrun x;", ["1:1: error: unknown type name 'retrun'"]),
    ("int x = { .a = 1 };", ["1:12: error: designator in initializer for scalar type"]),
    ("int x = sizeof(int restrict);", ["1:16: error: invalid use of 'restrict'"]),
    ("int f(int n) { return f(int); }", ["1:25: error: an expression is needed here, not the name of a type"]),
    ("extern inline __attribute__((gnu_inline)) int f(void) { return 1; } int g(void) { return 2; }"
     ' extern int f(void) __attribute__((weak, alias("g")));', []),
    ("int f(int v) { return (unknown)v; }", ["1:24: error: 'unknown' undeclared"]),
    ("typedef int known; int f(int v) { return (knwon)3; }", ["1:43: error: 'knwon' undeclared; did you mean 'known'?"]),
    ('const void *p = L"a" u8"b";', ["1:17: error: string literals with different prefixes, L and u8, stand together"]),
    ("void f(void) { for (struct s { int i; } z = {0}; z.i; ) ; for (struct { int i; } z = {0}; z.i; ) ; }",
     ["1:41: error: 'struct s' declared in 'for' loop initial declaration"]),
    ("void f(void) { for (static int i = 0; i < 3; i++) ; }",
     ["1:32: error: declaration of 'static' variable 'i' in 'for' loop"]),
    ("int f(void) { 3 = 4; return 0; }", ["1:15: error: lvalue required as left operand of assignment"]),
    ("struct S { int a; }; int f(struct S s) { return s.b; }", ["1:51: error: 'struct S' has no member named 'b'"]),
    ("struct S; int f(void) { struct S s; return 0; }", ["1:34: error: storage size of 's' isn't known"]),
    ("struct S; int f(struct S *p) { return p->x; }", ["1:39: error: invalid use of incomplete type 'struct S'"]),
    ("void f(void) { goto nowhere; }", ["1:16: error: label 'nowhere' used but not defined"]),
    ("void f(void) { a: ; a: ; }", ["1:21: error: duplicate label 'a'"]),
    ("void f(int x) { switch (x) { case 1: case 1: ; } }", ["1:38: error: duplicate case value 1"]),
    ("void f(void) { break; }", ["1:16: error: break statement not within loop or switch"]),
    ("void f(void) { continue; }", ["1:16: error: continue statement not within a loop"]),
    ("void f(void) { case 3: ; }", ["1:16: error: case label not within a switch statement"]),
    ("int f(void) { return; }", ["1:15: warning: 'return' with no value, in function returning non-void"]),
    ("void f(void) { return 3; }", ["1:16: warning: 'return' with a value, in function returning void"]),
    ("int f(int x) { return x(3); }", ["1:23: error: called 'x' is not a function or function pointer"]),
    ("void f(const int x) { x = 3; }", ["1:23: error: assignment of read-only variable 'x'"]),
    ("void f(void); int g(void) { return f() + 1; }", ["1:36: error: void value not ignored as it ought to be"]),
    (
        "enum { A = 1 / 0 };",
        ["1:12: warning: division by zero", "1:12: error: division by zero in a constant expression"],
    ),
    ("int a[1 % 0];", ["1:7: warning: division by zero", "1:7: error: division by zero in a constant expression"]),
    ("int a[2] = { 1, 2, 3 };", ["1:20: warning: excess elements in initializer"]),
    ("int x; int y = x;", ["1:16: error: initializer element is not constant"]),
    ("int f(void) { return undeclared(3); }", ["1:22: warning: implicit declaration of function 'undeclared'"]),
    (
        "void *f(void) { return __builtin_return_address(1) ? 0 : __builtin_return_address(0); }",
        ["1:58: error: '__builtin_return_address(0)' is not supported: where a function returns to is not known"],
    ),
    ("int f(void) { return __builtin_none(3); }", ["1:22: error: built-in function '__builtin_none' is not supported"]),
    (
        "void f(void) { g(1); h(2); } void g(int x) { } char h(int x) { return 1; }",
        [
            "1:16: warning: implicit declaration of function 'g'",
            "1:22: warning: implicit declaration of function 'h'",
            "1:35: warning: conflicting types for 'g'",
            "1:53: error: conflicting types for 'h'",
        ],
    ),
    ("int x = ({ 1; });", ["1:10: error: a statement expression is allowed only inside a function"]),
    (
        "void f(int x) { switch (x) { case 1 ... 5: case 3: case 4 ... 6: case 9 ... 8: ; } }",
        [
            "1:66: warning: empty range specified",
            "1:44: error: duplicate case value 3",
            "1:52: error: duplicate case value 4",
        ],
    ),
    ("void f(int x, int y) {\n  x = y\n  f(x, y);\n}", ["3:3: error: expected ';' before 'f'"]),
    ("int f(int x) { return (x; }", ["1:25: error: expected ')' before ';'"]),
    ("int f(void) { return 1 +; }", ["1:25: error: expected expression before ';'"]),
    (
        "int f(void) { int x = ; return 0; } int g(void) { return 1 1; }",
        ["1:23: error: expected expression before ';'"],
    ),
    ("int a[-1];", ["1:5: error: size of array is negative"]),
    (
        "int f(int n) { int a[n] = {0}; return 0; }",
        ["1:20: error: variable-sized object may not be initialized except with an empty initializer"],
    ),
    ("int n; int a[n];", ["1:12: error: the length of an array outside of functions must be constant"]),
    ("int f(int n) { static int a[n]; return 0; }", ["1:27: error: the length of static array 'a' must be constant"]),
    (
        "int f(int n) { extern int (*a)[n]; return 0; }",
        ["1:28: error: the length of an array in 'a' must be constant: it has linkage"],
    ),
    (
        "int f(int n) { struct { int (*a)[n]; } s; return 0; }",
        ["1:30: error: the length of an array in field 'a' must be constant"],
    ),
    ("int f(int a[*]) { return 0; }", ["1:11: error: '[*]' is allowed only in a function prototype"]),
    ("int f(int a[b]);", ["1:13: error: 'b' undeclared"]),
    ("int f(int n, int a[1.5]);", ["1:20: error: size of array has non-integer type"]),
    ("int f(int n) { (int[n]){1}; return 0; }", ["1:16: error: variable length arrays cannot be initialized"]),
    ("int f(a, a) int a; { return 0; }", ["1:7: error: redeclaration of 'a'"]),
    ("enum { A, B = x, C } p, q;", ["1:15: error: 'x' undeclared"]),
    ("struct { int a[-1]; } p, q;", ["1:14: error: size of array is negative"]),
    ("struct E {}; struct E e[2] = {1};", ["1:31: warning: excess elements in initializer"]),
    ("typedef int T; void f(void) { T: ; T: ; }", ["1:36: error: duplicate label 'T'"]),
    ("int *p = 3.0;", ["1:10: error: incompatible types when initializing type 'int *' using type 'double'"]),
    ("int f(void) { return &3; }", ["1:23: error: lvalue required as unary '&' operand"]),
    ("int f(int x) { return *x; }", ["1:24: error: invalid type argument of unary '*' (have 'int')"]),
    ("int f(void) { register int r; return *&r; }", ["1:40: error: address of register variable requested"]),
    ("struct S { int a : 40; } s; int f(void) { return s.a; }", ["1:16: error: width of bit-field 'a' exceeds its type"]),
    ("struct S { int a; int a; };", ["1:23: error: duplicate member 'a'"]),
    ("struct S { int a; }; struct S { int b; };", ["1:29: error: redefinition of 'struct S'"]),
    ("struct S { int b : 3; } s; int *f(void) { return &s.b; }", ["1:51: error: cannot take address of bit-field"]),
    ("int f(float x) { return x % 2; }", ["1:25: error: invalid operands to binary % (have 'float' and 'int')"]),
    (
        "int f(char *p, char *q) { return p + q; }",
        ["1:34: error: invalid operands to binary + (have 'char *' and 'char *')"],
    ),
    ("int f(int x) { if (x) { return 1; }", ["1:35: error: expected '}' at end of input"]),
    ("#error stop here", ["1:1: error: #error stop here"]),
    ('#include "missing.h"', ["1:1: error: missing.h: no such file or directory"]),
    ("#include <threads.h>", ["1:1: error: threads.h: no such file or directory: programs have one thread"]),
    ('#include "errno.h "', ["1:1: error: errno.h : no such file or directory; did you mean 'errno.h', without the space?"]),
    ("#include <missing.h>", ["1:1: error: missing.h: no such file or directory"]),
    ("/* never ends", ["1:1: error: unterminated comment"]),
    ('int f(void) { char *s = "abc; return 0; }', ["1:25: error: missing terminating '\"' character"]),
    ("#if 1", ["1:1: error: unterminated #if 1"]),
    ("#ifdef", ["1:1: error: no macro name given in #ifdef directive", "1:1: error: unterminated #ifdef"]),
    ("#define", ["1:1: error: no macro name given in #define directive"]),
    ("int f(void) { return 'x; }", ["1:22: error: missing terminating ' character"]),
    ('_Static_assert(sizeof(int) == 2, "small");', ['1:1: error: static assertion failed: "small"']),
    ("int f(int a, int a) { return 0; }", ["1:18: error: redeclaration of 'a'"]),
    (
        "typedef int T; T T x;",
        ["1:20: error: expected ';' before 'x'"],
    ),
    (
        "void v; int f(void) { void w; return 0; }",
        ["1:6: error: variable or field 'v' declared void", "1:28: error: variable or field 'w' declared void"],
    ),
    (
        "int f(void) { int x = 1; return x.y; }",
        ["1:33: error: request for member 'y' in something not a structure or union"],
    ),
    (
        "_Complex double z; int f(void) { return z < 1; }",
        ["1:41: error: invalid operands to binary < (have '_Complex double' and 'int')"],
    ),
    (
        "_Complex double z; int f(void) { return z % 2; }",
        ["1:41: error: invalid operands to binary % (have '_Complex double' and 'int')"],
    ),
    ("int f(float); int f(a) double *a; { return 0; }", ["1:31: error: argument 'a' doesn't match prototype"]),
    ("int f(int); int f(a, b) int a, b; { return 0; }", ["1:17: error: number of arguments doesn't match prototype"]),
    (
        "void f(void) { __label__ l; void g(void) { goto l; } }",
        ["1:44: error: label 'l' used but not defined"],
    ),
    (
        "void f(void) { __label__ l; void *g(void) { return &&l; } l:; }",
        ["1:52: error: label 'l' used but not defined; a nested function can take the values of its own labels only"],
    ),
    (
        "void f(int n) { int a[n]; int g(void) { return sizeof a; } }",
        ["1:31: error: a nested function cannot use the length of an array of the function around it"],
    ),
    ("#define m(...) __VA_OPT__(x\nint x;", ["1:16: error: unterminated __VA_OPT__: it takes tokens in parentheses"]),
    ("_BitInt(3) x; _Decimal64 y;", ["1:15: error: decimal floating numbers are not supported"]),
    ("void _Complex z;", ["1:1: error: there are no complex numbers of 'void'"]),
    (
        "int *p; _Complex double z = p;",
        ["1:29: error: incompatible types when initializing type '_Complex double' using type 'int *'"],
    ),
    ("int f(void) { int a[3] = 5; return 0; }", ["1:26: error: invalid initializer"]),
    (
        "struct S { int a; }; int f(void) { struct S s = 1; return 0; }",
        ["1:49: error: incompatible types when initializing type 'struct S' using type 'int'"],
    ),
    ("int f(double d) { switch (d) { default: ; } return 0; }", ["1:27: error: switch quantity not an integer"]),
    (
        "int f(int x) { switch (x) { default: ; default: ; } return 0; }",
        ["1:40: error: multiple default labels in one switch"],
    ),
    (
        "int f(void) { return sizeof(struct Q); }",
        ["1:22: error: invalid application of 'sizeof' to incomplete type 'struct Q'"],
    ),
    ("int f(void) { int (*p)(int) = 0; return p(1, 2); }", ["1:41: error: too many arguments to function 'p'"]),
    (
        'char c = "abc"; ',
        [
            "1:10: warning: initialization to 'char' from 'char *' makes integer from pointer without a cast",
            "1:10: error: initializer element is not constant",
        ],
    ),
    ('int i = "abc" + 1.0;', ["1:9: error: invalid operands to binary + (have 'char *' and 'double')"]),
    ("int f(void) { return 0x; }", ["1:22: error: invalid suffix 'x' on integer constant"]),
    ("int f(void) { return 99999999999999999999; }", ["1:22: error: integer constant is too large for its type"]),
    ("int f(void) { return 08; }", ["1:22: error: invalid octal constant"]),
    ("int f() { int @ = 3; }", ["1:15: error: illegal character '@'"]),
    (
        "int f(int x) { x++ = 3; return (x ? 1 : 2) = 3; }",
        [
            "1:16: error: lvalue required as left operand of assignment",
            "1:33: error: lvalue required as left operand of assignment",
        ],
    ),
    ("unknown_t f(void) { return 0; }", ["1:1: error: unknown type name 'unknown_t'"]),
    ('int f(void) { return "\\q"[0]; }', ["1:22: warning: unknown escape sequence '\\q'"]),
    ("enum E { A, A };", ["1:13: error: redeclaration of enumerator 'A'"]),
    ("int f(void) { static int x = f(); return x; }", ["1:30: error: initializer element is not constant"]),
    (
        "int f(int x) { int y = x, z; int f = 3; return f(1); }",
        ["1:48: error: called 'f' is not a function or function pointer"],
    ),
    ("long long long x;", ["1:1: error: invalid combination of type specifiers 'long long long'"]),
    ("int f(int *p) { return p == 3.0; }", ["1:24: error: invalid operands to binary == (have 'int *' and 'double')"]),
    (
        "int f(struct { int a; } *p) { return -*p; }",
        ["1:40: error: used 'struct <anonymous>' where a scalar is required"],
    ),
    ("} int x;", ["1:1: error: expected identifier or '(' before '}'"]),
    ("#include", ['1:1: error: #include expects "FILENAME" or <FILENAME>']),
    ("int g = F(1;", ["1:12: error: expected ')' before ';'"]),
    ("#if (", ["1:1: error: invalid expression in #if", "1:1: error: unterminated #if ("]),
    ("#endif", ["1:1: error: misplaced #endif"]),
    ("#elif", ["1:1: error: misplaced #elif"]),
    ("static int f(void); int g(void) { return f(); }", ["1:12: warning: 'f' declared 'static' but never defined"]),
    (
        "extern int x = 3; extern int x = 4;",
        ["1:12: warning: 'x' initialized and declared 'extern'", "1:30: error: redefinition of 'x'"],
    ),
    ("static int y; int y;", ["1:19: error: non-static declaration of 'y' follows static declaration"]),
    (
        'int main() { asm("nop"); return 0; }',
        ["1:14: error: assembly is not supported: write C, or an asm statement without instructions (a barrier)"],
    ),
    ("int x = sizeof(int[); ", ["1:20: error: expected expression before ')'"]),
    ("inline int f(void) { return 1; } int f(void) { return 2; }", ["1:38: error: redefinition of 'f'"]),
    ("int x = A;", ["1:9: error: 'A' undeclared"]),
    ("#if 1/0", ["1:1: error: invalid expression in #if", "1:1: error: unterminated #if 1/0"]),
    ("#endif", ["1:1: error: misplaced #endif"]),
    ("#if FOO(3)", ["1:1: error: invalid expression in #if", "1:1: error: unterminated #if FOO(3)"]),
    ("#endif", ["1:1: error: misplaced #endif"]),
    ("int x = 1 ? 2; ", ["1:14: error: expected ':' before ';'"]),
    ("#define f(x x", ["1:9: error: missing ')' in macro arguments"]),
    ("EMPTY # define X 3", ["1:7: error: illegal character '#'"]),
    ("int é = 3; int x = ü;", ["1:20: error: 'ü' undeclared"]),
]


def diagnose(text, file="bad.c"):
    """All diagnostics for a program, warnings first, without their flags."""
    warnings, errors = [], []
    try:
        compile_c(file, LP64, source=text, warn=warnings.append)
    except CompileErrors as problem:
        errors = problem.diagnostics
    return [re.sub(r" \[-W[^]]*\]$", "", str(diagnostic)) for diagnostic in [*warnings, *errors]]


@pytest.mark.parametrize(("text", "expected"), CASES, ids=[text for text, _ in CASES])
def test_message_and_place(text, expected):
    assert diagnose(text + "\n") == [f"bad.c:{message}" for message in expected]


def test_several_errors_in_one_run():
    text = "int f(void) { a = 1;\n b = 2; return c; }\nint g(void) { return d; }\nint x[-1];\n"
    lines = [message.split(":")[1] for message in diagnose(text)]
    assert lines == ["1", "2", "2", "3", "4"]


def test_lines_of_included_files(tmp_path):
    (tmp_path / "inner.h").write_text("#define TWICE(x) ((x) \\\n + (x))\n\nint inner = missing;\n")
    main = tmp_path / "main.c"
    main.write_text('#include "inner.h"\n\n\n\n\n\n\n\n\n\n\n/* a\n b */ int y = TWICE(\n1) + gone;\n')
    with pytest.raises(CompileErrors) as caught:
        compile_c(str(main), LP64)
    places = [(Path(d.file).name, d.line) for d in caught.value.diagnostics]
    assert places == [("inner.h", 4), ("main.c", 14)]


def test_line_directives_move_places():
    text = 'int a;\n#line 100 "grammar.y"\nint z = gone;\n\n# 7\nint y = lost;\n'
    assert diagnose(text) == ["grammar.y:100:9: error: 'gone' undeclared", "grammar.y:7:9: error: 'lost' undeclared"]


@pytest.mark.parametrize("name", ["a\nb.c", 'a "b".c', "a\\nb.c", "a\\"])
def test_names_of_files_may_have_any_characters(tmp_path, name):
    (tmp_path / name).write_text("const char *name = __FILE__;\nint z = gone;\n")
    with pytest.raises(CompileErrors) as caught:
        compile_c(str(tmp_path / name), LP64)
    assert [(Path(d.file).name, d.line) for d in caught.value.diagnostics] == [(name, 2)]


def test_a_wrong_declaration_is_reported_once():
    text = "int a[-1];\nint f(int b[-1]) { return a[0]; }\nint g(void) { return f(a) + a[1]; }\ntypedef int V[-1];\nV v;\n"
    assert [message.split(":")[1] for message in diagnose(text)] == ["1", "2", "4"]


def test_missing_file():
    with pytest.raises(CompileErrors, match=r"no-such-file\.c: error: cannot read"):
        compile_c("no-such-file.c", LP64)


DEEP = {
    "parentheses": ("int x = ", "(", "1", ")", ";"),
    "blocks": ("void f(void) ", "{", "", "}", ""),
    "unary": ("int f(int x) { return ", "- ", "x", "", "; }"),
    "calls": ("int f(int x) { return ", "f(", "x", ")", "; }"),
    "subscripts": ("int f(int *x) { return ", "x[", "0", "]", "; }"),
    "members": ("struct s { struct s *p; }; void *f(struct s *x) { return x", "->p", "", "", "; }"),
    "sums": ("int f(int x) { return ", "x + ", "x", "", "; }"),
    "sums to the right": ("int f(int x) { return ", "x + (", "x", ")", "; }"),
    "constant sums": ("int a; long x = (long)&a", " + 1", "", "", ";"),
    "conjunctions": ("int f(int x) { return x", " && x", "", "", "; }"),
    "assignments": ("int a; void f(int x) { ", "a = ", "x", "", "; }"),
    "commas": ("int f(int x) { return ", "(x++, ", "x", ")", "; }"),
    "conditionals": ("int f(int x) { return ", "x == 1 ? 2 : ", "x", "", "; }"),
    "known conditionals": ("int f(int x) { return ", "0 ? 2 : ", "x", "", "; }"),
    "else if": ("int f(int x) { ", "if (x == 1) return 2; else ", "return x;", "", " }"),
    "loops": ("int f(int x) { ", "while (x) { ", "x--;", "}", " return x; }"),
    "switches": ("void f(int x) { ", "switch (x) { case 1: ", ";", "}", " }"),
    "initializers": ("int x = ", "{", "1", "}", ";"),
    "structures": ("", "struct { ", "int a; ", "} s; ", ""),
    "declarators": ("int ", "(", "x", ")", ";"),
}


@pytest.mark.parametrize("name", some(DEEP, 5))
def test_deep_nesting(name, monkeypatch):
    before, opening, middle, closing, after = DEEP[name]
    assert diagnose(before + opening * 1500 + middle + closing * 1500 + after) == []
    monkeypatch.setattr(compile, "RECURSION_LIMIT", 3000)
    (message,) = diagnose("int before;\n" + before + opening * 3000 + middle + closing * 3000 + after + "\nint after;")
    assert re.fullmatch(r"bad\.c:2:\d+: error: nested too deeply: more than 10000 levels", message)


def test_the_limit_of_nesting():
    text = "int f(int x) { return " + "x + (" * NESTING_LIMIT + "x" + ")" * NESTING_LIMIT + "; }"
    assert diagnose(text) == []


def test_the_limit_of_derivations():
    assert diagnose("int f(void) { int " + "*" * 300 + "x; return x != 0; }") == []
    (message,) = diagnose("int " + "*" * 301 + "x;")
    assert message.endswith("error: a type of more than 300 pointers, arrays and functions in each other")


def test_trees_are_low():
    """No walk of trees needs a deep stack, however high an expression is."""
    unit = compile_c("sum.c", LP64, source="int f(int x) { return x" + " + x * x" * 1000 + "; }")
    trees = [tree for statement in unit.functions[0].body for tree in expressions_of(statement)]
    assert max(len(list(walk(tree))) for tree in trees) < 200


def test_a_switch_with_ranges_reads_a_volatile_value_once():
    text = "int f(volatile int *p) { switch (*p) { case 1 ... 3: return 1; case 8 ... 9: return 2; } return 0; }"
    unit = compile_c("switch.c", LP64, source=text + "\n")
    trees = [tree for statement in unit.functions[0].body for root in expressions_of(statement) for tree in walk(root)]
    assert sum(getattr(tree, "volatile", False) for tree in trees) == 1
