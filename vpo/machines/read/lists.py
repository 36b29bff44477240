"""Changes of a list that leave the rest of it as it was.

    expansions: {first: [...], last: [...], without: ["r[d]=r[a]/r[b];"]}
"""

from __future__ import annotations

import re
from typing import Any

from vpo.base.suggestions import suggested
from vpo.machines.read.source import DescriptionError, Map, Place, Seq, expect

FIRST, LAST, WITHOUT = "first", "last", "without"
KEYS = (FIRST, LAST, WITHOUT)
_RANGE = re.compile(r"([a-z][a-z0-9_]*)\[(\d+)\]\.\.\1\[(\d+)\]")


def is_change(value: Any, old: Any) -> bool:
    """Whether a value says how a list changes; where a mapping may stand for a list of one, it lists mappings."""
    if not isinstance(value, Map) or not value or not value.keys() <= set(KEYS):
        return False
    if not all(isinstance(part, Seq) for part in value.values()):
        return False
    return _is_list(old) or all(isinstance(item, Map) for key in (FIRST, LAST) for item in value.get(key, ()))


def changed(old: Any, change: Map) -> Seq:
    """Return a list with items before and behind it, and without some; one of its items alone is a list of one.

    Raises DescriptionError.
    """
    if _is_list(old):
        rest = list((old or Seq(change.place)).located())
    else:
        rest = [(old, old.place if isinstance(old, Map) else change.place)]
    for item, place in _listed(change, WITHOUT):
        rest = _less(rest, item, place)
    result = Seq(change.place)
    for item, place in [*_listed(change, FIRST), *rest, *_listed(change, LAST)]:
        result.append(item)
        result.places.append(place)
    return result


def _is_list(value: Any) -> bool:
    return value is None or isinstance(value, Seq)


def _listed(change: Map, key: str) -> list[tuple[Any, Place]]:
    return list(expect(change, key, Seq).located()) if key in change else []


def _less(items: list[tuple[Any, Place]], gone: Any, place: Place) -> list[tuple[Any, Place]]:
    """Return items without those that are, or of which the RTL is, what is to go; a register goes out of a range."""
    rest = [(item, where) for item, where in items if _name(item) != _name(gone)]
    if len(rest) < len(items):
        return rest
    for number, (item, where) in enumerate(items):
        if (members := _members(item)) and gone in members:
            return [*items[:number], *((member, where) for member in members if member != gone), *items[number + 1 :]]
    hint = suggested(str(_name(gone)), [str(_name(item)) for item, _ in items if isinstance(item, Map)])
    raise DescriptionError(place, f"there is no '{_name(gone)}' in this list to take away{hint}")


def _name(item: Any) -> Any:
    """Return what an item is called: one that is a mapping by its RTL."""
    name = item.get("rtl", item) if isinstance(item, Map) else item
    return name.replace(" ", "") if isinstance(name, str) else name


def _members(item: Any) -> list[str]:
    """Return the registers of a range."""
    match = _RANGE.fullmatch(item) if isinstance(item, str) else None
    if match is None:
        return []
    begin, end = int(match[2]), int(match[3])
    step = 1 if end >= begin else -1
    return [f"{match[1]}[{number}]" for number in range(begin, end + step, step)]
