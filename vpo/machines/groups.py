"""Keys that are several names, `ADD SUB: {op: ["+", "-"], ...}`: one name taken out of such a group, or set apart.

What a description says of the names is left as it is, and so is their order: priority among instructions.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from vpo.machines.source import Map, Seq

SHARED_LISTS = ("clobbers", "reach", "into")  # lists that do not give one value to each name of a group


def keys_with(section: Map, name: str) -> list[str]:
    """Return the keys of a section that a name stands in."""
    return [key for key in section if name in key.split()]


def take_out(section: Map, key: str, name: str) -> None:
    """Remove one name of a key and what the section says of it."""
    names = key.split()
    _replace(section, key, [[index for index, other in enumerate(names) if other != name]])


def set_apart(section: Map, key: str, name: str) -> str:
    """Give one name of a key an entry of its own, between those before and those behind it; return its key."""
    names = key.split()
    if len(names) == 1:
        return key
    at = names.index(name)
    return _replace(section, key, [list(range(at)), [at], list(range(at + 1, len(names)))])[1]


def dissolve(section: Map, key: str) -> None:
    """Give each name of a key an entry of its own, in their order."""
    _replace(section, key, [[index] for index in range(len(key.split()))])


def of_members(spec: Any, count: int, indices: Sequence[int]) -> Any:
    """Return what a group of so many names says of some of them."""
    if isinstance(spec, Seq):
        return spec.mapped([of_members(form, count, indices) for form in spec])
    if not isinstance(spec, Map):
        return spec
    result = Map(spec.place)
    for key, value in spec.items():
        one_each = isinstance(value, Seq) and key not in SHARED_LISTS and len(value) == count
        result.put_from(spec, key, _chosen(value, indices) if one_each else value)
    return result


def _chosen(values: Seq, indices: Sequence[int]) -> Seq:
    result = Seq(values.place)
    result += [values[index] for index in indices]
    result.places = [values.places[index] for index in indices]
    return result


def _replace(section: Map, key: str, parts: list[list[int]]) -> list[str]:
    """Put entries for parts of a key's names in its place; return the key of each part ('' for one without names)."""
    names, found = key.split(), [""] * len(parts)
    entries = list(section.items())
    others = set(section) - {key}
    section.clear()
    for old, value in entries:
        if old != key:
            dict.__setitem__(section, old, value)
            continue
        for number, indices in enumerate(parts):
            new = " ".join(names[index] for index in indices)
            while new in others:  # names may stand in several keys; blanks at the end tell these apart
                new += " "
            if new:
                others.add(new)
                section.put(new, of_members(value, len(names), indices), section.key_places[old], section.value_places[old])
            found[number] = new
    return found
