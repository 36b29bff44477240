"""The tokens of preprocessed C text, with the places in the source files that line markers tell."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from typing import Any

from vpo.base.c_standard import DEFAULT_STANDARD, Standard
from vpo.frontend.cpp.tokens import unquoted
from vpo.frontend.syntax.nodes import RUN_PATTERN, Coord
from vpo.frontend.warnings.diagnostics import Diagnostic, Reporter
from vpo.frontend.warnings.flags import NONE, Switches, SwitchPlaces

# Kinds of tokens; keywords and punctuators are kinds of their own.
NAME, INTEGER, FLOATING, CHARACTER = "name", "integer", "floating", "character"
STRING, RUN, END = "string", "constants", "end"

KEYWORDS = DEFAULT_STANDARD.keywords

_TOKEN = re.compile(
    rf"""(?:[ \t\r\n\f\v]+|(?m:^)\#(?:line|pragma)[^\n]*)*+
    (?: (?:,|(?<=,))({RUN_PATTERN})                 # 1: a run of constants, with the comma before it or behind another run
    |   ((?:L|u8?|U)?"(?:[^"\\\n]++|\\.)*+")        # 2: a string
    |   ((?:L|u8?|U)?'(?:[^'\\\n]++|\\.)*+')        # 3: a character
    |   ((?:[^\W\d]|\$)[\w$]*+)                     # 4: a word
    |   (\.?[0-9](?:[eEpP][+-]|'[A-Za-z0-9_]|[A-Za-z0-9_.])*+)  # 5: a number
    |   (\.\.\.|<<=|>>=|->|\+\+|--|&&|\|\||[-+*/%&|^<>=!]=|<<|>>|[-+*/%&|^<>=!~?:;,.(){{}}\[\]])  # 6: a punctuator
    |   (\S)                                        # 7: anything else
    |   (\Z)                                        # 8: the end
    )""",
    re.VERBOSE | re.DOTALL,
)
_MARKER = re.compile(r'^#line (\d+) "(.*)"$', re.MULTILINE)
_PACK = re.compile(r"^#pragma pack\((\d*)\)$", re.MULTILINE)  # as the preprocessor leaves it
_LINE = re.compile(r"\n")
_WORD = re.compile(r"\w+")
_HEX = ("0x", "0X")
_UNTERMINATED = {'"': "missing terminating '\"' character", "'": "missing terminating ' character"}


class Places:
    """Where the characters of a text come from."""

    def __init__(self, text: str, file: str) -> None:
        self.switches = SwitchPlaces(text)
        self._is_switched = self.switches.any()
        self._lines = [0, *(match.end() for match in _LINE.finditer(text))]  # where each begins
        self._marked = [0]  # lines behind markers
        self._sources = [(file, 1)]  # file, and by how much lines in it have higher numbers
        for match in _MARKER.finditer(text):
            behind = bisect_right(self._lines, match.start())
            self._marked.append(behind)
            self._sources.append((unquoted(match[2]), int(match[1]) - behind))

    def coord(self, offset: int) -> Coord:
        """Return the place of a character, which is looked up when something asks about it: of most nobody does."""
        return _TextPlace(self, offset)

    def files(self) -> Iterator[tuple[str, int]]:
        """Yield the file of each stretch of text, and its offset."""
        last = ""
        for line, (file, _) in zip(self._marked, self._sources, strict=True):
            if file != last:
                yield file, self._lines[line]
                last = file

    def look_up(self, offset: int) -> tuple[str, int, int, Switches]:
        """Return file, line and column of a character, and what pragmas say there."""
        line = bisect_right(self._lines, offset) - 1
        file, shift = self._sources[bisect_right(self._marked, line) - 1]
        switches = self.switches.at(offset) if self._is_switched else NONE
        return file, line + shift, offset - self._lines[line] + 1, switches


class _TextPlace(Coord):
    """The place of a character of a text."""

    __slots__ = ("_offset", "_places")

    def __init__(self, places: Places, offset: int) -> None:
        self._places, self._offset = places, offset

    def __getattr__(self, name: str) -> Any:
        if name not in Coord.__slots__:
            raise AttributeError(name)
        self.file, self.line, self.column, self.switches = self._places.look_up(self._offset)
        return getattr(self, name)


class Tokens:
    """Kinds, texts and offsets of all tokens, and one of kind END behind them; errors go to `report`."""

    def __init__(self, text: str, file: str, report: Reporter, standard: Standard = DEFAULT_STANDARD) -> None:
        self.standard = standard
        self.kinds: list[str] = []
        self.texts: list[str] = []
        self.offsets: list[int] = []
        self.places = Places(text, file)
        self.packing = [(match.end(), int(match[1] or 0)) for match in _PACK.finditer(text)] if "#pragma pack(" in text else []
        self._read(text, report)
        self._add(END, "", len(text.rstrip()) - 1)

    def files(self) -> Iterator[tuple[str, int]]:
        """Yield the files that the text comes from, and the position where tokens of each begin, or those behind it."""
        end = len(self.offsets) - 1
        for file, offset in self.places.files():
            yield file, bisect_left(self.offsets, offset, 0, end)

    def _add(self, kind: str, text: str, offset: int) -> None:
        self.kinds.append(kind)
        self.texts.append(text)
        self.offsets.append(offset)

    def _read(self, text: str, report: Reporter) -> None:
        kinds, texts, offsets, keyword = self.kinds, self.texts, self.offsets, self.standard.keywords.get
        unread = 0  # up to here, characters that are no tokens are known to be wrong
        for match in _TOKEN.finditer(text):
            group = match.lastindex
            assert group is not None
            word = match[group]
            if group == 4:
                kind = keyword(word, NAME)
            elif group == 6:
                kind = word
            elif group == 5:
                kind = _kind_of_number(word)
            elif group == 1:
                kind = RUN
                if kinds[-1] != RUN:
                    self._add(",", ",", match.start(1) - 1)
            elif group == 7:
                if match.start(7) >= unread:
                    self._complain(word, match.start(7), report)
                if word in _UNTERMINATED:  # the rest of the line was to be text
                    unread = text.find("\n", match.end())
                    unread = unread if unread >= 0 else len(text)
                    report.lost.update(_WORD.findall(text, match.end(), unread))
                continue
            elif group == 8:
                break
            else:
                kind = STRING if group == 2 else CHARACTER
            kinds.append(kind)
            texts.append(word)
            offsets.append(match.start(group))

    def _complain(self, character: str, offset: int, report: Reporter) -> None:
        place = self.places.coord(offset)
        message = _UNTERMINATED.get(character) or f"illegal character {character!r}"
        report.add(Diagnostic(place.file, place.line, place.column, "error", message))


def _kind_of_number(word: str) -> str:
    if word.startswith(_HEX):
        return FLOATING if "p" in word or "P" in word or "." in word else INTEGER
    return FLOATING if "." in word or "e" in word or "E" in word else INTEGER
