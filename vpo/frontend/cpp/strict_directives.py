"""What is told of directives and macros: what editions of C do not have, and constraints (6.10)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from vpo.frontend.cpp.macro_expansion import Builtin
from vpo.frontend.cpp.macros import Macro
from vpo.frontend.cpp.tokens import NUMBER, PUNCTUATOR, Token
from vpo.frontend.warnings.diagnostics import Reporter, is_of_library
from vpo.il.c_standard import Standard

_EXTENSIONS = {
    "include_next": 9999, "ident": 9999, "import": 9999, "sccs": 9999, "warning": 2023, "elifdef": 2023, "elifndef": 2023,
}  # directives, and the editions that have them  # fmt: skip
_LENGTHS = {"else": 2, "endif": 2, "ifdef": 3, "ifndef": 3, "undef": 3}  # of directives, with the `#`
_LAST_LINE = 2147483647
_TEXT = re.compile(r'"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'|/\*[\s\S]*?\*/|(//)')


def check_directive(line: Sequence[Token], report: Reporter, standard: Standard) -> None:
    """Warn of tokens behind a directive; tell of a directive that the edition does not have."""
    name, length = line[1].text, _LENGTHS.get(line[1].text, 0)
    if length and len(line) > length:
        flag = "endif-labels" if name in ("else", "endif") else "extra-tokens"
        report.warning(line[length], flag, f"extra tokens at end of #{name} directive")
    if not report.is_strict:
        return
    if line[1].kind == NUMBER:
        report.warning(line[1], "pedantic", "style of line directive is a GCC extension")
    if name == "line" and len(line) > 2 and line[2].text.isdecimal() and not 0 < int(line[2].text) <= _LAST_LINE:
        report.warning(line[2], "pedantic", "line number out of range")
    if standard.edition < _EXTENSIONS.get(line[1].text, 0):
        report.warning(line[1], "pedantic", f"#{line[1].text} is a GCC extension")


def check_definition(macro: Macro, name: Token, report: Reporter, standard: Standard) -> None:
    """Tell of variable arguments that the edition does not have."""
    if not macro.variadic and any(token.text == "__VA_ARGS__" for token in macro.body):
        report.warning(name, "pedantic", "__VA_ARGS__ can only appear in the expansion of a C99 variadic macro")
    if macro.optional is not None and standard.edition < 2023:
        report.warning(name, "pedantic", "__VA_OPT__ is not available until C2X")
    if macro.variadic and macro.parameters and macro.parameters[-1] != "__VA_ARGS__":
        report.warning(name, "variadic-macros", "ISO C does not permit named variadic macros")
    elif macro.variadic and standard.edition < 1999:
        report.warning(name, "variadic-macros", "anonymous variadic macros were introduced in C99")


def check_redefinition(macro: Macro, old: Macro | Builtin | None, report: Reporter) -> None:
    """Warn of a macro that is defined as something else than before (6.10.3); the library's may be replaced."""
    if not isinstance(old, Macro):
        return
    old.read()
    if macro.place and old.place and not macro.is_same(old) and not is_of_library(old.place.file):
        note = old.place, "this is the location of the previous definition"
        report.warning(macro.place, "macro-redefined", f"'{macro.name}' redefined", note)


def check_comments(text: str, name: str, report: Reporter, standard: Standard) -> None:
    """Tell of the first comment of a file that begins with two slashes, before C99."""
    if standard.edition >= 1999 or "//" not in text:
        return
    found = next((match for match in _TEXT.finditer(text) if match[1]), None)
    if found is not None:
        start = found.start()
        place = Token(PUNCTUATOR, "//", "", name, 1 + text.count("\n", 0, start), start - text.rfind("\n", 0, start))
        report.warning(place, "pedantic", "C++ style comments are not allowed in ISO C90")
