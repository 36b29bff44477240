"""Parts of what a user writes in a line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Protocol

from cache_sim.config import ConfigurationError


@dataclass(frozen=True, slots=True)
class Word:
    """A part of a text that knows where it stands."""

    whole: str
    start: int
    end: int

    def __str__(self) -> str:
        return self.whole[self.start : self.end]

    def split(self, separator: str) -> list[Word]:
        """Return the words between separators."""
        words, start = [], self.start
        for part in str(self).split(separator):
            words.append(Word(self.whole, start, start + len(part)))
            start += len(part) + len(separator)
        return words

    def partition(self, separator: str) -> tuple[Word, Word]:
        """Return what is before and behind the first separator; without one, the second is an empty word at the end."""
        before, found, _ = str(self).partition(separator)
        middle = self.start + len(before)
        return Word(self.whole, self.start, middle), Word(self.whole, middle + len(found), self.end)

    def error(self, message: str, about: str = "") -> ConfigurationError:
        """Return an error with a pointer to this word."""
        shown = f"{message}\n    {self.whole}\n    {' ' * self.start}^"
        return ConfigurationError(shown, about, f"column {self.start + 1}")


# ----------------------------------------------------------------------------------------------------------------------
# Numbers as users write them in configurations.


_UNITS = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30}
FULL = "full"


def parse_size(about: str, text: str) -> int:
    """Return a number of bytes: 512, 8k, 1m or 1g.

    Raises ConfigurationError.
    """
    if match := re.fullmatch(r"([1-9][0-9]{0,17})([kmg]?)", text.lower()):
        return int(match[1]) * _UNITS[match[2]]
    raise ConfigurationError(f"{about} '{text}' is not a size such as 512, 8k or 1m", about)


def parse_count(about: str, text: str) -> int:
    """Return a decimal number.

    Raises ConfigurationError.
    """
    if re.fullmatch(r"0|[1-9][0-9]{0,17}", text):
        return int(text)
    raise ConfigurationError(f"{about} '{text}' is not a decimal number (of at most 18 digits)", about)


def parse_address(about: str, text: str) -> int:
    """Return a decimal number, or a hexadecimal one behind `0x`.

    Raises ConfigurationError.
    """
    if re.fullmatch(r"0x[0-9a-fA-F]{1,16}", text):
        return int(text, 16)
    return parse_count(about, text)


def parse_ways(text: str, lines: int) -> int:
    """Return a number of ways; `full` is as many as there are lines.

    Raises ConfigurationError.
    """
    return lines if text == FULL else parse_count("ways", text)


def format_size(size: int) -> str:
    """Return a size in the largest unit of which it is a multiple."""
    unit = next(unit for unit in "gmk " if size % _UNITS[unit.strip()] == 0)
    return f"{size // _UNITS[unit.strip()]}{unit.strip()}"


# ----------------------------------------------------------------------------------------------------------------------
# Give errors in configurations the place of the mistake.


class Place(Protocol):
    """A piece of what the user wrote."""

    def error(self, message: str, about: str = "") -> ConfigurationError:
        """Return an error that points to this piece."""
        ...


@contextmanager
def blamed(whole: Place, **pieces: Place) -> Iterator[None]:
    """Add a place to errors that have none: that of the field the error is about, or else of the whole."""
    try:
        yield
    except ConfigurationError as error:
        if error.place:
            raise
        raise pieces.get(error.about, whole).error(error.message, error.about) from None


# ----------------------------------------------------------------------------------------------------------------------
# Pieces of memory, as `uncached:0x10000000,16k`.


def parse_pieces(value: Word) -> tuple[tuple[int, int], ...]:
    """Return addresses and sizes of pieces of memory.

    Raises ConfigurationError.
    """
    words = value.split(",")
    if len(words) % 2:
        raise value.error("expected ADDRESS,SIZE as in 0x10000000,16k, perhaps several times")
    found = []
    for place, size in zip(words[::2], words[1::2], strict=True):
        with blamed(value, at=place, size=size):
            found.append((parse_address("at", str(place)), parse_size("size", str(size))))
    return tuple(found)


def format_pieces(pieces: Iterable[tuple[int, int]]) -> str:
    """Return pieces of memory as they are written."""
    return "uncached:" + ",".join(f"{start:#x},{format_size(size)}" for start, size in pieces)


# ----------------------------------------------------------------------------------------------------------------------
# Whether JSON that was read from a file has the parts that it must have.


COUNT = range(1 << 63)
ADDRESS = range(1 << 64)


def misfit(value: Any, shape: Any, where: str = "it") -> str:
    """Return what is wrong with a value, empty if nothing is.

    A shape is a type, a range of whole numbers, a tuple of shapes of which one fits, a list of one shape, which all elements
    of a list have, a list of several shapes, which are those of its elements, or a dictionary: the shapes of keys that must be
    there, or may be if their names end in `?`.
    """
    match shape:
        case range():
            fits = type(value) is int and value in shape
        case tuple():
            fits = any(not misfit(value, one) for one in shape)
        case dict():
            return _misfit_of_keys(value, shape, where) if isinstance(value, dict) else f"{where} is no JSON object"
        case list():
            if not isinstance(value, list) or len(shape) not in (1, len(value)):
                return f"{where} is no list of the length it must have"
            shapes = shape * len(value) if len(shape) == 1 else shape
            parts = zip(value, shapes, strict=True)
            return next((wrong for part, one in parts if (wrong := misfit(part, one, f"a part of {where}"))), "")
        case _:
            fits = type(value) is shape or (value is None and shape is None)
    return "" if fits else f"{where} is not what it can be"


def _misfit_of_keys(value: dict[str, Any], shape: dict[str, Any], where: str) -> str:
    for name, one in shape.items():
        key = name.removesuffix("?")
        if key in value:
            wrong = misfit(value[key], one, f"'{key}'")
            if wrong:
                return wrong
        elif key == name:
            return f"{where} has no '{key}'"
    return ""
