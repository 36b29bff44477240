"""What is warned of, under which flag, and what is not."""

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from il_to_c import LP64
from test_programs import require

from vpo.frontend import CompileErrors, compile_c
from vpo.frontend.c_options import COptions
from vpo.frontend.warnings.flags import DEFAULT, read_options
from vpo.frontend.warnings.table import RECORDS

HEAD = """\
int printf(const char *, ...); int scanf(const char *, ...); void abort(void); int vprintf(const char *, char *);
enum color { RED, GREEN, BLUE };
#define NOTED(x) __attribute__((x))
"""

# The flags of the warnings about a function, or about declarations.
# fmt: off
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
    "int f(int a, int b) { return (a & b == 1) + (a << b + 1) + (a | b & 1); }": ["parentheses"] * 3,
    "int f(int a, int b) { return a < b < 3; }": ["parentheses"],
    "int f(int a) { if (a) if (a > 1) return 1; else return 2; return 3; }": ["parentheses"],
    "int f(int a) { if (a); if (a) { } else ; return a; }": ["empty-body"] * 2,
    "int f(int x) { if (x) return 1; }": ["return-type"],
    "void stop(void); int f(int x) { if (x) return 1; stop(); }": ["return-type"],
    "int *f(int i) { struct { int x, y[3]; } s; return &s.y[i]; }": ["return-local-addr"],
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
    "unsigned char a = 256; signed char b = -200; int c = 2147483647 + 1;": ["overflow"] * 3,
    "int *f(void) { int x = 1; return &x; }": ["return-local-addr"],
    "char *f(unsigned char *p) { return p; }": ["pointer-sign"],
    "char *f(const unsigned char *p) { return p; }": ["pointer-sign", "discarded-qualifiers"],
    "int f(enum color c) { switch (c) { case RED: return 1; case GREEN: return 2; } return 3; }": ["switch"],
    'int f(int x) { return printf(x ? "%d" : "one", x) + printf(x ? "a" : "one", x); }': ["format-extra-args"],
    "int f(unsigned a, int b) { return (a < (b ? 3 : 4)) + (a < (b ? 3 : b)); }": ["sign-compare"],
    "int f(int a, int b) { return (!a == b) + (!a < b) + (!a == !b) + (!a == 0) + ((!a) == b) + (!!a == b); }":
        ["logical-not-parentheses"] * 2,
    "int f(int a, _Bool b) { return (!a == b) + (!a != b); }": [],
    "void f(void) { typedef int t; } static const int x = 1;": ["unused-local-typedefs", "unused-const-variable"],
    "void f(int x) { x = 1; }": ["unused-but-set-parameter"],
    "const int f(void) { return 1; }": ["ignored-qualifiers"],
    "const static int const x = 1; int f(void) { return x; }": ["duplicate-decl-specifier", "old-style-declaration"],
    "int f(void) { return (-1 << 2) | (1 << 31) | (3 << 31); }": ["shift-negative-value", "shift-overflow"],
    "int x = 'ab';": ["multichar"],
    "struct NOTED(packed) s { char a; int b; } s; int *p = &s.b; char *q = &s.a;": ["address-of-packed-member"],
    "int old(void) NOTED(deprecated(\"new\")); typedef int t NOTED(deprecated); t x; int f(void) { return old(); }":
        ["deprecated-declarations"] * 2,
    "char f(char *p, short s) { return (char)p + (*(char *)s); }": ["int-to-pointer-cast", "pointer-to-int-cast"],
    "void f(int x) { x + 1; for (; x; x + 1) -x; x = (f(1), x); 1, x++; }": ["unused-value"] * 3,
    "int f();": ["strict-prototypes"],
    "void main(void) { }": ["main"],
    "int f(int x) { return (x << 32) + (x << -1); }": ["shift-count-overflow", "shift-count-negative"],
}
# fmt: on

# Nothing is said about these.
FINE = [
    "#pragma pack(1)\nstruct s { char a; int b; } s;\n#pragma pack()\nint *f(void) { return &s.b; }",
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
    "static void f(void) NOTED(unused); static void f(void) { } static inline void g(void) { }",
    "static int f(void) { return 1; } int (*p)(void) = f; int g(int x) { return sizeof x; }",
    "int f(int x, volatile int *p) { *p; x ? x++ : 0; (void)0; x && f(x, p); return x; }",
    "int f(int a, unsigned b, unsigned char c) { return (c < b) + (a == 3u) + ((a & 7) < b) + (b < 3) + (b >= sizeof a); }",
    "int a[3], *p = &a[3]; int f(void) { return p != &a[3] && a[2] && sizeof a[7]; }",
    "unsigned a = -1; unsigned char b = -1, c = 255; signed char d = 127; long e = 2147483647 + 1L; char x = 'x';",
    "int f(enum color c) { switch (c) { case RED ... BLUE: return 1; } switch (c) { default: return 2; } }",
    "int f(int x) { switch (x) { case 1: case 2: x++; break; case 3: x++; case 4: break; default: return 1; } return x; }",
    "int main() { }",
]


USUAL = read_options(["-Wall", "-Wextra", "-Wstrict-prototypes"])


def warned(text, options=USUAL):
    found = []
    compile_c("a.c", LP64, COptions(warnings=options), source=f"{HEAD}{text}\n", warn=found.append)
    return found


@pytest.mark.parametrize("text", WARNED)
def test_what_is_warned_of(text):
    assert sorted(d.flag for d in warned(text) if d.flag != "strict-prototypes" or "()" in text) == sorted(WARNED[text])


@pytest.mark.parametrize("text", FINE)
def test_what_is_fine(text):
    assert [str(d) for d in warned(text) if d.flag != "strict-prototypes"] == []


# What only its own option asks for.
ASKED = {
    "char f(int i, long l, double d, unsigned u) { int x = l; float y = d; int z = d; unsigned v = i; char c = l & 127;"
    " x = u; d = i; y = i; z = 2.5; v = -1; y = 0.1; return x + y + z + v + c; }": ["-Wconversion"],
    "int x; int g(int); void f(int x, int g) { int y = x; { int y = g; } }": ["-Wshadow"],
    "void *f(void *p) { return p + 1; }": ["-Wpointer-arith"],
    "#if SOME\n#endif\n#pragma strange x\nint x;\n": ["-Wundef", "-Wunknown-pragmas"],
    "#if defined A && A > 4 || 0 && B || !(1 || C) || (0 && D) || E\n#endif\n#if 1 ? 2 : F\n#elif G\n#endif\n"
    "#if 0 ? H : I\n#endif\n#if (1 ? (0 ? J : 1) : K) && L\n#endif\n#if 1 ? 0 && M : N\n#endif\n"
    "#if __GNUC__ > 400 && __GNUC_MINOR__ > 1\n#endif\nint x;\n": ["-Wundef"],
}  # fmt: skip


@pytest.mark.parametrize("text", ASKED)
def test_what_is_warned_of_on_demand_is_what_gcc_says(text, tmp_path):
    require("gcc")
    options = ASKED[text]
    path, said_here = tmp_path / "a.c", []
    path.write_text(f"enum color {{ RED, GREEN, BLUE }};\n{text}\n")
    compile_c(str(path), LP64, COptions(warnings=read_options(options)), warn=said_here.append)
    found = [(d.line, d.column, d.flag) for d in said_here]
    command = ["gcc", "-c", "-o", "/dev/null", "-fdiagnostics-format=json", *options, path]
    lines = subprocess.run(command, capture_output=True, text=True, check=False).stderr.splitlines()
    said = [told for line in lines for group in json.loads(line) for told in (group, *group["children"]) if "option" in told]
    places = [(d["locations"][0]["caret"], d["option"].removeprefix("-W").rstrip("=")) for d in said]
    assert sorted((line, flag) for line, _, flag in found) == sorted((place["line"], flag) for place, flag in places)


def test_formats_name_the_types_that_they_want():
    conversions = {"%d": "int", "%hd": "int", "%ld": "long", "%lu": "unsigned long", "%llx": "unsigned long long"}
    for conversion, wanted in (conversions | {"%f": "double", "%Lg": "long double"}).items():
        (found,) = warned(f'int f(char *s) {{ return printf("{conversion}", s); }}')
        assert f"'{wanted}', but argument 2 has type 'char *'" in found.message, conversion
    (found,) = warned('int f(char *s) { return scanf("%f", s); }')
    assert "'float *', but argument 2" in found.message
    for conversion, wanted in {"%hhd": "signed char *", "%hu": "unsigned short *", "%li": "long *"}.items():
        (found,) = warned(f'int f(float *p) {{ return scanf("{conversion}", p); }}')
        assert f"'{wanted}', but argument 2 has type 'float *'" in found.message, conversion


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
        compile_c("a.c", LP64, COptions(warnings=read_options(["-Wall"])), source=PRAGMAS, warn=found.append)
    assert [(d.line, d.flag) for d in found] == [(10, "cpp"), (9, "unused-value"), (9, "unused-function")]


FOR_GCC = """\
#if defined _MSC_VER
#pragma warning(push)
#elif defined __GNUC__ && __GNUC__ > 4
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wsign-conversion"
#endif
unsigned silent(int n) { return n; }
#ifdef __GNUC__
#pragma GCC diagnostic pop
#elif OTHER
#pragma GCC diagnostic ignored "-Wsign-conversion"
#endif
#ifdef NEVER
#ifdef __GNUC__
#pragma GCC diagnostic ignored "-Wsign-conversion"
#endif
#pragma GCC diagnostic ignored "-Wsign-conversion"
#endif
unsigned told(int n) { return n; }
"""


def test_pragmas_that_are_kept_for_gcc_count():
    found, options = [], read_options(["-Wsign-conversion"])
    compile_c("a.c", LP64, COptions(warnings=options), source=FOR_GCC.replace("#elif OTHER", "#else"), warn=found.append)
    assert found == []
    compile_c("a.c", LP64, COptions(warnings=options), source=FOR_GCC, warn=found.append)
    assert [(d.line, d.flag) for d in found] == [(19, "sign-conversion")]


def test_little_is_said_unasked():
    flags = {d.flag for text in WARNED for d in warned(text, DEFAULT)}
    assert flags == {
        "address-of-packed-member", "deprecated-declarations", "int-to-pointer-cast", "multichar", "pointer-to-int-cast",
        "shift-overflow", "discarded-qualifiers", "overflow", "return-local-addr", "shift-count-negative",
        "shift-count-overflow", "unused-result", "attribute-warning",
    }  # fmt: skip


FRONT_END = Path(compile_c.__code__.co_filename).parent


def told_in(path):
    """The calls that tell a warning in a file, as the keys of it and the number of its fields (None: one cannot say)."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "warning" and len(node.args) > 1:
            keys = {part.value for part in ast.walk(node.args[1]) if isinstance(part, ast.Constant) and part.value in RECORDS}
            starred = any(isinstance(argument, ast.Starred) for argument in node.args)
            yield keys, None if starred else len(node.args) - 2


def test_every_record_is_told_by_its_check_with_its_fields():
    for record in RECORDS.values():
        assert f'"{record.key}"' in (FRONT_END / record.check).read_text(), record
    for path in FRONT_END.rglob("*.py"):
        for keys, fields in told_in(path):
            wanted = {RECORDS[key].text.count("{}") for key in keys}
            assert fields is None or wanted <= {fields}, (path, keys)


def test_messages_of_one_option_are_switched_alike():
    groups = {(record.option, record.group) for record in RECORDS.values()}
    assert len(groups) == len({option for option, _ in groups})
