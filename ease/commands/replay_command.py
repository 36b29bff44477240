"""`ease replay`: run again what `easecc -record` has kept, and measure it in any way."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ease.commands.command_line import Command, UsageError, apply
from ease.commands.consistency import HELP, check_replay
from ease.commands.guard import EXIT_USAGE, guarded
from ease.commands.messages import meant
from ease.commands.options import OF_REPLAYS, OPTIONS, lines

if TYPE_CHECKING:
    pass

_USAGE = """\
usage: ease replay FILE.run [options]

Run again what `easecc -record FILE.run` has kept: with the same input, to the same output, without sources, input files or
description.  The first system call that differs from the record is told, with the number of its instruction.

{options}
These do what they do for easecc.  Without them the program only runs.
"""


def main(words: Sequence[str]) -> int:
    """Run the command; returns the exit status."""
    if any(word in ("-help", "--help", "-h") for word in words):
        print(_USAGE.format(options="".join(lines(OPTIONS[name]) for name in OF_REPLAYS)), end="")
        return 0
    try:
        command = _parsed(words)
        check_replay(command)
    except UsageError as error:
        print(f"ease replay: {error}\n(ease replay -help lists the options)", file=sys.stderr)
        return EXIT_USAGE
    if command.show == HELP:
        from ease.commands.easecc import main as easecc

        return easecc(["-show", "help"])

    def action() -> int:
        from ease.commands.replay_run import replay
        from ease.records.record_file import read_record

        return replay(command, read_record(command.files[0]))

    return guarded("ease replay", action)


def _parsed(words: Sequence[str]) -> Command:
    command = Command(words=("easecc", *words))
    rest = list(words)
    while rest:
        word = rest.pop(0)
        if word in OF_REPLAYS:
            apply(command, OPTIONS[word], word, rest)
        elif word in OPTIONS:
            raise UsageError(f"'{word}' has no place here: the record has the program")
        elif word.startswith("-"):
            raise UsageError(f"unknown option '{word}'{meant(word, OF_REPLAYS)}")
        else:
            command.files.append(word)
    if len(command.files) != 1:
        raise UsageError("one record is replayed" if command.files else "the file of a record is needed")
    return command
