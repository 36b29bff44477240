"""The tokens of preprocessed C text, with the places in the source files that line markers tell."""

from __future__ import annotations

import re
import struct
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from functools import cached_property
from typing import Any

from vpo.frontend.syntax.expression_nodes import Constant, Coord, Node, UnaryOp
from vpo.frontend.types.types import Arithmetic
from vpo.frontend.warnings.diagnostics import Diagnostic, Reporter
from vpo.frontend.warnings.pragmas import NONE, Switches, SwitchPlaces
from vpo.il.c_standard import DEFAULT_STANDARD, Standard

# ----------------------------------------------------------------------------------------------------------------------
# Long runs of plain integer constants in initialiser lists, read without a token or a node for each of them.


# Constants that have the same value in every type `int` of a target: decimal up to 9 digits, hexadecimal up to 8.
RUN_PATTERN = r"(?>\s*(?:-?[1-9]\d{0,8}|0[xX][0-9a-fA-F]{1,8}|0)\s*,){16,4096}+"
_CONSTANT = re.compile(r"\n|(-?)(\w+)")
_FORMATS = {1: "B", 2: "H", 4: "I", 8: "Q"}


class ConstantRun:
    """Constants of a list from the one numbered `start`, each with the comma behind it."""

    def __init__(self, text: str, coord: Coord, start: int = 0) -> None:
        self.text, self.coord, self.start = text, coord, start

    @cached_property
    def _values(self) -> list[int]:
        return [int(constant, 0) for constant in self.text[:-1].split(",")]

    def __len__(self) -> int:
        return len(self._values) - self.start

    def rest(self, count: int) -> ConstantRun:
        """The run without its first constants."""
        run = ConstantRun(self.text, self.coord, self.start + count)
        run.__dict__["_values"] = self._values
        return run

    def data(self, count: int, element: Arithmetic, big_endian: bool) -> bytes:
        """The first constants as an array of an integer type in memory."""
        values, mask = self._values[self.start : self.start + count], (1 << (8 * element.size)) - 1
        order = ">" if big_endian else "<"
        return struct.pack(f"{order}{count}{_FORMATS[element.size]}", *[value & mask for value in values])

    def nodes(self) -> list[Node]:
        """The constants as the syntax nodes that the parser would have made."""
        found: list[Node] = []
        line, line_start = self.coord.line, 1 - (self.coord.column or 1)
        for match in _CONSTANT.finditer(self.text):
            if match.group() == "\n":
                line, line_start = line + 1, match.end()
                continue
            coord = Coord(self.coord.file, line, match.start(2) - line_start + 1, self.coord.switches)
            node = Constant("integer", match.group(2), coord)
            found.append(UnaryOp("-", node, coord) if match.group(1) else node)
        return found[self.start :]



# ----------------------------------------------------------------------------------------------------------------------


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
            self._sources.append((match[2], int(match[1]) - behind))

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
