"""Preprocessing: predefined macros, and the text that the parser reads."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

from vpo.datamodel import DataModel
from vpo.frontend.cpp.directives import Preprocessor
from vpo.frontend.cpp.tokens import DIGRAPHS, Token, sticks
from vpo.frontend.diagnostics import Reporter
from vpo.frontend.type_table import TypeTable

# What compilers in the wild accept beyond C, spelled in C or away.
_SPELLINGS = {
    "__extension__": "",
    "__inline": "inline",
    "__inline__": "inline",
    "__const": "const",
    "__const__": "const",
    "__restrict": "restrict",
    "__restrict__": "restrict",
    "__volatile__": "volatile",
    "__volatile": "volatile",
    "__signed__": "signed",
    "__signed": "signed",
    "__alignof__": "_Alignof",
    "__builtin_offsetof": "offsetof",
}

MAY_ALIAS = "#pragma may_alias\n"  # before the text of a file that uses the attribute
PRELUDE = "typedef char *__builtin_va_list;\n"


def predefined(model: DataModel) -> dict[str, str]:
    """The macros that exist before the first line: of the language, of the data model, of the target."""
    types, sizes = TypeTable(model), model.sizes
    macros = {"__STDC__": "1", "__STDC_VERSION__": "199901L", "__STDC_HOSTED__": "1", "__ease__": "1"}
    macros |= _SPELLINGS
    macros["__CHAR_BIT__"] = "8"
    for key, name in (("short", "SHORT"), ("int", "INT"), ("long", "LONG"), ("llong", "LONG_LONG"), ("float", "FLOAT")):
        macros[f"__SIZEOF_{name}__"] = str(sizes[key])
    macros["__SIZEOF_DOUBLE__"] = str(sizes["double"])
    macros["__SIZEOF_LONG_DOUBLE__"] = str(sizes["ldouble"])
    macros["__SIZEOF_POINTER__"] = str(sizes["pointer"])
    macros["__SIZE_TYPE__"] = types.size_t.name
    macros["__PTRDIFF_TYPE__"] = types.ptrdiff_t.name
    macros["__WCHAR_TYPE__"] = types.wchar.name
    macros["__ORDER_LITTLE_ENDIAN__"] = "1234"
    macros["__ORDER_BIG_ENDIAN__"] = "4321"
    macros["__BYTE_ORDER__"] = "__ORDER_BIG_ENDIAN__" if model.big_endian else "__ORDER_LITTLE_ENDIAN__"
    if not model.char_signed:
        macros["__CHAR_UNSIGNED__"] = "1"
    return macros | model.macros


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
    for place, macros in (("<built-in>", predefined(model).items()), ("<command line>", defines)):
        definitions = "".join(f"#define {name} {value}\n" for name, value in macros if name not in undefines)
        for _ in processor.tokens(place, definitions):
            pass
    headers = processor.tokens("<command line>", "".join(f'#include "{header}"\n' for header in first))
    result = "".join(_text(chain(headers, processor.tokens(file, text))))
    if included is not None:
        included += processor.included
    return MAY_ALIAS + result if processor.may_alias else result
