"""Preprocessing: from the tokens of files to the text that the parser reads."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

from vpo.datamodel import DataModel
from vpo.frontend.cpp.directives import Preprocessor
from vpo.frontend.cpp.macro_expansion import Builtin
from vpo.frontend.cpp.macros import Macro
from vpo.frontend.cpp.predefined import predefined
from vpo.frontend.cpp.tokens import DIGRAPHS, Token, sticks
from vpo.frontend.diagnostics import Reporter
from vpo.frontend.type_table import TypeTable

MAY_ALIAS = "#pragma may_alias\n"  # before the text of a file that uses the attribute
PRELUDE = "typedef char *__builtin_va_list;\n"


def _text(tokens: Iterator[Token]) -> Iterator[str]:
    """Yield the text of tokens, with a line marker wherever the place jumps."""
    file, line, previous = "", 0, ""
    for token in tokens:
        space = token.space
        text = DIGRAPHS.get(token.text, token.text)
        if token.line != line or token.file != file:
            if token.file == file and 0 < token.line - line <= 8:
                yield "\n" * (token.line - line)
            else:
                yield f'\n#line {token.line} "{token.file}"\n'
            file, line = token.file, token.line
            space = " " * (token.column - 1)
        elif not space:
            if sticks(previous, text):
                space = " "
        elif "\n" in space:
            space = " "
        yield space + text
        previous = text
    yield "\n"


_PREDEFINED: dict[str, dict[str, Macro | Builtin]] = {}  # by the text that defines them


def _predefined(model: DataModel) -> dict[str, Macro | Builtin]:
    """Return the macros that exist before the first line; they are read once."""
    text = "".join(f"#define {name} {value}\n" for name, value in predefined(model).items())
    if text not in _PREDEFINED:
        place = "<built-in>"
        processor = Preprocessor(Reporter(place), TypeTable(model), ())
        before = set(processor.macros)
        for _ in processor.tokens(place, text):
            pass
        _PREDEFINED[text] = {name: macro for name, macro in processor.macros.items() if name not in before}
    return _PREDEFINED[text]


def run(
    file: str,
    text: str,
    model: DataModel,
    report: Reporter,
    include_paths: Sequence[str] = (),
    defines: Sequence[tuple[str, str]] = (),
    undefines: Sequence[str] = (),
    first: Sequence[str] = (),
    included: list[str] | None = None,
) -> str:
    """Preprocess text that was read from a file, and the headers `first` before it; list files read in `included`."""
    processor = Preprocessor(report, TypeTable(model), include_paths)
    processor.macros |= {name: macro for name, macro in _predefined(model).items() if name not in undefines}
    definitions = "".join(f"#define {name} {value}\n" for name, value in defines if name not in undefines)
    for _ in processor.tokens("<command line>", definitions):
        pass
    headers = processor.tokens("<command line>", "".join(f'#include "{header}"\n' for header in first))
    result = "".join(_text(chain(headers, processor.tokens(file, text))))
    if included is not None:
        included += processor.included
    return MAY_ALIAS + result if processor.may_alias else result
