"""Preprocessing: pcpp with our predefined macros, errors as diagnostics, and text that pycparser can take."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from typing import Any

from pcpp.parser import default_lexer
from pcpp.preprocessor import Action, OutputDirective, Preprocessor

from vpo.datamodel import DataModel
from vpo.frontend.diagnostics import Diagnostic, Reporter
from vpo.frontend.types import TypeTable

# What compilers in the wild accept beyond C, spelled in C or away.
_SPELLINGS = {
    "__attribute__(x)": "",
    "__attribute(x)": "",
    "__extension__": "",
    "__asm__(x)": "",
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


_PCPP_SUFFIX = "([uU][lL]|[lL][uU]|[uU]|[lL])?"
_SUFFIX = "([uU](?:ll|LL|[lL])?|(?:ll|LL|[lL])[uU]?)?"


def _lexer() -> Any:
    """Pcpp's lexer, made to read `1ULL` as one number instead of a number and a name."""
    lexer = default_lexer()
    rules = [(re.compile(p.pattern.replace(_PCPP_SUFFIX, _SUFFIX), p.flags), names) for p, names in lexer.lexre]
    lexer.lexre = lexer.lexstatere["INITIAL"] = rules
    return lexer


class _Preprocessor(Preprocessor):  # type: ignore[misc]
    """pcpp that records errors and never asks or prints."""

    def __init__(self, file: str, report: Reporter) -> None:
        super().__init__(_lexer())
        self._file = file
        self._report = report
        self._shown: dict[str, str] = {}
        self._moves: dict[str, list[tuple[int, int, str | None]]] = {}

    def shown(self, source: str) -> str:
        """A file's name as the user would write it."""
        name = self._shown.get(source)
        if name is None:
            name = source or self._file
            if os.path.isabs(name) and not os.path.isabs(self._file):
                relative = os.path.relpath(name)
                name = relative if not relative.startswith("..") else name
            self._shown[source] = name
        return name

    def complain(self, token: Any, message: str) -> None:
        self.on_error(getattr(token, "source", self._file), getattr(token, "lineno", 0), message)

    def on_error(self, file: str, line: int, msg: str) -> None:
        text = msg.strip()
        if text.startswith("Could not evaluate"):
            text = "invalid expression in #if"
        self._report.add(Diagnostic(self.shown(file), line, 1, "error", text[:1].lower() + text[1:]))

    def on_include_not_found(self, is_malformed: bool, is_system: bool, curdir: str, includepath: str) -> None:
        if is_malformed:
            self.on_error(self.current, self.lastdirective.lineno, f"malformed #include {includepath}")
        else:
            self.on_error(self.current, self.lastdirective.lineno, f"{includepath}: no such file or directory")
        raise OutputDirective(Action.IgnoreAndRemove)

    def on_directive_handle(self, directive: Any, toks: Any, ifpassthru: bool, precedingtoks: Any) -> Any:
        self.lastdirective = directive
        self.current = directive.source
        if not toks and directive.value in ("define", "undef", "ifdef", "ifndef"):
            self.complain(directive, f"no macro name given in #{directive.value} directive")
            raise OutputDirective(Action.IgnoreAndRemove)
        if not toks and directive.value == "include":
            self.complain(directive, '#include expects "FILENAME" or <FILENAME>')
        if not toks and directive.value in ("if", "elif"):
            self.complain(directive, f"#{directive.value} with no expression")
        return True

    def on_directive_unknown(self, directive: Any, toks: Any, ifpassthru: bool, precedingtoks: Any) -> Any:
        text = "".join(token.value for token in toks)
        if directive.value == "error":
            self.complain(directive, f"#error {text}")
        elif directive.value == "warning":
            self._report.warning(_Place(self.shown(directive.source), directive.lineno), f"#warning {text}")
        elif directive.value == "line" or directive.value.isdigit():
            self._line_directive(directive, toks)
        elif directive.value == "pragma":
            pass
        else:
            self.complain(directive, f"invalid preprocessing directive #{directive.value}")
        return True

    def _line_directive(self, directive: Any, toks: Any) -> None:
        """Remember that what follows in this file has another place."""
        words = [token.value for token in toks if token.value.strip()]
        if directive.value != "line":
            words.insert(0, directive.value)
        if not words or not words[0].isdigit():
            self.complain(directive, "#line needs a line number")
            return
        moves = self._moves.setdefault(directive.source, [])
        name = words[1][1:-1] if len(words) > 1 else (moves[-1][2] if moves else None)
        moves.append((directive.lineno, int(words[0]) - directive.lineno - 1, name))

    @property
    def moved(self) -> bool:
        """Whether any #line directive was met."""
        return bool(self._moves)

    def place(self, token: Any) -> tuple[str, int]:
        """The file and line of a token, as #line directives have it."""
        name, line = self.shown(token.source), token.lineno
        for start, distance, other in reversed(self._moves.get(token.source, ())):
            if start < line:
                return other or name, line + distance
        return name, line

    def on_potential_include_guard(self, macro: str) -> None:
        """Guards need no attention here."""

    def on_comment(self, tok: Any) -> bool:
        return False


class _Place:
    """A coordinate as the parser makes them."""

    def __init__(self, file: str, line: int) -> None:
        self.file, self.line, self.column = file, line, 1


_WORD = re.compile(r"\w")
_STICKY = set("+-<>=&|*/%!^.#:")
_BLANKS = ("CPP_COMMENT1", "CPP_COMMENT2", "CPP_LINECONT")


def _sticks(left: str, right: str) -> bool:
    """Whether two tokens would run together when nothing is between them."""
    a, b = left[-1], right[0]
    return ((a.isalnum() or a in "_$") and (b.isalnum() or b in "_$\"'")) or (a in _STICKY and b in _STICKY)


def _lines(processor: _Preprocessor, tokens: Iterator[Any]) -> Iterator[str]:
    """The text, with a line marker wherever the place jumps."""
    file, line, space = None, 0, ""
    previous: Any = None
    for token in tokens:
        kind, text = token.type, token.value
        if not text:
            continue
        if kind == "CPP_WS":
            space = "" if "\n" in text else space + text
            continue
        if kind in _BLANKS:
            space += " "
            continue
        if token.lineno != line or token.source != file:
            if token.source == file and 0 < token.lineno - line <= 8 and not processor.moved:
                yield "\n" * (token.lineno - line)
            else:
                shown, number = processor.place(token)
                yield f'\n#line {number} "{shown}"\n'
            file, line = token.source, token.lineno
        elif not space and _apart(previous, token) and _sticks(previous.value, text):
            space = " "
        yield space + text
        space = ""
        line += text.count("\n")
        previous = token
    yield "\n"


def _apart(previous: Any, token: Any) -> bool:
    """Whether two tokens were not neighbours in one place of the source."""
    return bool(previous.lexpos + len(previous.value) != token.lexpos)


def run(
    file: str,
    text: str,
    model: DataModel,
    report: Reporter,
    include_paths: Sequence[str] = (),
    defines: Sequence[tuple[str, str]] = (),
    undefines: Sequence[str] = (),
) -> str:
    """Preprocess text that was read from a file."""
    processor = _Preprocessor(file, report)
    for path in include_paths:
        processor.add_path(path)
    macros = predefined(model)
    macros.update(defines)
    for name in undefines:
        macros.pop(name, None)
    for name, value in macros.items():
        processor.define(f"{name} {value}".rstrip())
    processor.parse(text, file)
    return "".join(_lines(processor, iter(processor.token, None)))
