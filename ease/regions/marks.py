"""Where a source file marks regions: `ease_begin("NAME")` and `ease_end("NAME")` of <ease.h>."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from vpo.base.errors import UserError

_MARK = re.compile(r'\bease_(begin|end)\s*\(\s*"([^"\n]*)"\s*\)')
_COMMENT = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.DOTALL)


@dataclass(frozen=True, slots=True)
class Mark:
    """The lines of a region in a file, both included."""

    name: str
    file: str
    first: int
    last: int


def marks(file: str, text: str) -> Iterator[Mark]:
    """Yield the regions of a file.

    Raises UserError for a begin without an end, or the other way round.
    """
    open_: dict[str, int] = {}
    for found in _MARK.finditer(_COMMENT.sub(_without_comment, text)):
        line, name = text.count("\n", 0, found.start()) + 1, found[2]
        if found[1] == "begin":
            if name in open_:
                raise UserError([f'{file}:{line}: error: ease_begin("{name}") again, before ease_end("{name}")'])
            open_[name] = line
        elif name not in open_:
            raise UserError([f'{file}:{line}: error: ease_end("{name}") without ease_begin("{name}") before it'])
        else:
            yield Mark(name, file, open_.pop(name), line)
    for name, line in open_.items():
        raise UserError([f'{file}:{line}: error: ease_begin("{name}") without ease_end("{name}") behind it'])


def _without_comment(found: re.Match[str]) -> str:
    """Return a piece of the text, blanks of the same length and lines for a comment."""
    return found[0] if found[0][0] == '"' else re.sub(r"[^\n]", " ", found[0])
