"""Attributes, pragmas and assembly: what changes a program's meaning is an error, until it works."""

import pytest

from vpo.datamodel import DataModel
from vpo.frontend import CompileErrors, compile_c

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
    "int x __attribute__((unused)) __attribute__ ((\n__mode__(DI)));": "2:1: error: attribute 'mode' is not supported",
    "typedef int V __attribute__((vector_size(16)));": "1:30: error: attribute 'vector_size' is not supported",
    "void f(void) __attribute__((constructor(101)));": "1:29: error: attribute 'constructor' is not supported",
    "void f(void) __attribute__((destructor));": "1:29: error: attribute 'destructor' is not supported",
    'int x __attribute__((weak, alias("y")));': "1:22: error: attribute 'weak' is not supported",
    'int x __attribute__((section(".data.x")));': "1:22: error: attribute 'section' is not supported",
    "#define P __attribute__((naked))\n struct P S { char a; };": "2:9: error: attribute 'naked' is not supported",
    "#define p naked\nint x __attribute__((p));": "2:22: error: attribute 'naked' is not supported",
    "#define a(x) __attribute__(x)\nint x a((naked));": "2:7: error: attribute 'naked' is not supported",
    "#pragma pack(1)\nint x;": "1:9: error: #pragma pack(1) is not supported",
    "\n #pragma  pack ( push, 1 )\nint x;": "2:11: error: #pragma pack ( push, 1 ) is not supported",
    '_Pragma("pack(1)") int x;': "1:1: error: #pragma pack(1) is not supported",
    "#pragma weak x\nint x;": "1:9: error: #pragma weak x is not supported",
    'extern int x __asm__("y");': "1:14: error: assembly (__asm__) is not supported",
    'void f(void) { __asm volatile("nop" : : : "memory"); }': "1:16: error: assembly (__asm) is not supported",
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
        "bad.c:1:30: warning: unknown attribute 'strange' is ignored [-Wattributes]"
    ]
