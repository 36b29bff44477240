"""Parsing: pycparser with several syntax errors a run, and without keywords that C does not have."""

from __future__ import annotations

import re
from typing import Any

from pycparser import c_ast
from pycparser.c_lexer import CLexer, Token
from pycparser.c_parser import Coord, CParser, ParseError

from vpo.frontend.constant_runs import RUN, ConstantRun
from vpo.frontend.diagnostics import NESTED_TOO_DEEPLY, CompileErrors, Diagnostic, Reporter

_NOT_KEYWORDS = ("__builtin_va_arg", "__int128")
_SPELLING = {
    "SEMI": "';'",
    "COLON": "':'",
    "COMMA": "','",
    "EQUALS": "'='",
    "LPAREN": "'('",
    "RPAREN": "')'",
    "LBRACE": "'{'",
    "RBRACE": "'}'",
    "LBRACKET": "'['",
    "RBRACKET": "']'",
}
_BEFORE_TYPE = frozenset(("SEMI", "LBRACE", "RBRACE", "LPAREN", "COMMA", "STATIC", "EXTERN", "CONST", "TYPEDEF"))
CASE_RANGE = "..."
_RUN_TOKEN = "CONSTANTS"
_STRING = re.compile(r'"(?>[^"\\\n]++|\\[abfnrtv0-7\\\'"?])*+"')
_PLACE = re.compile(r"(?s)(.*?):(\d+)(?::(\d+))?: (.*)\Z")
_ILLEGAL = re.compile(r"before: (.*)", re.DOTALL)


class _Lexer(CLexer):  # type: ignore[misc,unused-ignore]
    _pos: int
    _line_start: int

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for word in _NOT_KEYWORDS:
            self._keyword_map.pop(word, None)

    def _match_token(self) -> Token | None:
        """Read a plain string with an expression that takes no memory for each of its characters."""
        match = None if self._in_attribute else _STRING.match(self._lexdata, self._pos)
        if match is None:
            token: Token | None = super()._match_token()
            return token
        token = self._make_token("STRING_LITERAL", match.group(), self._pos)
        self._pos = match.end()
        return token

    def constants(self) -> Token | None:
        """Read a run of constants in an initialiser list as one token, if the text goes on with one."""
        match = None if self._pending_tok is not None else RUN.match(self._lexdata, self._pos)
        if match is None:
            return None
        text, column = match.group(), self._pos - self._line_start + 1
        run = ConstantRun(text, Coord(self._filename, self._lineno, column))
        token = Token(_RUN_TOKEN, run, self._lineno, column, self._filename)
        self._pos = match.end()
        lines = text.count("\n")
        if lines:
            self._lineno += lines
            self._line_start = match.start() + text.rindex("\n") + 1
        return token


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
            except CompileErrors:
                raise
            except Exception as problem:  # the parser trips over some bad programs
                self._complain(problem, start)
                del self._scope_stack[1:]
                self._typedef_checked_token = None
                self._skip(start)
        return found

    # ------------------------------------------------------------- identifiers that are also names of types

    def _starts_label(self) -> bool:
        """True at a label that is named like a type: labels have a name space of their own."""
        return bool(self._peek_type() == "TYPEID" and self._peek_type(2) == "COLON")

    def _starts_statement(self) -> bool:
        return self._starts_label() or bool(super()._starts_statement())

    def _parse_block_item(self) -> Any:
        return self._parse_labeled_statement() if self._starts_label() else super()._parse_block_item()

    def _parse_statement(self) -> c_ast.Node:
        return self._parse_labeled_statement() if self._starts_label() else super()._parse_statement()

    def _parse_labeled_statement(self) -> c_ast.Node:
        if self._peek_type() == "CASE":
            return self._parse_case()
        if not self._starts_label():
            return super()._parse_labeled_statement()
        name = self._advance()
        place = self._tok_coord(name)
        return c_ast.Label(name.value, self._parse_labelled(place), place)

    def _parse_labelled(self, place: Coord) -> c_ast.Node:
        """Parse the colon of a label, and the statement behind it."""
        self._expect("COLON")
        return self._parse_pragmacomp_or_statement() if self._starts_statement() else c_ast.EmptyStatement(place)

    # ------------------------------------------------------------------------------------- extensions of gcc

    def _parse_case(self) -> c_ast.Node:
        """Parse a case label; a range `A ... B` becomes a BinaryOp."""
        place = self._tok_coord(self._advance())
        value = self._parse_constant_expression()
        if self._accept("ELLIPSIS"):
            value = c_ast.BinaryOp(CASE_RANGE, value, self._parse_constant_expression(), value.coord)
        return c_ast.Case(value, [self._parse_labelled(place)], place)

    def _parse_conditional_expression(self) -> c_ast.Node:
        """Parse a conditional; that of `a ?: b` has no `iftrue`."""
        condition = self._parse_binary_expression()
        if not self._accept("CONDOP"):
            return condition
        middle = None if self._peek_type() == "COLON" else self._parse_expression()
        self._expect("COLON")
        return c_ast.TernaryOp(condition, middle, self._parse_conditional_expression(), condition.coord)

    def _parse_jump_statement(self) -> c_ast.Node:
        if self._peek_type() != "GOTO" or self._peek_type(2) != "TYPEID":
            return super()._parse_jump_statement()
        place = self._tok_coord(self._advance())
        name = self._advance().value
        self._expect("SEMI")
        return c_ast.Goto(name, place)

    def _parse_enumerator(self) -> c_ast.Node:
        name = self._peek()
        if name is not None and name.type == "TYPEID":
            self._add_identifier(name.value, self._tok_coord(name))  # it hides the type of an outer scope
        return super()._parse_enumerator()

    # ---------------------------------------------------------------------------------------- initialisers

    def _parse_initializer_list(self) -> c_ast.InitList:
        items = [self._parse_initializer_item()]
        while self._accept("COMMA"):
            self._read_constants()
            while self._peek_type() == _RUN_TOKEN:
                items.append(self._advance().value)
                self._read_constants()
            if self._peek_type() == "RBRACE":
                break
            items.append(self._parse_initializer_item())
        return c_ast.InitList(items, items[0].coord)

    def _read_constants(self) -> None:
        """Put a run of constants among the tokens, unless the token behind the current one has been read."""
        tokens = self._tokens
        if tokens._index == len(tokens._buffer):
            token = self.clex.constants()
            if token is not None:
                tokens._buffer.append(token)

    # ------------------------------------------------------------------------------------------- errors

    def _expect(self, token_type: str) -> Token:
        """Read a token of that type, or say that it is missing."""
        token = self._peek()
        if token is None:
            self._parse_error(f"expected {_spelled(token_type)} at end of input", self.clex.filename)
        if token.type != token_type:
            self._parse_error(f"expected {_spelled(token_type)} before '{token.value}'", self._tok_coord(token))
        return self._advance()

    def _lex_error_func(self, msg: str, line: int, column: int) -> None:
        """Record the error; the lexer then goes on behind the bad character."""
        text = "unterminated comment" if "Comments are not" in msg else msg[:1].lower() + msg[1:]
        if text == "illegal character '\"'":
            text = "missing terminating '\"' character"
        self._report.add(Diagnostic(self.clex.filename or self._file, line, column, "error", text))

    def _complain(self, problem: Exception, start: int) -> None:
        """Record a syntax error in the declaration that began at a token."""
        seen = [token for token in self._tokens._buffer[start : self._tokens._index + 1] if token is not None]
        file, line, column = self._file, 1, 1
        if seen:
            file, line, column = seen[-1].filename, seen[-1].lineno, seen[-1].column
        match = _PLACE.match(str(problem))
        text = str(problem).rsplit(": ", 1)[-1] if isinstance(problem, ParseError) else "invalid declaration"
        if match is not None:
            file, line, column, text = match[1], int(match[2]), int(match[3] or 0), match[4]
        message = NESTED_TOO_DEEPLY if isinstance(problem, RecursionError) else _message(text)
        unknown = _unknown_type(seen)
        if unknown is not None:
            file, line, column = unknown.filename, unknown.lineno, unknown.column
            message = f"unknown type name '{unknown.value}'"
        if not any(error.file == file and error.line == line for error in self._report.errors):
            self._report.add(Diagnostic(file, line, column, "error", message))

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


def _spelled(token_type: str) -> str:
    """Return a type of token as messages name it."""
    return _SPELLING.get(token_type) or ("identifier" if token_type == "ID" else f"'{token_type.lower()}'")


def _unknown_type(seen: list[Any]) -> Any:
    """The token that reads like a type name without being one, if that is what went wrong."""
    begins = len(seen) == 2 or (len(seen) > 2 and seen[-3].type in _BEFORE_TYPE)
    if begins and seen[-1].type in ("ID", "TIMES") and seen[-2].type == "ID":
        return seen[-2]
    if len(seen) > 1 and seen[0].type == "ID" and seen[1].type in ("ID", "TIMES"):
        return seen[0]
    return None


def _message(text: str) -> str:
    if text.startswith("expected "):
        return text
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
