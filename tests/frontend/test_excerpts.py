"""Messages with the lines that they are about, macros and include paths."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from il_to_c import LP64

from vpo.base.errors import UserError
from vpo.build.c_file import CFile
from vpo.frontend.c_options import COptions
from vpo.frontend.warnings.diagnostics import MAX_ERRORS
from vpo.frontend.warnings.flags import EVERYTHING


@pytest.fixture
def said(tmp_path, monkeypatch):
    """Return the lines that are said about a program, and files that it includes."""
    monkeypatch.chdir(tmp_path)

    def say(text, **headers):
        for name, content in {"a": text, **headers}.items():
            (tmp_path / (f"{name}.c" if name == "a" else f"{name}.h")).write_text(content)
        told = []
        file = CFile("a.c", LP64, COptions(("inc",), warnings=EVERYTHING), tell=told.append)
        try:
            file.tree(file.preprocessed(), False)
        except UserError as error:
            told += error.messages
        return "\n".join(told).splitlines()

    return say


def test_a_caret_below_a_name(said):
    assert said("int counter;\nint f(void)\n{\n\treturn conter;\n}\n") == [
        "a.c:4:9: error: 'conter' undeclared; did you mean 'counter'?",
        "    4 | \treturn conter;",
        "      | \t       ^~~~~~",
    ]


def test_places_behind_macros_on_a_line(said):
    assert said("#define TWICE(a) ((a) + (a))\nint f(int x) { return TWICE(x) + gone; }\n")[::2] == [
        "a.c:2:34: error: 'gone' undeclared",
        "      |                                  ^~~~",
    ]


def test_arguments_are_where_they_are_written(said):
    text = "#define ID(a) (a)\nint f(void) { return ID(\n ID(gone)); }\n"
    assert said(text) == ["a.c:3:5: error: 'gone' undeclared", "    3 |  ID(gone)); }", "      |     ^~~~"]


def test_expansions_of_macros(said):
    assert said("#define INNER (1 + gone)\n#define OUTER INNER\nint f(void) { return OUTER; }\n") == [
        "a.c:3:22: error: 'gone' undeclared",
        "    3 | int f(void) { return OUTER; }",
        "      |                      ^~~~~",
        "a.c:1:20: note: in expansion of macro 'INNER'",
        "    1 | #define INNER (1 + gone)",
        "      |                    ^~~~",
        "a.c:2:15: note: in expansion of macro 'OUTER'",
        "    2 | #define OUTER INNER",
        "      |               ^~~~~",
    ]


def test_the_include_path_once(said):
    lines = said('\n#include "b.h"\n', b='#include "c.h"\n', c="int x = gone;\nint y = lost;\n")
    assert [line for line in lines if "|" not in line] == [
        "In file included from b.h:1,",
        "                 from a.c:2:",
        "c.h:1:9: error: 'gone' undeclared",
        "c.h:2:9: error: 'lost' undeclared",
    ]


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("struct s { int first, second; }; int f(struct s *p) { return p->secnd; }", "second"),
        ("typedef int Number; Nubmer x;", "Number"),
        ("#define LIMIT 3\nint x = LIMTI;", "LIMIT"),
        ("int length(int); int f(void) { return lenght(1); }", "length"),
        ("int main(void) { retrun; }", ""),
        ("#include <limtis.h>", "limits.h"),
    ],
)
def test_what_was_meant(said, tmp_path, text, meant):
    (tmp_path / "inc").mkdir()
    (tmp_path / "inc" / "limits.h").touch()
    lines = "\n".join(said(text + "\n"))
    assert (f"; did you mean '{meant}'?" if meant else "error: ") in lines
    assert bool(meant) == ("did you mean" in lines)


def test_odd_lines_are_shown_safely(said):
    assert said("int x = 1; \x1b[31m\n")[1] == "    1 | int x = 1; ?[31m"
    assert said('#line 900 "elsewhere.y"\nint x = gone;\n') == ["elsewhere.y:900:9: error: 'gone' undeclared"]


def test_as_many_errors_as_the_preprocessor_tells(said):
    """The preprocessor gives up at the same error when it runs once more for the excerpts."""
    lines = said("#define f(x) x\n" + "f(1, 2)\n" * 2 * MAX_ERRORS)
    assert lines[0] == "a.c:2:1: error: macro f requires 1 argument but was passed 2"
    assert sum("error:" in line for line in lines) == MAX_ERRORS
