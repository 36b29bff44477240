"""Writing the files that a command makes."""

from __future__ import annotations

import errno
import os
import sys
import tempfile
from pathlib import Path


def check_place(target: str) -> None:
    """Find out early, before a long run, that a file cannot be written.

    Raises OSError.
    """
    path = Path(target)
    if path.is_dir():
        raise OSError(errno.EISDIR, os.strerror(errno.EISDIR), target)
    if not path.parent.is_dir():
        raise OSError(errno.ENOENT, "there is no such folder", str(path.parent))


def write_atomically(target: str, text: str) -> None:
    """Write a file so that it appears whole or not at all; '-' is standard output.

    Raises OSError, with the name of the file.
    """
    if target == "-":
        sys.stdout.write(text)
        sys.stdout.flush()
        return
    check_place(target)
    try:
        _write(Path(target), text)
    except OSError as error:
        raise OSError(error.errno, error.strerror, target) from None


def _write(path: Path, text: str) -> None:
    if path.exists() and not path.is_file():  # a device or pipe
        with path.open("w", encoding="utf-8") as file:
            file.write(text)
        return
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(temporary, 0o666 & ~_umask())
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
