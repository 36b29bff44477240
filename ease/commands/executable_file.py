"""Linked programs as files that run: a line for the shell, what the run is to do, the program as RTL text, its strings."""

from __future__ import annotations

import json
import re
import shlex
import sys
import zlib
from pathlib import Path
from typing import Any

from ease.commands.command import Command
from ease.files import write_atomically
from vpo.user_error import UserError

NAME = "a.out"  # of a program that is given no other
# The shell replaces itself by Python before it reads the rest.  -P: no module comes from the working directory.
_START = '#!/bin/sh\nexec {python} -P -m ease.executable "$0" "$@"\n'
_KEPT = (
    "machine", "sets", "files", "measure", "report", "save", "db", "cache", "predict", "over_time", "show", "timing", "limit",
    "timeout",
)  # fmt: skip


def write_executable(command: Command, text: str) -> None:
    """Write a linked program, given as RTL text, to the file that a command names.

    Raises OSError.
    """
    how = {name: getattr(command, name) for name in _KEPT}
    how["folders"] = [str(Path(folder).absolute()) for folder in command.folders]
    if Path(command.machine).is_file():
        how["machine"] = str(Path(command.machine).absolute())
    start = _START.format(python=shlex.quote(sys.executable)) + json.dumps(how) + "\n"
    content = start.encode() + zlib.compress(text.encode(), 1) + b"\n" + _strings(text)
    write_atomically(command.output or NAME, content, executable=True)


def _strings(text: str) -> bytes:
    """Return the strings of a program: others look for them in linked files (`strings`, and CMake for the sizes of types)."""
    data = (json.loads(match) for match in re.findall(r'^\t\d+: bytes (".*")$', text, re.MULTILINE))
    return "".join(f"{found}\n" for part in data for found in re.findall(r"[ -~]{4,}", part)).encode()


def read_executable(file: str) -> tuple[dict[str, Any], bytes]:
    """Return how to run a linked program, and its compressed text.

    Raises UserError, OSError.
    """
    try:
        _, _, how, content = Path(file).read_bytes().split(b"\n", 3)
        return json.loads(how), content
    except ValueError:
        raise _damaged(file) from None


def text_of(file: str, content: bytes) -> bytes:
    """Return a linked program as RTL text out of its compressed text.

    Raises UserError.
    """
    try:
        return zlib.decompress(content)
    except zlib.error:
        raise _damaged(file) from None


def _damaged(file: str) -> UserError:
    return UserError([f"{file}: error: not a program that easecc linked, or a damaged one"])
