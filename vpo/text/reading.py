"""Read text into nodes, RTLs, functions and units.

Patterns of machine descriptions are the same in each command, so the cache on disk keeps what they say; the parser, which
takes longer to load than most commands need for the rest, is loaded when there is something new to read.
"""

from __future__ import annotations

import pickle
from collections.abc import Mapping
from functools import cache
from typing import Any

from vpo.base import cache as disk
from vpo.rtl import Effect
from vpo.rtl.function import UNIT_CLASSES, Function, Unit

_Text = tuple[str, str, bool]  # what it is in the grammar, itself, whether it is a pattern
MOST = 4000  # texts that are kept for machines with the same registers


class _Known:
    """What texts say that were read before, for machines with the same cells; each time in objects of its own."""

    def __init__(self, cells: Mapping[str, str]) -> None:
        self.name = disk.key("patterns", repr(sorted(cells.items())))
        found = disk.load(self.name, ())
        self.kept: dict[_Text, bytes] = found if isinstance(found, dict) else {}
        self.read: dict[_Text, bytes] = {}  # in this process
        self.has_new = False

    def parsed(self, start: str, text: str, cells: Mapping[str, str], pattern: bool = True) -> Any:
        """Return what a text says.

        Raises TextError.
        """
        data = self.kept.get((start, text, pattern)) or self.read.get((start, text, pattern))
        if data is None:
            said = _parsed(start, text, cells, pattern)
            self.read[start, text, pattern] = pickle.dumps(said, pickle.HIGHEST_PROTOCOL)
            self.has_new = True
            return said
        return disk.unpickled(data, UNIT_CLASSES)

    def store(self) -> None:
        """Keep what was read, and the latest of what is there."""
        if self.has_new:
            self.kept = dict([*(self.kept | self.read).items()][-MOST:])
            disk.store(self.name, self.kept)
        self.has_new = False


@cache
def _known(cells: tuple[tuple[str, str], ...]) -> _Known:
    return _Known(dict(cells))


def keep_patterns(cells: Mapping[str, str]) -> None:
    """Keep on disk what was read of a description with these cells."""
    _known(tuple(cells.items())).store()


def _parsed(start: str, text: str, cells: Mapping[str, str], pattern: bool = False) -> Any:
    from vpo.text.parser import parsed

    return parsed(start, text, cells, pattern)


def parse_effects(text: str, cells: Mapping[str, str], keep: bool = False) -> tuple[Effect, ...]:
    """Read the effects of one RTL, which stands in a description if it is to be kept.

    Raises TextError.
    """
    known = _known(tuple(cells.items())).parsed if keep else _parsed
    effects: tuple[Effect, ...] = known("effects", text, cells, False)[0]
    return effects


def parse_pattern(text: str, cells: Mapping[str, str]) -> tuple[tuple[Effect, ...], bool]:
    """Read the pattern of an instruction: effects with Variables, and whether it ends in `...`.

    Raises TextError.
    """
    result: tuple[tuple[Effect, ...], bool] = _known(tuple(cells.items())).parsed("effects", text, cells)
    return result


def parse_expression(text: str, cells: Mapping[str, str]) -> Any:
    """Read an expression.

    Raises TextError.
    """
    return _parsed("expr", text, cells)


def parse_expression_pattern(text: str, cells: Mapping[str, str]) -> Any:
    """Read the pattern of an operand: an expression with Variables.

    Raises TextError.
    """
    return _known(tuple(cells.items())).parsed("expr", text, cells)


def parse_function(text: str, cells: Mapping[str, str]) -> Function:
    """Read one function.

    Raises TextError.
    """
    function: Function = _parsed("function", text, cells)
    return function


def parse_unit(text: str) -> tuple[Unit, dict[str, str]]:
    """Read a unit; also returns the cells its header declares.

    Raises TextError.
    """
    header, _, _ = text.partition("\n")
    cells = dict(part.split("=", 1) for part in header.partition(" cells ")[2].split() if "=" in part)
    unit: Unit = _parsed("unit", text, cells)
    return unit, cells
