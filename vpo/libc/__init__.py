"""The project's C library: headers and sources in C, compiled for each target like any other source.

A linker asks `defining_file` for the source of each symbol that it still misses.  Sources are small, so that
little is compiled which nothing reaches.  After a change of the sources, `python -m tests.libc.symbol_index` renews the index.
"""

from __future__ import annotations

from pathlib import Path

from vpo.libc.symbols import DEFINED_IN

HEADERS: Path = Path(__file__).parent / "include"
SOURCES: Path = Path(__file__).parent / "src"


def defining_file(symbol: str) -> Path | None:
    """Find the source file that defines an external symbol, or None if the library does not have it."""
    file = DEFINED_IN.get(symbol)
    return SOURCES / file if file else None
