"""Long runs of plain integer constants in initialiser lists, read without a token or a node for each of them."""

from __future__ import annotations

import re
import struct
from functools import cached_property

from vpo.frontend.syntax.expression_nodes import Constant, UnaryOp
from vpo.frontend.syntax.syntax_tree import Coord, Node
from vpo.frontend.types import Arithmetic

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
