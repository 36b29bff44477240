"""Attributes of gcc and of C23 that the parser understands, and `asm`.

The preprocessor removes those attributes of gcc that change nothing.
"""

from __future__ import annotations

import re
from bisect import bisect_left

from vpo.frontend.cpp.attributes import HARMLESS, NEEDED, STANDARD_ATTRIBUTES, UNDERSTOOD
from vpo.frontend.syntax.lexer import END, KEYWORDS, NAME, STRING, Tokens
from vpo.frontend.syntax.nodes import Alignas, Attributes, Constant, Coord, Expression, Marks
from vpo.frontend.syntax.parse_expressions import assignment, conditional, expression, string
from vpo.frontend.syntax.statement_nodes import Assembly, AssemblyOperand
from vpo.frontend.syntax.stream import ATTRIBUTE, Stream, starts_type

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
    known, prefix = name in STANDARD_ATTRIBUTES, ""
    if s.kinds[s.at] == ":" and s.kinds[s.at + 1] == ":":
        s.at += 2
        prefix, name, place = name, s.texts[s.at].strip("_"), s.coord()
        s.at += 1
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
        s.report.warning(place, *(("attributes:scoped", prefix, name) if prefix else ("attributes:standard", name)))
    return name


def _arguments(s: Stream, name: str) -> list[Expression]:
    """Read the arguments of an attribute: as expressions if the attribute takes any, else strings only."""
    if s.kinds[s.at] != "(":
        return []
    if name not in _WITH_EXPRESSIONS:
        texts: list[Expression] = [Constant(STRING, s.texts[s.at + 1], s.coord())] if s.kinds[s.at + 1] == STRING else []
        _skip_parentheses(s)
        return texts
    s.at += 1
    found: list[Expression] = []
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


# ----------------------------------------------------------------------------------------------------------------------
# Attributes that only warnings ask for: which name each is about.
#
# They may stand in many places, and none of them changes what a program means.  So the preprocessor leaves them as marks in
# the white space, where the grammar does not meet them, and the names are found by what stands around.


MARK = "#pragma attribute "  # how the line of a mark begins
_MARK = re.compile(rf"^{MARK}(.*)$", re.MULTILINE)
_BEHIND_NAME = frozenset("([=,;:){")
_PASSED = frozenset(KEYWORDS.values()) | {"*", NAME}


def find_marks(text: str, tokens: Tokens, bracketed: list[tuple[int, str]]) -> Marks:
    """Return the marks of a text; `bracketed` has the attributes of C23 and the positions behind them."""
    found: Marks = {}
    marks = [(bisect_left(tokens.offsets, match.end()), match[1]) for match in _MARK.finditer(text)] if MARK in text else []
    for position, name in marks + bracketed:
        place = tokens.places.coord(tokens.offsets[_declared(tokens.kinds, position)])
        found.setdefault((place.file, place.line, place.column), []).append(name)
    return found


def _declared(kinds: list[str], at: int) -> int:
    """Return the position of the name that an attribute before a token is about."""
    ahead = at
    while kinds[ahead] in _PASSED:
        if kinds[ahead] == NAME and kinds[ahead + 1] in _BEHIND_NAME:
            return ahead
        ahead += 1
        if kinds[ahead - 1] == "__attribute__":
            ahead = _behind(kinds, ahead)
    before = at - 1
    while before > 0 and kinds[before] in (")", "]", ":"):
        before = before - 1 if kinds[before] == ":" else _before(kinds, before)
    return before if before > 0 and kinds[before] == NAME else min(at, len(kinds) - 1)


def _behind(kinds: list[str], at: int) -> int:
    """Return the position behind the parenthesis that opens at a position."""
    depth = 0
    while kinds[at] != END:
        depth += (kinds[at] == "(") - (kinds[at] == ")")
        at += 1
        if depth == 0:
            break
    return at


def _before(kinds: list[str], at: int) -> int:
    """Return the position before the bracket that closes at a position."""
    depth = 0
    while at > 0:
        depth += (kinds[at] in (")", "]")) - (kinds[at] in ("(", "["))
        at -= 1
        if depth == 0:
            break
    return at



# ----------------------------------------------------------------------------------------------------------------------
# The grammar of `asm`: statements, names behind declarators, and what stands at file scope.


_QUALIFIERS = frozenset(("volatile", "inline", "goto", "const"))


def assembly_name(s: Stream) -> str:
    """Read `asm("name")` behind a declarator, if it is there; return the name."""
    if not s.accept("asm"):
        return ""
    s.expect("(")
    name = _text(s)
    s.expect(")")
    return name


def assembly(s: Stream) -> Assembly:
    """Read an asm statement, with its semicolon."""
    place = s.coord()
    s.at += 1
    while s.kinds[s.at] in _QUALIFIERS:
        s.at += 1
    s.expect("(")
    text = _text(s)
    parts: list[list[AssemblyOperand]] = []
    while s.accept(":"):
        parts.append(_operands(s))
    s.expect(")")
    s.expect(";")
    outputs, inputs = [*parts, [], []][:2]
    return Assembly(text, outputs, inputs, place)


def _operands(s: Stream) -> list[AssemblyOperand]:
    """Read operands; of clobbers and labels, which say nothing here, none are returned."""
    found: list[AssemblyOperand] = []
    while s.kinds[s.at] not in (":", ")"):
        name = ""
        if s.accept("["):
            name = s.name()
            s.expect("]")
        if s.kinds[s.at] == NAME:
            s.at += 1
        else:
            place, constraint = s.coord(), _text(s)
            if s.accept("("):
                found.append(AssemblyOperand(name, constraint, expression(s), place))
                s.expect(")")
        if not s.accept(",") and s.kinds[s.at] not in (":", ")"):
            s.missing("')'")
    return found


def _text(s: Stream) -> str:
    if s.kinds[s.at] != STRING:
        s.missing("string")
    return "".join(part for part in string(s).value.split('"')[1::2])
