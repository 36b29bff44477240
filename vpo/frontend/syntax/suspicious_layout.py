"""Warnings about statements that look as if an `if` or a loop before them guarded them."""

from __future__ import annotations

from vpo.frontend.syntax.lexer import END
from vpo.frontend.syntax.stream import Stream
from vpo.frontend.syntax.syntax_tree import Coord

_ENDS = frozenset(("}", ";", "else", "case", "default", END))


def check_indentation(s: Stream, at: int, body: Coord, starts_block: bool) -> None:
    """Warn if the statement behind a body without braces stands in the body's column, or on its line.

    The body has just been read; `body` is where it begins, and `at` the position of the word before that guards it.
    """
    if starts_block or s.kinds[s.at] in _ENDS or "misleading-indentation" not in s.report.wanted:
        return
    word, guard, behind = s.kinds[at], s.place(at), s.coord()
    if not guard.file == body.file == behind.file:
        return
    if body.line == guard.line:
        is_first = at == 0 or s.place(at - 1).line != guard.line
        is_misleading = is_first and behind.line == body.line and (behind.column or 0) > (body.column or 0)
    else:
        in_line = behind.column == body.column and (guard.column or 0) < (body.column or 0)
        is_misleading = in_line and behind.line > body.line
    if is_misleading:
        note = (behind, f"this statement is indented as if it were guarded by the '{word}'")
        s.report.warning(guard, "misleading-indentation", f"this '{word}' clause does not guard...", note)
