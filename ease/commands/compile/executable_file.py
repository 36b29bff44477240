"""Linked programs as files that run: a line for the shell, what the run is to do, the program as RTL text, its strings."""

from __future__ import annotations

import json
import re
import shlex
import sys
import zlib
from pathlib import Path
from typing import Any

from ease.base.files import write_atomically
from ease.commands.compile.command import Command
from ease.commands.compile.options import OPTIONS
from vpo.base.errors import UserError
from vpo.system.files import absolute

NAME = "a.out"  # of a program that is given no other
# The shell replaces itself by Python before it reads the rest.  -P: no module comes from the working directory.
_START = '#!/bin/sh\nexec {python} -P -m ease.executable "$0" "$@"\n'
_TYPES: dict[str, tuple[type, ...]] = {
    "flag": (bool,), "text": (str, type(None)), "once": (str, type(None)), "list": (list,), "names": (list, type(None)),
    "count": (int, type(None)), "bytes": (int, type(None)), "seconds": (int, float, type(None)),
}  # fmt: skip
# What is kept of the command that links, each with the types that it may have; lists are of texts.
_KEPT = {option.field: _TYPES[option.kind] for option in OPTIONS.values() if option.kept}
_KEPT |= {"files": (list,), "machine": (str,)}
_FOLDERS = "folders"  # whose files it may use
LARGEST = 1 << 28  # bytes of a program as text


def write_executable(command: Command, text: str) -> None:
    """Write a linked program, given as RTL text, to the file that a command names.

    Raises UserError, OSError.
    """
    if len(text) > LARGEST:
        raise UserError([f"{command.output or NAME}: error: a linked program has at most {LARGEST:,} bytes of text"])
    how = {name: getattr(command, name) for name in _KEPT}
    how[_FOLDERS] = [absolute(folder) for folder in command.folders]
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
        _, _, told, content = Path(file).read_bytes().split(b"\n", 3)
        how = json.loads(told)
    except (ValueError, RecursionError):
        raise _damaged(file) from None
    if not isinstance(how, dict) or not all(_fits(name, value) for name, value in how.items()):
        raise _damaged(file)
    return how, content


def _fits(name: str, value: Any) -> bool:
    """Return whether what a file says of a run is something that a command would have written."""
    if type(value) not in (_KEPT.get(name, ())):
        return False
    if isinstance(value, list):
        return all(isinstance(part, str) for part in value)
    return not isinstance(value, int | float) or value >= 0


def text_of(file: str, content: bytes) -> bytes:
    """Return a linked program as RTL text out of its compressed text.

    Raises UserError.
    """
    unpacking = zlib.decompressobj()
    try:
        text = unpacking.decompress(content, LARGEST)
    except zlib.error:
        raise _damaged(file) from None
    if not unpacking.eof:
        raise _damaged(file)
    return text


def _damaged(file: str) -> UserError:
    return UserError([f"{file}: error: not a program that easecc linked, or a damaged one"])
