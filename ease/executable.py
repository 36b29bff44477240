"""`./prog arguments` runs a linked program on its machine: `python -m ease.executable prog arguments`.

Its exit status, standard streams and environment are the command's, and it may read every file.  It reports as it was linked
to, and if EASE_MEASURE in the environment names a file, the report goes there.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ease.commands.compile.command import Command
from ease.commands.compile.executable_file import read_executable, text_of
from ease.commands.guard import EXIT_USAGE, guarded
from ease.start import ALONE, shielded
from vpo.system.files import EVERYTHING, NOTHING

if TYPE_CHECKING:
    from ease.counters.reconstruction import Plan
    from ease.host.process.job import Job
    from vpo.program import Program

ENVIRONMENT = "EASE_MEASURE"


def main(words: Sequence[str]) -> int:
    """Run the executable that is named first, with the arguments behind it; returns the exit status."""
    if not words:
        print("ease.executable: the file of a linked program is needed", file=sys.stderr)
        return EXIT_USAGE
    return guarded(Path(words[0]).name, lambda: _run(words))


def _run(words: Sequence[str]) -> int:
    from ease.commands.runs.repeated_run import key_of, repeated_run

    how, content = read_executable(words[0])
    command = _command(how, words)

    def linked() -> Program:
        from vpo.build.compiler import Compiler, Settings
        from vpo.machines.read.load import load

        return Compiler(load(command.machine, command.sets), Settings()).linked(words[0], text_of(words[0], content))

    key = key_of(command, content)
    if key is not None:
        status = repeated_run(command, key, words, linked)
        if status is not None:
            return status
    from ease.commands.runs.program_run import run_program

    program, watch = linked(), None
    if key is not None:
        from ease.commands.runs.remembering import remembering

        kept = remembering(key, command, {}, ())

        def watch(job: Job, plan: Plan | None) -> None:
            kept.keep(job, plan, program)

    return run_program(command, program, list(words), watch)


def _command(how: dict[str, Any], words: Sequence[str]) -> Command:
    """Return what to do: what the program was linked to do, and what the environment says."""
    folders = how.pop("folders", [])
    command = Command(**how)
    command.folders += folders
    if NOTHING not in command.folders:
        command.folders.append(EVERYTHING)
    command.words, command.arguments = tuple(words), list(words[1:])
    command.environment = [f"{name}={value}" for name, value in sorted(os.environ.items() - ALONE.items())]
    command.show = None if command.show is None else tuple(command.show)
    report = os.environ.get(ENVIRONMENT)
    if report:
        command.measure, command.report = True, report
    return command


if __name__ == "__main__":
    sys.exit(shielded(Path(sys.argv[1]).name if len(sys.argv) > 1 else "ease", lambda: main(sys.argv[1:])))
