"""The project's C library: headers and sources in C, compiled for each target like any other source.

A linker asks `defining_file` for the source of each symbol that it still misses.  Sources are small, so that
little is compiled which nothing reaches.  After a change of the sources, `python -m tests.libc.symbol_index` renews the index,
`symbols.txt`.  It is kept since finding it out takes a front end and seconds, which no link can wait for.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

HEADERS: Path = Path(__file__).parent / "include"
SOURCES: Path = Path(__file__).parent / "src"
INDEX: Path = Path(__file__).parent / "symbols.txt"


@cache
def defined_in() -> dict[str, str]:
    """Return the name of the source file of each external symbol."""
    rows = (row.split(":") for row in INDEX.read_text(encoding="utf-8").replace("\n    ", " ").splitlines())
    return {symbol: file for file, symbols in rows for symbol in symbols.split()}


def defining_file(symbol: str) -> Path | None:
    """Find the source file that defines an external symbol, or None if the library does not have it."""
    file = defined_in().get(symbol)
    return SOURCES / file if file else None
