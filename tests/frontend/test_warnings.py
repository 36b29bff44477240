"""What is warned of, under which flag, and what is not."""

import re
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from il_to_c import LP64

from vpo.frontend import CompileErrors, compile_c
from vpo.frontend.warning_flags import DEFAULT, EVERYTHING, FLAGS, read_options

HEAD = """\
int printf(const char *, ...); int scanf(const char *, ...); void abort(void); int vprintf(const char *, char *);
enum color { RED, GREEN, BLUE };
#define NOTED(x) __attribute__((x))
"""

# The flags of the warnings about a function, or about declarations.
WARNED = {
    'int f(char *s) { return printf("%d %s %ld %f %c", s, 1, 1, 1, s); }': ["format"] * 5,
    'int f(void) { return printf("%d"); }': ["format"],
    'int f(void) { return printf("%d", 1, 2); }': ["format-extra-args"],
    'int f(void) { return printf("%y", 1) + printf("%"); }': ["format"] * 2,
    'int f(void) { return printf("%*d", 1L, 1); }': ["format"],
    'int f(char *ap) { return vprintf("%k", ap); }': ["format"],
    'int f(int x) { return printf(x ? "%d" : "%s", x); }': ["format"],
    'int f(long *l, float *f) { return scanf("%d %lf %s %n %p", l, f, f, f, l) + scanf("%d %!", l); }': ["format"] * 7,
    'void log_it(int, const char *, ...) NOTED(format(__printf__, 2, 3)); void f(void) { log_it(1, "%d", ""); }': ["format"],
    "int f(int x) { if (x = 1) return 1; while (x && (x = 2) || x) x--; return !x; }": ["parentheses"] * 2,
    "int f(int x) { switch (x = 1) { case 1: return 2; } return x; }": [],
    "int f(int a, int b) { return (a & b == 1) + (a << b + 1) + (a < b < 3) + (a | b & 1); }": ["parentheses"] * 4,
    "int f(int a) { if (a) if (a > 1) return 1; else return 2; return 3; }": ["parentheses"],
    "int f(int a) { if (a); if (a) { } else ; return a; }": ["empty-body"] * 2,
    "int f(int x) { if (x) return 1; }": ["return-type"],
    "void stop(void); int f(int x) { if (x) return 1; stop(); }": ["return-type"],
    "int f(void) { int x; return x; }": ["uninitialized"],
    "void f(void) { int x; x++; }": ["uninitialized"],
    "int f(int n) { int x; if (n) { n += x; x = 1; } return n + x; }": ["uninitialized"],
    "void f(void) { int x = 3; }": ["unused-variable"],
    "void f(void) { int x; x = 3; }": ["unused-but-set-variable"],
    "void f(int x) { }": ["unused-parameter"],
    "void f(void) { here: ; }": ["unused-label"],
    "static int f(void) { return 1; } static int x; static int g(int n) { return g(n); }": [
        "unused-function",
        "unused-variable",
        "unused-function",
    ],
    "void f(int x) { x == 1; *&x; 3; x, x++; }": ["unused-value"] * 3,
    "int must(void) NOTED(warn_unused_result); void f(void) { must(); }": ["unused-result"],
    'int bad(void) NOTED(warning("never")); int f(void) { return sizeof bad() + bad(); }': ["attribute-warning"],
    "int f(int a, unsigned b) { return a < b; }": ["sign-compare"],
    "int f(unsigned a, unsigned char b) { return (a < 0) + (b == 256) + (b == -1); }": ["type-limits"] * 3,
    "int f(int a) { return a == a; }": ["tautological-compare"],
    "int f(int *p, char c) { return p[c]; }": ["char-subscripts"],
    "int a[3]; int f(void) { return a[3] + a[-1]; }": ["array-bounds"] * 2,
    "unsigned char a = 256; signed char b = 200; int c = 2147483647 + 1;": ["overflow"] * 3,
    "int *f(void) { int x = 1; return &x; }": ["return-local-addr"],
    "char *f(unsigned char *p) { return p; }": ["pointer-sign"],
    "char *f(const unsigned char *p) { return p; }": ["pointer-sign", "discarded-qualifiers"],
    "int f(enum color c) { switch (c) { case RED: return 1; case GREEN: return 2; } return 3; }": ["switch"],
    "int f(int x) { switch (x) { case 1: x++; case 2: x--; default: x = 1; } return x; }": ["implicit-fallthrough"] * 2,
    "int f();": ["strict-prototypes"],
    "void main(void) { }": ["main"],
    "int f(int x) { return (x << 32) + (x << -1); }": ["shift-count-overflow", "shift-count-negative"],
}

# Nothing is said about these.
FINE = [
    'int f(char c, short s, long l, float d, void *p) { return printf("%d%hd%c%ld%5.2f%p%%%s", c, s, c, l, d, p, "x"); }',
    'int f(unsigned long z, char *s) { return printf("%*d%-5.*s%zu%x%lc", 3, 4, 5, s, z, RED, 3); }',
    'int f(int *i, float *f, double *d, char *s, void **p) { return scanf("%d%*s%f%lf%[^]x]%c%p%%", i, f, d, s, s, p); }',
    "int f(int x) { if ((x = 1)) return 1; while ((x & 3) == 2 || (x && x > 1)) x--; return x; }",
    "int f(int x) { if (x) { if (x > 1) return 1; } else return 2; while (x--); return 3; }",
    "int f(int x) { while (1) if (x) return 1; }",
    "int f(int x) { if (x) return 1; abort(); }",
    "void stop(void) NOTED(noreturn); _Noreturn void end(void); int f(int x) { if (x) stop(); else end(); }",
    "int f(int x) { switch (x) { case 1: return 1; default: __builtin_unreachable(); } }",
    "int f(int x) { again: if (x) return 1; x++; goto again; }",
    "int f(int n) { int x; if (n) x = 1; else return 2; return x; }",
    "int g(int *); int f(void) { int x, y = y, a[2]; a[1] = 2; return g(&x) + x + y + a[0]; }",
    "void f(int x NOTED(unused), int y) { int z NOTED(__unused__); (void)y; NOTED(unused) int u; l: NOTED(unused); }",
    "static void f(void) NOTED(unused); static void f(void) { } static inline void g(void) { } static const int x = 1;",
    "static int f(void) { return 1; } int (*p)(void) = f; int g(int x) { return sizeof x; }",
    "int f(int x, volatile int *p) { *p; x ? x++ : 0; (void)0; x && f(x, p); return x; }",
    "int f(int a, unsigned b, unsigned char c) { return (c < b) + (a == 3u) + ((a & 7) < b) + (b < 3) + (b >= sizeof a); }",
    "int a[3], *p = &a[3]; int f(void) { return p != &a[3] && a[2] && sizeof a[7]; }",
    "unsigned a = -1; unsigned char b = -1, c = 255; signed char d = 127; long e = 2147483647 + 1L; char x = 'x';",
    "int f(enum color c) { switch (c) { case RED ... BLUE: return 1; } switch (c) { default: return 2; } }",
    "int f(int x) { switch (x) { case 1: case 2: x++; break; case 3: x++; case 4: break; default: return 1; } return x; }",
    "int main() { }",
]


def warned(text, options=EVERYTHING):
    found = []
    compile_c("a.c", LP64, source=f"{HEAD}{text}\n", warn=found.append, warnings=options)
    return found


@pytest.mark.parametrize("text", WARNED)
def test_what_is_warned_of(text):
    assert sorted(d.flag for d in warned(text) if d.flag != "strict-prototypes" or "()" in text) == sorted(WARNED[text])


@pytest.mark.parametrize("text", FINE)
def test_what_is_fine(text):
    assert [str(d) for d in warned(text) if d.flag != "strict-prototypes"] == []


def test_formats_name_the_types_that_they_want():
    conversions = {"%d": "int", "%hd": "int", "%lu": "long", "%llx": "long long", "%f": "double", "%Lg": "long double"}
    for conversion, wanted in conversions.items():
        (found,) = warned(f'int f(char *s) {{ return printf("{conversion}", s); }}')
        assert f"'{wanted}', but argument 2 has type 'char *'" in found.message, conversion
    (found,) = warned('int f(char *s) { return scanf("%f", s); }')
    assert "'float *', but argument 2" in found.message


def test_cases_may_say_that_they_fall_through(tmp_path):
    path = tmp_path / "a.c"
    path.write_text(
        "int f(int x) {\n switch (x) {\n case 1: x++; /* falls through */ case 2: x++;\n"
        " // FALLTHRU\n\n case 3: x++; __attribute__((fallthrough));\n case 4: x++;\n case 5: x++; break;\n"
        " case 6: if (x) case 7: x++; }\n return x; }\n"
    )
    found = []
    compile_c(str(path), LP64, warn=found.append, warnings=EVERYTHING)
    assert [d.line for d in found] == [8]


PRAGMAS = """\
#define QUIET(x) _Pragma("GCC diagnostic push") \\
  _Pragma("GCC diagnostic ignored \\"-Wunused-value\\"") x; _Pragma("GCC diagnostic pop")
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused"
#pragma GCC diagnostic ignored "-Wcpp"
#warning never
static void silent(int x) { x == 1; }
#pragma GCC diagnostic pop
static void told(int x) { QUIET(x == 1) x == 2; }
#warning told
#pragma GCC diagnostic error "-Wunused-parameter"
void wrong(int x) { }
"""


def test_pragmas_switch_warnings():
    found = []
    with pytest.raises(CompileErrors, match=r"12:16: error: unused parameter 'x' \[-Werror=unused-parameter\]"):
        compile_c("a.c", LP64, source=PRAGMAS, warn=found.append, warnings=read_options(["-Wall"]))
    assert [(d.line, d.flag) for d in found] == [(10, "cpp"), (9, "unused-value"), (9, "unused-function")]


def test_little_is_said_unasked():
    flags = {flag for text in WARNED for flag in WARNED[text] if warned(text, DEFAULT)}
    assert flags == {
        "discarded-qualifiers", "overflow", "pointer-sign", "return-local-addr", "shift-count-negative",
        "shift-count-overflow", "unused-result", "attribute-warning",
    }  # fmt: skip


def test_every_flag_is_given_by_something():
    sources = "".join(path.read_text() for path in Path(compile_c.__code__.co_filename).parent.rglob("*.py"))
    named = {flag for flag in FLAGS if len(re.findall(f'"{flag}"', sources)) > 1}
    assert named == set(FLAGS)
