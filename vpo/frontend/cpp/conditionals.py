"""Conditionals that are open, those that keep a file from being read twice, and pragmas in groups that are not read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from vpo.frontend.cpp.tokens import Token
from vpo.frontend.warning_pragmas import read_pragma


@dataclass
class Condition:
    """An #if that is open: whether its group is read, and whether any group of it was or may not be."""

    line: list[Token]
    enabled: bool
    taken: bool
    last: bool = False  # #else was met
    other: Sequence[Token] = ()  # the last #elif


def guarding_macro(line: Sequence[Token]) -> str:
    """Return the macro that keeps a whole file from being read if its first line is this one, '' for other lines.

    If that conditional ends with the file and has no #else, the file need not be opened again while the macro is
    defined ("Guard Macros", The GNU C Preprocessor Internals).
    """
    if [token.text for token in line[:2]] == ["#", "ifndef"] and len(line) == 3:
        return line[2].text
    if [token.text for token in line[:4]] == ["#", "if", "!", "defined"]:
        name = line[4:] if len(line) == 5 else line[5:-1]
        if len(name) == 1 and len(line) in (5, 7):
            return name[0].text
    return ""


def is_kept_from_others(words: Sequence[str], conditions: Sequence[Condition]) -> bool:
    """True if a pragma in a group that is not read says something of warnings, and the condition asks for gcc.

    `words` stand behind `#pragma`.  Programs ask for `__GNUC__`, which is not defined, before they switch off what
    they know that `-Wall -Werror` would stop at.  This compiler gives the same warnings and understands these pragmas.
    """
    *outside, inner = conditions
    asked = [*inner.line, *inner.other] if inner.last else inner.other or inner.line
    in_force = all(condition.enabled for condition in outside)
    return in_force and read_pragma(words) is not None and any(token.text == "__GNUC__" for token in asked)
