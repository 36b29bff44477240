"""`-shared`: the archive that takes the place of a shared library; programs have what they use of it linked into them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from vpo.archive import Member, archive_bytes, read_archive
from vpo.compiler import Compiler
from vpo.input_kinds import input_kind


def shared_library(compiler: Compiler, files: Sequence[str]) -> bytes:
    """Return an archive of everything that files are compiled to, or have: also of the libraries that it needs itself.

    Raises UserError, ArchiveError, OSError.
    """
    return archive_bytes(list(_members(compiler, files)))


def _members(compiler: Compiler, files: Sequence[str]) -> Iterator[Member]:
    for file in files:
        kind = input_kind(file)
        if kind == "archive":
            yield from read_archive(file).members
        elif kind == "object":
            yield Member(file, Path(file).read_bytes())
        else:
            yield Member(str(Path(file).with_suffix(".o")), compiler.object_text(file).encode())
