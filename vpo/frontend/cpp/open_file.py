"""A file that is being read, with the conditionals that are open in it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from vpo.frontend.cpp.conditionals import Condition, guarding_macro
from vpo.frontend.cpp.header_search import Place
from vpo.frontend.cpp.tokens import Malformed, Source, Token


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
