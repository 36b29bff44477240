"""The names under which reports list source files."""

from __future__ import annotations

from pathlib import Path

from vpo import libc

STARTUP = "(start-up)"  # stands for the file of what comes from no file
_LIBRARY_NAME = "libc/"  # before the names of the library's files
_LIBRARY = Path(libc.__file__).resolve().parent / "src"


def file_name(file: str) -> str:
    """Return the name under which reports list a source file: the library's are the same wherever it is installed."""
    if not file:
        return STARTUP
    path = Path(file)
    return f"{_LIBRARY_NAME}{path.name}" if path.resolve().parent == _LIBRARY else file


def is_library(name: str) -> bool:
    """Return whether a file that reports list is the library's, or stands for what comes from no file."""
    return name == STARTUP or name.startswith(_LIBRARY_NAME)


def readable(file: str) -> str:
    """Return the text of a file; empty if it cannot be read."""
    try:
        return Path(file).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
