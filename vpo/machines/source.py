"""Reading a machine description file: strict YAML with the place of every value, `extends`, and `--set`.

Nothing here knows what a description means; that is `vpo.machines.load`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

import yaml

LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass(frozen=True, slots=True)
class Place:
    """A place in a file; line and column count from 1."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


class DescriptionError(Exception):
    """A machine description that cannot be used; str() is `file:line:column: error: message`."""

    def __init__(self, place: Place, message: str) -> None:
        super().__init__(f"{place}: error: {message}")
        self.place, self.message = place, message


class Map(dict[str, Any]):
    """A YAML mapping that knows where it and each of its keys stand."""

    def __init__(self, place: Place) -> None:
        super().__init__()
        self.place = place
        self.key_places: dict[str, Place] = {}
        self.value_places: dict[str, Place] = {}

    def where(self, key: str) -> Place:
        """Return the place of the value of a key, or of the mapping where the key is absent."""
        return self.value_places.get(key, self.place)

    def put(self, key: str, value: Any, key_place: Place, value_place: Place) -> None:
        """Set a key with its places."""
        self[key] = value
        self.key_places[key], self.value_places[key] = key_place, value_place


class Seq(list[Any]):
    """A YAML sequence that knows where it and its items stand."""

    def __init__(self, place: Place) -> None:
        super().__init__()
        self.place = place
        self.places: list[Place] = []

    def located(self) -> Iterator[tuple[Any, Place]]:
        """Yield items with their places."""
        return zip(self, self.places, strict=True)


def machine_names() -> list[str]:
    """Return the names of the machines that come with the project."""
    folder = resources.files("machine_descriptions")
    return sorted(entry.name[:-5] for entry in folder.iterdir() if entry.name.endswith(".yaml"))


def find(name: str, origin: Path | None = None) -> Path:
    """Return the file of a machine given by name or by path (relative to `origin`'s folder, or the working folder).

    Raises FileNotFoundError with a message that lists the known machines.
    """
    if name.endswith((".yaml", ".yml")):
        path = (origin.parent / name) if origin and not Path(name).is_absolute() else Path(name)
        if path.is_file():
            return path
        raise FileNotFoundError(f"there is no machine description file '{name}'")
    if origin is not None and (beside := origin.parent / f"{name}.yaml").is_file() and beside != origin:
        return beside
    path = Path(str(resources.files("machine_descriptions").joinpath(f"{name}.yaml")))
    if path.is_file():
        return path
    known = ", ".join(machine_names())
    raise FileNotFoundError(f"there is no machine '{name}'; known machines: {known} (or give a path ending in .yaml)")


def read(path: Path, seen: tuple[Path, ...] = ()) -> Map:
    """Read a description with everything that it extends merged in.

    Raises DescriptionError, OSError.
    """
    shown = str(path)
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise DescriptionError(Place(shown, 1, 1), f"not UTF-8 text ({error.reason} at byte {error.start})") from None
    try:
        node = yaml.compose(text, Loader=LOADER)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        place = Place(shown, mark.line + 1, mark.column + 1) if mark else Place(shown, 1, 1)
        raise DescriptionError(place, f"not YAML: {getattr(error, 'problem', None) or error}") from None
    if not isinstance(node, yaml.MappingNode):
        raise DescriptionError(Place(shown, 1, 1), "a description is a YAML mapping that begins with 'machine:'")
    own: Map = _construct(node, shown, ())
    if "extends" not in own:
        return own
    place = own.where("extends")
    try:
        base_path = find(str(own["extends"]), path)
    except FileNotFoundError as error:
        raise DescriptionError(place, str(error)) from None
    if base_path.resolve() in [p.resolve() for p in (*seen, path)]:
        raise DescriptionError(place, f"'{own['extends']}' extends itself")
    merged = read(base_path, (*seen, path))
    merge(merged, own)
    return merged


def _construct(node: Any, file: str, path: tuple[str, ...]) -> Any:
    place = Place(file, node.start_mark.line + 1, node.start_mark.column + 1)
    if isinstance(node, yaml.MappingNode):
        result = Map(place)
        for key_node, value_node in node.value:
            key_place = Place(file, key_node.start_mark.line + 1, key_node.start_mark.column + 1)
            if not isinstance(key_node, yaml.ScalarNode):
                raise DescriptionError(key_place, "a key must be a plain word")
            key = key_node.value
            if key in result:
                first = result.key_places[key].line
                raise DescriptionError(key_place, f"'{key}' is given twice (first in line {first})")
            value = _construct(value_node, file, (*path, key))
            mark = value_node.start_mark
            result.put(key, value, key_place, Place(file, mark.line + 1, mark.column + 1))
        return result
    if isinstance(node, yaml.SequenceNode):
        items = Seq(place)
        for item in node.value:
            items.append(_construct(item, file, path))
            items.places.append(Place(file, item.start_mark.line + 1, item.start_mark.column + 1))
        return items
    return scalar(node.value, not node.style, place)


_WORDS = {"true": True, "false": False, "null": None, "~": None, "": None}


def scalar(text: str, plain: bool, place: Place) -> Any:
    """Return the value of a YAML scalar: numbers are decimal or 0x, truth values only true and false.

    Raises DescriptionError for what YAML readers disagree about (`no`, `010`, `1_000`, `12:30`).
    """
    if not plain:
        return text
    if text in _WORDS:
        return _WORDS[text]
    if text.lower() in ("yes", "no", "on", "off", "y", "n", "true", "false", "null"):
        raise DescriptionError(place, f"'{text}' could be a truth value or a word: write true, false, or \"{text}\"")
    if re.fullmatch(r"[-+]?(0|[1-9][0-9]*)", text):
        return int(text)
    if re.fullmatch(r"[-+]?0x[0-9a-fA-F]+", text):
        return int(text, 16)
    if re.fullmatch(r"[-+]?[0-9][0-9_:]*", text):
        raise DescriptionError(place, f"'{text}' is a different number to different readers: write it in decimal")
    return text


def merge(base: Map, changes: Map) -> None:
    """Lay `changes` over `base`: mappings merge key by key, null removes, anything else replaces."""
    for key, value in changes.items():
        if value is None and key in base:
            del base[key]
        elif isinstance(value, Map) and isinstance(base.get(key), Map):
            merge(base[key], value)
        else:
            base.put(key, value, changes.key_places[key], changes.value_places[key])


def assign(description: Map, setting: str) -> None:
    """Carry out one `--set key.key=value`.

    Raises DescriptionError if the form is wrong or the path leads nowhere.
    """
    place = Place("--set", 1, 1)
    path, equals, text = setting.partition("=")
    if not equals or not path:
        raise DescriptionError(place, f"'{setting}': expected key.key=value, as in registers.r.count=16")
    try:
        node = yaml.compose(text, Loader=LOADER)
    except yaml.YAMLError:
        raise DescriptionError(place, f"'{text}' is not a YAML value") from None
    value = None if node is None else _construct(node, "--set", ())
    *parents, last = path.split(".")
    target: Any = description
    for key in parents:
        if not isinstance(target, Map) or key not in target:
            known = ", ".join(target) if isinstance(target, Map) else "nothing"
            raise DescriptionError(place, f"'{setting}': there is no '{key}' here (there is {known})")
        target = target[key]
    if not isinstance(target, Map):
        raise DescriptionError(place, f"'{setting}': '{'.'.join(parents)}' is not a mapping")
    target.put(last, value, place, place)
