"""Commands that take the options of easecc beside some of their own.

Such a command names its own ones; they are taken out of its words, and `easecc` reads the rest.  A file of its own, since no
other command imports the options of `easecc`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Mapping, Sequence

from ease.commands.compile.command import UsageError
from ease.commands.guard import EXIT_USAGE, guarded
from ease.commands.help_asked import asks_for_help


def run_command(program: str, usage: str, words: Sequence[str], action: Callable[[list[str]], Callable[[], int]]) -> int:
    """Run a command; returns its exit status, 2 after wrong usage.

    `action` reads the words and returns what is to be done, or raises UsageError.
    """
    if not words or asks_for_help(words):
        print(usage, end="")
        return 0 if words else EXIT_USAGE
    try:
        run = action(list(words))
    except UsageError as error:
        print(f"{program}: {error}\n({program} -help tells its usage)", file=sys.stderr)
        return EXIT_USAGE
    return guarded(program, run)


def take(words: Sequence[str], flags: Collection[str], valued: Mapping[str, str]) -> tuple[dict[str, str], list[str]]:
    """Take options out of the words in front of `--`: returns their values, empty ones of flags, and the other words.

    `valued` says what each of its options needs.  Of an option that is there twice the last value counts.
    Raises UsageError for one without its value.
    """
    own: dict[str, str] = {}
    rest, left = [], list(words)
    while left and left[0] != "--":
        word = left.pop(0)
        if word in flags:
            own[word] = ""
        elif word not in valued:
            rest.append(word)
        elif left:
            own[word] = left.pop(0)
        else:
            raise UsageError(f"'{word}' needs {valued[word]}")
    return own, rest + left
