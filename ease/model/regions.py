"""Regions: which instructions belong to a function, to lines, or lie between marks in the source."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ease.model.run_identity import file_name, readable
from vpo.base.errors import UserError
from vpo.base.suggestions import suggested
from vpo.program import Program
from vpo.rtl.function import Function

# ----------------------------------------------------------------------------------------------------------------------
# Where a source file marks regions: `ease_begin("NAME")` and `ease_end("NAME")` of <ease.h>.


_MARK = re.compile(r'\bease_(begin|end)\s*\(\s*"([^"\n]*)"\s*\)')
_COMMENT = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.DOTALL)


@dataclass(frozen=True, slots=True)
class Mark:
    """The lines of a region in a file, both included."""

    name: str
    file: str
    first: int
    last: int


def marks(file: str, text: str) -> Iterator[Mark]:
    """Yield the regions of a file.

    Raises UserError for a begin without an end, or the other way round.
    """
    open_: dict[str, int] = {}
    for found in _MARK.finditer(_COMMENT.sub(_without_comment, text)):
        line, name = text.count("\n", 0, found.start()) + 1, found[2]
        if found[1] == "begin":
            if name in open_:
                raise UserError([f'{file}:{line}: error: ease_begin("{name}") again, before ease_end("{name}")'])
            open_[name] = line
        elif name not in open_:
            raise UserError([f'{file}:{line}: error: ease_end("{name}") without ease_begin("{name}") before it'])
        else:
            yield Mark(name, file, open_.pop(name), line)
    for name, line in open_.items():
        raise UserError([f'{file}:{line}: error: ease_begin("{name}") without ease_end("{name}") behind it'])


def _without_comment(found: re.Match[str]) -> str:
    """Return a piece of the text, blanks of the same length and lines for a comment."""
    return found[0] if found[0][0] == '"' else re.sub(r"[^\n]", " ", found[0])


# ----------------------------------------------------------------------------------------------------------------------
# Which instructions a region consists of: those of a function, of some lines, or between marks in the source.
#
# What is called from these instructions belongs to a region as well while the call lasts:
# `ease.host.instruments.region_counting`.


INTERPRETED = "ease_line"  # in place of a name: the lines that an interpreter tells
MARKED = "marks"  # in place of a name: all regions that are marked in the source
MOST = 8
_LINES = re.compile(r"(.+):([0-9]+)-([0-9]+)")


@dataclass(frozen=True, slots=True)
class Region:
    """A region: the positions of its own RTLs in each function."""

    name: str
    own: Mapping[str, frozenset[int]]


def find_regions(names: Sequence[str], program: Program) -> list[Region]:
    """Return the regions that are asked for: FUNCTION, FILE:FIRST-LAST, the name of marks in the source, or MARKED.

    Raises UserError.
    """
    known = _marked(program)
    found: list[Region] = []
    for name in names:
        if name == MARKED and not known:
            raise UserError(['-region marks: no source file has `ease_begin("NAME")` and `ease_end("NAME")` of <ease.h>'])
        wanted = known if name == MARKED else {name: known.get(name) or _lines_or_function(name, program)}
        found += [region for region in wanted.values() if region.name not in {each.name for each in found}]
    if len(found) > MOST:
        raise UserError([f"there can be {MOST} regions at most, not {len(found)}"])
    return found


def _marked(program: Program) -> dict[str, Region]:
    """Return the regions that are marked in the source, by name."""
    found: dict[str, list[Mark]] = {}
    for file in dict.fromkeys(function.file for function in program.functions.values()):
        if file and file_name(file) == file and Path(file).is_file():
            for mark in marks(file, readable(file)):
                found.setdefault(mark.name, []).append(mark)
    return {name: _of_lines(name, made, program) for name, made in found.items()}


def _lines_or_function(name: str, program: Program) -> Region:
    """Return the region of some lines or of a function."""
    match = _LINES.fullmatch(name)
    if match is not None:
        mark = Mark(name, match[1], int(match[2]), int(match[3]))
        region = _of_lines(name, [mark], program)
        if not region.own:
            raise UserError([f"-region {name}: the program has no instruction of these lines"])
        return region
    named = {each: function for each, function in program.functions.items() if each in (name, f"_{name}")}
    if not named:
        advice = suggested(name, [each.removeprefix("_") for each in program.functions])
        raise UserError([f"-region {name}: there is no such function, nor a region that is marked{advice}"])
    return Region(name, {each: frozenset(range(len(function.rtls()))) for each, function in named.items()})


def _of_lines(name: str, made: Sequence[Mark], program: Program) -> Region:
    own = {each: frozenset(_positions(function, made)) for each, function in program.functions.items()}
    return Region(name, {each: positions for each, positions in own.items() if positions})


def _positions(function: Function, made: Sequence[Mark]) -> Iterator[int]:
    """Yield the positions of a function's RTLs that come from lines."""
    here = [mark for mark in made if mark.file in (function.file, file_name(function.file), Path(function.file).name)]
    for position, rtl in enumerate(function.rtls()) if here else ():
        if any(mark.first <= rtl.lines[0] <= mark.last for mark in here):
            yield position
