"""Declarations of library functions that a unit never mentions: most of what standard headers are made of.

They are passed over without being parsed: the library's headers are known to be right, and what nothing refers to means
nothing.  The compiler may call functions whose names begin with two underscores though the program does not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

from vpo.frontend.diagnostics import is_of_library
from vpo.frontend.syntax.lexer import END, NAME, Tokens

_OTHERS = frozenset(("typedef", "_Static_assert", "asm", "static", "__extension__"))  # what else may begin a declaration
_OWN = "__"


def unused_prototypes(tokens: Tokens) -> dict[int, tuple[int, list[str]]]:
    """Return, by the position of its first token, the position behind each such declaration, and what it declares."""
    found: dict[int, tuple[int, list[str]]] = {}
    counts = Counter(tokens.texts)
    for begin, end in _library_ranges(tokens):
        at = begin
        while at < end:
            behind = _behind(tokens.kinds, at)
            if behind <= end and tokens.kinds[at] not in _OTHERS:
                names = _declared_functions(tokens, at, behind - 1)
                if names and all(counts[name] == 1 and not name.startswith(_OWN) for name in names):
                    found[at] = behind, names
            at = behind
    return found


def _library_ranges(tokens: Tokens) -> Iterator[tuple[int, int]]:
    """Yield where tokens from the library's headers begin and end, which is always outside of declarations."""
    for (file, begin), (_, end) in pairwise([*tokens.files(), ("", len(tokens.kinds) - 1)]):
        if is_of_library(file):
            yield begin, end


def _behind(kinds: list[str], at: int) -> int:
    """Return the position behind a declaration or function definition."""
    depth = 0
    body = False  # whether a function's body is open or could begin
    while (kind := kinds[at]) != END:
        at += 1
        if kind == "{":
            depth += 1
            body = body or (depth == 1 and kinds[at - 2] == ")")
        elif kind == "}":
            depth -= 1
            if depth == 0 and body:
                return at
        elif kind == ";" and depth == 0:
            return at
    return at


def _declared_functions(tokens: Tokens, at: int, end: int) -> list[str]:
    """Return the functions that a declaration up to its semicolon declares, none if it has other declarators."""
    kinds = tokens.kinds
    names: list[str] = []
    while "(" in kinds[at:end]:
        opening = kinds.index("(", at, end)
        if opening - at < (1 if names else 2) or kinds[opening - 1] != NAME or not set(kinds[at:opening]).isdisjoint("{=,["):
            return []
        names.append(tokens.texts[opening - 1])
        at = _behind_parentheses(kinds, opening, end)
        if at == end:
            return names
        if kinds[at] != ",":
            return []
        at += 1
    return []


def _behind_parentheses(kinds: list[str], at: int, end: int) -> int:
    """Return the position behind parentheses; macros of the program may have left them open up to the end."""
    depth = 0
    while at < end:
        depth += (kinds[at] == "(") - (kinds[at] == ")")
        at += 1
        if depth == 0:
            break
    return at
