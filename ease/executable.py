"""Linked programs as files that run: a line for the shell, what the run is to do, the program as RTL text, its strings.

`./prog arguments` runs the program on its machine, with its exit status, the standard streams and the environment as they
are; it may read every file.  It reports as it was linked to, and if EASE_MEASURE in the environment names a file, the report
goes there.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import sys
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ease.commands.command_line import Command
from ease.commands.guard import EXIT_USAGE, guarded
from ease.files import write_atomically
from vpo.files import EVERYTHING
from vpo.user_error import UserError

if TYPE_CHECKING:
    from ease.counters.reconstruction import Plan
    from ease.host.job import Job
    from vpo.program import Program

NAME = "a.out"  # of a program that is given no other
ENVIRONMENT = "EASE_MEASURE"
# The shell replaces itself by Python before it reads the rest.  -P: no module comes from the working directory.
_START = '#!/bin/sh\nexec {python} -P -m ease.executable "$0" "$@"\n'
KEPT = (
    "machine", "sets", "files", "measure", "report", "save", "db", "cache", "predict", "over_time", "show", "timing", "limit",
    "timeout",
)  # fmt: skip


def write_executable(command: Command, text: str) -> None:
    """Write a linked program, given as RTL text, to the file that a command names.

    Raises OSError.
    """
    how = {name: getattr(command, name) for name in KEPT}
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


def main(words: Sequence[str]) -> int:
    """Run the executable that is named first, with the arguments behind it; returns the exit status."""
    if not words:
        print("ease.executable: the file of a linked program is needed", file=sys.stderr)
        return EXIT_USAGE
    return guarded(Path(words[0]).name, lambda: _run(words))


def _run(words: Sequence[str]) -> int:
    from ease.commands.repeated_run import key_of, repeated_run

    how, content = _read(words[0])
    folders = how.pop("folders", [])
    command = Command(**how)
    command.folders += [*folders, EVERYTHING]
    command.words, command.arguments = tuple(words), list(words[1:])
    command.environment = [f"{name}={value}" for name, value in sorted(os.environ.items())]
    command.show = None if command.show is None else tuple(command.show)
    report = os.environ.get(ENVIRONMENT)
    if report:
        command.measure, command.report = True, report
    def linked() -> Program:
        from vpo.compiler import Compiler, Settings
        from vpo.machines.load import load

        return Compiler(load(command.machine, command.sets), Settings()).linked(words[0], _text(words[0], content))

    key = key_of(command, content)
    if key is not None:
        status = repeated_run(command, key, words, linked)
        if status is not None:
            return status
    from ease.commands.compile_command import run_program

    program, watch = linked(), None
    if key is not None:
        from ease.commands.remembering import remembering

        kept = remembering(key, command, {}, ())

        def watch(job: Job, plan: Plan | None) -> None:
            kept.keep(job, plan, program)

    return run_program(command, program, list(words), watch)


def _read(file: str) -> tuple[dict[str, Any], bytes]:
    """Return how to run a linked program, and its compressed text.

    Raises UserError, OSError.
    """
    try:
        _, _, how, content = Path(file).read_bytes().split(b"\n", 3)
        return json.loads(how), content
    except ValueError:
        raise _damaged(file) from None


def _text(file: str, content: bytes) -> bytes:
    try:
        return zlib.decompress(content)
    except zlib.error:
        raise _damaged(file) from None


def _damaged(file: str) -> UserError:
    return UserError([f"{file}: error: not a program that easecc linked, or a damaged one"])


if __name__ == "__main__":
    from ease.start import shielded

    sys.exit(shielded(Path(sys.argv[1]).name if len(sys.argv) > 1 else "ease", lambda: main(sys.argv[1:])))
