"""What the files of a command line are: source text, objects, or archives of objects.

A shared library is an archive, too: what a program needs of it is linked into the program.
"""

from __future__ import annotations

from typing import Literal

Kind = Literal["source", "object", "archive", "unknown"]

ARCHIVE_MAGIC = b"!<arch>\n"
OBJECT_START = b"machine "
SOURCES = (".c", ".i", ".h", ".S", ".s", ".sx")
_ENDINGS: dict[str, Kind] = {".rtl": "object", ".o": "object", ".obj": "object", ".a": "archive"}


def input_kind(file: str) -> Kind:
    """Return what a file is, by the end of its name, else by how it begins; a linker finds libraries of any name so."""
    if file.endswith(SOURCES):
        return "source"
    known = next((kind for ending, kind in _ENDINGS.items() if file.endswith(ending)), None)
    if known is not None:
        return known
    try:
        with open(file, "rb") as stream:
            start = stream.read(len(ARCHIVE_MAGIC))
    except OSError:
        return "unknown"
    return "archive" if start == ARCHIVE_MAGIC else "object" if start == OBJECT_START else "unknown"
