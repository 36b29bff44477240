"""`ease replay`: run again what `easecc -record` has kept, and measure it in any way."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ease.commands.compile.command import Command, UsageError
from ease.commands.compile.command_line import apply
from ease.commands.compile.consistency import HELP, check_replay
from ease.commands.compile.options import OF_REPLAYS, OPTIONS, Option, lines
from ease.commands.guard import EXIT_USAGE, guarded
from ease.commands.help_asked import asks_for_help
from ease.commands.runs.window_option import window_of
from vpo.base.suggestions import suggested

if TYPE_CHECKING:
    from ease.run.windows import Window

_USAGE = """\
usage: ease replay FILE.run [options]

Run again what `easecc -record FILE.run` has kept: with the same input, to the same output, without sources, input files or
description.  The first system call that differs from the record is told, with the number of its instruction.

{options}
These do what they do for easecc.  Without them the program only runs.

{windows}"""
_WINDOWS = (
    Option("-window", "window", "-measure LENGTH instructions behind the first START ones; caches and predictors are warm "
           "from before; with -trace, trace them", "text", "START,LENGTH"),
    Option("-warmup", "warmup", "-measure, but not the first N instructions, which only warm caches and predictors; a "
           "window's START counts behind them", "count", "N"),
    Option("-slice", "slice", "write, with -o FILE, a record of what comes behind the first N instructions: registers, memory "
           "that is read before it is written, system calls; with -limit, up to there", "count", "N"),
    Option("-o", "output", "the file of -slice", "text", "FILE"),
    Option("-info", "info", "tell what a record is of, how large it is and how many bytes an instruction that is"),
)  # fmt: skip


@dataclass
class ReplayCommand(Command):
    """A parsed command line of `ease replay`."""

    slice: int | None = None
    info: bool = False


def main(words: Sequence[str]) -> int:
    """Run the command; returns the exit status."""
    if asks_for_help(words):
        own = "".join(map(lines, _WINDOWS))
        print(_USAGE.format(options="".join(lines(OPTIONS[name]) for name in OF_REPLAYS), windows=own), end="")
        return 0
    try:
        command = _parsed(words)
        check_replay(command)
        window = _window(command)
        _check_slice(command)
    except UsageError as error:
        print(f"ease replay: {error}\n(ease replay -help lists the options)", file=sys.stderr)
        return EXIT_USAGE
    if command.show == HELP:
        from ease.commands.easecc import main as easecc

        return easecc(["-show", "help"])

    def action() -> int:
        from ease.commands.runs.replay_run import replay, replay_window, told
        from ease.records.record_file import read_record

        record = read_record(command.files[0])
        if command.info:
            print(told(command.files[0], record), end="")
            return 0
        if command.slice is not None or record.state is not None:
            from ease.commands.runs.replay_run import replay_slice, write_slice

            return replay_slice(command, record) if command.slice is None else write_slice(command, record, command.slice)
        return replay(command, record) if window is None else replay_window(command, record, window)

    return guarded("ease replay", action)


def _check_slice(command: ReplayCommand) -> None:
    """Find out whether a slice is asked for in full, and nothing else.

    Raises UsageError.
    """
    if (command.slice is None) != (command.output is None):
        raise UsageError("-slice N needs -o FILE, and -o FILE -slice N")
    if command.slice is not None and (command.measure or command.info or command.why_not is not None):
        raise UsageError("-slice writes a record; measure that one")


def _window(command: ReplayCommand) -> Window | None:
    """Return the part of a run that a command measures, None for the whole, or if it measures nothing.

    Raises UsageError.
    """
    window = window_of(command)
    if window is None or command.trace is not None:
        return None  # `run_traced` knows itself which part is traced
    excluded = {
        "-why-not": command.why_not, "-over-time": command.over_time, "-tool": command.tools, "-region": command.regions,
        "-limit": command.limit, "-sample": command.sample,
    }  # fmt: skip
    for name, value in excluded.items():
        if value not in (None, []):
            raise UsageError(f"'{name}' has no windows")
    command.measure = True
    return window


def _parsed(words: Sequence[str]) -> ReplayCommand:
    own = {option.name: option for option in _WINDOWS}
    command = ReplayCommand(words=("easecc", *words))
    rest = list(words)
    while rest:
        word = rest.pop(0)
        if word in own or word in OF_REPLAYS:
            apply(command, own.get(word) or OPTIONS[word], word, rest)
        elif word in OPTIONS:
            raise UsageError(f"'{word}' has no place here: the record has the program")
        elif word.startswith("-"):
            raise UsageError(f"unknown option '{word}'{suggested(word, (*own, *OF_REPLAYS))}")
        else:
            command.files.append(word)
    if len(command.files) != 1:
        raise UsageError("one record is replayed" if command.files else "the file of a record is needed")
    return command
