"""What all parts of the syntax tree have in common.

The classes, one for each form of C, are in `expression_nodes`, `declaration_nodes` and `statement_nodes`; their names and
fields are those of pycparser's tree, for which the front end was first written.
"""

from __future__ import annotations

from typing import Any

from vpo.frontend.warning_pragmas import NONE, Switches


class Coord:
    """A place in a source file; lines and columns from 1 on.  `switches`: what pragmas there say of warnings."""

    __slots__ = ("column", "file", "line", "switches")

    def __init__(self, file: str, line: int, column: int, switches: Switches = NONE) -> None:
        self.file, self.line, self.column, self.switches = file, line, column, switches

    def __repr__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


class Node:
    """A part of a program."""

    __slots__ = ("coord",)
    coord: Any  # a Coord; None of what takes no room in the text
