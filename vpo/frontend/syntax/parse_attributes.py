"""The attributes of gcc and of C23 that the parser understands.  The preprocessor removes those of gcc that change nothing."""

from __future__ import annotations

from typing import Any

from vpo.frontend.cpp.attributes import HARMLESS, NEEDED, STANDARD_ATTRIBUTES, UNDERSTOOD
from vpo.frontend.syntax.attribute_lists import Alignas, Attributes
from vpo.frontend.syntax.declaration_nodes import ATTRIBUTE, starts_type
from vpo.frontend.syntax.expression_nodes import Constant, Coord
from vpo.frontend.syntax.lexer import END, NAME, STRING
from vpo.frontend.syntax.parse_expressions import assignment, conditional, string
from vpo.frontend.syntax.stream import Stream

_WITH_EXPRESSIONS = frozenset(("cleanup", "constructor", "destructor", "mode", "vector_size"))


def starts_attributes(s: Stream) -> bool:
    """Return whether attributes begin at the current token."""
    kind = s.kinds[s.at]
    return kind == ATTRIBUTE or (kind == "[" and s.kinds[s.at + 1] == "[")


def attributes(s: Stream) -> Attributes:
    """Read attributes, if there are any."""
    found = Attributes()
    while starts_attributes(s):
        if s.accept(ATTRIBUTE):
            s.expect("(")
            s.expect("(")
            _list(s, found, ")")
            s.expect(")")
        else:
            s.at += 2
            begin = len(s.attributes)
            _list(s, found, "]")
            s.expect("]")
            s.attributes[begin:] = [(s.at, name) for _, name in s.attributes[begin:]]
    return found


def _list(s: Stream, found: Attributes, end: str) -> None:
    """Read the attributes of a list, and what ends it."""
    while not s.accept(end):
        if s.accept(","):
            continue
        name, place = s.texts[s.at].strip("_"), s.coord()
        s.at += 1
        if end == "]":
            name = _prefixed(s, name, place)
        if name == "packed":
            found.packed = True
        elif name == "aligned":
            found.align.append(_aligned(s, place))
        else:
            arguments = _arguments(s, name)
            if name in UNDERSTOOD:
                found.others[name] = arguments
        if s.kinds[s.at] not in (",", end):
            s.missing(f"'{end}'")


def _prefixed(s: Stream, name: str, place: Coord) -> str:
    """Return the name of an attribute in brackets, behind its prefix; say if it is not known."""
    known, message = name in STANDARD_ATTRIBUTES, f"'{name}' attribute ignored"
    if s.kinds[s.at] == ":" and s.kinds[s.at + 1] == ":":
        s.at += 2
        prefix, name, place = name, s.texts[s.at].strip("_"), s.coord()
        s.at += 1
        message = f"'{prefix}::{name}' scoped attribute directive ignored"
        known = prefix == "gnu" and name in HARMLESS | UNDERSTOOD
        if prefix == "gnu" and name in NEEDED:
            s.report.error(place, f"attribute '{name}' is not supported")
            return name
        s.attributes.append((s.at, name))
    elif known:
        reason = s.texts[s.at + 1] if s.kinds[s.at] == "(" and s.kinds[s.at + 1] == STRING else ""
        s.attributes.append((s.at, STANDARD_ATTRIBUTES[name] + (f"({reason})" if reason else "")))
        name = ""
    if not known:
        s.report.warning(place, "attributes", message)
    return name


def _arguments(s: Stream, name: str) -> list[Any]:
    """Read the arguments of an attribute: as expressions if the attribute takes any, else strings only."""
    if s.kinds[s.at] != "(":
        return []
    if name not in _WITH_EXPRESSIONS:
        texts: list[Any] = [Constant(STRING, s.texts[s.at + 1], s.coord())] if s.kinds[s.at + 1] == STRING else []
        _skip_parentheses(s)
        return texts
    s.at += 1
    found: list[Any] = []
    while not s.accept(")"):
        found.append(string(s) if s.kinds[s.at] == STRING else assignment(s))
        if s.kinds[s.at] != ")":
            s.expect(",")
    return found


def _aligned(s: Stream, place: Coord) -> Alignas:
    if not s.accept("("):
        return Alignas(None, place, True)
    found = Alignas(s.type_name(s) if starts_type(s) else conditional(s), place, True)
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


def skip_attributes(s: Stream) -> None:
    """Go behind attributes that change nothing where they stand."""
    if s.kinds[s.at] != NAME:
        attributes(s)
