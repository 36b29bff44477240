"""The grammar of enums (C11, 6.7.2.2)."""

from __future__ import annotations

from vpo.frontend.syntax.declaration_nodes import Enum, Enumerator, EnumeratorList, IdentifierType
from vpo.frontend.syntax.lexer import NAME
from vpo.frontend.syntax.parse_attributes import attributes
from vpo.frontend.syntax.parse_expressions import conditional
from vpo.frontend.syntax.specifiers import QUALIFIERS, SIMPLE, starts_type
from vpo.frontend.syntax.stream import Stream
from vpo.frontend.syntax.syntax_tree import Node


def enumeration(s: Stream) -> Node:
    """Read an enum specifier."""
    begin = s.coord()
    s.at += 1
    given = attributes(s)
    name = s.name() if s.kinds[s.at] == NAME else None
    base = _base(s)
    if s.kinds[s.at] != "{":
        return Enum(name, None, begin, base=base) if name is not None else s.missing("'{'")
    s.at += 1
    place, found = s.coord(), []
    while True:
        found.append(_enumerator(s))
        if not s.accept(",") or s.kinds[s.at] == "}":
            break
    s.expect("}")
    given.add(attributes(s))
    return Enum(name, EnumeratorList(found, place), begin, given.packed, base)


def _base(s: Stream) -> IdentifierType | None:
    """Read the type behind a colon; what stands there may be the width of a bit-field instead."""
    if s.kinds[s.at] != ":":
        return None
    s.at += 1
    if not starts_type(s):
        s.at -= 1
        return None
    place = s.coord()
    names: list[str] = []
    while s.kinds[s.at] in SIMPLE or s.kinds[s.at] in QUALIFIERS or (not names and starts_type(s)):
        if s.kinds[s.at] not in QUALIFIERS:
            names.append(s.texts[s.at] if s.kinds[s.at] == NAME else s.kinds[s.at])
        s.at += 1
    return IdentifierType(names, place)


def _enumerator(s: Stream) -> Enumerator:
    place = s.coord()
    name = s.name()
    attributes(s)
    value = conditional(s) if s.accept("=") else None
    s.declare(name)
    return Enumerator(name, value, place)
