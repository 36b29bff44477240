"""Reading a machine description file: strict YAML with the place of every value.

Nothing here knows what a description means: `vpo.machines.read.extends` lays one over another, `vpo.machines.read.load` builds
machines.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from vpo.base.suggestions import suggested, suggested_file
from vpo.machines.names import FOLDER, machine_names, parts_of, profile_names

if TYPE_CHECKING:
    from vpo.text import TextError

MOST_DEPTH, MOST_NODES = 20, 20_000
MOST_DIGITS = 40  # of a number: those of machines have 64 bits
LONGEST_TEXT = 1 << 16  # characters
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

    def __reduce__(self) -> tuple[Any, ...]:
        """Come back whole from another process."""
        return type(self), (self.place, self.message)


class NoSuchRegister(DescriptionError):
    """A pattern that names a register beyond the count of its class."""


class Map(dict[str, Any]):
    """A YAML mapping that knows where it and each of its keys stand."""

    def __init__(self, place: Place) -> None:
        super().__init__()
        self.place = place
        self.key_places: dict[str, Place] = {}
        self.value_places: dict[str, Place] = {}
        self.extensions: dict[str, Map] = {}  # of a whole description: what was laid over it, and parts of that

    def __deepcopy__(self, memo: dict[int, Any]) -> Map:
        result = memo[id(self)] = Map(self.place)
        result.update((key, _copied(value, memo)) for key, value in self.items())
        result.key_places, result.value_places = dict(self.key_places), dict(self.value_places)
        result.extensions = {name: _copied(part, memo) for name, part in self.extensions.items()}
        return result

    def where(self, key: str) -> Place:
        """Return the place of the value of a key, or of the mapping where the key is absent."""
        return self.value_places.get(key, self.place)

    def put(self, key: str, value: Any, key_place: Place, value_place: Place) -> None:
        """Set a key with its places."""
        self[key] = value
        self.key_places[key], self.value_places[key] = key_place, value_place

    def put_from(self, other: Map, key: str, value: Any) -> None:
        """Set a key to a value, with the places that the key has in another mapping."""
        self.put(key, value, other.key_places[key], other.value_places[key])


class Seq(list[Any]):
    """A YAML sequence that knows where it and its items stand."""

    def __init__(self, place: Place) -> None:
        super().__init__()
        self.place = place
        self.places: list[Place] = []

    def __deepcopy__(self, memo: dict[int, Any]) -> Seq:
        result = memo[id(self)] = self.mapped([_copied(item, memo) for item in self])
        return result

    def located(self) -> Iterator[tuple[Any, Place]]:
        """Yield items with their places."""
        return zip(self, self.places, strict=True)

    def mapped(self, items: list[Any]) -> Seq:
        """Return a sequence of other items in the same places."""
        result = Seq(self.place)
        result += items
        result.places = list(self.places)
        return result


def _copied(value: Any, memo: dict[int, Any]) -> Any:
    """Return a copy of a part of a description; one that stands in several places is one in the copy, too."""
    if isinstance(value, Map | Seq):
        return memo.get(id(value)) or value.__deepcopy__(memo)
    return value if isinstance(value, str | int | float | None) else copy.deepcopy(value, memo)


def with_places(value: Any) -> Any:
    """Return a part of a description as lists of what it says and where, which are equal if these are."""
    if isinstance(value, Map):
        said = [(key, value.key_places.get(key), value.where(key), with_places(item)) for key, item in value.items()]
        return value.place, said, [(key, with_places(part)) for key, part in value.extensions.items()]
    if isinstance(value, Seq):
        return value.place, value.places, [with_places(item) for item in value]
    return value


def find(name: str, origin: Path | None = None) -> Path:
    """Return the file of a machine given by name or by path (relative to `origin`'s folder, or the working folder).

    Of a name with extensions it is the machine's.
    Raises FileNotFoundError with a message that lists the known machines.
    """
    name = parts_of(name)[0]
    if name.endswith((".yaml", ".yml")):
        path = (origin.parent / name) if origin and not Path(name).is_absolute() else Path(name)
        if path.is_file():
            return path
        raise FileNotFoundError(f"there is no machine description file '{name}'{suggested_file(str(path))}")
    if origin is not None and (beside := origin.parent / f"{name}.yaml").is_file() and beside != origin:
        return beside
    for path in (FOLDER / f"{name}.yaml", *FOLDER.glob(f"*/{name}.yaml")):
        if path.is_file():
            return path
    known = [*machine_names(), *profile_names()]
    listed = f"; known machines: {', '.join(known)} (or give a path ending in .yaml)"
    raise FileNotFoundError(f"there is no machine '{name}'{suggested(name, known, listed)}")


def read_own(path: Path) -> Map:
    """Return what one file says, without what it extends.

    Raises DescriptionError, OSError.
    """
    shown = str(path)
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise DescriptionError(Place(shown, 1, 1), f"not UTF-8 text ({error.reason} at byte {error.start})") from None
    return parse(text, shown)


def parse(text: str, shown: str) -> Map:
    """Return what the text of a description says, without what it extends; `shown` names the text in messages.

    Raises DescriptionError.
    """
    node = _compose(text, shown)
    if not isinstance(node, yaml.MappingNode):
        raise DescriptionError(Place(shown, 1, 1), "a description is a YAML mapping that begins with 'machine: NAME'")
    own: Map = _Constructor(shown).construct(node)
    return own


def read_value(text: str, place: Place) -> Any:
    """Return the value of a YAML text that stands in no file.

    Raises DescriptionError.
    """
    try:
        node = yaml.compose(text, Loader=LOADER)
    except (yaml.YAMLError, RecursionError):
        raise DescriptionError(place, f"'{text}' is not a YAML value") from None
    return None if node is None else _Constructor(place.file).construct(node)


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
        if "mapping values are not allowed" in problem or "expected ':'" in problem:
            problem += " (key: value, with a colon and a blank between; is one missing here or in the line above?)"
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


_LONG_NUMBER = re.compile(rf"(?<![A-Za-z_])[0-9][0-9A-Fa-f_]{{{MOST_DIGITS},}}|0x[0-9A-Fa-f_]{{{MOST_DIGITS + 1},}}")
_WORDS = {"true": True, "false": False, "null": None, "~": None, "": None}


def scalar(text: str, plain: bool, place: Place) -> Any:
    """Return the value of a YAML scalar: numbers are decimal or 0x, truth values only true and false.

    Raises DescriptionError for what YAML readers disagree about (`no`, `010`, `1_000`, `12:30`), and for what is too long.
    """
    if len(text) > LONGEST_TEXT:
        raise DescriptionError(place, f"a text of {len(text):,} characters; {LONGEST_TEXT:,} are allowed")
    if _LONG_NUMBER.search(text):
        raise DescriptionError(place, f"a number of more than {MOST_DIGITS} digits")
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


def inserted(text: str, name: str, value: str, place: Place) -> str:
    """Return a text with a value in place of `${name}`.

    Raises DescriptionError if it becomes too long: values that name others may double a text forty times.
    """
    key = f"${{{name}}}"
    length = len(text) + text.count(key) * (len(value) - len(key))
    if length > LONGEST_TEXT:
        raise DescriptionError(
            place, f"with what '{key}' stands for, the text has {length:,} characters; {LONGEST_TEXT:,} are allowed"
        )
    return text.replace(key, value)


# ----------------------------------------------------------------------------------------------------------------------
# Checking the parts of a description: which keys there are and what kind of value each has.
#
# Every error is a DescriptionError with its place.


WORDS = {Map: "a mapping", Seq: "a list", str: "a text", int: "a number", bool: "true or false"}


def check_keys(mapping: Map, known: Iterable[str], what: str) -> None:
    """Reject unknown keys."""
    known = set(known)
    for key in mapping:
        if key not in known:
            hint = suggested(key, known, f" (known: {', '.join(sorted(known))})")
            raise DescriptionError(mapping.key_places[key], f"'{key}' is not a key of {what}{hint}")


def expect(mapping: Map, key: str, kind: type) -> Any:
    """Return the value of a key, which must be there and of a kind."""
    value = mapping.get(key)
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise DescriptionError(mapping.where(key), f"'{key}' must be {WORDS[kind]}{_not(value)}")
    return value


def _not(value: Any) -> str:
    if isinstance(value, Map | Seq):
        return f", not {WORDS[type(value)]}"
    return "" if value is None else f", not {value!r}"


def section(mapping: Map, key: str) -> Map:
    """Return a mapping that may be missing (then it is empty)."""
    return expect(mapping, key, Map) if mapping.get(key) is not None else Map(mapping.where(key))


def text(mapping: Map, key: str, default: str = "") -> str:
    """Return a text that may be missing; a number stands for its digits."""
    value = mapping.get(key, default)
    if isinstance(value, Map | Seq | bool) or value is None:
        raise DescriptionError(mapping.where(key), f"'{key}' must be a text{_not(value)}")
    return str(value)


def number(mapping: Map, key: str, default: int = 0, low: int = 0, high: int = 1 << 64) -> int:
    """Return a number that may be missing."""
    value = mapping.get(key, default)
    if not isinstance(value, int) or isinstance(value, bool):
        raise DescriptionError(mapping.where(key), f"'{key}' must be a number{_not(value)}")
    if not low <= value <= high:
        bounds = f"from {low} to {high}" if high < 1 << 64 else f"of at least {low}"
        raise DescriptionError(mapping.where(key), f"'{key}' must be a number {bounds}, not {value}")
    return value


def flag(mapping: Map, key: str, default: bool = False) -> bool:
    """Return a truth value that may be missing."""
    value = mapping.get(key, default)
    if not isinstance(value, bool):
        raise DescriptionError(mapping.where(key), f"'{key}' must be true or false{_not(value)}")
    return value


def choice(mapping: Map, key: str, choices: tuple[str, ...], default: str = "") -> str:
    """Return one of a few words; the first if it is missing and there is no default."""
    value = mapping.get(key, default or choices[0])
    if not isinstance(value, str) or value not in choices:
        raise DescriptionError(mapping.where(key), f"'{key}' is one of {', '.join(choices)}{_not(value)}")
    return value


def texts(mapping: Map, key: str) -> list[str]:
    """Return a list of texts that may be missing."""
    if mapping.get(key) is None:
        return []
    result: list[str] = []
    for item, place in expect(mapping, key, Seq).located():
        if not isinstance(item, str):
            raise DescriptionError(place, f"'{key}' is a list of texts{_not(item)}")
        result.append(item)
    return result


def text_place(place: Place, error: TextError) -> Place:
    """Return the place of a TextError inside a one-line YAML scalar in quotes."""
    return Place(place.file, place.line, place.column + error.column) if error.line == 1 else place
