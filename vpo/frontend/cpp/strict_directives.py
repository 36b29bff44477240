"""What directives and macros have that editions of C do not, told with -pedantic (6.10)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from vpo.c_standard import Standard
from vpo.frontend.cpp.macros import Macro
from vpo.frontend.cpp.tokens import PUNCTUATOR, Token
from vpo.frontend.diagnostics import Reporter

_EXTENSIONS = {
    "include_next": 9999, "ident": 9999, "import": 9999, "sccs": 9999, "warning": 2023, "elifdef": 2023, "elifndef": 2023,
}  # directives, and the editions that have them  # fmt: skip
_TEXT = re.compile(r'"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'|/\*[\s\S]*?\*/|(//)')


def check_directive(line: Sequence[Token], report: Reporter, standard: Standard) -> None:
    """Tell of a directive that the edition does not have."""
    if standard.edition < _EXTENSIONS.get(line[1].text, 0):
        report.warning(line[1], "pedantic", f"#{line[1].text} is a GCC extension")


def check_definition(macro: Macro, name: Token, report: Reporter, standard: Standard) -> None:
    """Tell of variable arguments that the edition does not have."""
    if macro.optional is not None and standard.edition < 2023:
        report.warning(name, "pedantic", "__VA_OPT__ is not available until C2X")
    if macro.variadic and macro.parameters and macro.parameters[-1] != "__VA_ARGS__":
        flag = "variadic-macros" if standard.edition < 1999 else "pedantic"
        report.warning(name, flag, "ISO C does not permit named variadic macros")
    elif macro.variadic and standard.edition < 1999:
        report.warning(name, "variadic-macros", "anonymous variadic macros were introduced in C99")


def check_comments(text: str, name: str, report: Reporter, standard: Standard) -> None:
    """Tell of the first comment of a file that begins with two slashes, before C99."""
    if standard.edition >= 1999 or "//" not in text:
        return
    found = next((match for match in _TEXT.finditer(text) if match[1]), None)
    if found is not None:
        start = found.start()
        place = Token(PUNCTUATOR, "//", "", name, 1 + text.count("\n", 0, start), start - text.rfind("\n", 0, start))
        report.warning(place, "pedantic", "C++ style comments are not allowed in ISO C90")
