"""Attributes, pragmas and assembly: what changes a program's meaning is an error, until it works."""

import pytest

from vpo.frontend import CompileErrors, compile_c
from vpo.il.data_model import DataModel

SIZES = {"char": 1, "short": 2, "int": 4, "long": 8, "llong": 8, "float": 4, "double": 8, "ldouble": 8, "pointer": 8}
MODEL = DataModel(False, True, SIZES, SIZES)


def said(text):
    messages = []
    try:
        compile_c("bad.c", MODEL, source=text, warn=messages.append)
    except CompileErrors as problem:
        messages += problem.diagnostics
    return [str(message) for message in messages]


ERRORS = {
    "typedef int V __attribute__((vector_size(6)));": "1:9: error: there are no vectors of 6 bytes of 'int'",
    "struct s { int x; }; struct s v __attribute__((vector_size(8)));": "1:29: error: there are no vectors of "
    "8 bytes of 'struct s'",
    "typedef int V __attribute__((vector_size(8))); int f(V v) { return v % 2.5; }": "1:70: error: invalid operands to "
    "binary % (have '__vector(2) int' and 'double')",
    "typedef int V __attribute__((vector_size(8))); int f(V v) { return v; }": "1:70: error: incompatible types when "
    "returning type '__vector(2) int' but 'int' was expected",
    "typedef int V __attribute__((vector_size(8))); int f(V v) { if (v > 2) return 1; }": "1:67: error: a comparison of "
    "vectors is no condition: it has a truth value for each element",
    "int x __attribute__((constructor(101)));": "1:5: error: attribute 'constructor' is for functions only",
    "void f(void) __attribute__((constructor(70000)));": "1:6: error: constructor priorities must be integers from 0 to 65535",
    "static int f(void) __attribute__((weak));": "1:12: error: weak declaration of 'f' must be public",
    "#define P __attribute__((naked))\n struct P S { char a; };": "2:9: error: attribute 'naked' is not supported",
    "#define p naked\nint x __attribute__((p));": "2:22: error: attribute 'naked' is not supported",
    "#define a(x) __attribute__(x)\nint x a((naked));": "2:7: error: attribute 'naked' is not supported",
    "[[gnu::naked]] void f(void);": "1:8: error: attribute 'naked' is not supported",
    "struct s; typedef struct s T __attribute__((mode(SI)));": "1:26: error: there is no type of mode 'SI' for 'struct s'",
    "int x __attribute__((mode(XX)));": "1:1: error: there is no type of mode 'XX' for 'int'",
    "void f(void) { int x __attribute__((cleanup(g))); }": "1:20: error: attribute 'cleanup' takes the name of a function",
    'int f(void) __attribute__((alias("g")));': "1:5: error: 'f' aliased to undefined symbol 'g'",
    "int f(void) __attribute__((alias));": "1:5: error: attribute 'alias' takes the name of its target as a string",
    "#pragma pack(3)\nint x;": "1:9: error: #pragma pack takes an alignment of 1, 2, 4, 8, 16, not '3'",
    "#pragma pack push\nint x;": "1:9: error: #pragma pack expects '(' ... ')'",
    '_Pragma("pack(pop)") int x;': "1:1: error: #pragma pack(pop) without a matching #pragma pack(push)",
    "#pragma redefine_extname x y\nint x;": "1:9: error: #pragma redefine_extname x y is not supported",
    'void f(void) { __asm volatile("nop" : : : "memory"); }': "1:16: error: assembly is not supported: write C, or an asm "
    "statement without instructions (a barrier)",
    'asm(".data");': "1:1: error: assembly is not supported: write C, or an asm statement without instructions (a barrier)",
    'void f(int x) { asm("" : "=r"(x) : "1"(2)); }': "1:36: error: there is no operand 1 for the constraint of this one",
    'void f(void) { asm("" : "=r"(1)); }': "1:30: error: lvalue required as output of an asm statement",
    "void f(void) { asm(1); }": "1:20: error: expected string before '1'",
    'int f(void); int x = sizeof f(); int f(void) asm("g");': "1:38: error: asm name of 'f' comes after its use or definition",
}


@pytest.mark.parametrize("text", ERRORS)
def test_what_changes_the_meaning_is_an_error(text):
    errors = said(text + "\n")
    assert errors[0] == f"bad.c:{ERRORS[text]}"


HARMLESS = [
    "void f(const char *, ...) __attribute__((format(printf, 1, 2), __noreturn__));",
    "__attribute__((always_inline, hot)) static inline int f(int x) { return x; } int g(void) { return f(1); }",
    "int __attribute((__const__)) f(void) __attribute__((pure, nothrow, leaf, warn_unused_result)) ;",
    'extern int x __attribute__((deprecated("use y"), visibility("hidden"))) __attribute__(());',
    "int f(int x) { switch (x) { case 1: x++; __attribute__((fallthrough)); default: return x; } }",
    "#pragma GCC diagnostic push\n#pragma STDC FP_CONTRACT OFF\n#pragma\nint x;",
    "#if 0\n#pragma pack(1)\nint x __attribute__((packed));\n#endif\nint x;",
    "#define unused(x) int y\nunused(__attribute__((packed)));",
    "#define text(x) #x\nchar *s = text(__attribute__((packed)) __asm__);",
    "_Pragma(\"once\") int x; int y;",
]  # fmt: skip


@pytest.mark.parametrize("text", HARMLESS)
def test_what_is_harmless_is_ignored(text):
    assert said(text + "\n") == []


def test_an_unknown_attribute_is_a_warning():
    assert said("int x __attribute__((unused, __strange__(1, two)));\n") == [
        "bad.c:1:30: warning: 'strange' attribute directive ignored [-Wattributes]"
    ]
