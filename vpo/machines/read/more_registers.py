"""Registers that a change of a description adds to a class are used, or the change is refused: it would change nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from vpo.machines.read.source import DescriptionError, Map, Seq

_RANGE = re.compile(r"([a-z][a-z0-9_]*)\[(\d+)\]\.\.\1\[(\d+)\]")


@contextmanager
def use_of_added_registers(d: Map) -> Iterator[None]:
    """Let the ranges of `allocable` and `saved` that end at the last register of a class end at the new last one.

    The registers are those that changes within the block add to a class without saying what they are for.  Raises
    DescriptionError if no range of `allocable` ends there.
    """
    counts, listed = _counts(d), {name: list(value) for name, value in _allocable(d).items()}
    yield
    for name, count in _counts(d).items():
        old, items = counts.get(name, count), _allocable(d).get(name)
        if count > old and items is not None and list(items) == listed.get(name) and not _names_any(items, old):
            _extend(d, name, old, count)


def _counts(d: Map) -> dict[str, int]:
    """Return the number of registers of each class that has one of its own."""
    classes = d.get("registers")
    specs = classes.items() if isinstance(classes, Map) else ()
    return {name: spec["count"] for name, spec in specs if isinstance(spec, Map) and type(spec.get("count")) is int}


def _allocable(d: Map) -> dict[str, Seq]:
    """Return what is allocable, where that is a list."""
    allocable = d.get("allocable")
    lists = allocable.items() if isinstance(allocable, Map) else ()
    return {name: value for name, value in lists if isinstance(value, Seq)}


def _names_any(items: Seq, first: int) -> bool:
    """Whether a list names a register from a number on, as one may that was written for more registers."""
    return any(int(number) >= first for item in items for number in re.findall(r"\[(\d+)\]", str(item)))


def _extend(d: Map, name: str, old: int, count: int) -> None:
    """Let a class's lists name the registers from `old` to `count` as they name the one before these."""
    calls = d.get("calls")
    found = _extended(d["allocable"], name, name, old, count)
    if isinstance(calls, Map):
        _extended(calls, "saved", name, old, count)
    if not found:
        more = f"{name}[{old}]..{name}[{count - 1}]" if count > old + 1 else f"{name}[{old}]"
        listed = ", ".join(f'"{item}"' for item in (*d["allocable"][name], more))
        message = f"'count: {count}' adds registers to class '{name}' that 'allocable' does not name: nothing would use them"
        place = d["registers"][name].where("count")
        raise DescriptionError(place, f"{message}: write `allocable: {{{name}: [{listed}]}}`, too, the most welcome first")


def _extended(where: Map, key: str, name: str, old: int, count: int) -> bool:
    """Let the range of a list that ends at the register before `old` end at the last one; return whether there is one."""
    items = where.get(key)
    changed = [_longer(item, name, old, count) for item in items] if isinstance(items, Seq) else []
    if changed == items or not isinstance(items, Seq):
        return False
    where[key] = items.mapped(changed)
    return True


def _longer(item: Any, name: str, old: int, count: int) -> Any:
    match = _RANGE.fullmatch(item) if isinstance(item, str) else None
    if match is None or match[1] != name or max(int(match[2]), int(match[3])) != old - 1 or match[2] == match[3]:
        return item
    first, last = (count - 1 if int(match[number]) == old - 1 else int(match[number]) for number in (2, 3))
    return f"{name}[{first}]..{name}[{last}]"
