"""Preprocessing tokens, and how text is read as lines of them (6.4; phases 1 to 3 of translation)."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import lru_cache

# Groups of the expression below, but for MARK.
NEWLINE, STRING, CHARACTER, IDENTIFIER, NUMBER, DEFINITION, PUNCTUATOR, END, MARK = range(2, 11)
_TOKEN = re.compile(
    r"""((?:[ \t\v\f\r]+|/\*[\s\S]*?(?:\*/|\Z)|//[^\n]*)*)
    (?:(\n)
    |((?:u8|[uUL])?"[^"\\\n]*(?:\\.[^"\\\n]*)*")
    |((?:u8|[uUL])?'(?:[^'\\\n]|\\.)[^'\\\n]*(?:\\.[^'\\\n]*)*')
    |([^\W\d][\w$]*(?:\\(?:u[\da-fA-F]{4}|U[\da-fA-F]{8})[\w$]*)*|\$[\w$]*|(?:\\(?:u[\da-fA-F]{4}|U[\da-fA-F]{8})[\w$]*)+)
    |(\.?\d(?:[eEpP][+-]|'\w|[\w.])*)
    |((?<=\n)\#[ \t]*define[ \t]+(?!defined\b)[^\W\d]\w*(?:\([ \t]*(?:[^\W\d]\w*[ \t]*(?:,[ \t]*[^\W\d]\w*[ \t]*)*+)?\))?
        (?>(?:[ \t](?:[^\n\#/"'\\]++|/(?![/*])|"[^"\\\n]*+(?:\\.[^"\\\n]*+)*+"|'[^'\\\n]*+(?:\\.[^'\\\n]*+)*+')*+)?)
        (?=[ \t\r]*(?:/\*(?:[^*\n]|\*(?!/))*+\*/[ \t\r]*|//[^\n]*)?\n))
    |(%:%:|\.\.\.|<<=|>>=|->|\+\+|--|<<|>>|&&|\|\||\#\#|<:|:>|<%|%>|%:|[-+*/%&|^<>=!]=|.)
    |(\Z))""",
    re.VERBOSE,
)
_UNIVERSAL = re.compile(r"\\[uU]([\da-fA-F]{8}|[\da-fA-F]{4})")  # a character of an identifier
_SPLICE = re.compile(r"\\[ \t]*\n")
_COMMENT = re.compile(r"//[^\n]*|/\*(?:[\s\S]*?(\*/)|[\s\S]*)")
_TRIGRAPH = re.compile(r"\?\?[=/'()!<>-]")
_TRIGRAPHS = dict(zip("=/'()!<>-", "#\\^[]|{}~", strict=True))
DIGRAPHS = {"<:": "[", ":>": "]", "<%": "{", "%>": "}", "%:": "#", "%:%:": "##"}


ENTERED = "line "  # how the text of a mark begins that says which file was entered


class Token:
    """A token, the white space before it, and its place as `#line` has it.

    A copy that a macro made has two more: `origin`, the token that was copied, and `name`, the name that was replaced.
    """

    __slots__ = ("blocked", "column", "file", "kind", "line", "name", "origin", "space", "text")
    origin: Token
    name: Token

    def __init__(self, kind: int, text: str, space: str, file: str, line: int, column: int, blocked: bool = False) -> None:
        self.kind = kind
        self.text = text
        self.space = space
        self.file = file
        self.line = line
        self.column = column
        self.blocked = blocked  # an identifier that is never replaced again (6.10.3.4)

    def at(self, place: Token, space: str) -> Token:
        """Copy the token to another place."""
        copy = Token(self.kind, self.text, space, place.file, place.line, place.column, self.blocked)
        copy.origin, copy.name = self, place
        return copy


class Definition(Token):
    """A line `#define ...` that is known to be well formed, without `#` in it; `splices`: where lines were joined in it.

    Most macros of headers are never used, so it is read as tokens when its macro is, or is defined again.
    """

    __slots__ = ("splices",)
    splices: list[int]

    def tokens(self) -> list[Token]:
        """Return the tokens of the line."""
        source = Source("", self.file, "")
        source._text, source._splices, source.shift = self.text + "\n", self.splices, self.line - 1
        return next(source.lines())


def made(place: Token, kind: int, text: str) -> Token:
    """Return a new token in the place of another."""
    return Token(kind, text, place.space, place.file, place.line, place.column)


class Malformed(Exception):
    """A directive or a macro call is wrong at a token."""

    def __init__(self, token: Token, message: str) -> None:
        super().__init__(message)
        self.token = token


class Unreadable(Malformed):
    """A file cannot be included, so that what it declares is missing everywhere behind."""


def quoted(text: str) -> str:
    """Return a string literal of a text, which may be a file's name with line ends in it."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def unquoted(text: str) -> str:
    """Return the text that `quoted` has made what stands between the quotes of."""
    return _QUOTED.sub(lambda found: "\n" if found[1] == "n" else found[1], text) if "\\" in text else text


_QUOTED = re.compile(r"\\([\\\"n])")


def spelled(tokens: list[Token]) -> str:
    """Return the text of tokens, white space as one blank."""
    return "".join((" " if token.space and i else "") + token.text for i, token in enumerate(tokens))


def single(text: str) -> int:
    """Return the kind of the one token that text is, or 0."""
    match = _TOKEN.match(text)
    if match is None or match.end() < len(text) or match[1] or not text:
        return 0
    return match.lastindex or 0


def sticks(left: str, right: str) -> bool:
    """True if two tokens with nothing between them would be read as something else."""
    if left[-1] in "\"'":
        return False
    if right[0] in "\"'":
        return left in ("L", "u", "U", "u8")
    return _goes_on(left, right[:2])


@lru_cache(maxsize=4096)
def _goes_on(left: str, right: str) -> bool:
    """True if a token would end later with these characters behind it."""
    match = _TOKEN.match(left + right)
    return match is None or match.end() != len(left) or match.start(match.lastindex or 0) != 0


class Source:
    """A file that is being read: `row` is the line that comes next, `shift` what `#line` adds to it."""

    def __init__(self, path: str, name: str, text: str) -> None:
        self.path = path
        self.name = name
        self.row = 1
        self.shift = 0
        self._text, self._splices = _spliced(text)

    def lines(self) -> Iterator[list[Token]]:
        """Yield the lines that have tokens; raise `Malformed` for a comment without an end."""
        line: list[Token] = []
        start = 0  # of the row under way
        splices = iter([*self._splices, len(self._text) + 2])
        splice = next(splices)
        place, shift, name, row = 0, self.shift, self.name, self.row
        for match in _TOKEN.finditer(self._text):
            kind = match.lastindex or 0
            space, text = match.group(1, kind)
            place = match.start(kind)
            if len(space) > 1:
                if "\n" in space:
                    row += space.count("\n")
                    start = self._text.rindex("\n", 0, place) + 1
                if "/" in space:
                    space = _blanks(space)
            while splice <= place:
                row, start, splice = row + 1, splice, next(splices)
            if kind == NEWLINE:
                row, start = row + 1, place + 1
                if line:
                    self.row = row
                    yield line
                    shift, name, line = self.shift, self.name, []
            elif kind == END:
                self._check_comment(match.start())
            elif kind == DEFINITION:
                definition = Definition(kind, text, " ", name, row + shift, 1)
                ends = place + len(text)
                definition.splices = [] if splice >= ends else [at - place for at in self._splices if place < at < ends]
                line.append(definition)
            else:
                if not line and not space:
                    space = " "
                if kind == IDENTIFIER and "\\" in text:
                    text = _UNIVERSAL.sub(lambda match: chr(int(match[1], 16)), text)
                line.append(Token(kind, text, space, name, row + shift, place - start + 1))

    def _check_comment(self, end: int) -> None:
        """Complain of a comment that never ends in the white space at the end of the text."""
        for comment in _COMMENT.finditer(self._text, end):
            if comment.group().startswith("/*") and not comment[1]:
                place = comment.start()
                row = 1 + self._text.count("\n", 0, place) + bisect_right(self._splices, place)
                column = place - self._text.rfind("\n", 0, place)
                token = Token(PUNCTUATOR, "/*", "", self.name, row + self.shift, column)
                raise Malformed(token, "unterminated comment")


def _blanks(space: str) -> str:
    """Return blanks as wide as white space with comments is on its last line."""
    return " " * (len(space) - space.rfind("\n") - 1) or " "


def _spliced(text: str) -> tuple[str, list[int]]:
    """Replace trigraphs and join lines that end with a backslash; return also where lines were joined."""
    if "??" in text:
        text = _TRIGRAPH.sub(lambda match: _TRIGRAPHS[match.group()[2]], text)
    if not text.endswith("\n"):
        text += "\n"
    parts = _SPLICE.split(text) if "\\" in text else [text]
    joins, length = [], 0
    for part in parts[:-1]:
        length += len(part)
        joins.append(length)
    return "".join(parts), joins
