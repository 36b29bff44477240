"""Conditionals, inclusion, places, pragmas: which tokens are left, and what is said about the rest."""

import re
import time

import pytest

from vpo.frontend import CompileErrors, preprocess
from vpo.frontend.c_options import COptions
from vpo.frontend.cpp.tokens import Source
from vpo.il.data_model import DataModel

SIZES = {"char": 1, "short": 2, "int": 4, "long": 8, "llong": 8, "float": 4, "double": 8, "ldouble": 8, "pointer": 8}
MODEL = DataModel(False, True, SIZES, SIZES)


def tokens(text):
    return [token.text for line in Source("", "", text).lines() if line[0].text != "#" for token in line]


def left(text, **options):
    """Return the tokens that preprocessing leaves."""
    return tokens(preprocess("bad.c", MODEL, COptions(**options), source=text))


def said(text, **options):
    """Return the messages about a text."""
    messages = []
    try:
        preprocess("bad.c", MODEL, COptions(**options), source=text, warn=messages.append)
    except CompileErrors as problem:
        messages += problem.diagnostics
    return [re.sub(r" \[-W[^]]*\]$", "", str(message)) for message in messages]


REPLACED = {
    "example 3": (
        """#define x 3
#define f(a) f(x * (a))
#undef x
#define x 2
#define g f
#define z z[0]
#define h g(~
#define m(a) a(w)
#define w 0,1
#define t(a) a
#define p() int
#define q(x) x
#define r(x,y) x ## y
#define str(x) # x
f(y+1) + f(f(z)) % t(t(g)(0) + t)(1);
g(x+(3,4)-w) | h 5) & m
(f)^m(m);
p() i[q()] = { q(1), r(2,3), r(4,), r(,5), r(,) };
char c[2][6] = { str(hello), str() };""",
        """f(2 * (y+1)) + f(2 * (f(2 * (z[0])))) % f(2 * (0)) + t(1);
f(2 * (2+(3,4)-0,1)) | f(2 * (~ 5)) & f(2 * (0,1))^m(0,1);
int i[] = { 1, 23, 4, 5, }; char c[2][6] = { "hello", "" };""",
    ),
    "example 4": (
        r"""#define str(s) # s
#define xstr(s) str(s)
#define debug(s, t) printf("x" # s "= %d, x" # t "= %s", \
 x ## s, x ## t)
#define INCFILE(n) vers ## n
#define glue(a, b) a ## b
#define xglue(a, b) glue(a, b)
#define HIGHLOW "hello"
#define LOW LOW ", world"
debug(1, 2);
fputs(str(strncmp("abc\0d", "abc", '\4') // this goes away
 == 0) str(: @\n), s);
xstr(INCFILE(2).h) glue(HIGH, LOW); xglue(HIGH, LOW)""",
        r"""printf("x" "1" "= %d, x" "2" "= %s", x1, x2);
fputs("strncmp(\"abc\\0d\", \"abc\", '\\4') == 0" ": @\n", s); "vers2.h" "hello"; "hello" ", world" """,
    ),
    "example 5": (
        "#define t(x,y,z) x ## y ## z\nt(1,2,3), t(,4,5), t(6,,7), t(8,9,), t(10,,), t(,11,), t(,,12), t(,,)",
        "123, 45, 67, 89, 10, 11, 12,",
    ),
    "hash_hash": (
        "#define hash_hash # ## #\n#define mkstr(a) # a\n#define in_between(a) mkstr(a)\n"
        "#define join(c, d) in_between(c hash_hash d)\nchar p[] = join(x, y);",
        'char p[] = "x ## y";',
    ),
    "example 7": (
        "#define debug(...) fprintf(stderr, __VA_ARGS__)\n#define showlist(...) puts(#__VA_ARGS__)\n"
        '#define report(test, ...) ((test)?puts(#test):printf(__VA_ARGS__))\ndebug("X = %d\\n", x);\n'
        'showlist(The first, second, and third items.); report(x>y, "x is %d but y is %d", x, y);',
        'fprintf(stderr, "X = %d\\n", x); puts("The first, second, and third items.");'
        '((x>y)?puts("x>y"):printf("x is %d but y is %d", x, y));',
    ),
    "numbers": ("#define c(p) 0x##p\nc(7b) c(e+1) 0xe+1 1.e-5f", "0x7b 0xe +1 0xe+1 1.e-5f"),
    "tokens do not run together": (
        "#define n -1\n#define f(x) x\n-n f(+)+ f(1)2 f(.)5 f(/)/**/* f(<)<n f(L)'a'",
        "- -1 + + 1 2 . 5 / * < < -1 L 'a'",
    ),
    "digraphs": (
        '%:define s(x) %:x\n%:define j(a,b) a%:%:b\ns(<: %:%:) "<:" a<:1:> <%%> j(a,b)',
        '"<: %:%:" "<:" a[1] {} ab',
    ),
    "rescanning": (
        "#define f(a) a*g\n#define g(a) f(a)\n#define foo foo bar\n#define bar foo\nf(2)(9) foo bar",
        "2*9*g foo foo foo bar",
    ),
    "calls over lines and directives": (
        "#define f(x, y) [x|y]\n#define none\nf none (1, 2) f\n(\n#if 0\n3\n#else\n4\n#endif\n#define five 5\n, five) f",
        "f (1, 2) [4|5] f",
    ),
    "splices": ("ab\\\ncd /\\\n* x *\\\n/ \"a\\\nb\" // \\\nc\n'x'", "abcd \"ab\" 'x'"),
    "no variable arguments": (
        "#define e(f, ...) p(f, ##__VA_ARGS__)\n#define n(f, a...) p(f, ##a)\ne(1) e(1,) e(1, 2, 3) n(1) n(1, 2)",
        "p(1) p(1,) p(1, 2, 3) p(1) p(1, 2)",
    ),
    "line": (
        '#define n 200\n#define f 300 "b.c"\n#line n\n__LINE__ __FILE__\n#line f\n__LINE__ __FILE__\n\n__LINE__\n#7\n__LINE__',
        '200 "bad.c" 300 "b.c" 302 7',
    ),
    "macros kept": (
        '#define x 1\n#pragma push_macro("x")\nx\n#undef x\n#define x 2\n#pragma push_macro("x")\n#undef x\nx\n'
        '#pragma pop_macro("x")\nx _Pragma("pop_macro(\\"x\\")") x\n#pragma pop_macro("x")\nx\n'
        '#pragma push_macro("y")\n#define y 3\n#pragma pop_macro("y")\ny',
        "1 x 2 1 1 y",
    ),
    "groups left out": (
        "#if 0\n#define\n#if (\n#else what\n#endif\n#error\n' #nonsense\n#elif 1\na\n#elif (\n#else\n#endif",
        "a",
    ),
    "names of attributes": ("#define __attribute__(x) <x>\n__attribute__((packed))", "<(packed)>"),
}


@pytest.mark.parametrize("name", REPLACED)
def test_what_is_left(name):
    text, expected = REPLACED[name]
    assert left(text + "\n") == tokens(expected)


TRUE = [
    "1 ? 2 : (1/0)", "0 && (1/0) || 1 || (1/0)", "-1 > 0u", "-7/2 == -3 && -7%3 == -1", "~0u == 18446744073709551615u",
    "(0 ? 1u : -1) > 0", "3 - 2 - 1 == 0", "0 ? 0 : 0 ? 0 : 5", "'a' == 97 && '\\377' < 0", "!defined X && !defined(X)",
    "0x7fffffffffffffff + 1 < 0", "1 << 3 >> 1 == 4", "!-!1 == 1", "undefined == 0", "defined MODEL_ && MODEL_",
    "(2 || 3) == 1", "0b11 == 3 && 017 == 15ULL", "defined __LINE__ && !defined __attribute__",
]  # fmt: skip
WRONG = [
    "1 +",
    "(1",
    "1)",
    "1 ? 2",
    "1 : 2",
    "1 2",
    '"a"',
    "x = 1",
    "08",
    "1.0",
    "0x",
    "1/0",
    "1/0, 1",
    "1,",
    ", 1",
    "f(1)",
    "defined",
    "()",
    "''",
    "9" * 30,
]


@pytest.mark.parametrize("expression", TRUE)
def test_true_conditions(expression):
    assert left(f"#define MODEL_ 1\n#if {expression}\nyes\n#endif\n") == ["yes"]


@pytest.mark.parametrize(
    "expression", ["1 || (2, 3)", "(0, 1)", "0, 1", "0 ? 0 : 0, 1", "1 ? 0, 1 : 0", "!(1, 0)", "((1, 0), 2) == 2"]
)
def test_commas_have_the_value_behind_them(expression):
    assert left(f"#if {expression}\nyes\n#endif\n") == ["yes"]


@pytest.mark.parametrize("expression", WRONG)
def test_wrong_conditions(expression):
    assert said(f"\n#if {expression}\n#else\n#endif\n") == ["bad.c:2:1: error: invalid expression in #if"]


SAID = {
    "#define f(x,x) 1": "1:13: error: duplicate macro parameter 'x'",
    "#define f(x) #y": "1:14: error: '#' is not followed by a macro parameter",
    "#define f ## x": "1:11: error: '##' cannot appear at either end of a macro expansion",
    "#define 3": "1:9: error: macro names must be identifiers, not '3'",
    "#ifdef 3\n#endif": "1:8: error: macro names must be identifiers, not '3'",
    "#define defined": "1:9: error: 'defined' cannot be used as a macro name",
    "#define A+1": "1:10: warning: no white space after the name of macro 'A'",
    "#define f(x) x\n f(1, 2)": "2:2: error: macro f requires 1 argument but was passed 2",
    "#define f(x, y, ...) x\nf(1)": "2:1: error: macro f requires at least 2 arguments but was passed 1",
    "#define f(x) x\n (f(1": "2:3: error: unterminated argument list of 'f'",
    "#define f(x) x ## +\n  f(1)": "2:3: error: pasting '1' and '+' does not give a valid preprocessing token",
    "#if 1\n#else\n#else\n#endif": "3:1: error: misplaced #else",
    "#line x": "1:1: error: #line needs a line number",
    "#line 3 x": "1:1: error: #line needs a file name in quotes, not 'x'",
    "#include <x": '1:1: error: #include expects "FILENAME" or <FILENAME>',
    "#define x <>\n#include x": '2:1: error: #include expects "FILENAME" or <FILENAME>',
    "a __has_include b": '1:3: error: __has_include expects "FILENAME" or <FILENAME>',
    "a __has_builtin(b c)": "1:3: error: __has_builtin takes a name in parentheses",
    "#pragma push_macro(x)": '1:9: error: #pragma push_macro expects ("NAME")',
    "_Pragma(x)": "1:1: error: _Pragma takes a string literal in parentheses",
    "#line 20\n #error here": "20:2: error: #error here",
    "int a;\n  /* b": "2:3: error: unterminated comment",
}


@pytest.mark.parametrize("text", SAID)
def test_what_is_said(text):
    assert said(text + "\n") == [f"bad.c:{SAID[text]}"]


def test_a_guard_that_is_undefined_lets_a_file_in_again(tmp_path):
    (tmp_path / "a.h").write_text("#ifndef A_H\n#define A_H\nseen\n#endif\n")
    (tmp_path / "b.h").write_text("#pragma once\nonce\n")
    text = '#include "a.h"\n#include "a.h"\n#undef A_H\n#include <a.h>\n#include "b.h"\n#include "./b.h"\n'
    assert left(text, include_paths=[str(tmp_path)]) == ["seen", "seen", "once"]


def test_the_place_of_errors_in_included_files(tmp_path):
    (tmp_path / "a.h").write_text("int a;\n#if 1\n /* b")
    (message,) = said('\n#include "a.h"\n#nonsense\n', include_paths=[str(tmp_path)])[:1]
    assert message == f"{tmp_path}/a.h:3:2: error: unterminated comment"


def test_definitions_of_the_command_line():
    assert left("A f(3) B __STDC__", defines=[("A", "1"), ("f(x)", "<x>"), ("B", "")], undefines=["A"]) == tokens("A <3> 1")
    assert said("", defines=[("A", "1"), ("3", "1")]) == [
        "<command line>:2:9: error: macro names must be identifiers, not '3'"
    ]


CHAIN = "".join(f"#define M{i} M{i + 1}\n#define F{i}(x) F{i + 1}(x)\n" for i in range(3000))
DEEP = {
    "parentheses": ("#if " + "(" * 5000 + "1" + ")" * 5000 + "\nM3000\n#endif", "M3000"),
    "operators": ("#if " + "!-" * 5001 + "1\n#elif " + "1 ? " * 5000 + "1" + " : 0" * 5000 + "\nM3000\n#endif", "M3000"),
    "macros": (CHAIN + "M0 F0(M0)\n#if M0\n#else\nno\n#endif", "M3000 F3000(M3000) no"),
    "conditionals": ("#if 1\n" * 10000 + "1\n" + "#endif\n" * 10000, "1"),
    "calls": ("#define f(x) x\n" + "f(" * 200 + "1" + ")" * 200, "1"),
}


@pytest.mark.parametrize("name", DEEP)
def test_deep_nesting(name):
    text, expected = DEEP[name]
    assert left(text + "\n") == tokens(expected)


def test_calls_nested_too_deeply():
    (message,) = said("#define f(x) x\n\n" + "f(" * 300 + "1" + ")" * 300 + "\n")
    assert message == "bad.c:3:401: error: macro calls nested too deeply: more than 200 in arguments of each other"


def test_files_that_include_each_other(tmp_path):
    (tmp_path / "a.h").write_text('#include "b.h"\n')
    (tmp_path / "b.h").write_text('\n #include "a.h"\n')
    messages = said('#include "a.h"\n', include_paths=[str(tmp_path)])
    assert messages == [f"{tmp_path}/b.h:2:2: error: #include nested too deeply: more than 200 files"]


GROWING = {
    "line markers": lambda n: '# 1 "x.h"\nint a;\n' * n,
    "definitions": lambda n: "".join(f"#define A{i} {i}\n" for i in range(n)),
    "calls": lambda n: "#define A(x) x\n" + "A(1)" * n,
    "a call": lambda n: "#define A(...) #__VA_ARGS__ __VA_ARGS__\nA(" + "1,\n" * n + ")",
    "conditionals": lambda n: "#if 1\n#if 0\n" + "1, " * n + "\n#if 1\n#endif\n" * n + "#endif\n#endif\n",
    "joined lines": lambda n: "int a = 1" + "\\\n+ 1" * n,
}


@pytest.mark.parametrize("name", GROWING)
def test_time_is_linear(name):
    """Eight times as much takes eight times as long, give or take; if it were quadratic, 64 times."""

    def seconds(count):
        start = time.process_time()
        preprocess("bad.c", MODEL, source=GROWING[name](count) + "\n")
        return time.process_time() - start

    short = min(seconds(400) for _ in range(3))
    assert min(seconds(3200) for _ in range(2)) < 25 * short


def test_include_next_goes_on_behind_the_folder_of_the_file(tmp_path):
    for folder, text in (
        ("one", "one\n#if __has_include_next(<both.h>)\n#include_next <both.h>\n#endif\n"),
        ("two", "two\n#if __has_include_next(<both.h>)\n#include_next <both.h>\n#endif\n"),
    ):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "both.h").write_text(text)
    paths = [str(tmp_path / folder) for folder in ("one", "two")]
    assert left("#include <both.h>\n", include_paths=paths) == ["one", "two"]
    assert left("#include <both.h>\n", include_paths=paths[::-1]) == ["two", "one"]
    assert left("#include <both.h>\n", include_paths=[paths[0], paths[0] + "/.", paths[1]]) == ["one", "two"]
    assert left("#include_next <both.h>\n", include_paths=paths) == ["one", "two"]
    assert said("#include_next <none.h>\n", include_paths=paths) == ["bad.c:1:1: error: none.h: no such file or directory"]


def test_a_header_beside_the_includer_goes_on_with_the_first_folder(tmp_path):
    (tmp_path / "own").mkdir()
    (tmp_path / "other").mkdir()
    (tmp_path / "own" / "first.h").write_text('#include "limits.h"\n')
    (tmp_path / "own" / "limits.h").write_text("own\n#include_next <limits.h>\n")
    (tmp_path / "other" / "limits.h").write_text("other\n")
    main = f'#include "{tmp_path}/own/first.h"\n'
    assert left(main, include_paths=[str(tmp_path / "other")]) == ["own", "other"]


def test_import_reads_a_file_once_and_ident_says_nothing(tmp_path):
    (tmp_path / "text.h").write_text("text\n")
    assert left('#ident "x"\n#sccs "y"\n#import <text.h>\n#import <text.h>\n', include_paths=[str(tmp_path)]) == ["text"]


def test_a_missing_parenthesis_in_macros_that_call_each_other_is_told_once():
    """Tokens that a call without an end has taken are not expanded: each level would double the work."""
    levels = "".join(f"#define f{n}(x) f{n - 1}(x ( f{n - 1}(x))\n" for n in range(1, 20))
    assert said(f"#define f0(x) x\n{levels}f19(1)\n") == ["bad.c:21:1: error: unterminated argument list of 'f18'"]
