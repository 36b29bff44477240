"""Response files: `@FILE` on a command line stands for the words in that file."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from pathlib import Path

from ease.commands.command import UsageError

MAX_FILES = 2000  # that a command line may name, as in gcc: one that names itself never ends


def expanded(words: Sequence[str]) -> list[str]:
    """Return a command line with the words of its response files, and of those in them; behind `--` nothing is changed.

    A word that names no file stays.  Raises UsageError.
    """
    rest, found, count = list(words), list[str](), 0
    while rest:
        word = rest.pop(0)
        if word == "--":
            return [*found, word, *rest]
        if not word.startswith("@") or not os.path.isfile(word[1:]):
            found.append(word)
            continue
        count += 1
        if count > MAX_FILES:
            raise UsageError(f"'{word}': more than {MAX_FILES} response files; does one name itself?")
        rest[:0] = _words(word[1:])
    return found


def _words(file: str) -> list[str]:
    try:
        return shlex.split(Path(file).read_text(encoding="utf-8", errors="surrogateescape"))
    except ValueError as problem:  # of quotes
        raise UsageError(f"'@{file}': {str(problem).lower()}") from None
    except OSError as problem:
        raise UsageError(f"'@{file}': cannot read: {problem.strerror}") from None
