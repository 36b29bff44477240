"""Writing the files that a command makes.

A file of its own, since commands write and the compiler does not.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from vpo.base.whole_files import whole_file


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
        with path.open("wb") if special else whole_file(path, 0o777 if executable else 0o666, safe=True) as file:
            yield file
    except OSError as error:
        raise OSError(error.errno, error.strerror, target) from None
