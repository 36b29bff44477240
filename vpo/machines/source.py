"""Reading a machine description file: strict YAML with the place of every value, `extends`, and `--set`.

Nothing here knows what a description means; that is `vpo.machines.load`.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

import yaml

from vpo.machines.names import machine_names

MOST_DEPTH, MOST_NODES = 20, 20_000
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


class NoSuchRegister(DescriptionError):
    """A pattern that names a register beyond the count of its class."""


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

    def mapped(self, items: list[Any]) -> Seq:
        """Return a sequence of other items in the same places."""
        result = Seq(self.place)
        result += items
        result.places = self.places
        return result


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
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise DescriptionError(Place(shown, 1, 1), f"not UTF-8 text ({error.reason} at byte {error.start})") from None
    node = _compose(text, shown)
    if not isinstance(node, yaml.MappingNode):
        raise DescriptionError(Place(shown, 1, 1), "a description is a YAML mapping that begins with 'machine:'")
    own: Map = _Constructor(shown).construct(node)
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


def summary(path: Path) -> str:
    """Return what a description says in a line that its machine is; reads no more of the file than that takes.

    Raises DescriptionError, OSError.
    """
    depth, previous = 0, ""
    with path.open(encoding="utf-8-sig") as text, contextlib.suppress(yaml.YAMLError, UnicodeDecodeError):
        for event in yaml.parse(text, Loader=LOADER):
            ends = isinstance(event, yaml.MappingEndEvent | yaml.SequenceEndEvent)
            depth += isinstance(event, yaml.MappingStartEvent | yaml.SequenceStartEvent) - ends
            word = event.value if depth == 1 and isinstance(event, yaml.ScalarEvent) else ""
            if previous == "description":
                return str(word)
            previous = word
    return str(read(path).get("description", ""))


def _compose(text: str, file: str) -> Any:
    """Return the YAML nodes of a text."""
    try:
        return yaml.compose(text, Loader=LOADER)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        place = Place(file, mark.line + 1, mark.column + 1) if mark else Place(file, 1, 1)
        problem = getattr(error, "problem", None) or str(error).splitlines()[0]
        if "tab character" in problem or (mark and text[mark.index : mark.index + 1] == "\t"):
            problem += " (indent with spaces, not tabs)"
        raise DescriptionError(place, f"not YAML: {problem}") from None
    except RecursionError:
        raise DescriptionError(Place(file, 1, 1), "not a description: nested too deeply") from None


class _Constructor:
    """Builds Maps, Seqs and scalars from YAML nodes."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.open: list[Any] = []
        self.count = 0

    def place(self, node: Any) -> Place:
        """Return where a node begins."""
        return Place(self.file, node.start_mark.line + 1, node.start_mark.column + 1)

    def construct(self, node: Any) -> Any:
        """Return the value of a node."""
        if isinstance(node, yaml.ScalarNode):
            return scalar(node.value, not node.style, self.place(node))
        self.count += 1
        if node in self.open or len(self.open) > MOST_DEPTH or self.count > MOST_NODES:
            raise DescriptionError(self.place(node), "an alias that contains itself, or too much nesting")
        self.open.append(node)
        result = self._mapping(node) if isinstance(node, yaml.MappingNode) else self._sequence(node)
        self.open.pop()
        return result

    def _mapping(self, node: Any) -> Map:
        result = Map(self.place(node))
        for key_node, value_node in node.value:
            place = self.place(key_node)
            if not isinstance(key_node, yaml.ScalarNode):
                raise DescriptionError(place, "a key must be a plain word")
            key = key_node.value
            if key in result:
                first = result.key_places[key].line
                raise DescriptionError(place, f"'{key}' is given twice (first in line {first})")
            result.put(key, self.construct(value_node), place, self.place(value_node))
        return result

    def _sequence(self, node: Any) -> Seq:
        items = Seq(self.place(node))
        for item in node.value:
            items.append(self.construct(item))
            items.places.append(self.place(item))
        return items


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
    except (yaml.YAMLError, RecursionError):
        raise DescriptionError(place, f"'{text}' is not a YAML value") from None
    value = None if node is None else _Constructor("--set").construct(node)
    target: Any = description
    parts = path.split(".")
    while True:
        if not isinstance(target, Map):
            done = path[: -len(".".join(parts)) - 1]
            raise DescriptionError(place, f"'{setting}': '{done}' is not a mapping")
        key = _longest_key(target, parts)
        if key is None and len(parts) > 1:
            raise DescriptionError(place, f"'{setting}': there is no '{parts[0]}' here (there is {_some(target)})")
        key = key or parts[0]
        parts = parts[key.count(".") + 1 :]
        if not parts:
            break
        target = target[key]
    if value is None:
        target.pop(key, None)
    else:
        target.put(key, value, place, place)


def _longest_key(mapping: Map, parts: list[str]) -> str | None:
    """Return the longest key that a path begins with: the names of instructions may have dots."""
    return next((key for n in range(len(parts), 0, -1) if (key := ".".join(parts[:n])) in mapping), None)


def _some(mapping: Map) -> str:
    keys = list(mapping)
    return ", ".join(keys[:12]) + (", ..." if len(keys) > 12 else "") if keys else "nothing"
