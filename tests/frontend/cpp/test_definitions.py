"""Macros that are defined twice, whose definitions are read when they are used, and files that need no second reading."""

from __future__ import annotations

import re
import shutil
import subprocess

import pytest

from tests.frontend.cpp.test_directives import left, said
from tests.fuzz.test_csmith import require
from vpo.frontend.cpp import directives
from vpo.frontend.cpp.conditionals import OpenFile
from vpo.frontend.cpp.tokens import Definition, Source
from vpo.libc import HEADERS

LATER = [
    "#define A 1", "#define A", "# define A(x, y) (x / y) /* c */", '#define S "a\\"b" // c', "#define C '\"'",
    "#define A() x",
    "#define A(x) x x \\\n x \\\n + 1", "#define E /* c */", "#define P (x)", "#define A\t1\t", "#define A 1.5e+3",
    "#define A\\\n(x) x",
]  # fmt: skip
AT_ONCE = [
    "#define A(x) #x", "#define A x ## y", "#define A'a'", "#define defined 1", "#define A(x,) 1", "#define A 1 /* c\n c */",
    "#define A(x, ...) y", "#define A(x x", "#define A don't", "#define 1", "#define A(x) x \\u0041", "#define $ 1",
    "#define A x /* c */ y", "#define A /* c */ 1 /* c */",
]  # fmt: skip


@pytest.mark.parametrize("text", LATER + AT_ONCE)
def test_a_definition_has_the_same_tokens_when_it_is_read_later(text):
    """With white space in front it is read at once."""
    (first, *others), behind = Source("", "f.c", f"\n{text}\nend").lines()
    assert isinstance(first, Definition) == (text in LATER)
    later = [*(first.tokens() if isinstance(first, Definition) else [first, *others]), *behind]
    now, behind = Source("", "f.c", f"\n {text}\nend").lines()
    assert not isinstance(now[0], Definition)
    moved = [(token.kind, token.text, token.line, token.column - (token.line == 2)) for token in [*now, *behind]]
    assert [(token.kind, token.text, token.line, token.column) for token in later] == moved
    assert [token.space for token in later[1:]] == [token.space for token in [*now, *behind][1:]]


def test_mistakes_are_told_though_the_macro_is_never_used():
    assert said("\n#define F(x, x) x\n") == ["bad.c:2:14: error: duplicate macro parameter 'x'"]


REDEFINITIONS = """#define A 1
#define A  1
#define A /**/ 1 // the same
#define A 2
#define F(x) x + 1
#define F(x) x+1
#define F(x) \\
   x+1
#define F(y) y+1
#define E
#define E
#define E 0
#define V(...) x
#undef V
#define V
int x;
"""


@pytest.mark.tools
def test_another_definition_is_told_as_gcc_does(tmp_path):
    require([] if shutil.which("gcc") else ["gcc"])
    path = tmp_path / "bad.c"
    path.write_text(REDEFINITIONS)
    done = subprocess.run(["gcc", "-E", path], capture_output=True, text=True, check=False)
    expected = sorted(set(map(int, re.findall(r"bad\.c:(\d+):(?:\d+:)? warning", done.stderr))))
    found = [int(re.search(r":(\d+):", message)[1]) for message in said(REDEFINITIONS)]
    assert found == expected
    assert len(found) == 4


def test_definitions_of_the_library_may_be_replaced(tmp_path):
    assert not said("#include <limits.h>\n#define INT_MAX 7\n#define SHRT_MAX 6\n", include_paths=[str(HEADERS)])
    assert not said("#define INT_MAX 7\n#include <limits.h>\n", include_paths=[str(HEADERS)])  # as gcc about its own headers


GUARDED = {
    "#ifndef G\n#define G\nint x;\n#endif\n": 1,
    "/* c */\n#if !defined(G)\n#define G\nint x;\n#endif // G\n": 1,
    "#if !defined G\n#define G\nint x;\n#if 1\n#else\n#endif\n#endif": 1,
    "#ifndef G\n#define G\nint x;\n#endif\nint y;": 2,
    "int y;\n#ifndef G\n#define G\nint x;\n#endif\n": 2,
    "#ifndef G\n#define G\nint x;\n#else\nint y;\n#endif\n": 2,
    "#ifndef G\n#define G\n#endif\n#ifndef H\n#define H\n#endif\n": 2,
    "#ifndef G\nint x;\n#endif\n": 2,
    "#if !defined(G) || 1\n#define G\nint x;\n#endif\n": 2,
    "#ifdef G\nint x;\n#endif\n#define G\n": 2,
}


@pytest.mark.parametrize("text", GUARDED)
def test_a_file_in_a_guard_is_opened_once(tmp_path, monkeypatch, text):
    """Whether it is opened or not, the same is left."""
    header = tmp_path / "g.h"
    header.write_text(text)
    opened = []

    def open_file(source, lines, place):
        opened.append(place.path)
        return OpenFile(source, lines, place)

    monkeypatch.setattr(directives, "OpenFile", open_file)
    once = left(f'#include "{header}"\n')
    opened.clear()
    twice = left(f'#include "{header}"\n#include "{header}"\n')
    assert opened.count(str(header)) == GUARDED[text]
    if GUARDED[text] == 1:
        assert once == twice
        assert left(f'#include "{header}"\n#undef G\n#include "{header}"\n') == once * 2


@pytest.mark.parametrize(("variable", "date"), [("86399", '"Jan 1 1970" "23:59:59"'), ("", None), ("soon", None)])
def test_the_time_of_translation(monkeypatch, variable, date):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", variable)
    found = " ".join(left("__DATE__ __TIME__"))
    assert found.replace("  ", " ") == date if date else "1970" not in found
