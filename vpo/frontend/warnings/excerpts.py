"""Messages with the lines that they are about: the include path before, a caret below, and the macros that a place comes from.

The compiler keeps of a place only where it is in the preprocessed text.  When there is a message to show, the file is
preprocessed once more, and this time it is kept which token of which file stands where.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cached_property

from vpo.base.suggestions import suggested
from vpo.frontend.cpp.directives import Preprocessor, read
from vpo.frontend.cpp.tokens import Token
from vpo.frontend.preprocess import Job, trace
from vpo.frontend.syntax.lexer import Places
from vpo.frontend.warnings.diagnostics import Diagnostic

MAX_WIDTH = 300  # characters of a line that are shown
MAX_EXPANSIONS = 6  # macros in each other that are shown
_WORD = re.compile(r"""[A-Za-z_$][\w$]*|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\.?\d[\w.]*""")
_UNDECLARED = re.compile(r"^'(\w+)' undeclared$")


class Excerpts:
    """Shows the messages about one file; `start` says how it is preprocessed."""

    def __init__(self, start: Callable[[], Job]) -> None:
        self._start = start
        self._included = ""  # the include path that was shown last
        self._files: dict[str, list[str]] = {}  # lines of files

    @cached_property
    def _traced(self) -> tuple[Preprocessor, dict[tuple[str, int, int], Token]]:
        """The preprocessor at its end, and the tokens by their places as the compiler knows them."""
        job = self._start()
        processor, tokens, text = trace(job)
        places, found = Places(text, job.file), dict[tuple[str, int, int], Token]()
        for offset, token in tokens:
            place = places.coord(offset)
            found.setdefault((place.file, place.line, place.column), token)
        return processor, found

    def shown(self, diagnostic: Diagnostic) -> str:
        """Return a message as lines of text."""
        if not diagnostic.line:
            return str(diagnostic)
        parts: list[str] = []
        path = self._include_path(diagnostic.file)
        if path != self._included:
            parts += [path] if path else []
            self._included = path
        parts += self._at_place(diagnostic)
        if diagnostic.note is not None:
            parts += self._at_place(diagnostic.note)
        return "\n".join(parts)

    def _include_path(self, file: str) -> str:
        includers, lines = self._traced[0].includers, list[str]()
        while (line := includers.get(file)) is not None and len(lines) < MAX_EXPANSIONS:
            lines.append(f"{'                 from' if lines else 'In file included from'} {line.file}:{line.line}")
            file = line.file
        return ",\n".join(lines) + ":" if lines else ""

    def _at_place(self, diagnostic: Diagnostic) -> Iterator[str]:
        """Yield a message, its line, and notes about the macros that its token comes from."""
        processor, tokens = self._traced
        token = None if diagnostic.spelled else tokens.get((diagnostic.file, diagnostic.line, diagnostic.column))
        unknown = _UNDECLARED.match(diagnostic.message)
        if unknown is not None:
            message = diagnostic.message + suggested(unknown[1], processor.macros)
            diagnostic = dataclasses.replace(diagnostic, message=message)
        if token is None:
            yield from self._with_line(diagnostic)
            return
        macros = _expansions(token)
        spelled = _spelled(token)
        written = macros[-1] if macros else token
        if macros and spelled.file == written.file and _is_argument(spelled, processor):
            written = spelled
        yield from self._with_line(dataclasses.replace(diagnostic, line=written.line, column=written.column))
        places = [spelled, *map(_spelled, macros)]
        for place, name in list(zip(places, macros, strict=False))[:MAX_EXPANSIONS] if written is not spelled else ():
            yield from self._with_line(_note(place, f"in expansion of macro '{name.text}'"))

    def _with_line(self, diagnostic: Diagnostic) -> Iterator[str]:
        """Yield a message, and the line that it is about with a caret, if the line can be found."""
        yield str(diagnostic)
        lines, line, column = self._lines(diagnostic.file), diagnostic.line, diagnostic.column
        if not 0 < line <= len(lines) or not 0 < column <= min(len(lines[line - 1]) + 1, MAX_WIDTH):
            return
        text = lines[line - 1][:MAX_WIDTH].rstrip("\r")
        word = _WORD.match(text, column - 1)
        tildes = "~" * (word.end() - word.start() - 1) if word else ""
        blanks = "".join("\t" if character == "\t" else " " for character in text[: column - 1])
        yield f"{line:5} | {_printable(text)}"
        yield f"      | {blanks}^{tildes}"

    def _lines(self, file: str) -> list[str]:
        """Return the lines of a file, none of one that cannot be read."""
        if file not in self._files:
            self._files[file] = []
            with suppress(OSError):
                self._files[file] = read(file).split("\n")
        return self._files[file]


def _note(place: Token, message: str) -> Diagnostic:
    return Diagnostic(place.file, place.line, place.column, "note", message)


def _spelled(token: Token) -> Token:
    """Return the token of a file that another is a copy of."""
    while hasattr(token, "origin"):
        token = token.origin
    return token


def _expansions(token: Token) -> list[Token]:
    """Return the names that were replaced by what a token is part of, the innermost first."""
    found: list[Token] = []
    while hasattr(token, "name"):
        token, origin = token.name, token.origin
        if token is not origin:
            found.append(token)
    return found


def _is_argument(token: Token, processor: Preprocessor) -> bool:
    """True if a token of a file is part of a call of a macro, not of a definition."""
    bodies = (getattr(macro, "body", ()) for macro in processor.macros.values())
    return not any(token is part for body in bodies for part in body)


def _printable(text: str) -> str:
    return "".join(character if character.isprintable() or character == "\t" else "?" for character in text)
