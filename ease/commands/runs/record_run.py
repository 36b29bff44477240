"""`easecc -record FILE`: run a program, and keep in a file all that it takes to run it again anywhere."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from ease.base.files import check_place, write_atomically
from ease.commands.compile.command import Command
from ease.commands.runs.run_origin import identity_of
from ease.host.process.job import SystemCalls
from ease.records.record_file import Ending, Setting, record_bytes
from vpo import libc
from vpo.system.faults import HostError

if TYPE_CHECKING:
    from ease.commands.runs.run_origin import RunOrigin
    from ease.host.process.job import RunResult

OPTION = "-record"


def recorded(
    command: Command, arguments: Sequence[str], setting: Callable[[], bytes], run: Callable[[Command, SystemCalls], int]
) -> int:
    """Run a program and write the record that a command names; returns the exit status.

    `setting` returns the sections that describe the program.  The record appears when the run has ended, whole or not at all.
    Raises OSError, HostError.
    """
    target = command.record
    assert target is not None
    check_place(target)
    command = replace(command, words=without_option(command.words))
    identity = identity_of(command)
    with tempfile.TemporaryFile(dir=Path(target).parent) as file:
        calls = SystemCalls(file)
        status = run(command, calls)
        if calls.result is None:
            raise HostError("the program was not run, so there is nothing to record")
        size = os.fstat(file.fileno()).st_size
        content = os.pread(file.fileno(), size, 0)
        write_atomically(target, record_bytes(setting(), arguments, command.limit, identity, content, ending_of(calls.result)))
    return status


def setting_of(text: str, origin: RunOrigin) -> Setting:
    """Return what a record says of a program: the text of a linked one, its description and its sources."""
    return Setting(text, origin.description(), origin.sources(), library_folder())


def library_folder() -> str:
    """Return the folder of the C library's sources."""
    return str(Path(libc.__file__).resolve().parent / "src")


def ending_of(result: RunResult) -> Ending:
    """Return how a run ended."""
    fault = result.fault
    if fault is None:
        return Ending(result.exit_status)
    return Ending(result.exit_status, fault.kind, str(fault), fault.function, fault.address)


def without_option(words: Sequence[str]) -> tuple[str, ...]:
    """Return a command line without the option and its value: the command of the run that is recorded."""
    end = words.index("--") if "--" in words else len(words)
    place = next((at for at in range(end) if words[at] == OPTION), None)
    if place is None:
        return tuple(words)
    return without_option((*words[:place], *words[place + 2 :]))
