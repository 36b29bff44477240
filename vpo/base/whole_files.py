"""Files that appear whole or not at all.

A file of its own, because the cache and the commands write so.  A new file has no name while it is written, so a process that
is killed leaves nothing; a file system without such files (open(2), O_TMPFILE) gets one with a temporary name.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

_BY_DESCRIPTOR = "/proc/self/fd"


@contextmanager
def whole_file(path: Path, mode: int, safe: bool = False) -> Iterator[IO[bytes]]:
    """A file to write to, which gets its name, and replaces another one, when the block has ended.

    `safe`: what it replaces is not lost, should the computer stop.  Raises OSError.
    """
    new = _without_name(path.parent, mode)
    if new is None:
        from tempfile import mkstemp  # slow

        new, temporary = mkstemp(dir=path.parent, prefix=f".{path.name}.")
        os.fchmod(new, mode & ~_umask())
    else:
        temporary = ""
    try:
        with os.fdopen(new, "wb") as file:
            yield file
            file.flush()
            if safe and path.exists():
                os.fsync(new)
            if not temporary and not _named(new, path):
                name = str(path.with_name(f".{path.name}.{os.urandom(4).hex()}"))
                _name(new, name)
                temporary = name
        if temporary:
            os.replace(temporary, path)
    except BaseException:
        if temporary:
            os.unlink(temporary)
        raise


def _without_name(folder: Path, mode: int) -> int | None:
    """Return a descriptor of a new file, None where files must have names."""
    if not hasattr(os, "O_TMPFILE") or not os.path.isdir(_BY_DESCRIPTOR):
        return None
    try:
        return os.open(folder, os.O_TMPFILE | os.O_WRONLY | os.O_CLOEXEC, mode)
    except OSError:
        return None


def _named(file: int, path: Path) -> bool:
    """Give a file its name; return False if there is one of that name."""
    try:
        _name(file, str(path))
    except FileExistsError:
        return False
    return True


def _name(file: int, path: str) -> None:
    # with the descriptor of a folder, which counts for nothing here, Python calls linkat, which follows the link
    os.link(f"{_BY_DESCRIPTOR}/{file}", path, src_dir_fd=file, follow_symlinks=True)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
