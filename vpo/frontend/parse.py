"""Parsing: pycparser with several syntax errors a run, and without keywords that C does not have."""

from __future__ import annotations

import re
from typing import Any

from pycparser import c_ast
from pycparser.c_lexer import CLexer
from pycparser.c_parser import CParser, ParseError

from vpo.frontend.diagnostics import CompileErrors, Diagnostic, Reporter

_NOT_KEYWORDS = ("__builtin_va_arg", "__int128")
_PLACE = re.compile(r"(?s)(.*?):(\d+)(?::(\d+))?: (.*)\Z")
_ILLEGAL = re.compile(r"before: (.*)", re.DOTALL)


class _Lexer(CLexer):  # type: ignore[misc,unused-ignore]
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for word in _NOT_KEYWORDS:
            self._keyword_map.pop(word, None)


class _Parser(CParser):  # type: ignore[misc,unused-ignore]
    """Goes on after a syntax error with the next declaration at file scope."""

    def __init__(self, report: Reporter, file: str) -> None:
        super().__init__(lexer=_Lexer)
        self._report = report
        self._file = file

    def _parse_translation_unit_or_empty(self) -> c_ast.FileAST:
        return c_ast.FileAST(self._parse_translation_unit())

    def _parse_translation_unit(self) -> list[Any]:
        found: list[Any] = []
        while self._peek() is not None:
            start = self._mark()
            try:
                found.extend(self._parse_external_declaration())
            except (CompileErrors, RecursionError):
                raise
            except Exception as problem:  # the parser trips over some bad programs
                self._complain(problem)
                del self._scope_stack[1:]
                self._typedef_checked_token = None
                self._skip(start)
        return found

    def _lex_error_func(self, msg: str, line: int, column: int) -> None:
        """Record the error; the lexer then goes on behind the bad character."""
        text = "unterminated comment" if "Comments are not" in msg else msg[:1].lower() + msg[1:]
        self._report.add(Diagnostic(self.clex.filename or self._file, line, column, "error", text))

    def _complain(self, problem: Exception) -> None:
        match = _PLACE.match(str(problem))
        at = self._last_place()
        if match is None:
            text = str(problem) if isinstance(problem, ParseError) else "syntax error"
            text = text.rsplit(": ", 1)[-1]
            self._report.add(Diagnostic(*at, "error", _message(text)))
            return
        file, line, column, text = match.groups()
        self._report.add(Diagnostic(file or self._file, int(line), int(column or 0), "error", _message(text)))

    def _last_place(self) -> tuple[str, int, int]:
        """The place of the last token that was looked at."""
        tokens = [token for token in self._tokens._buffer[: self._tokens._index + 1] if token is not None]
        if not tokens:
            return self._file, 1, 1
        return tokens[-1].filename, tokens[-1].lineno, tokens[-1].column

    def _skip(self, start: int) -> None:
        """Go behind the end of the declaration that began at `start`: its `;`, or the `}` of a function body."""
        reached = self._mark()
        self._reset(start)
        depth, body, previous = 0, False, ""
        while self._peek() is not None:
            kind = self._advance().type
            if kind == "LBRACE":
                body = body or (depth == 0 and previous == "RPAREN")
                depth += 1
            elif kind == "RBRACE":
                depth -= 1
                if depth <= 0 and (body or self._mark() >= reached) and self._peek_type() not in ("SEMI", "COMMA"):
                    return
            elif kind == "SEMI" and depth <= 0 and self._mark() >= reached:
                return
            previous = kind


def _message(text: str) -> str:
    match = _ILLEGAL.fullmatch(text)
    if match is not None:
        return f"syntax error before '{match.group(1)}'"
    if text == "At end of input":
        return "syntax error: unexpected end of input"
    return "syntax error: " + text[:1].lower() + text[1:]


def parse(text: str, file: str, report: Reporter) -> c_ast.FileAST:
    """Parse preprocessed text; syntax errors go to `report`."""
    parser = _Parser(report, file)
    tree: c_ast.FileAST = parser.parse(text, file)
    return tree
