"""The attributes of gcc that the parser understands: `packed` and `aligned`.  The preprocessor removes the others."""

from __future__ import annotations

from vpo.frontend.syntax.declaration_nodes import Alignas
from vpo.frontend.syntax.lexer import END
from vpo.frontend.syntax.parse_expressions import conditional
from vpo.frontend.syntax.specifiers import ATTRIBUTE
from vpo.frontend.syntax.stream import Stream
from vpo.frontend.syntax.syntax_tree import Coord


def attributes(s: Stream) -> tuple[bool, list[Alignas]]:
    """Read attributes, if there are any; return whether `packed` is one, and the alignments."""
    packed, align = False, []
    while s.accept(ATTRIBUTE):
        s.expect("(")
        s.expect("(")
        while not s.accept(")"):
            name, place = s.texts[s.at].strip("_"), s.coord()
            s.at += 1
            packed = packed or name == "packed"
            if name == "aligned":
                align.append(_aligned(s, place))
            elif s.kinds[s.at] == "(":
                _skip_parentheses(s)
            if s.kinds[s.at] not in (",", ")"):
                s.missing("')'")
            s.accept(",")
        s.expect(")")
    return packed, align


def _aligned(s: Stream, place: Coord) -> Alignas:
    if not s.accept("("):
        return Alignas(None, place)
    found = Alignas(conditional(s), place)
    s.expect(")")
    return found


def _skip_parentheses(s: Stream) -> None:
    depth = 0
    while s.kinds[s.at] != END:
        depth += (s.kinds[s.at] == "(") - (s.kinds[s.at] == ")")
        s.at += 1
        if depth == 0:
            return
    s.missing("')'")
