"""One run tells of all errors, also of those behind a syntax error or one of the preprocessor, and of none that follow."""

import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from il_to_c import LP64
from test_programs import require

from vpo.base.errors import UserError
from vpo.build.c_file import CFile
from vpo.frontend.c_options import COptions
from vpo.frontend.warnings.flags import read_options

SYNTAX = """
typedef struct { int a; } T;
int f(T t);
int later(int);
int main(void) {
    T t = { 1 };
    int lost = 3
    const int c = 4;
    c = lost;
    t.b = 3;
    goto nowhere;
    f(3);
    int *p = "x";
    else { }
    return later(1, 2);
}
int g(void) { return main; return unknown; }
"""
PREPROCESSOR = """
#define TWICE(x) ((x) + (x))
#if 1 +
#endif
int f(double d) { return d % TWICE(2); }
#error not here
int g(int n) { int *p = n; return p * 2; }
#undef
int h(void) { return gone; }
"""
DECLARATIONS = """
struct s { int a; int b };
struct lost { int a int b; };
typedef unknown_t T2;
struct lost x;
int f(struct lost *p) { return p->a; }
int g(struct s *p) { return p->c; }
int lost_function(int a, int b] { return a; }
int h(void) { return lost_function(1, 2) + 1 = 2; }
"""


def lines(texts):
    """Return where errors and warnings are, in the order in which they are told."""
    parts = [line.split(":") for text in texts for line in text.splitlines() if ": error: " in line or ": warning: " in line]
    return [(int(part[1]), part[3].strip()) for part in parts]


def told(path, *options):
    messages = []
    file = CFile(str(path), LP64, COptions(warnings=read_options(options)), tell=messages.append)
    with pytest.raises(UserError) as raised:
        file.tree(file.preprocessed(), True)
    assert messages == []
    return raised.value.messages


@pytest.mark.parametrize(("text", "expected"), [
    (SYNTAX, [(8, "error"), (10, "error"), (11, "error"), (12, "error"), (13, "warning"), (14, "error"),
              (15, "error"), (17, "warning"), (17, "error")]),
    (PREPROCESSOR, [(3, "error"), (5, "error"), (6, "error"), (7, "warning"), (7, "error"), (8, "error"), (9, "error")]),
    (DECLARATIONS, [(2, "warning"), (3, "error"), (4, "error"), (4, "warning"), (7, "error"), (8, "error"), (9, "error")]),
])  # fmt: skip
def test_errors_are_told_together_in_order(text, expected, tmp_path):
    path = tmp_path / "a.c"
    path.write_text(text)
    assert lines(told(path)) == expected


def test_what_gcc_tells_of_a_syntax_error_and_what_is_behind(tmp_path):
    """Where nothing is left out but what cannot be anything else, these are gcc's lines."""
    require("gcc")
    path = tmp_path / "a.c"
    path.write_text(SYNTAX.replace("int lost = 3\n", "int lost = 3;\n"))
    run = subprocess.run(["gcc", "-fsyntax-only", path], capture_output=True, text=True, check=False)
    assert sorted(lines(told(path))) == sorted(lines([run.stderr]))


def test_nothing_follows_a_missing_header(tmp_path):
    path = tmp_path / "a.c"
    path.write_text('#include "absent.h"\n#include "absent_too.h"\nint f(void) { return from_there; }\n')
    assert lines(told(path)) == [(1, "error"), (2, "error")]


def test_the_preprocessor_alone(tmp_path):
    path = tmp_path / "a.c"
    path.write_text("#if\n#endif\nint f(void) { return gone; }\n")
    with pytest.raises(UserError) as raised:
        CFile(str(path), LP64).preprocessed(alone=True)
    assert lines(raised.value.messages) == [(1, "error")]


def test_structures_without_a_name_are_called_by_a_typedef(tmp_path):
    path = tmp_path / "a.c"
    path.write_text("typedef struct { int a; } T; T t; int x = t.b; const struct { int a; } u; int y = u.b;")
    assert [text.splitlines()[0].partition("error: ")[2] for text in told(path)] == [
        "'T' has no member named 'b'", "'struct <anonymous>' has no member named 'b'",
    ]  # fmt: skip
