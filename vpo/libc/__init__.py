"""The project's C library: headers and sources in C, compiled for each target like any other source.

A linker asks `defining_file` for the source of each symbol that it still misses.  Sources are small, so that
little is compiled which nothing reaches.  After a change of the sources, `python -m tests.libc.symbol_index` renews the index,
`symbols.txt`.  It is kept since finding it out takes a front end and seconds, which no link can wait for.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

HEADERS: Path = Path(__file__).parent / "include"
SOURCES: Path = Path(__file__).parent / "src"
INDEX: Path = Path(__file__).parent / "symbols.txt"
INCLUDED = re.compile(r'^\s*#\s*include\s*["<]([^">]+)', re.MULTILINE)


@cache
def defined_in() -> dict[str, str]:
    """Return the name of the source file of each external symbol."""
    rows = (row.split(":") for row in INDEX.read_text(encoding="utf-8").replace("\n    ", " ").splitlines())
    return {symbol: file for file, symbols in rows for symbol in symbols.split()}


def defining_file(symbol: str) -> Path | None:
    """Find the source file that defines an external symbol, or None if the library does not have it."""
    file = defined_in().get(symbol)
    return SOURCES / file if file else None


@cache
def words_of(path: Path) -> frozenset[str]:
    """Return the words of a source file and of all headers that it may include: no macro of another name concerns it."""
    words, files = set[str](), [path]
    for file in files:
        found, included = _read(file)
        words |= found
        candidates = (folder / name for name in included for folder in (file.parent, SOURCES, HEADERS))
        files += [each for each in candidates if each not in files and each.exists()]
    return frozenset(words)


@cache
def _read(file: Path) -> tuple[frozenset[str], tuple[str, ...]]:
    """Return the words of a file, and the names of those that it may include."""
    text = file.read_text(encoding="utf-8")
    return frozenset(re.findall(r"\w+", text)), tuple(INCLUDED.findall(text))
