"""Headers and sources are C that the project's preprocessor and parser read; the index of symbols is up to date."""

from __future__ import annotations

import re

import pytest

from tests.covering import some
from tests.libc import symbol_index as index
from vpo.il.routine_names import RESUME_CONTEXT, SAVE_CONTEXT
from vpo.libc import HEADERS, INDEX, SOURCES, defining_file

HEADER_FILES = sorted(path.relative_to(HEADERS).as_posix() for path in HEADERS.rglob("*.h"))

NARROW = index.MODEL | {"__SIZEOF_INT__": "2", "__SIZEOF_POINTER__": "2", "__BYTE_ORDER__": "4321"}
WIDE = index.MODEL | {"__SIZEOF_LONG__": "8", "__SIZEOF_POINTER__": "8", "__ease_has_fabs": "1"}
OTHER_NAMES = ("exit", "read", "write", "openat", "close", "llseek", "unlinkat", "renameat2")
OTHER_CALLS = {f"__SYS_{name}": "1" for name in OTHER_NAMES}
BARE = {name: value for name, value in index.MODEL.items() if not name.startswith("__SYS_")} | OTHER_CALLS


def test_files_were_found():
    assert len(HEADER_FILES) > 20
    assert len(list(SOURCES.glob("*.c"))) > 100


@pytest.mark.parametrize("header", HEADER_FILES)
def test_a_header_stands_alone_and_is_short(header):
    text = f"#include <{header}>\n#include <{header}>\nint end;\n"
    for model in (index.MODEL, NARROW, WIDE):
        assert index.parse(text, str(HEADERS / "alone.c"), model).ext
    assert len((HEADERS / header).read_text().splitlines()) <= 200


def test_the_most_used_headers_are_shortest():
    for header in ("stdio.h", "stdlib.h", "string.h", "ctype.h"):
        assert len((HEADERS / header).read_text().splitlines()) < 80


@pytest.mark.parametrize("model", some((NARROW, WIDE, BARE), 1))
def test_sources_parse_for_every_model(model):
    texts = {path: path.read_text() for path in sorted(SOURCES.glob("*.c"))}
    dependent = {path: text for path, text in texts.items() if "#if" in text or "scanf" in text}
    assert len(dependent) > 5
    for path, text in dependent.items():
        assert index.parse(text, str(path), model).ext, path.name


@pytest.mark.thorough
def test_the_index_is_up_to_date():
    assert INDEX.read_text() == index.index_text(), "run: python -m tests.libc.symbol_index"


def test_symbols_are_found():
    assert defining_file("printf") == SOURCES / "printf.c"
    assert defining_file("no_such_function") is None


def test_every_declared_function_is_defined():
    text = "".join(f"#include <{header}>\n" for header in HEADER_FILES if header != "iso646.h")
    declared = set()
    for part in index.parse(text, str(HEADERS / "all.c")).ext:
        if part.__class__.__name__ == "Decl" and part.name and "static" not in part.storage:
            declared.add(part.name)
    assert len(declared) > 300
    written = {SAVE_CONTEXT[1:], RESUME_CONTEXT[1:]}  # by the compiler
    assert [name for name in sorted(declared - written) if defining_file(name) is None] == []


def test_sources_keep_to_the_style():
    for path in sorted(SOURCES.glob("*.[ch]")):
        text = path.read_text()
        assert text.startswith("/* "), path.name
        assert "\t" not in text, path.name
        for number, line in enumerate(text.splitlines(), 1):
            assert len(line) <= 120, f"{path.name}:{number}"
            assert not re.search(r"__attribute__|__asm|\balloca\b|\s$", line), f"{path.name}:{number}"
