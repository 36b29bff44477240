"""What is told of directives and macros: constraints (6.10), and what C does not have."""

from __future__ import annotations

from collections.abc import Sequence

from vpo.frontend.cpp.macro_expansion import Builtin
from vpo.frontend.cpp.macros import Macro
from vpo.frontend.cpp.tokens import NUMBER, Token
from vpo.frontend.warnings.diagnostics import Reporter, is_of_library

_EXTENSIONS = {
    **dict.fromkeys(("include_next", "ident", "import", "sccs"), "pedantic:directive"),
    **dict.fromkeys(("warning", "elifdef", "elifndef"), "pedantic:new-directive"),
}
_LAST_LINE = 2147483647
_LENGTHS = {"else": 2, "endif": 2, "ifdef": 3, "ifndef": 3, "undef": 3}  # of directives, with the `#`


def check_directive(line: Sequence[Token], report: Reporter) -> None:
    """Warn of tokens behind a directive; tell of a directive that C does not have."""
    name = line[1].text
    length = _LENGTHS.get(name, 0)
    if length and len(line) > length:
        report.warning(line[length], "endif-labels" if name in ("else", "endif") else "extra-tokens", name)
    if line[1].kind == NUMBER:
        report.warning(line[1], "pedantic:line-style")
    if name == "line" and len(line) > 2 and line[2].text.isdecimal() and not 0 < int(line[2].text) <= _LAST_LINE:
        report.warning(line[2], "pedantic:line-number")
    if name in _EXTENSIONS:
        report.warning(line[1], _EXTENSIONS[name], name)


def check_definition(macro: Macro, name: Token, report: Reporter) -> None:
    """Tell of variable arguments as C does not have them."""
    if not macro.variadic and any(token.text == "__VA_ARGS__" for token in macro.body):
        report.warning(name, "pedantic:va-args")
    if macro.optional is not None:
        report.warning(name, "pedantic:va-opt")
    if macro.variadic and macro.parameters and macro.parameters[-1] != "__VA_ARGS__":
        report.warning(name, "variadic-macros")


def check_redefinition(macro: Macro, old: Macro | Builtin | None, report: Reporter) -> None:
    """Warn of a macro that is defined as something else than before (6.10.3); the library's may be replaced."""
    if not isinstance(old, Macro):
        return
    old.read()
    if macro.place and old.place and not macro.is_same(old) and not is_of_library(old.place.file):
        note = old.place, "this is the location of the previous definition"
        report.warning(macro.place, "macro-redefined", macro.name, note=note)
