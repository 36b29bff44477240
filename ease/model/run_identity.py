"""What was run: all that is needed to run it again."""

from __future__ import annotations

import hashlib
import json
import os
import shlex
import stat
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ease.base.version import measuring_code
from vpo import libc
from vpo.base import cache
from vpo.base.kept import kept

if TYPE_CHECKING:
    from vpo.program import Program

_CHUNK = 1 << 20  # bytes


@dataclass(frozen=True, slots=True)
class RunIdentity:
    """A run's command line and input.

    `input` is the file on standard input, empty if there is none or no name is known; `input_digest` is its SHA-256, empty if
    it can be read only once.
    """

    words: tuple[str, ...]
    files: tuple[str, ...]
    arguments: tuple[str, ...]
    machine: str
    changes: tuple[str, ...]
    level: str
    version: str
    input: str = ""
    input_digest: str = ""

    @property
    def command(self) -> str:
        """The command that gives the measurement again."""
        return shlex.join(self.words) + (f" < {shlex.quote(self.input)}" if self.input else "")

    def as_json(self) -> str:
        """Return it as JSON."""
        return json.dumps(asdict(self))

    @staticmethod
    def from_json(text: str) -> RunIdentity:
        """Return the identity that a text has.

        Raises ValueError.
        """
        try:
            values = json.loads(text).items()
            fields: dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value for key, value in values}
            return RunIdentity(**fields)
        except (TypeError, AttributeError) as error:
            raise ValueError(str(error)) from None


def standard_input() -> tuple[str, str]:
    """Return the name of the file on standard input and the digest of what is left to read there; both may be empty.

    The position in the file stays where it is.
    """
    try:
        descriptor = sys.stdin.fileno()
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return "", ""
        position = os.lseek(descriptor, 0, os.SEEK_CUR)
        digest = hashlib.sha256()
        while chunk := os.pread(descriptor, _CHUNK, position):
            digest.update(chunk)
            position += len(chunk)
    except (AttributeError, OSError, ValueError):  # closed, or none
        return "", ""
    return _name(descriptor), digest.hexdigest()


def _name(descriptor: int) -> str:
    """Return the file that a descriptor has open, as the system tells; relative to the working directory if it is below."""
    try:
        name = os.readlink(f"/proc/self/fd/{descriptor}")
    except OSError:
        return ""
    inside = os.path.relpath(name)
    return name if inside.startswith("..") else inside


# ----------------------------------------------------------------------------------------------------------------------
# The names under which reports list source files.


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


# ----------------------------------------------------------------------------------------------------------------------
# What names a program where something about its runs is kept in the cache.


def profile_key(program: Program, kind: str, *parts: str) -> str:
    """Return the key in `vpo.base.cache` of a kind of profile of a program; `parts` are what else it belongs to."""
    return cache.key(kind, *measuring_code(), *parts, _digest(program))


@kept
def _digest(program: Program) -> str:
    """Return what names the code of a program, of which a run asks for several profiles."""
    texts = [text for name, function in program.functions.items() for text in (name, *map(str, function.rtls()))]
    return hashlib.sha256("\0".join(texts).encode(errors="surrogateescape")).hexdigest()
