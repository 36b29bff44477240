"""`__extension__` of gcc: what stands behind it is not told with -pedantic.

The preprocessor keeps the word only then; here it leaves the tokens, so that the grammar does not meet it.
"""

from __future__ import annotations

from vpo.frontend.diagnostics import Reporter
from vpo.frontend.syntax.lexer import END, NAME, Tokens

EXTENSION = "__extension__"
_STARTS = frozenset((";", "{", "}", ":", ""))  # behind these a declaration may begin
_OPENING = {"(": ")", "[": "]", "{": "}"}
_PREFIXES = frozenset(("*", "&", "-", "+", "!", "~", "++", "--", "sizeof", "&&"))
_MEMBERS = frozenset((".", "->"))


def leave_extensions_out(tokens: Tokens, report: Reporter) -> None:
    """Take the words out of the tokens; note in `report` from where to where each of them reaches."""
    if EXTENSION not in tokens.texts:
        return
    at = [position for position, text in enumerate(tokens.texts) if text == EXTENSION]
    for position in reversed(at):
        del tokens.kinds[position], tokens.texts[position], tokens.offsets[position]
    for number, position in enumerate(at):
        begin = position - number
        end = _end(tokens.kinds, begin)
        report.extensions.append((tokens.places.coord(tokens.offsets[begin]), tokens.places.coord(tokens.offsets[end])))


def _end(kinds: list[str], at: int) -> int:
    """Return the position behind the declaration, or the operand of an expression, that begins at a position."""
    before = kinds[at - 1] if at else ""
    if before in _STARTS and kinds[at] not in ("(", *_PREFIXES):
        return _end_of_declaration(kinds, at)
    while kinds[at] in _PREFIXES:
        at += 1
    if kinds[at] == "(":
        at = _behind(kinds, at)  # a cast, or the operand itself
        return _end(kinds, at) if kinds[at] in (NAME, "(", "integer", "floating") else _end_of_operand(kinds, at)
    return _end_of_operand(kinds, at + 1)


def _end_of_operand(kinds: list[str], at: int) -> int:
    while kinds[at] in ("(", "[", "{") or kinds[at] in _MEMBERS:
        at = at + 2 if kinds[at] in _MEMBERS else _behind(kinds, at)
    return at


def _end_of_declaration(kinds: list[str], at: int) -> int:
    """Return the position behind the `;` of a declaration, or behind the body of a function."""
    while kinds[at] not in (";", END):
        is_body = kinds[at] == "{" and kinds[at - 1] == ")"
        at = _behind(kinds, at) if kinds[at] in _OPENING else at + 1
        if is_body:
            return at
    return at if kinds[at] == END else at + 1


def _behind(kinds: list[str], at: int) -> int:
    """Return the position behind the bracket that closes the one at a position."""
    closing = [_OPENING[kinds[at]]]
    while closing and kinds[at] != END:
        at += 1
        if kinds[at] in _OPENING:
            closing.append(_OPENING[kinds[at]])
        elif kinds[at] == closing[-1]:
            closing.pop()
    return at if kinds[at] == END else at + 1
