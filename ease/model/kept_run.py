"""What a store keeps of a run."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from enum import Enum
from numbers import Integral
from pathlib import Path
from typing import Any

from ease.model.results import Measurement
from ease.model.run_identity import file_name, readable
from ease.model.static_kinds import StaticProgram
from vpo.program import Program
from vpo.text import show_effects

# The parts of a measurement that are no counts, but those that are measurements themselves.
SIMULATED = ("memory", "sweep", "prediction", "timing", "history", "tools", "timeline", "attribution", "spaces")


@dataclass(frozen=True, slots=True)
class KeptRun:
    """A run: a measurement with program, counts and identity; its number in the store, and when it was made (ISO 8601).

    `texts` has the RTL and the assembly of each kind of the program, `sources` the text of its files that could be read,
    `description` that of the machine.
    """

    measurement: Measurement
    texts: tuple[tuple[str, str], ...] = ()
    sources: Mapping[str, str] = field(default_factory=dict)
    description: str = ""
    number: int = 0
    time: str = ""


def keep(
    measurement: Measurement, program: Program, description: str, sources: Mapping[str, str] | None = None
) -> KeptRun:
    """Return what is kept of a run of a program.

    `description` is the text of its machine's; `sources`, texts by file, are read if they are not given.
    """
    assert measurement.program is not None
    sources = sources_of(program) if sources is None else sources
    return KeptRun(measurement, texts_of(measurement.program, program), sources, description)


def texts_of(known: StaticProgram, program: Program) -> tuple[tuple[str, str], ...]:
    """Return the RTL and the assembly of each kind of a program."""
    texts: dict[int, tuple[str, str]] = {}
    for name, function in program.functions.items():
        for kind, rtl in zip(known.functions[name].kinds, function.rtls(), strict=True):
            if kind not in texts:
                texts[kind] = show_effects(rtl.effects), program.machine.record(rtl).assembly
    return tuple(texts[kind] for kind in range(len(texts)))


def sources_of(program: Program) -> dict[str, str]:
    """Return the text of the source files that can be read, but for the library's."""
    found = {}
    for file in sorted({function.file for function in program.functions.values()}):
        if file and file_name(file) == file and Path(file).is_file():
            found[file] = readable(file)
    return found


# ----------------------------------------------------------------------------------------------------------------------
# Results of simulators as JSON and back, without loss: frozen dataclasses, mappings with any keys, tuples, sets.


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
