"""Conditionals that are open, and which pragmas are obeyed in groups that are not read."""

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


def is_kept_from_others(words: Sequence[str], conditions: Sequence[Condition]) -> bool:
    """True if a pragma in a group that is not read says something of warnings, and the condition asks for gcc.

    `words` stand behind `#pragma`.  Programs ask for `__GNUC__`, which is not defined, before they switch off what
    they know that `-Wall -Werror` would stop at.  This compiler gives the same warnings and understands these pragmas.
    """
    *outside, inner = conditions
    asked = [*inner.line, *inner.other] if inner.last else inner.other or inner.line
    in_force = all(condition.enabled for condition in outside)
    return in_force and read_pragma(words) is not None and any(token.text == "__GNUC__" for token in asked)
