"""`#embed`: the bytes of a file as a list of numbers (C23, 6.10.3)."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from vpo.frontend.cpp.questions import HeaderSearch, Place
from vpo.frontend.cpp.tokens import IDENTIFIER, STRING, Malformed, Token, Unreadable, spelled

_PARAMETERS = frozenset(("limit", "prefix", "suffix", "if_empty"))
_BYTES = [f"{value}," for value in range(256)]


@dataclass
class Embedding:
    """What an #embed names: a file, and how its bytes are to be used; `parameters` has the tokens in parentheses."""

    name: str
    quoted: bool
    parameters: dict[str, list[Token]] = field(default_factory=dict)


def _parse(line: Sequence[Token], operand: Sequence[Token]) -> Embedding:
    """Read the operand of an #embed, or of __has_embed; raise `Malformed` if it is none."""
    if operand and operand[0].kind == STRING:
        found, at = Embedding(operand[0].text[1:-1], True), 1
    else:
        texts = [token.text for token in operand]
        if not texts or texts[0] != "<" or ">" not in texts:
            raise Malformed(line[0], '#embed expects "FILENAME" or <FILENAME>')
        at = texts.index(">") + 1
        found = Embedding("".join(token.space + token.text for token in operand[1 : at - 1]).strip(), False)
    while at < len(operand):
        name = operand[at].text.strip("_")
        if operand[at].kind != IDENTIFIER or name not in _PARAMETERS:
            raise Malformed(operand[at], f"unknown parameter '{operand[at].text}' of #embed")
        end = _closing(operand, at + 1)
        found.parameters[name] = list(operand[at + 2 : end])
        at = end + 1
    return found


def _closing(operand: Sequence[Token], at: int) -> int:
    depth = 0
    for position in range(at, len(operand)):
        depth += (operand[position].text == "(") - (operand[position].text == ")")
        if depth == 0 and position > at:
            return position
        if depth == 0:
            break
    raise Malformed(operand[at - 1], f"parameter '{operand[at - 1].text}' of #embed takes tokens in parentheses")


Number = Callable[[list[Token]], int]  # the value of a constant expression


def embedded(
    line: Sequence[Token], operand: Sequence[Token], search: HeaderSearch, includer: Place, number: Number
) -> tuple[Place, str]:
    """Return the file that an #embed names, and what stands in the place of the directive; `number` evaluates the limit.

    Raises Malformed.
    """
    embedding = _parse(line, operand)
    place = search.find(embedding.name, embedding.quoted, includer, False)
    if place is None:
        raise Unreadable(line[0], f"{embedding.name}: no such file")
    try:
        data = Path(place.path).read_bytes()
    except OSError as problem:
        raise Unreadable(line[0], f"{place.path}: cannot read: {problem.strerror or problem}") from None
    limit = embedding.parameters.get("limit")
    if limit is not None:
        data = data[: max(0, number(limit))]
    if not data:
        return place, spelled(embedding.parameters.get("if_empty", []))
    middle = "".join([_BYTES[byte] for byte in data]).rstrip(",")
    before, behind = (spelled(embedding.parameters.get(name, [])) for name in ("prefix", "suffix"))
    return place, f"{before} {middle} {behind}"


def has_embed(name: Token, operand: list[Token], search: HeaderSearch, includer: Place, number: Number) -> int:
    """Return whether #embed would find a file (1), an empty one (2), or none (0)."""
    embedding = _parse([name], operand)
    place = search.find(embedding.name, embedding.quoted, includer, False)
    if place is None:
        return 0
    limit = embedding.parameters.get("limit")
    return 2 if not os.path.getsize(place.path) or (limit is not None and number(limit) <= 0) else 1
