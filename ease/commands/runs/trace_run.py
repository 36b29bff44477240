"""`easecc -trace`: run a program and write its trace."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import IO, TYPE_CHECKING

from ease.base.files import file_atomically
from ease.commands.compile.command import Command, UsageError
from ease.commands.runs.repeated_run import KILLED_BY_PIPE
from ease.commands.runs.window_option import window_of
from vpo.base.suggestions import suggested

if TYPE_CHECKING:
    from ease.commands.runs.run_origin import RunOrigin
    from ease.host.process.job import SystemCalls
    from vpo.program import Program

# What each kind of trace needs: whether decisions are recorded, and whether addresses.
KINDS = {
    "profile": (False, False), "branch": (True, False), "cache": (True, True), "execution": (True, True),
    "syscalls": (True, False), "operations": (True, True),
}  # fmt: skip
LINES = "cache"  # alone it is written as lines: an entry for each of so many bytes of code that a block fetches from
LINE, MOST_LINE = 16, 1 << 16  # bytes, if nothing is said; at most
OPERATIONS = "operations"  # of the program before there is a machine: another program than that of the other kinds
NOWHERE = "none"  # in place of a file: nothing is kept
DEFAULT = "trace.ease"


def run_traced(
    command: Command, program: Program, arguments: Sequence[str], calls: SystemCalls | None, origin: RunOrigin
) -> int:
    """Run a program and write the trace that a command asks for; returns the exit status.  `calls` are recorded or replayed.

    Raises OSError.
    """
    from ease.run.windows import is_cut
    from ease.traces.converting import Changes
    from ease.traces.traced_run import line_trace, profiled_run, traced_run, window_trace

    kinds, line = kinds_of(command)
    facts: dict[str, object] = {"kinds": list(kinds), "command": origin.identity().command, "arguments": list(arguments)}
    if line:
        facts["line"] = line
    options = replace(command.run_options(), calls=calls)
    window = window_of(command)
    data = any(KINDS[kind][1] for kind in kinds)
    with output(command.trace_to or DEFAULT) as out:
        if window is not None:
            changes = Changes(lines=line)
            result = window_trace(program, arguments, out, window, data, facts, changes, options)
        elif line:
            result = line_trace(program, arguments, out, line, facts, options)
        elif not any(KINDS[kind][0] for kind in kinds):
            result = profiled_run(program, arguments, out, facts, options)[0]
        else:
            result = traced_run(program, arguments, out, data, facts, options)[0]
    if window is not None and is_cut(result) and window.end <= (command.limit or window.end):
        return 0  # the run went on behind the window
    if result.fault is not None and result.exit_status != KILLED_BY_PIPE:
        print(f"easecc: {result.fault}", file=sys.stderr)
    return result.exit_status


def kinds_of(command: Command) -> tuple[tuple[str, ...], int]:
    """Return the kinds of traces that a command asks for, and the bytes of a line of code if it asks for lines, else 0.

    Raises UsageError.
    """
    kinds, line = [], LINE
    for word in command.trace or ("",):
        kind, colon, size = word.partition(":")
        if kind not in KINDS or (colon and kind != LINES):
            raise UsageError(f"there is no kind of trace '{word}'{suggested(word, KINDS)} ({', '.join(KINDS)})")
        if colon:
            line = int(size) if size.isdecimal() else 0
            if line.bit_count() != 1 or line > MOST_LINE:
                raise UsageError(f"a line of a trace has 1, 2, 4, ..., {MOST_LINE} bytes, not '{size}'")
        kinds.append(kind)
    return tuple(kinds), line if kinds == [LINES] else 0


@contextlib.contextmanager
def output(name: str) -> Iterator[IO[bytes] | None]:
    """Open what a trace is written to; a file has its name only when it is whole.

    Raises OSError.
    """
    if name == NOWHERE:
        yield None
        return
    if name == "-":
        sys.stdout.flush()
        with os.fdopen(os.dup(sys.stdout.fileno()), "wb") as file:
            yield file
        return
    with file_atomically(name) as file:
        yield file
