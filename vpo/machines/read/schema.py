"""Checking the parts of a description: which keys there are and what kind of value each has.

Every error is a DescriptionError with its place.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from vpo.base.suggestions import suggested
from vpo.machines.read.source import DescriptionError, Map, Place, Seq
from vpo.text import TextError

WORDS = {Map: "a mapping", Seq: "a list", str: "a text", int: "a number", bool: "true or false"}


def check_keys(mapping: Map, known: Iterable[str], what: str) -> None:
    """Reject unknown keys."""
    known = set(known)
    for key in mapping:
        if key not in known:
            hint = suggested(key, known, f" (known: {', '.join(sorted(known))})")
            raise DescriptionError(mapping.key_places[key], f"'{key}' is not a key of {what}{hint}")


def expect(mapping: Map, key: str, kind: type) -> Any:
    """Return the value of a key, which must be there and of a kind."""
    value = mapping.get(key)
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise DescriptionError(mapping.where(key), f"'{key}' must be {WORDS[kind]}{_not(value)}")
    return value


def _not(value: Any) -> str:
    if isinstance(value, Map | Seq):
        return f", not {WORDS[type(value)]}"
    return "" if value is None else f", not {value!r}"


def section(mapping: Map, key: str) -> Map:
    """Return a mapping that may be missing (then it is empty)."""
    return expect(mapping, key, Map) if mapping.get(key) is not None else Map(mapping.where(key))


def text(mapping: Map, key: str, default: str = "") -> str:
    """Return a text that may be missing; a number stands for its digits."""
    value = mapping.get(key, default)
    if isinstance(value, Map | Seq | bool) or value is None:
        raise DescriptionError(mapping.where(key), f"'{key}' must be a text{_not(value)}")
    return str(value)


def number(mapping: Map, key: str, default: int = 0, low: int = 0, high: int = 1 << 64) -> int:
    """Return a number that may be missing."""
    value = mapping.get(key, default)
    if not isinstance(value, int) or isinstance(value, bool):
        raise DescriptionError(mapping.where(key), f"'{key}' must be a number{_not(value)}")
    if not low <= value <= high:
        bounds = f"from {low} to {high}" if high < 1 << 64 else f"of at least {low}"
        raise DescriptionError(mapping.where(key), f"'{key}' must be a number {bounds}, not {value}")
    return value


def flag(mapping: Map, key: str, default: bool = False) -> bool:
    """Return a truth value that may be missing."""
    value = mapping.get(key, default)
    if not isinstance(value, bool):
        raise DescriptionError(mapping.where(key), f"'{key}' must be true or false{_not(value)}")
    return value


def choice(mapping: Map, key: str, choices: tuple[str, ...], default: str = "") -> str:
    """Return one of a few words; the first if it is missing and there is no default."""
    value = mapping.get(key, default or choices[0])
    if not isinstance(value, str) or value not in choices:
        raise DescriptionError(mapping.where(key), f"'{key}' is one of {', '.join(choices)}{_not(value)}")
    return value


def texts(mapping: Map, key: str) -> list[str]:
    """Return a list of texts that may be missing."""
    if mapping.get(key) is None:
        return []
    result: list[str] = []
    for item, place in expect(mapping, key, Seq).located():
        if not isinstance(item, str):
            raise DescriptionError(place, f"'{key}' is a list of texts{_not(item)}")
        result.append(item)
    return result


def text_place(place: Place, error: TextError) -> Place:
    """Return the place of a TextError inside a one-line YAML scalar in quotes."""
    return Place(place.file, place.line, place.column + error.column) if error.line == 1 else place
