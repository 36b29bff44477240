"""Results of simulators as JSON and back, without loss: frozen dataclasses, mappings with any keys, tuples, sets."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from numbers import Integral
from typing import Any


class EncodingError(Exception):
    """A text is not what `encode` writes."""


def encode(value: Any) -> str:
    """Return a value as JSON.

    Raises TypeError for what is none of the kinds named above.
    """
    return json.dumps(_plain(value), separators=(",", ":"))


def decode(text: str, classes: Mapping[str, type]) -> Any:
    """Return the value that a text stands for; `classes` are those that may be in it, by name.

    Raises EncodingError.
    """
    try:
        return _value(json.loads(text), classes)
    except (ValueError, KeyError, TypeError) as error:
        raise EncodingError(f"this is no result that was kept: {error}") from None


def _plain(value: Any) -> Any:
    if value is None or (isinstance(value, bool | int | float | str) and not isinstance(value, Enum)):
        return value
    if isinstance(value, Enum):
        return {type(value).__name__: value.value}
    if isinstance(value, Integral):  # a number of NumPy
        return int(value)
    if is_dataclass(value):
        return {type(value).__name__: [_plain(getattr(value, item.name)) for item in fields(value)]}
    if isinstance(value, Mapping):
        return {"{}": [[_plain(key), _plain(item)] for key, item in value.items()]}
    if isinstance(value, frozenset):
        return {"<>": sorted((_plain(item) for item in value), key=repr)}
    if isinstance(value, tuple):
        return {"()": [_plain(item) for item in value]}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    raise TypeError(f"{type(value).__name__} cannot be kept")


def _value(plain: Any, classes: Mapping[str, type]) -> Any:
    if isinstance(plain, list):
        return [_value(item, classes) for item in plain]
    if not isinstance(plain, dict):
        return plain
    ((name, content),) = plain.items()
    match name:
        case "{}":
            return {_value(key, classes): _value(item, classes) for key, item in content}
        case "<>":
            return frozenset(_value(item, classes) for item in content)
        case "()":
            return tuple(_value(item, classes) for item in content)
    if issubclass(classes[name], Enum):
        return classes[name](content)
    return classes[name](*(_value(item, classes) for item in content))
