"""Which words ask a command for its help: every command takes the same ones.

A file of its own, since every command asks it before it imports anything else.
"""

from __future__ import annotations

from collections.abc import Sequence

HELP = ("-h", "-help", "--help")


def asks_for_help(words: Sequence[str]) -> bool:
    """Return whether help is asked for: by the first word, or by an option in front of `--`."""
    return words[:1] == ["help"] or any(word in HELP for word in words[: _own(words)])


def in_one_spelling(words: Sequence[str]) -> list[str]:
    """Return the words of a command with `--help`, which argparse knows, in place of other words that ask for help."""
    end = _own(words)
    return [*("--help" if word in HELP else word for word in words[:end]), *words[end:]]


def _own(words: Sequence[str]) -> int:
    """Return how many words are the command's own."""
    return words.index("--") if "--" in words else len(words)
