"""Writing the files that a command makes."""

from __future__ import annotations

import errno
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO


def check_place(target: str) -> None:
    """Find out early, before a long run, that a file cannot be written.

    Raises OSError.
    """
    path = Path(target)
    if path.is_dir():
        raise OSError(errno.EISDIR, os.strerror(errno.EISDIR), target)
    if not path.parent.is_dir():
        raise OSError(errno.ENOENT, "there is no such folder", str(path.parent))


def write_atomically(target: str, content: str | bytes, executable: bool = False) -> None:
    """Write text or bytes to a file so that it appears whole or not at all; '-' is standard output.

    Raises OSError, with the name of the file.
    """
    data = content.encode(errors="surrogateescape") if isinstance(content, str) else content
    if target == "-":
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        return
    with file_atomically(target, executable) as file:
        file.write(data)


@contextmanager
def file_atomically(target: str, executable: bool = False) -> Iterator[IO[bytes]]:
    """A file to write to that has its name only when it is whole.

    Raises OSError, with the name of the file.
    """
    check_place(target)
    path = Path(target)
    try:
        special = path.exists() and not path.is_file()  # a device or pipe
        with path.open("wb") if special else _temporary(path, 0o777 if executable else 0o666) as file:
            yield file
    except OSError as error:
        raise OSError(error.errno, error.strerror, target) from None


@contextmanager
def _temporary(path: Path, mode: int) -> Iterator[IO[bytes]]:
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            if path.exists():  # what it replaces must not be lost, should the computer stop
                file.flush()
                os.fsync(handle)
        os.chmod(temporary, mode & ~_umask())
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
