"""Checking the parts of a description: keys, registers, variables of patterns.  Every error has its place."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from typing import Any

from vpo.machines.machine import RegisterClass
from vpo.machines.pattern import collect
from vpo.machines.source import DescriptionError, Map, Place, Seq
from vpo.rtl import Register
from vpo.text import TextError


def check_keys(mapping: Map, known: Iterable[str], what: str) -> None:
    """Reject unknown keys."""
    known = set(known)
    for key in mapping:
        if key not in known:
            near = nearest(key, known)
            hint = f"; did you mean '{near}'?" if near else f" (known: {', '.join(sorted(known))})"
            raise DescriptionError(mapping.key_places[key], f"'{key}' is not a key of {what}{hint}")


def nearest(word: str, known: Iterable[str]) -> str | None:
    matches = difflib.get_close_matches(word, sorted(known), 1)
    return matches[0] if matches else None


def expect(mapping: Map, key: str, kind: type) -> Any:
    """Return the value of a key, which must be of a kind."""
    value = mapping.get(key)
    if not isinstance(value, kind):
        words = {Map: "a mapping", Seq: "a list", str: "a text", int: "a number"}
        raise DescriptionError(mapping.where(key), f"'{key}' must be {words.get(kind, kind.__name__)}")
    return value


_RANGE = re.compile(r"(.*?)(\d+)\.\.(.*?)(\d+)$")


def expand_names(items: Seq) -> list[str]:
    """Expand ranges such as `a0..a7` in a list of names."""
    names: list[str] = []
    for item, place in items.located():
        match = _RANGE.fullmatch(str(item))
        if match is None:
            names.append(str(item))
            continue
        first, low, second, high = match.groups()
        if first != second or int(low) > int(high):
            raise DescriptionError(place, f"'{item}' is not a range such as a0..a7")
        names += [f"{first}{n}" for n in range(int(low), int(high) + 1)]
    return names


_REGISTER = re.compile(r"([a-z][a-z0-9_]*)(?:\[(\d+)\])?")


def register(text: Any, classes: dict[str, RegisterClass], place: Place) -> Register:
    """Read the name of one register, such as r[2]."""
    match = _REGISTER.fullmatch(str(text))
    if not match or match.group(1) not in classes:
        raise DescriptionError(place, f"'{text}' is not a register such as r[2] (classes: {', '.join(classes)})")
    cls = classes[match.group(1)]
    index = int(match.group(2) or 0)
    if index >= cls.count:
        raise DescriptionError(place, f"'{text}': class {cls.name} has only {cls.count} registers")
    return Register(cls.name, index, cls.type)


def register_list(value: Any, classes: dict[str, RegisterClass], place: Place, clip: bool = False) -> list[Register]:
    """Read a register or a list of registers and ranges (`r[8]..r[15]`); `clip` drops those beyond the class."""
    items: list[Any] = list(value) if isinstance(value, Seq) else [] if value is None else [value]
    places = value.places if isinstance(value, Seq) else [place] * len(items)
    result: list[Register] = []
    for item, where in zip(items, places, strict=True):
        first, dots, last = str(item).partition("..")
        if not dots:
            if not (clip and _beyond(first, classes)):
                result.append(register(item, classes, where))
            continue
        cls = _REGISTER.fullmatch(first)
        end = _REGISTER.fullmatch(last)
        if not cls or not end or cls.group(1) != end.group(1) or cls.group(1) not in classes:
            raise DescriptionError(where, f"'{item}' is not a range of registers such as r[8]..r[15]")
        name, low, high = cls.group(1), int(cls.group(2) or 0), int(end.group(2) or 0)
        step = 1 if high >= low else -1
        for index in range(low, high + step, step):
            if clip and index >= classes[name].count:
                continue
            result.append(register(f"{name}[{index}]", classes, where))
    return result


def _beyond(text: str, classes: dict[str, RegisterClass]) -> bool:
    match = _REGISTER.fullmatch(text)
    return bool(match and match.group(1) in classes and int(match.group(2) or 0) >= classes[match.group(1)].count)


def text_place(place: Place, error: TextError) -> Place:
    """Return the place of a TextError inside a one-line YAML scalar."""
    return Place(place.file, place.line, place.column + error.column) if error.line == 1 else place


def pattern_variables(pattern: Any) -> list[tuple[str, str, str]]:
    found: dict[str, tuple[str, str, str]] = {}
    for part in pattern if isinstance(pattern, tuple) else (pattern,):
        collect(part, "", found)
    return list(found.values())


def bind_operands(spec: Map, known: set[str], pattern: Any, names: set[str], operands: dict[str, str]) -> set[str]:
    """Find which operand each variable of a pattern is; returns all variables."""
    variables = pattern_variables(pattern)
    for name, kind, _ in variables:
        if kind != "operand":
            continue
        operand = spec.get(name, name)
        if operand not in names:
            near = nearest(str(operand), names)
            hint = f"; did you mean '{near}'?" if near else ""
            where = spec.where(name) if name in spec else spec.where("rtl")
            raise DescriptionError(
                where, f"'{operand}' is not an operand: say what '{name}' is, as in `{name}: imm`{hint}"
            )
        operands[name] = operand
    found = {name for name, _, _ in variables}
    for key in spec:
        if key not in known and key not in found:
            raise DescriptionError(
                spec.key_places[key],
                f"'{key}' is neither a key ({', '.join(sorted(known))}) nor a variable of the pattern "
                f"({', '.join(sorted(found)) or 'it has none'})",
            )
    return found


def check_template(template: str, variables: set[str], place: Place) -> None:
    for name in re.findall(r"\$(\w+)", template):
        if name not in variables:
            known = ", ".join(sorted(variables)) or "none"
            raise DescriptionError(place, f"'${name}' in '{template}' is not bound by the pattern (variables: {known})")
