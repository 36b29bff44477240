"""What tokens show that C does not have, told with -pedantic; and what `__extension__` excuses."""

from __future__ import annotations

import re

from vpo.frontend.syntax.lexer import CHARACTER, END, FLOATING, INTEGER, NAME, STRING, Tokens
from vpo.frontend.warnings.diagnostics import Reporter

_ESCAPE = re.compile(r"(?<!\\)(?:\\\\)*\\[eE]")
_SIZED = re.compile(r"[fF](?:32x?|64)$")
_PARTS = frozenset(("char", "short", "int", "long", "float", "double", "signed", "unsigned", "_Bool"))
_TYPES = _PARTS | {"const", "volatile", "restrict"}
# The keys of what is told of a token, and of two that follow each other.
_WORDS = {"__int128": "pedantic:int128", "__label__": "pedantic:label"}
_PAIRS = {
    ("(", "{"): "pedantic:braces", ("?", ":"): "pedantic:middle", ("goto", "*"): "pedantic:goto",
    ("[", "["): "pedantic:attributes", (":", "}"): "pedantic:last-label",
}  # fmt: skip


def check_tokens(tokens: Tokens, report: Reporter) -> None:
    """Tell what the tokens of a file show that C does not have."""
    kinds = tokens.kinds
    for at, kind in enumerate(kinds[:-1]):
        key = _PAIRS.get((kind, kinds[at + 1])) or _WORDS.get(kind) or _of_literal(kind, tokens.texts[at])
        if kind == "_Complex":
            key = _of_complex(kinds, at)
        if key:
            fields = (tokens.texts[at],) if key == "pedantic:function-name" else ()
            place = at + 1 if key == "pedantic:braces" else at
            report.warning(tokens.places.coord(tokens.offsets[place]), key, *fields)


def _of_complex(kinds: list[str], at: int) -> str:
    """Return the key of what is told of complex types whose parts are not floating."""
    begin = end = at
    while kinds[begin - 1] in _TYPES:
        begin -= 1
    while kinds[end + 1] in _TYPES:
        end += 1
    near = {*kinds[begin : end + 1]} & _PARTS
    return "" if near & {"float", "double"} else "pedantic:complex-integer" if near else "pedantic:plain-complex"


def _of_literal(kind: str, text: str) -> str:
    """Return the key of what is told of a constant, a string or a name."""
    if kind == NAME:
        return "pedantic:function-name" if text in ("__FUNCTION__", "__PRETTY_FUNCTION__") else ""
    if kind in (CHARACTER, STRING):
        return "pedantic:escape" if "\\" in text and _ESCAPE.search(text) else ""
    if kind == INTEGER and text[:2] in ("0b", "0B"):
        return "pedantic:binary"
    if kind == FLOATING and _SIZED.search(text):
        return "pedantic:suffix"
    is_number = kind in (INTEGER, FLOATING) and text[:2] not in ("0x", "0X")
    return "pedantic:imaginary" if is_number and not {*text[-2:].lower()}.isdisjoint("ij") else ""


# ----------------------------------------------------------------------------------------------------------------------
# `__extension__` of gcc: what stands behind it is not told with -pedantic.
#
# The preprocessor keeps the word only then; here it leaves the tokens, so that the grammar does not meet it.


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
        end = _end_of_extension(tokens.kinds, begin)
        report.extensions.append((tokens.places.coord(tokens.offsets[begin]), tokens.places.coord(tokens.offsets[end])))


def _end_of_extension(kinds: list[str], at: int) -> int:
    """Return the position behind the declaration, or the operand of an expression, that begins at a position."""
    before = kinds[at - 1] if at else ""
    if before in _STARTS and kinds[at] not in ("(", *_PREFIXES):
        return _end_of_declaration(kinds, at)
    while kinds[at] in _PREFIXES:
        at += 1
    if kinds[at] == "(":
        at = _behind(kinds, at)  # a cast, or the operand itself
        return _end_of_extension(kinds, at) if kinds[at] in (NAME, "(", "integer", "floating") else _end_of_operand(kinds, at)
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
