"""Register classes of a description, the names of registers, and registers that a change of it adds."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from vpo.machines.read.source import DescriptionError, Map, Place, Seq, check_keys, choice, expect, flag, number, section, text
from vpo.machines.target import RegisterClass
from vpo.rtl import BITS, Register

# ----------------------------------------------------------------------------------------------------------------------
# Register classes, and the names of registers in a description.


TYPES = ("B", "W", "L", "Q", "F", "D", "C", "G")
KEYS = {"count", "type", "names", "parts", "view", "pairs", "prefix", "private", "longer"}
MOST_REGISTERS = 1024
CLASS_NAME = re.compile(r"[a-z][a-z0-9_]*")
_RANGE = re.compile(r"(.*?)(\d+)\.\.(.*?)(\d+)$")
_REGISTER = re.compile(r"([a-z][a-z0-9_]*)(?:\[(\d{1,6})\])?")

Classes = dict[str, RegisterClass]


def load_classes(d: Map) -> Classes:
    """Read the `registers:` section.

    Raises DescriptionError.
    """
    classes: Classes = {}
    for name, spec in d.items():
        if not CLASS_NAME.fullmatch(name):
            raise DescriptionError(d.key_places[name], f"'{name}': the name of a register class is a lower-case word")
        if not isinstance(spec, Map):
            raise DescriptionError(d.where(name), f"'{name}' must be a mapping such as {{count: 32, type: L}}")
        check_keys(spec, KEYS, "a register class")
        type_ = spec.get("type")
        if not isinstance(type_, str) or type_ not in TYPES:
            message = f"'{type_}' is not a type (B W L Q F D; C and G for condition codes)"
            raise DescriptionError(spec.where("type"), message)
        if "view" in spec:
            base = classes[choice(spec, "view", tuple(classes) or ("",))]
            count = number(spec, "count", base.count, 1, base.count)  # of the first registers
            names = _printed_names(spec, name, count) if "names" in spec else base.names[:count]
            parts = base.parts if count == base.count else ()
            classes[name] = RegisterClass(
                name, type_, count, base.bank, names, parts, private=base.private, longer=base.longer
            )
            continue
        if "pairs" in spec:
            classes[name] = _pairs(spec, name, type_, classes)
            continue
        count = number(spec, "count", 1, 1, MOST_REGISTERS)
        names = _printed_names(spec, name, count)
        longer = number(spec, "longer", 0, 0, count)
        private = flag(spec, "private")
        classes[name] = RegisterClass(name, type_, count, name, names, _parts(spec, count), private=private, longer=longer)
    if not classes:
        raise DescriptionError(d.place, "a machine needs a register class, such as r: {count: 32, type: L}")
    return classes


def _pairs(spec: Map, name: str, type_: str, classes: Classes) -> RegisterClass:
    """Read a class whose registers are pairs of another class's: an even one and the odd one above it."""
    base = classes[choice(spec, "pairs", tuple(classes) or ("",))]
    if base.width > 1 or BITS.get(type_, 0) != 2 * BITS.get(base.type, 0):
        message = f"a pair of registers of class '{base.name}' (type {base.type}) does not hold type {type_}"
        raise DescriptionError(spec.where("type"), message)
    most = base.count // 2
    count = number(spec, "count", most, 1, most)
    names = _printed_names(spec, name, count) if "names" in spec else base.names[: 2 * count : 2]
    parts = (*_parts(spec, count), ("second", base.names[1 : 2 * count : 2]))
    return RegisterClass(name, type_, count, base.bank, names, parts, width=2)


def _printed_names(spec: Map, name: str, count: int) -> tuple[str, ...]:
    prefix = text(spec, "prefix", name)
    listed = spec.get("names")
    if listed is not None and not isinstance(listed, Seq):
        raise DescriptionError(spec.where("names"), "'names' must be a list such as [zero, ra, a0..a7]")
    names = expand_names(listed) if listed is not None else []
    single = count == 1 and not names
    names = [prefix] if single else (names + [f"{prefix}{i}" for i in range(len(names), count)])[:count]
    if len(set(names)) != len(names):
        twice = next(n for n in names if names.count(n) > 1)
        raise DescriptionError(spec.where("names"), f"two registers are called '{twice}'")
    return tuple(names)


def _parts(spec: Map, count: int) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Read `parts:`, the names of parts of the registers, such as the odd half of a pair."""
    parts = section(spec, "parts")
    result = []
    for part in parts:
        names = expand_names(expect(parts, part, Seq))
        if len(names) < count:
            raise DescriptionError(parts.where(part), f"'{part}' has {len(names)} names for {count} registers")
        result.append((part, tuple(names[:count])))
    return tuple(result)


def expand_names(items: Seq) -> list[str]:
    """Expand ranges such as `a0..a7` in a list of names."""
    names: list[str] = []
    for item, place in items.located():
        if not isinstance(item, str | int):
            raise DescriptionError(place, "a register's name must be a word")
        match = _RANGE.fullmatch(str(item))
        if match is None:
            names.append(str(item))
            continue
        first, low, second, high = match.groups()
        if first != second or int(low) > int(high) or int(high) >= MOST_REGISTERS:
            raise DescriptionError(place, f"'{item}' is not a range such as a0..a7")
        names += [f"{first}{n}" for n in range(int(low), int(high) + 1)]
    return names


def register(name: Any, classes: Classes, place: Place) -> Register:
    """Read the name of one register, such as r[2]."""
    match = _REGISTER.fullmatch(name) if isinstance(name, str) else None
    if not match or match.group(1) not in classes:
        raise DescriptionError(place, f"'{name}' is not a register such as r[2] (classes: {', '.join(classes)})")
    cls = classes[match.group(1)]
    index = int(match.group(2) or 0)
    if index >= cls.count:
        raise DescriptionError(place, f"'{name}': class {cls.name} has only {cls.count} registers")
    return Register(cls.name, index, cls.type)


def register_list(value: Any, classes: Classes, place: Place, clip: bool = False) -> list[Register]:
    """Read a register or a list of registers and ranges (`r[8]..r[15]`); `clip` drops those beyond the class."""
    items: list[Any] = list(value) if isinstance(value, Seq) else [] if value is None else [value]
    places = value.places if isinstance(value, Seq) else [place] * len(items)
    result: list[Register] = []
    for item, where in zip(items, places, strict=True):
        first, dots, last = item.partition("..") if isinstance(item, str) else (item, "", "")
        if not dots:
            if not (clip and _beyond(first, classes)):
                result.append(register(item, classes, where))
            continue
        begin, end = _REGISTER.fullmatch(first), _REGISTER.fullmatch(last)
        if not begin or not end or begin.group(1) != end.group(1) or begin.group(1) not in classes:
            raise DescriptionError(where, f"'{item}' is not a range of registers such as r[8]..r[15]")
        cls, low, high = classes[begin.group(1)], int(begin.group(2) or 0), int(end.group(2) or 0)
        if not clip and max(low, high) >= cls.count:
            raise DescriptionError(where, f"'{item}': class {cls.name} has only {cls.count} registers")
        step = 1 if high >= low else -1
        span = range(low, high + step, step)
        result += [Register(cls.name, index, cls.type) for index in span if index < cls.count]
    return result


def _beyond(name: Any, classes: Classes) -> bool:
    match = _REGISTER.fullmatch(name) if isinstance(name, str) else None
    return bool(match and match.group(1) in classes and int(match.group(2) or 0) >= classes[match.group(1)].count)


# ----------------------------------------------------------------------------------------------------------------------
# Registers that a change of a description adds to a class are used, or the change is refused: it would change nothing.


_NAMED_RANGE = re.compile(r"([a-z][a-z0-9_]*)\[(\d+)\]\.\.\1\[(\d+)\]")


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
    match = _NAMED_RANGE.fullmatch(item) if isinstance(item, str) else None
    if match is None or match[1] != name or max(int(match[2]), int(match[3])) != old - 1 or match[2] == match[3]:
        return item
    first, last = (count - 1 if int(match[number]) == old - 1 else int(match[number]) for number in (2, 3))
    return f"{name}[{first}]..{name}[{last}]"
