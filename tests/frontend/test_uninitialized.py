"""Variables that are read where nothing was stored in them: what is told, and that gcc tells the same."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from il_to_c import LP64
from test_programs import require

from vpo.frontend import compile_c
from vpo.frontend.c_options import COptions
from vpo.frontend.warnings.flags import read_options

# One function a line: those that surely read `x` in vain behind some branch, those that never do.
TOLD = """\
int f(int c) { int x; if (c) x = g(); return x; }
int f(int n) { int x; switch (n) { case 1: x = g(); break; case 2: x = 3; } return x; }
int f(int c) { int x; if (c) x = g(); use(x); use(x); return 0; }
int f(int c) { int x; if (c) x = 1; else if (g()) x = 2; return x; }
int f(enum e e) { int x; switch (e) { case A: x = g(); break; case B: x = 3; } return x; }
int f(int c) { double x; if (c) x = g(); return x + 1; }
int f(int c) { int x; if (c) x = g(); else use(1); return x; }
int f(int c) { int x; if (c) goto out; x = g(); out: return x; }
int f(int n) { int x; while (n--) { if (a[n]) { x = g(); break; } } return x; }
"""
# gcc tells these, too: here branches behind a store do not count.
LEFT_OUT = """\
int f(int n) { int x; for (int i = 0; i < 1000; i++) if (a[i]) x = i; return x; }
int f(int c) { int x; if (c) x = g(); c = g(); return c ? x : 0; }
int f(int c) { int x; if (c > 5) x = g(); if (c > 2) use(x); return 0; }
"""
SILENT = """\
int f(int c) { int x; if (c) x = g(); if (c) use(x); return 0; }
int f(int n) { int x; for (int i = 0; i < 10; i++) x = g(); return x; }
int f(int n) { int x; if (n < 1) return 0; for (int i = 0; i < n; i++) x = g(); return x; }
int f(int n) { int x; for (int i = 0; i < 4; i++) { if (i == 0) x = g(); use(x); } return 0; }
int f(int c) { int x, is_set = 0; if (c) { x = g(); is_set = 1; } use(c); if (is_set) use(x); return 0; }
int f(int c) { int x; if (c > 2) x = g(); if (c > 5) use(x); return 0; }
int f(int c, int d) { int x; if (c && d) x = g(); if (d && c) use(x); return 0; }
int f(int c, int d) { int x; if (c < d) x = g(); if (d > c) use(x); return 0; }
int f(int c) { int x; if (v) x = g(); if (v) use(x); return 0; }
int f(int c) { int x, r = g(); if (r == 0) x = g(); if (r) return r; return x; }
int f(int c) { int x; if (c) x = g(); else stop(); return x; }
int f(int c) { int x; if (c) x = g(); else usage(c); return x; }
int f(int n) { int x; for (;;) { if (n > 3) x = g(); else n++; if (n == 7) break; } return x; }
int f(int c) { int x; if (c & 3) x = g(); if (c == 1) return x; return 0; }
int f(int c) { int x; if (c) return *(&x + 1); return 0; }
int f(int c) { int x; switch (c) { case 1: case 4: x = g(); } switch (c) { case 4: return x; } return 0; }
int f(char *s) { int x; if (!strcmp(s, "a")) x = g(); if (!strcmp(s, "a")) return x; return 0; }
int f(double c, double d) { int x; if (c < d) x = g(); if (c < d) return x; return 0; }
int f(int c) { int x; _Bool b = c > 3; if (b) x = g(); if (c > 3) return x; return 0; }
int f(int c) { int x = x; if (c) x = g(); return x; }
"""
HEAD = """\
enum e { A, B }; extern int v, a[]; int g(void); void use(int), exit(int); __attribute__((noreturn)) void stop(void);
int strcmp(const char *, const char *); static __attribute__((noinline)) void usage(int c) { if (c) use(1); exit(c); }
"""


def program(functions):
    lines = functions.splitlines()
    return HEAD + "".join(line.replace(" f(", f" f{at}(", 1) + "\n" for at, line in enumerate(lines))


def told(text, *words):
    found = []
    compile_c("f.c", LP64, COptions(warnings=read_options(["-Wall", *words])), source=text, warn=found.append)
    return [(d.line, d.flag, d.message) for d in found if "uninitialized" in d.flag]


def test_what_is_told():
    lines = range(3, 3 + len(TOLD.splitlines()))
    assert told(program(TOLD)) == [(line, "maybe-uninitialized", "'x' may be used uninitialized") for line in lines]
    assert told(program(TOLD), "-Wno-uninitialized") == []


def test_what_is_not():
    assert told(program(SILENT + LEFT_OUT)) == []


@pytest.mark.parametrize("functions", [TOLD, SILENT])
def test_gcc_says_the_same(functions, tmp_path):
    require("gcc")
    (tmp_path / "f.c").write_text(program(functions))
    command = ["gcc", "-m32", "-O2", "-Wall", "-S", "-o", tmp_path / "f.s", tmp_path / "f.c"]
    result = subprocess.run(command, capture_output=True, text=True, timeout=60, env=os.environ | {"LC_ALL": "C"})
    lines = {int(line) for line in re.findall(r"f\.c:(\d+):.*'x' may be used uninitialized", result.stderr)}
    assert lines == {line for line, _, _ in told(program(functions))}


def test_a_constant_on_one_way_only():  # gcc takes it for the value on all ways, and says nothing
    assert told("int f(int c) { int x; if (c) x = 1; return x; }") == [
        (1, "maybe-uninitialized", "'x' may be used uninitialized")
    ]


def test_what_is_certain():
    assert told("int f(int c) { int x; return x; }") == [(1, "uninitialized", "'x' is used uninitialized")]
    assert told("int f(int c) { int x; if (c) return x; return 0; }")[0][1] == "maybe-uninitialized"
