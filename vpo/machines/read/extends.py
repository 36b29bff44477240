"""One description laid over another, and the changes of `--set`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from vpo.base.suggestions import suggested
from vpo.machines.read import lists
from vpo.machines.read.source import DescriptionError, Map, Place, Seq, read_value

# ----------------------------------------------------------------------------------------------------------------------
# Keys that are several names, `ADD SUB: {op: ["+", "-"], ...}`: one name taken out of such a group, or set apart.
#
# What a description says of the names is left as it is, and so is their order: priority among instructions.

SHARED_LISTS = ("clobbers", "if_dead", "reach", "into")  # lists that do not give one value to each name of a group


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
    result, grows = Map(spec.place), lists.is_change(spec, spec)
    for key, value in spec.items():
        if grows:
            result.put_from(spec, key, of_members(value, count, indices))
            continue
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


# ----------------------------------------------------------------------------------------------------------------------
# The main part, of which the head of the file tells.


INSTRUCTIONS, LATENCIES = ("instructions",), ("timing", "latencies")
OPENED = {  # sections that a setting may begin: what stands in them has a meaning by itself
    (): ("c", "defaults", "timing"), ("c",): ("sizes", "aligns"), ("calls",): ("arguments", "results", "windows"),
    ("timing",): ("latencies",),
}
GROUPED = (INSTRUCTIONS, LATENCIES)  # sections whose keys may be several names
FORMS = (INSTRUCTIONS, ("operands",))  # sections in which a mapping stands for a list of one
NAMED = {
    INSTRUCTIONS: "instruction", LATENCIES: "instruction", ("operands",): "operand", ("registers",): "register class",
    ("allocable",): "register class", ("abbreviations",): "abbreviation", ("functions",): "function",
    ("syscalls",): "system call", ("macros",): "macro",
}  # fmt: skip
REQUIRED = ("machine", "endian", "address", "registers", "roles", "values", "allocable", "operands", "instructions",
            "calls", "layout", "assembler")  # fmt: skip
Path_ = tuple[str, ...]


def merge(base: Map, changes: Map, where: Path_ = ()) -> None:
    """Lay `changes` over `base`: mappings merge key by key, null removes, lists grow and shrink, anything else replaces.

    `where` are the keys that lead to both.  A name that stands in a group's key is changed or removed by itself.
    Raises DescriptionError.
    """
    for key, value in changes.items():
        if value is None and not where and key in REQUIRED:
            base.put(key, value, changes.key_places[key], changes.value_places[key])  # `load.build` tells that it is empty
        elif value is None and where in NAMED:
            _remove(base, key, changes.key_places[key], where)
        elif value is None and key in base:
            del base[key]
        elif key not in base and where in GROUPED:
            _change_names(base, key, changes, where)
        else:
            for group in [old for old in keys_with(base, key) if old != key] if where in GROUPED and _is_whole(value) else ():
                take_out(base, group, key)
            _change(base, key, changes, key, where)
    if not where:
        _forget_latencies(base, changes)


def _forget_latencies(base: Map, changes: Map) -> None:
    """Take instructions that changes of a description take away out of its latencies, too."""
    instructions, timing = changes.get("instructions"), base.get("timing")
    latencies = timing.get("latencies") if isinstance(timing, Map) else None
    if not isinstance(instructions, Map) or not isinstance(latencies, Map):
        return
    for name in (name for key, value in instructions.items() if value is None for name in key.split()):
        for key in keys_with(latencies, name):
            take_out(latencies, key, name)


def _change(base: Map, key: str, changes: Map, change: str, where: Path_) -> None:
    """Lay the value that `changes` has for `change` over that of a key of `base`; fields go to each form of an instruction."""
    old, value = base.get(key), changes[change]
    if lists.is_change(value, old) and (not isinstance(old, Map) or where in FORMS):
        if key not in base and where in NAMED:
            raise _missing(base, key, changes.key_places[change], where, "change")
        base.put(key, lists.changed(old, value), changes.key_places[change], changes.value_places[change])
        return
    forms = old if isinstance(old, Seq) and where == INSTRUCTIONS and not _states_form(value) else [old]
    mappings = [form for form in forms if isinstance(form, Map)]
    if isinstance(value, Map) and forms and len(mappings) == len(forms):
        for form in mappings:
            merge(form, value, (*where, key))
    else:
        base.put(key, value, changes.key_places[change], changes.value_places[change])


def _is_whole(value: Any) -> bool:
    """Whether a value defines an instruction by itself."""
    return not isinstance(value, Map) or {"rtl", "asm"} <= value.keys()


def _states_form(value: Any) -> bool:
    """Whether a value says what an instruction does or how it prints, not only what more there is to it."""
    return not isinstance(value, Map) or "rtl" in value or "asm" in value


def _remove(base: Map, key: str, place: Place, where: Path_) -> None:
    """Take a key away, or, in sections with groups, each of its names out of all keys."""
    names = key.split() if where in GROUPED else [key]
    if key in base and len(names) != 1:
        del base[key]
        return
    for name in names:
        keys = keys_with(base, name) if where in GROUPED else [key] if key in base else []
        if not keys:
            raise _missing(base, name, place, where, "take away")
        for old in keys:
            take_out(base, old, name)


def _change_names(base: Map, key: str, changes: Map, where: Path_) -> None:
    """Change instructions that stand in other keys.

    A whole definition, with `rtl` and `asm`, replaces an instruction in the first group in which it stands, and takes it out
    of the others; of several names it is a new entry.
    """
    names, value = key.split(), changes[key]
    partial = not _is_whole(value)
    if not partial and (len(names) > 1 or not keys_with(base, key)):
        base.put_from(changes, key, value)
        return
    for index, name in enumerate(names):
        keys = keys_with(base, name)
        if not keys and where == INSTRUCTIONS:
            if isinstance(value, Map) and len(stated := {"rtl", "asm"} & value.keys()) == 1:
                lacking = "asm" if "rtl" in stated else "rtl"
                raise DescriptionError(changes.key_places[key], f"'{name}' is new, so it needs '{lacking}:', too")
            raise _missing(base, name, changes.key_places[key], where, "change")
        own = Map(changes.place)
        own.put(name, of_members(value, len(names), [index]), changes.key_places[key], changes.value_places[key])
        for old in keys[1:] if not partial else ():
            take_out(base, old, name)
        for old in keys[: None if partial else 1] or [name]:
            alone = set_apart(base, old, name) if keys else name
            if not partial:
                base[alone] = None  # nothing of it is kept but its place
            _change(base, alone, own, name, where)


def _missing(base: Map, name: str, place: Place, where: Path_, purpose: str) -> DescriptionError:
    known = {word for key in base for word in (key.split() if where in GROUPED else [key])}
    return DescriptionError(place, f"there is no {NAMED[where]} '{name}' to {purpose}{suggested(name, known)}")


# --------------------------------------------------------------------------------------------------------------- --set


def assign(description: Map, setting: str) -> None:
    """Carry out one `--set key.key=value`.

    Raises DescriptionError if the form is wrong or the path leads nowhere.
    """
    place = Place("--set", 1, 1)
    path, equals, text = setting.partition("=")
    if not equals or not path:
        raise DescriptionError(place, f"'{setting}': expected key.key=value, as in registers.r.count=16")
    value = read_value(text, place)
    for key in reversed(_keys(description, path, setting, place)):
        outer = Map(place)
        outer.put(key, value, place, place)
        value = outer
    merge(description, value)


def _keys(description: Map, path: str, setting: str, place: Place) -> list[str]:
    """Split a path at its dots, but for those within keys: the names of instructions may have dots."""
    target: Any = description
    keys: list[str] = []
    parts = path.split(".")
    while parts:
        if isinstance(target, Seq) and len(parts) == 1 and parts[0] in lists.KEYS:
            return keys + parts
        if not isinstance(target, Map):
            raise DescriptionError(place, f"'{setting}': '{'.'.join(keys)}' is not a mapping")
        groups = [name for key in target for name in key.split() if tuple(keys) in GROUPED]
        key = _longest_key([*target, *groups], parts)
        if key is None and parts[0] in OPENED.get(tuple(keys), ()):
            return keys + parts  # a section that the description does without
        if key is None and len(parts) > 1:
            hint = suggested(parts[0], [*target, *groups], f" (there is {_some(target)})")
            raise DescriptionError(place, f"'{setting}': there is no '{parts[0]}' here{hint}")
        keys.append(key or parts[0])
        parts = parts[keys[-1].count(".") + 1 :]
        found = target.get(keys[-1])
        if key is not None and (found is None or (isinstance(found, Seq) and tuple(keys[:-1]) == INSTRUCTIONS)):
            return keys + parts  # a name in a group, or several forms: what follows are keys of these
        target = found
    return keys


def _longest_key(known: list[str], parts: list[str]) -> str | None:
    """Return the longest key that a path begins with."""
    return next((key for n in range(len(parts), 0, -1) if (key := ".".join(parts[:n])) in known), None)


def _some(mapping: Map) -> str:
    keys = list(mapping)
    return ", ".join(keys[:12]) + (", ..." if len(keys) > 12 else "") if keys else "nothing"
