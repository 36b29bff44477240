"""The grammar of enums (C11, 6.7.2.2)."""

from __future__ import annotations

from vpo.frontend.syntax.declaration_nodes import Enum, Enumerator, EnumeratorList
from vpo.frontend.syntax.lexer import NAME
from vpo.frontend.syntax.parse_attributes import attributes
from vpo.frontend.syntax.parse_expressions import conditional
from vpo.frontend.syntax.stream import Stream
from vpo.frontend.syntax.syntax_tree import Node


def enumeration(s: Stream) -> Node:
    """Read an enum specifier."""
    begin = s.coord()
    s.at += 1
    given = attributes(s)
    name = s.name() if s.kinds[s.at] == NAME else None
    if s.kinds[s.at] != "{":
        return Enum(name, None, begin) if name is not None else s.missing("'{'")
    s.at += 1
    place, found = s.coord(), []
    while True:
        found.append(_enumerator(s))
        if not s.accept(",") or s.kinds[s.at] == "}":
            break
    s.expect("}")
    given.add(attributes(s))
    return Enum(name, EnumeratorList(found, place), begin, given.packed)


def _enumerator(s: Stream) -> Enumerator:
    place = s.coord()
    name = s.name()
    value = conditional(s) if s.accept("=") else None
    s.declare(name)
    return Enumerator(name, value, place)
