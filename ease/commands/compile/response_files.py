"""Response files: `@FILE` on a command line stands for the words in that file."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from pathlib import Path

from ease.commands.compile.command import UsageError

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


# ----------------------------------------------------------------------------------------------------------------------
# Options for the parts that other compilers consist of: `-Wp,...` and `-Xpreprocessor`, `-Wl,...` and `-Xlinker`.


PREPROCESSOR, LINKER = ("-Wp,", "-Xpreprocessor"), ("-Wl,", "-Xlinker")
UNUSED = ("-Wa,", "-Xassembler")  # for an assembler, which there is not
_RULES = ("-MD", "-MMD")  # which take a file there
_WRAP = ("--wrap", "-wrap")
_SCRIPT = ("--script", "-T")
_SYMBOL = ("--defsym", "-defsym")


def for_preprocessor(given: str) -> list[str]:
    """Return what words for the preprocessor, joined by commas, are as options of the compiler."""
    words: list[str] = []
    parts = given.split(",")
    while parts:
        words.append(parts.pop(0))
        if words[-1] in _RULES and parts:
            words += ["-MF", parts.pop(0)]
    return words


def for_linker(given: str) -> list[str]:
    """Return what words for the linker, joined by commas, are as options of the compiler; those without effect are left out.

    Raises UsageError for those that change what a program means and cannot be done.
    """
    words: list[str] = []
    parts = given.split(",")
    while parts:
        name, equals, value = parts.pop(0).partition("=")
        if name in _WRAP:
            if not equals and not parts:
                raise UsageError(f"'-Wl,{name}' needs a name: -Wl,{name}=NAME")
            words += ["--wrap", value if equals else parts.pop(0)]
        elif name in _SYMBOL:
            raise UsageError(f"'-Wl,{name}' cannot be done: a symbol cannot be given an address")
        elif name in _SCRIPT:
            words += ["-T", value if equals else ",".join(parts[:1])]
        elif name.startswith(("-l", "-L")):
            words.append(name + equals + value)
    return words
