"""Declarations of the library that a unit does not mention are passed over, and nothing else changes."""

from __future__ import annotations

import re

import pytest

from vpo.frontend import CompileErrors, compile_c, preprocess
from vpo.frontend.c_options import COptions
from vpo.frontend.syntax import parse_file
from vpo.frontend.syntax.lexer import Tokens
from vpo.frontend.syntax.parse_file import unused_prototypes
from vpo.frontend.warnings.diagnostics import Reporter
from vpo.il.data_model import DataModel
from vpo.libc import HEADERS

SIZES = {"char": 1, "short": 2, "int": 4, "long": 4, "llong": 8, "float": 4, "double": 8, "ldouble": 8, "pointer": 4}
MODEL = DataModel(False, True, SIZES, SIZES)
NAMES = "ctype dirent fcntl inttypes locale malloc math search signal stdarg stdio stdlib string strings time wchar wctype"
ALL = "".join(f"#include <{name}.h>\n" for name in NAMES.split())
PROGRAMS = {
    "actions of signals": ALL + "void f(void (*handler)(int)) { signal(SIGINT, handler); }",
    "calls": ALL + 'int main(void) { puts("x"); return strlen("yz") + (int)fabs(2.5) + abs(-1); }',
    "pointers": ALL + "int (*f)(const char *) = puts; void *p = (void *)malloc;",
    "definitions": ALL + "char *index(const char *s, int c) { return strchr(s, c); } int kill(int, int);",
    "names of its own": ALL + "struct { int puts; } s; int f(void) { int printf = 3; return printf + s.puts; }",
    "mistakes": ALL + "int main(void) { puts(1, 2); return pritnf(3) + strln(4); }",
    "types": ALL + "FILE *g; size_t n; div_t d; int f(va_list b) { return abs(1); }",
}


def outcome(text):
    messages = []
    try:
        unit = compile_c("x.c", MODEL, COptions((str(HEADERS),)), source=text, warn=lambda said: messages.append(str(said)))
    except CompileErrors as errors:
        return None, sorted([*messages, *map(str, errors.diagnostics)])
    return str((unit.functions, unit.data)), sorted(messages)


@pytest.mark.parametrize("name", PROGRAMS)
def test_nothing_changes_if_they_are_read(name, monkeypatch):
    found = outcome(PROGRAMS[name])
    monkeypatch.setattr(parse_file, "unused_prototypes", lambda tokens: {})
    assert found == outcome(PROGRAMS[name])
    assert (found[0] is None) == (name == "mistakes")


def test_most_of_the_headers_are_passed_over():
    """All declarations of functions but those with attributes, with parentheses around their names, and used ones."""
    text = preprocess("x.c", MODEL, COptions((str(HEADERS),)), source=ALL + "char *p = (char *)strlen;")
    tokens = Tokens(text, "x.c", Reporter("x.c"))
    unused = unused_prototypes(tokens)
    names = [name for _, found in unused.values() for name in found]
    assert {"puts", "memcpy", "strtod", "fopen"} < set(names)
    assert "strlen" not in names
    assert len(names) > 600
    for begin, (end, _) in unused.items():
        words = tokens.texts[begin:end]
        assert words[-1] == ";"
        assert not {"{", "}", "=", "typedef"} & set(words)
        assert words.count(";") == 1


def test_a_file_may_end_with_a_header_that_has_nothing():
    """Behind its name no token comes: string.h is not read again."""
    assert outcome("#include <string.h>\n#include <memory.h>\n")[1] == []
    assert outcome("#include <memory.h>\n")[1] == []


@pytest.mark.parametrize("macro", ["size_t (", "const {", "char )", "int ;", "void }", "restrict = {", "puts (puts"])
def test_macros_of_the_program_may_ruin_a_header(macro):
    unit, messages = outcome(f"#define {macro}\n#include <stdio.h>\n#include <string.h>\nint x;")
    assert unit is not None or messages


def test_a_suggestion_may_be_a_function_that_was_passed_over():
    (message,) = outcome("#include <stdio.h>\nint main(void) { return pritnf(1); }")[1]
    assert re.search("did you mean 'printf'", message)
