"""-pedantic tells what C does not have, or not before C23: on the lines on which gcc tells it, and nowhere else."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from il_to_c import LP64
from test_programs import require

from vpo.build.c_file import CFile
from vpo.frontend import CompileErrors, compile_c
from vpo.frontend.c_options import COptions
from vpo.frontend.warnings.flags import read_options
from vpo.il.c_standard import find_standard
from vpo.libc import HEADERS

# One thing a line.
TEXT = r"""
int semicolon(void) { return 1; };
struct extra { int x;; };
struct empty { };
enum big { BIG = 0x80000000 };
_Complex plain;
_Complex int ci;
unsigned flexible(struct f { int n; int a[]; } *p) { return p->n; }
int zero[0];
struct extra named = { .x = 1 }, old = { x: 1 }, nothing = {};
int range[] = { [0 ... 2] = 1 };
int without[] = { [1] 2 };
int vla(int n) { int a[n]; return sizeof a; }
int middle(int n) { return n ?: 2; }
int braces(int n) { return ({ n + 1; }); }
int cases(int n) { switch (n) { case 1 ... 3: return 1; } return 0; }
int labels(void) { void *p = &&here; goto *p; here: return 0; }
int last(int n) { switch (n) { default: } return 0; }
int before(int n) { if (n) goto here; here: int x = n; return x; }
int local(int n) { __label__ a; if (n) goto a; a: return 0; }
int nested(int n) { int inner(int m) { return m + n; } return inner(1); }
_Static_assert(1);
int of_expression = _Alignof zero[0];
const char *name(void) { return __func__; }
const char *old_name(void) { return __FUNCTION__; }
char escape = '\e', backslash = '\\', letter = 'e', both[] = "\\e \\\e";
int binary = 0b101;
double _Complex imaginary = 1.0i;
[[deprecated]] int attribute;
void *sum(void *p) { return p + 1; }
int size = sizeof(void), of_function = sizeof(name);
void function(void); void *object = function;
void *cast(void) { return (void *)function; }
int compare(void *p) { return p == function; }
void nothing_in(void) { return function(); }
void branch(int n) { n ? function() : 1; }
union u { int i; float f; }; union u to_union(int n) { return (union u)n; }
struct extra same(struct extra s) { return (struct extra)s; }
enum later *forward;
__extension__ long long fine; __extension__ int alone(int n) { return n ?: ({ 2; }); }
int partly(int n) { return (__extension__ ({ 1; })) + (n ?: 1); }
#define VARIADIC(a, ...) a
#define NAMED(a, rest...) a
#define EMPTY(a, b) b
int rest = VARIADIC(1);
int no_argument = EMPTY(, 2);
#ident "x"
#warning told
int no_names(int, int b) { return b; }
int commas = 0; /* none */
struct flexible_in { struct f2 { int n; int a[]; } f; int y; };
struct f2 of_flexible[2];
struct only { int : 3; };
struct pointers_to { int (*p)[]; } to_arrays;
int ordered(int *p) { return p > 0; }
""".splitlines()


def told_by_gcc(path, standard):
    command = ["gcc", f"-std={standard}", "-pedantic", "-c", "-o", "/dev/null", "-fdiagnostics-format=json", str(path)]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    lines = [json.loads(line) for line in run.stderr.splitlines() if line.startswith("[")]
    groups = [told for line in lines for group in line for told in (group, *group["children"])]
    assert not [g["message"] for g in groups if g["kind"] == "error"]
    return {g["locations"][0]["caret"]["line"] for g in groups if g["kind"] == "warning"}


@pytest.mark.parametrize("standard", ["gnu11", "gnu17", "gnu2x"])
def test_what_an_edition_does_not_have_is_told_where_gcc_tells_it(standard, tmp_path):
    require("gcc")
    path, found = tmp_path / "a.c", []
    edition = find_standard(standard)
    path.write_text("\n".join(TEXT) + "\n")
    options = COptions(warnings=read_options(["-pedantic"], edition.edition), standard=edition)
    compile_c(str(path), LP64, options, warn=found.append)
    ours, gcc = {d.line for d in found}, told_by_gcc(path, standard)
    assert ([TEXT[n - 1] for n in sorted(ours - gcc)], [TEXT[n - 1] for n in sorted(gcc - ours)]) == ([], [])


def test_nothing_is_told_without_being_asked():
    found = []
    compile_c("a.c", LP64, source="int f(int n) { return n ?: ({ 2; }); }; long long x = 0b1;", warn=found.append)
    assert found == []


def test_pedantic_errors_refuse():
    warnings = read_options(["-pedantic-errors"])
    with pytest.raises(CompileErrors, match=r"omitting the middle term of a \?: expression \[-Werror=pedantic\]"):
        compile_c("a.c", LP64, COptions(warnings=warnings), source="int f(int n) { return n ?: 2; }", warn=lambda d: None)


def test_headers_of_the_library_are_not_told_of(tmp_path):
    names = ["stdio", "stdlib", "string", "math", "complex", "stdatomic", "signal", "time", "inttypes", "fenv",
             "assert", "errno", "ctype", "wchar", "tgmath", "unistd", "stdarg", "stddef", "stdbool", "limits",
             "float"]  # fmt: skip
    uses = "int f(double x, ...) { va_list a; va_start(a, x); assert(x > 1); errno = isnan(x) + signbit(x) + va_arg(a, int);"
    uses += " return offsetof(struct { int i; int j; }, j) + (NULL == 0) + (int)INFINITY + isless(x, 2.0); }"
    text = "".join(f"#include <{name}.h>\n" for name in names) + uses
    for standard in ("c90", "c11"):
        found, edition = [], find_standard(standard)
        options = read_options(["-pedantic"], edition.edition)
        how = COptions((str(HEADERS),), warnings=options, standard=edition)
        compile_c("a.c", LP64, how, source=text, warn=found.append)
        assert [str(d) for d in found] == []


def test_macros_of_the_library_are_not_told_of(tmp_path):
    """What they are made of is not; what a program's own macros are made of is."""
    path, told = tmp_path / "a.c", []
    path.write_text("""#include <complex.h>
#include <sys/select.h>
#define MINE 5.0i
void f(fd_set *set) { FD_ZERO(set); }
double _Complex x = I * 2, y = MINE;
""")
    edition = find_standard("c11")
    warnings = read_options(["-pedantic"], edition.edition)
    CFile(str(path), LP64, COptions((str(HEADERS),), warnings=warnings, standard=edition), tell=told.append).tree(None, True)
    assert [text.splitlines()[0] for text in told] == [
        f"{path}:5:32: warning: imaginary constants are a GCC extension [-Wpedantic]"
    ]
