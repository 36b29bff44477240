"""Response files: `@FILE` on a command line stands for the words in that file."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from pathlib import Path


def words_of_file(word: str) -> list[str] | None:
    """Return the words that `@FILE` stands for; None for another word, or where there is no such file."""
    if not word.startswith("@") or not os.path.isfile(word[1:]):
        return None
    return shlex.split(Path(word[1:]).read_text(encoding="utf-8", errors="surrogateescape"))


def expanded(words: Sequence[str]) -> list[str]:
    """Return a command line with the words of its response files, and of those in them."""
    rest, found = list(words), list[str]()
    while rest:
        word = rest.pop(0)
        more = words_of_file(word)
        if more is None:
            found.append(word)
        else:
            rest[:0] = more
    return found
