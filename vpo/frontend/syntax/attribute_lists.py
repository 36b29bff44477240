"""What attributes say, as the parser collects it."""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass, field
from typing import Any

from vpo.frontend.syntax.expression_nodes import Node
from vpo.frontend.syntax.lexer import END, KEYWORDS, NAME, Tokens

OF_TYPES = ("mode", "vector_size")  # these make another type of the one that the specifiers name
OF_FUNCTIONS = ("alias", "constructor", "destructor", "gnu_inline", "noinline", "noipa", "weak")


class Alignas(Node):
    """`_Alignas(alignment)`, an expression or type name, or the attribute `aligned`, perhaps with none."""

    __slots__ = ("alignment", "is_attribute")

    def __init__(self, alignment: Node | None, coord: Any, is_attribute: bool = False) -> None:
        self.alignment, self.coord, self.is_attribute = alignment, coord, is_attribute


@dataclass(slots=True)
class Attributes:
    """Attributes that stand together; `others` has the arguments of those that are neither `packed` nor alignments."""

    packed: bool = False
    align: list[Alignas] = field(default_factory=list)
    others: dict[str, list[Any]] = field(default_factory=dict)

    def add(self, more: Attributes) -> None:
        """Take in attributes that stand elsewhere and are about the same."""
        self.packed = self.packed or more.packed
        self.align = self.align + more.align
        self.others = self.others | more.others

    def joined(self, more: Attributes) -> Attributes:
        """Return these and others together."""
        return Attributes(self.packed or more.packed, self.align + more.align, self.others | more.others)

    @property
    def of_functions(self) -> dict[str, list[Any]]:
        """Those that are about a function, even where they stand behind the `*` of its result."""
        return {name: arguments for name, arguments in self.others.items() if name in OF_FUNCTIONS}

    @property
    def of_type(self) -> dict[str, list[Any]]:
        """Those that change the type that the specifiers name."""
        return {name: arguments for name, arguments in self.others.items() if name in OF_TYPES}



# ----------------------------------------------------------------------------------------------------------------------
# Attributes that only warnings ask for: which name each is about.
#
# They may stand in many places, and none of them changes what a program means.  So the preprocessor leaves them as marks in
# the white space, where the grammar does not meet them, and the names are found by what stands around.


MARK = "#pragma attribute "  # how the line of a mark begins
Marks = dict[tuple[str, int, int], list[str]]  # by the places of names
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
