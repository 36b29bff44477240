"""The options -window and -warmup: which part of a run is measured or traced.

A file of its own, since runs, replays and traces share it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ease.commands.compile.command import Command, UsageError

if TYPE_CHECKING:
    from ease.run.windows import Window


def window_of(command: Command) -> Window | None:
    """Return the part of a run that a command asks for, None for the whole.

    Raises UsageError.
    """
    if command.window is None and command.warmup is None:
        return None
    from ease.run.windows import ENDLESS, Window

    start, comma, length = (command.window or f"0,{ENDLESS}").partition(",")
    if not (comma and start.isdecimal() and length.isdecimal() and int(length) and max(int(start), int(length)) <= ENDLESS):
        raise UsageError(f"-window needs START,LENGTH, two numbers of instructions, not '{command.window}'")
    return Window(int(start) + (command.warmup or 0), int(length))
