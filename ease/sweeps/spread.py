"""Texts that stand for several values: `8..32`, `8..32..4` (every fourth), `1..64*2` (doubled each time), `a,b,c`."""

from __future__ import annotations

import re

from vpo.machines.read.load import load
from vpo.machines.read.source import DescriptionError

MOST = 10_000  # values of a range
RANGE = re.compile(r"(-?\d+)\.\.(-?\d+)(?:\.\.(\d+)|\*(\d+))?")
LIST = re.compile(r"[^,\[\]{}\"'$()]+(?:,[^,\[\]{}\"'$()]+)+")


def values_of(text: str) -> list[str]:
    """Return the values that a text stands for; one that is neither range nor list stands for itself.

    Raises ValueError for a range with no value or too many.
    """
    found = RANGE.fullmatch(text)
    if found is None:
        return text.split(",") if LIST.fullmatch(text) else [text]
    first, last = int(found[1]), int(found[2])
    step, factor = int(found[3] or 1), int(found[4] or 0)
    if not step or (found[4] and (factor < 2 or first < 1)):
        raise ValueError(f"'{text}': steps are at least 1, factors at least 2, with a first value of at least 1")
    if first > last:
        raise ValueError(f"'{text}': {first} is larger than {last}")
    if not factor and (last - first) // step >= MOST:
        raise ValueError(f"'{text}' has more than {MOST:,} values")
    values = []
    while first <= last:
        values.append(str(first))
        first = first * factor if factor else first + step
    return values


def spread(machine: str, settings: list[str]) -> tuple[list[str], dict[str, list[str]]]:
    """Divide settings of `--set` into those with one value, and keys with several.

    A range or list stands for several values if the description cannot have it as a value: ranges of constants are values.
    Raises ValueError, and what loading a machine raises.
    """
    single: list[str] = []
    several: dict[str, list[str]] = {}
    tried: list[str] = []
    for setting in settings:
        key, equals, text = setting.partition("=")
        values = values_of(text) if equals else [text]
        if len(values) > 1 and not _is_a_value(machine, [*tried, setting]):
            several[key] = values
            tried.append(f"{key}={values[0]}")
        else:
            single.append(setting)
            tried.append(setting)
    return single, several


def _is_a_value(machine: str, settings: list[str]) -> bool:
    try:
        load(machine, settings)
    except DescriptionError:
        return False
    return True
