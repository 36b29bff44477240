"""Numbers, strings and names that editions of C do not have, told with -pedantic."""

from __future__ import annotations

import re

from vpo.c_standard import Standard
from vpo.frontend.syntax.lexer import CHARACTER, FLOATING, INTEGER, NAME, STRING

_ESCAPE = re.compile(r"\\(?:[0-7]{1,3}|x[0-9a-fA-F]+|.)", re.DOTALL)
_NONSTANDARD_ESCAPE = re.compile(r"(?<!\\)(?:\\\\)*\\[eE]")
_SIZED = re.compile(r"[fF](?:32x?|64)$")
_NAMES = ("__FUNCTION__", "__PRETTY_FUNCTION__")


def check_literal(kind: str, text: str, standard: Standard) -> tuple[str, str] | None:
    """Return the flag and the text of what is to be told of a token, if there is anything."""
    check = _CHECKS.get(kind)
    return None if check is None else check(text, standard)


def _integer(text: str, standard: Standard) -> tuple[str, str] | None:
    lower = text.lower()
    if lower.startswith("0b") and standard.edition < 2023:
        return "pedantic", "binary constants are a C2X feature or GCC extension"
    if lower.endswith(("ll", "llu")) and standard.edition < 1999:
        return "long-long", "use of C99 long long integer constant"
    return _imaginary(lower)


def _floating(text: str, standard: Standard) -> tuple[str, str] | None:
    lower = text.lower()
    if lower.startswith("0x"):
        is_new = standard.edition < 1999 and not standard.gnu
        return ("pedantic", "use of C99 hexadecimal floating constant") if is_new else None
    if standard.edition < 2023 and _SIZED.search(text):
        return "pedantic", "non-standard suffix on floating constant before C2X"
    return _imaginary(lower)


def _imaginary(text: str) -> tuple[str, str] | None:
    return ("pedantic", "imaginary constants are a GCC extension") if text[-1] in "ij" or text[-2:-1] in ("i", "j") else None


def _quoted(text: str, standard: Standard) -> tuple[str, str] | None:
    if "\\" in text and _NONSTANDARD_ESCAPE.search(text):
        return "pedantic", "non-ISO-standard escape sequence, '\\e'"
    return None


def _name(text: str, standard: Standard) -> tuple[str, str] | None:
    if text in _NAMES or (text == "__func__" and standard.edition < 1999):
        return "pedantic", f"ISO C{'90' if text == '__func__' else ''} does not support '{text}' predefined identifier"
    return ("pedantic", "'$' in identifier or number") if "$" in text and standard.edition < 1999 else None


def longest_string(standard: Standard) -> int:
    """Return how long a string literal may be that every compiler takes."""
    return 509 if standard.edition < 1999 else 4095


def length_of_strings(texts: list[str]) -> int:
    """Return the length of adjacent string literals together."""
    return sum(len(_ESCAPE.sub("?", text[text.index('"') + 1 : -1])) for text in texts)


_CHECKS = {INTEGER: _integer, FLOATING: _floating, CHARACTER: _quoted, STRING: _quoted, NAME: _name}
