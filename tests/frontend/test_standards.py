"""The editions of C: words and macros that only some have, and programs in the newest, which not every gcc knows."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from il_to_c import GCC_FLAGS, LP64, print_c
from test_programs import require

from vpo.base.c_standard import find_standard
from vpo.frontend import CompileErrors, compile_c
from vpo.frontend.c_options import COptions
from vpo.frontend.warnings.flags import read_options

NEW = r"""
int printf(const char *, ...);
enum small : unsigned char { FIRST = 200, SECOND };
enum big : long long;
enum big : long long { LARGE = 1LL << 40 };
struct bits { enum small : 3; enum small s : 8; };
constexpr int count = 4;
constexpr double half = 0.5;
static int table[count] = { 0b101, 1'000, 0x1'0 };
static_assert(sizeof(enum small) == 1 && sizeof(enum big) == 8 && count == 4);
static_assert(true);
[[noreturn]] void stop(void);
[[nodiscard("why")]] static int one() { return 1; }
alignas(32) static char aligned[3];
thread_local int local_to_thread = 3;
int main(void)
{
    auto x = 1.5f;
    const auto p = &x;
    bool yes = true, no = false;
    int *null = nullptr;
    typeof_unqual(count) changed = count;
    changed++;
    constexpr unsigned char c = 255;
    int array[c - 252] = {}, scalar = {};
    static_assert(_Generic(true, bool: 1, default: 0) && _Generic(nullptr, void *: 0, default: 1));
    switch (changed) {
        [[maybe_unused]] int unused;
    case 5: scalar++; [[fallthrough]];
    default: scalar++;
    }
    printf("%d %d %d\n", FIRST, SECOND, (int)sizeof(typeof(LARGE)));
    printf("%d %g %d %d %d\n", (int)sizeof x, *p, yes, no, null == nullptr);
    printf("%d %d %d %d\n", changed, table[0] + table[1] + table[2], (int)(sizeof array / sizeof *array), scalar);
    printf("%g %d %d %d\n", half * count, one(), (int)((unsigned long)aligned % 32), local_to_thread);
    return u8'a' - 97;
}
"""
PRINTED = """\
200 201 8
4 1.5 1 0 1
5 1021 3 2
2 1 0 3
"""


def test_the_newest_edition(tmp_path):
    require("gcc")
    text = tmp_path / "ours.c"
    text.write_text(print_c(compile_c("new.c", LP64, COptions(standard=find_standard("c23")), source=NEW)))
    subprocess.run(["gcc", *GCC_FLAGS, text, "-o", tmp_path / "ours", "-lm"], check=True)
    result = subprocess.run([tmp_path / "ours"], capture_output=True, text=True, timeout=60, check=False)
    assert (result.stdout, result.returncode) == (PRINTED, 0)


ATTRIBUTES = """\
[[]]; void early [[]] (void);
[[]] int [[]] a [[]] = 123;
int f([[]] int x [[]], [[]] long [[]], short [[]] *[[]] [3] [[]], int [[]] (int)[[]], int (*)(int)[[]]) [[]] [[]];
int g [[]] [2] [[]] [3] [[]];
int *[[]] const *[[]] volatile *[[]] *const p;
struct [[]] s { [[]] long [[]] *a[[]] [3] [[]] [4], b[[]]; };
int z = sizeof(int [[]]);
enum [[]] e { E1 [[]][[]], E2 [[]] = 3 };
void h(int n) [[]] { [[]] int v [[gnu::aligned(16)]]; [[]] { } [[]] x: [[]] y: [[]] v = 1; [[]]; [[]] do [[]] v--; while (n); }
static_assert(sizeof g == 6 * sizeof(int) && sizeof(struct s) == 13 * sizeof(long));
#line 0'123
static_assert(__LINE__ == 123);
int *q = &(alignas(16) int) { 1 };
"""


def test_attributes_stand_in_many_places():
    assert errors(ATTRIBUTES, "c23") == []


def test_statements_within_others_are_scopes():
    text = "int f(int n) { if (n) n = sizeof(struct s { int a; }); else n = sizeof(struct s { int b; }); return n; }"
    assert errors(text, "c99") == []
    assert errors(text.replace("else", ";"), "c99") == []


def test_what_c90_allows_is_told_on_demand():
    text, found = "f(x) { return g(x); }", []
    for words in ([], ["-pedantic-errors"], ["-Wall"]):
        found.append([])
        options = COptions(warnings=read_options(words, 1990), standard=find_standard("c90"))
        compile_c("f.c", LP64, options, source=text, warn=found[-1].append)
    assert [len(warnings) for warnings in found] == [0, 0, 1]


def errors(text, standard):
    try:
        compile_c("f.c", LP64, COptions(standard=find_standard(standard)), source=text)
    except CompileErrors as problem:
        return [str(error) for error in problem.diagnostics]
    return []


@pytest.mark.parametrize(
    ("text", "right", "wrong"),
    [
        ("int bool, nullptr, constexpr, alignas, static_assert;", "gnu17", "gnu23"),
        ("int asm, typeof;", "c17", "gnu17"),
        ("int inline, restrict;", "c89", "c99"),
        ("int inline = 1;", "c90", "gnu89"),
        ('void f(void) { asm volatile(""); }', "gnu89", "c11"),
        ("int f(); int g(void) { return f(1); }", "c17", "c23"),
        ("__inline int f(int *__restrict p) { return sizeof(__typeof__(p)); }", "c89", None),
        ("_Static_assert(__STDC_VERSION__ == 201710L, \"\");", "gnu18", "gnu11"),
        ("_Static_assert(__STDC_VERSION__ == 202311L);", "c2x", "gnu17"),
        ("_Static_assert(__STDC_VERSION__ == 199409L, \"\");", "iso9899:199409", "c99"),
        ("#ifdef __STDC_VERSION__\n#error\n#endif\n", "c90", "c99"),
        ("#ifndef unix\n#error\n#endif\n#ifndef __unix__\n#error\n#endif\n", "gnu11", "c11"),
        ("#ifndef __STRICT_ANSI__\n#error\n#endif\n", "c11", "gnu11"),
    ],
)  # fmt: skip
def test_words_and_macros(text, right, wrong):
    assert errors(text, right) == []
    assert wrong is None or errors(text, wrong)


ERRORS = {
    "auto x;": "f.c:1:6: error: declaration of 'x' needs an initializer to take its type from",
    "void f(void) { auto *p = (int *)0; }": "f.c:1:21: error: 'p' takes its whole type from its initializer",
    "constexpr int x;": "f.c:1:15: error: 'constexpr' requires an initialized object",
    "int f(void); constexpr int x = f();": "f.c:1:32: error: initializer element is not constant",
    "enum e : double { A };": "f.c:1:1: error: the underlying type of an enum must be an integer type, not 'double'",
    "enum e : char { A = 300 };": "f.c:1:17: error: enumerator value is not representable in 'char'",
}


@pytest.mark.parametrize("text", ERRORS)
def test_mistakes(text):
    assert errors(text, "c23")[0] == ERRORS[text]


def defined(text, standard):
    return [f.name for f in compile_c("f.c", LP64, COptions(standard=standard), source=text).functions]


def test_inline_functions_of_old():
    text = "extern inline int f(void) { return 1; } int g(void) { return f(); } inline int h(void) { return 2; }"
    assert defined(text, find_standard("gnu17")) == ["f", "g", "h"]
    old = compile_c("f.c", LP64, COptions(standard=find_standard("gnu89")), source=text)
    assert [(f.name, f.static) for f in old.functions] == [("f", True), ("g", False), ("h", False)]
    replaced = text + "int f(void) { return 3; }"
    assert errors(replaced, "gnu17")
    assert defined(replaced, replace(find_standard("gnu17"), gnu89_inline=True)) == ["g", "h", "f"]


def test_unknown_editions():
    assert find_standard("c++17") is None
    assert find_standard("gnu17") != find_standard("c17")
