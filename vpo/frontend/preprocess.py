"""Preprocessing: from the tokens of files to the text that the parser reads."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain

from vpo.base.c_standard import Standard
from vpo.frontend.c_options import USUAL, COptions
from vpo.frontend.cpp.directives import Preprocessor
from vpo.frontend.cpp.macro_expansion import Builtin
from vpo.frontend.cpp.macros import Macro
from vpo.frontend.cpp.predefined import predefined
from vpo.frontend.cpp.tokens import DIGRAPHS, ENTERED, MARK, Token, quoted, sticks
from vpo.frontend.types.type_table import TypeTable
from vpo.frontend.warnings.diagnostics import CompileErrors, Reporter
from vpo.il.data_model import DataModel

MAY_ALIAS = "#pragma may_alias\n"  # before the text of a file that uses the attribute
SHORT_LIST = "typedef char *__builtin_va_list;\n"
_LONG_LIST = "typedef struct __va_list_tag {{ {}; void *overflow_arg_area, *reg_save_area; }} __builtin_va_list[1];\n"
VA_LISTS = {  # how much of the saved argument registers is used up, the next argument on the stack, where the registers are
    "pointer": SHORT_LIST,
    "registers": _LONG_LIST.format("unsigned gp_offset, fp_offset"),
    "counts": _LONG_LIST.format("unsigned char gpr, fpr; unsigned short reserved"),
}


def _text(tokens: Iterator[Token]) -> Iterator[str]:
    """Yield the text of tokens, with a line marker wherever the place jumps."""
    file, line, previous = "", 0, ""
    for token in tokens:
        if token.kind == MARK:
            yield f"\n#{'' if token.text.startswith(ENTERED) else 'pragma '}{token.text}\n"
            file, line = "", 0
            continue
        space = token.space
        text = DIGRAPHS.get(token.text, token.text)
        if token.line != line or token.file != file:
            if token.file == file and 0 < token.line - line <= 8:
                yield "\n" * (token.line - line)
            else:
                yield f"\n#line {token.line} {quoted(token.file)}\n"
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


def without_markers(text: str) -> str:
    """Return preprocessed text without line markers and empty lines."""
    return "".join(f"{line}\n" for line in text.splitlines() if line.strip() and not line.startswith("#line "))


_PREDEFINED: dict[str, dict[str, Macro | Builtin]] = {}  # by the text that defines them


def _predefined(model: DataModel, standard: Standard) -> dict[str, Macro | Builtin]:
    """Return the macros that exist before the first line; they are read once."""
    text = "".join(f"#define {name} {value}\n" for name, value in predefined(model, standard).items())
    if text not in _PREDEFINED:
        place = "<built-in>"
        processor = Preprocessor(Reporter(place), TypeTable(model))
        before = set(processor.macros)
        for _ in processor.tokens(place, text):
            pass
        _PREDEFINED[text] = {name: macro for name, macro in processor.macros.items() if name not in before}
    return _PREDEFINED[text]


@dataclass(frozen=True)
class Job:
    """All that says how a file is preprocessed."""

    file: str
    text: str
    model: DataModel
    options: COptions = USUAL

    def start(self, report: Reporter) -> tuple[Preprocessor, Iterator[Token]]:
        """Return the preprocessor, and the tokens as it yields them."""
        given = self.options
        processor = Preprocessor(report, TypeTable(self.model), given)
        known = _predefined(self.model, given.standard)
        processor.macros |= {name: macro for name, macro in known.items() if name not in given.undefines}
        definitions = "".join(f"#define {name} {value}\n" for name, value in given.defines if name not in given.undefines)
        for _ in processor.tokens("<command line>", definitions):
            pass
        headers = processor.tokens("<command line>", "".join(f'#include "{header}"\n' for header in given.first_headers))
        return processor, chain(headers, processor.tokens(self.file, self.text))


def run(job: Job, report: Reporter, included: list[str] | None = None, macros: bool = False) -> str:
    """Return the preprocessed text, or definitions of the macros that there are in the end; list files read in `included`."""
    processor, tokens = job.start(report)
    result = "".join(_text(tokens))
    if included is not None:
        included += processor.included
    if macros:
        return "".join(f"{macro.definition()}\n" for macro in processor.macros.values() if isinstance(macro, Macro))
    return MAY_ALIAS + result if processor.may_alias else result


def trace(job: Job) -> tuple[Preprocessor, list[tuple[int, Token]], str]:
    """Preprocess once more, for messages; return also the tokens with their offsets in the text, and the text.

    Both end where the preprocessor gives up because of too many errors.
    """
    processor, tokens = job.start(Reporter(job.file))
    taken: list[Token] = []
    found: list[tuple[int, Token]] = []
    parts: list[str] = []
    length = 0
    with suppress(CompileErrors):
        for part in _text(_kept(tokens, taken)):
            parts.append(part)
            length += len(part)
            if part[-1] != "\n":
                found.append((length - len(DIGRAPHS.get(taken[-1].text, taken[-1].text)), taken[-1]))
    return processor, found, "".join(parts)


def _kept(tokens: Iterator[Token], taken: list[Token]) -> Iterator[Token]:
    """Pass tokens on, and keep the last one."""
    for token in tokens:
        taken[:] = [token]
        yield token
