"""Conditionals that are open, those that keep a file from being read twice, and pragmas in groups that are not read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from vpo.frontend.cpp.questions import Place
from vpo.frontend.cpp.tokens import Malformed, Source, Token
from vpo.frontend.warnings.flags import read_pragma


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


# ----------------------------------------------------------------------------------------------------------------------
# A file that is being read, with the conditionals that are open in it.


@dataclass
class OpenFile:
    """An open file; its text is read if `enabled`.

    `guard` names the macro that keeps all of it from being read if it is defined, as far as was read; None at the start.
    """

    source: Source
    lines: Iterator[list[Token]]
    place: Place
    conditions: list[Condition] = field(default_factory=list)
    enabled: bool = True
    guard: str | None = None

    def next_line(self) -> list[Token] | None:
        """Return the next line that has tokens, None at the end; raises Malformed."""
        line = next(self.lines, None)
        if line is not None and not self.conditions:
            self.guard = guarding_macro(line) if self.guard is None else ""
        return line

    def innermost(self, line: list[Token]) -> Condition:
        """Return the conditional that an #elif or #else goes on with: no guard, then; raises Malformed if there is none."""
        if not self.conditions or self.conditions[-1].last:
            raise Malformed(line[0], f"misplaced #{line[1].text}")
        if len(self.conditions) == 1:
            self.guard = ""
        return self.conditions[-1]

    def end_condition(self, line: list[Token]) -> None:
        """Do what #endif says; raises Malformed."""
        if not self.conditions:
            raise Malformed(line[0], "misplaced #endif")
        self.conditions.pop()
        self.enabled = not self.conditions or self.conditions[-1].enabled
