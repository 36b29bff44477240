"""A description with all that it is made of: the machine that it extends, and extensions of that machine.

    extends: [plain, shifts, pairs]        the same as -m plain+shifts+pairs

An extension is a file of its own, in the folder that its machine names with `extensions:`.  Beside sections as they are in
machines it has `extension:` (its name), `extends:` (others that belong to it), `address:` (the machines that it goes with),
`first:` (instructions that are tried before those that are there) and `if:` (what there is more beside another extension, or
with addresses of a type).
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from vpo.base.suggestions import suggested
from vpo.machines.names import FOLDER, is_extension, parts_of
from vpo.machines.read.extends import keys_with, merge, take_out
from vpo.machines.read.lists import is_change
from vpo.machines.read.registers import use_of_added_registers
from vpo.machines.read.source import (
    LOADER,
    DescriptionError,
    Map,
    Place,
    Seq,
    check_keys,
    find,
    read_own,
    section,
    text,
    texts,
)

EXTENSION, EXTENSIONS, EXTENDS, FIRST, IF, ALWAYS = "extension", "extensions", "extends", "first", "if", "always"
ABOUT_ITSELF = ("machine", "description", "manual", EXTENDS, EXTENSION, EXTENSIONS, "address", FIRST, IF)
_FOLDER_LINE = re.compile(r"^extensions:\s*\{folder: ([\w.-]+)", re.MULTILINE)


def read(name: str) -> Map:
    """Read the description of a machine given by name, by path, or by either with `+` and extensions.

    Raises DescriptionError, OSError.
    """
    base, *extensions = parts_of(name)
    if not extensions:
        return read_file(find(name))
    place = Place(name, 1, 1)
    own = Map(place)
    own.put("machine", "+".join([Path(base).stem if base.endswith((".yaml", ".yml")) else base, *extensions]), place, place)
    parts = Seq(place)
    parts += [base, *extensions]
    parts.places = [place] * len(parts)
    own.put(EXTENDS, parts, place, place)
    try:
        return _whole(own, None, ())
    except _Absent as error:
        raise FileNotFoundError(error.message) from None


def read_file(path: Path, seen: tuple[Path, ...] = ()) -> Map:
    """Read a description with everything that it extends merged in.

    Raises DescriptionError, OSError.
    """
    own = read_own(path)
    if EXTENSION in own and "machine" not in own:
        message = f"this is an extension, not a machine: -m MACHINE+{own[EXTENSION]}"
        raise DescriptionError(own.key_places[EXTENSION], message)
    if EXTENDS not in own:
        return own
    if "machine" not in own:  # it is another one than that which it extends
        own.put("machine", path.stem, own.place, own.place)
    return _whole(own, path, seen)


def files_of(name: str, origin: Path | None = None) -> Iterator[Path]:
    """Yield the files of a description: its own, and those of what it extends.

    Raises DescriptionError, OSError.
    """
    base, *extensions = parts_of(name)
    path = find(base, origin)
    yield path
    folder = _folder(path)
    yield from (file for word in extensions for file in _extension_files(word, folder, path))
    own = read_own(path)
    listed = own.get(EXTENDS)
    if listed is not None:
        above, *more = listed if isinstance(listed, Seq) else [listed]
        yield from files_of(str(above), path)
        yield from (file for word in more for file in _extension_files(str(word), folder, path))


def _extension_files(word: str, folder: Path | None, origin: Path) -> Iterator[Path]:
    path = _extension_path(word, folder, origin)
    if path is not None:
        yield path
        yield from (file for other in _listed(read_own(path)) for file in _extension_files(other, folder, path))


def _folder(path: Path) -> Path | None:
    """Return the folder of the extensions of a machine; None if it has none."""
    own = read_own(path)
    if EXTENSIONS in own:
        return extension_folder(own)
    if EXTENDS not in own:
        return None
    above = own[EXTENDS]
    return _folder(find(str(above[0] if isinstance(above, Seq) else above), path))


def extension_folder(description: Map) -> Path | None:
    """Return the folder of the extensions of a described machine; None if it has none.

    Raises DescriptionError.
    """
    if EXTENSIONS not in description:
        return None
    spec = section(description, EXTENSIONS)
    check_keys(spec, ("folder", ALWAYS), "'extensions'")
    name, file = text(spec, "folder"), Path(spec.place.file)
    found = next((folder for folder in (file.parent / name, FOLDER / name) if folder.is_dir()), None)
    if found is None:
        raise DescriptionError(description.where(EXTENSIONS), f"there is no folder '{name}' beside this description")
    return found


def _extension_path(word: str, folder: Path | None, origin: Path | None) -> Path | None:
    """Return the file of an extension: in the folder of its machine, or beside the description that names it."""
    if word.endswith((".yaml", ".yml")):
        paths = [(origin.parent if origin else Path()) / word]
    else:
        paths = [where / f"{word}.yaml" for where in (folder, origin.parent if origin else None) if where is not None]
    return next((path for path in paths if path.is_file()), None)


def _listed(own: Map) -> list[str]:
    """Return the extensions that belong to one."""
    value = own.get(EXTENDS)
    return [value] if isinstance(value, str) else texts(own, EXTENDS)


class _Absent(DescriptionError):
    """A machine or an extension that there is not."""


def _whole(own: Map, path: Path | None, seen: tuple[Path, ...]) -> Map:
    """Return a description with what it extends: a machine, and perhaps extensions of that."""
    listed, place = own[EXTENDS], own.where(EXTENDS)
    if not isinstance(listed, Seq) or not listed:
        items = [(str(listed), place)]
    else:
        items = [(str(item), where) for item, where in listed.located()]
    (name, where), extensions = items[0], items[1:]
    base, *words = parts_of(name)
    extensions = [*((word, where) for word in words), *extensions]
    try:
        base_path = find(base, path)
    except FileNotFoundError as error:
        raise _Absent(where, str(error)) from None
    if base_path.resolve() in [p.resolve() for p in (*seen, path) if p is not None]:
        raise DescriptionError(where, f"'{base}' extends itself")
    merged = read_file(base_path, (*seen, path) if path is not None else seen)
    with use_of_added_registers(merged):
        if extensions:
            composition = _Composition(merged, extension_folder(merged), base, path)
            for word in [merged[EXTENSIONS][ALWAYS]] if ALWAYS in section(merged, EXTENSIONS) else []:
                composition.add(str(word), merged.where(EXTENSIONS), always=True)
            for word, at in extensions:
                composition.add(word, at)
            composition.finish()
        merge(merged, own)
    return merged


@dataclass(eq=False)
class _Composition:
    """A machine to which extensions are added, one after the other."""

    machine: Map
    folder: Path | None
    name: str
    origin: Path | None
    told: list[str] = field(default_factory=list)
    always: str = ""
    origins: dict[str, tuple[str, Any]] = field(default_factory=dict)  # who brought an instruction, and what it is

    def add(self, word: str, place: Place, within: tuple[str, ...] = (), always: bool = False) -> None:
        """Add an extension, behind those that belong to it; with `always`, no more of it than the machine has.

        Raises DescriptionError.
        """
        path = self._find(word, place)
        own = read_own(path)
        name = text(own, EXTENSION, path.stem)
        if EXTENSION not in own:
            raise DescriptionError(own.place, "this is no extension: it does not begin with 'extension: NAME'")
        if name in self.machine.extensions:
            return
        if name in within:
            raise DescriptionError(own.where(EXTENDS), f"'{name}' extends itself")
        fits = text(own, "address", str(self.machine.get("address")))
        if fits != self.machine.get("address"):
            message = f"'{name}' goes with addresses of type {fits}; those of '{self.name}' have {self.machine.get('address')}"
            raise _Absent(place, message)
        for other in _listed(own):
            self.add(other, own.where(EXTENDS), (*within, name))
        self.machine.extensions[name] = own
        if always:
            self.always = name
        elif not within:
            self.told.append(name)
        self._lay(own, name)

    def finish(self) -> None:
        """Add what extensions have beside others, and what is tried first; tell of the extensions in the description."""
        laid = self.machine.extensions
        for name, own in [each for each in laid.items() if IF in each[1]]:
            parts = section(own, IF)
            for condition in [each for each in parts if f"{name}: {each}" not in laid]:
                wanted = [word.strip() for word in condition.split(",")]
                self._check_conditions(wanted, parts.key_places[condition])
                if all(map(self._holds, wanted)):
                    if not isinstance(parts[condition], Map):
                        raise DescriptionError(parts.where(condition), "sections such as 'instructions:' are expected")
                    self._lay(parts[condition], name)
                    laid[f"{name}: {condition}"] = parts[condition]
        if self.told:
            self.machine["description"] = f"{self.machine.get('description', self.name)}; with {', '.join(self.told)}"

    def _holds(self, condition: str) -> bool:
        """Whether there is an extension or an instruction, or addresses have a type."""
        instructions = section(self.machine, "instructions")
        there = any(condition in key.split() for key in instructions)
        return there or condition in self.machine.extensions or condition == self.machine.get("address")

    def _check_conditions(self, conditions: list[str], place: Place) -> None:
        """Reject what is neither the type of addresses nor looks like an instruction nor is an extension."""
        for condition in conditions:
            if not condition.isupper() and self._path(condition) is None:
                hint = suggested(condition, self._known())
                message = f"'{condition}' is no extension, no instruction and no type of addresses{hint}"
                raise DescriptionError(place, message)

    def _path(self, word: str) -> Path | None:
        return _extension_path(word, self.folder, self.origin)

    def _known(self) -> list[str]:
        return sorted(path.stem for path in self.folder.glob("*.yaml") if is_extension(path)) if self.folder else []

    def _find(self, word: str, place: Place) -> Path:
        path = self._path(word)
        if path is not None:
            return path
        known = self._known()
        if not known:
            raise _Absent(place, f"'{self.name}' has no extensions, so no '{word}'")
        raise _Absent(place, f"'{self.name}' has no extension '{word}'{suggested(word, known)} (there are {', '.join(known)})")

    def _lay(self, part: Map, name: str) -> None:
        """Lay sections of an extension over the machine."""
        changes = Map(part.place)
        for key in part:
            if key not in ABOUT_ITSELF:
                changes.put_from(part, key, part[key])
        if name == self.always:
            changes["instructions"] = _known_of(section(changes, "instructions"), section(self.machine, "instructions"))
        else:
            self._check_names(changes, name)
        first = section(part, FIRST)
        merge(self.machine, changes)
        if first:
            self._put_first(first)

    def _check_names(self, changes: Map, name: str) -> None:
        """Reject an instruction that another extension has and that is not the same there."""
        instructions = section(changes, "instructions")
        for key, spec in instructions.items():
            for word in key.split() if spec is not None else ():
                before, was = self.origins.setdefault(word, (name, spec))
                if before != name and was != spec and not is_change(spec, spec):
                    message = f"extension '{before}' has another instruction '{word}' ({was.place})"
                    raise DescriptionError(instructions.key_places[key], message)

    def _put_first(self, first: Map) -> None:
        """Put instructions before those that there are."""
        old = self.machine["instructions"]
        result = Map(old.place)
        for key in first:
            if key in old:
                raise DescriptionError(first.key_places[key], f"'{key}' is an instruction of '{self.name}' already")
            result.put_from(first, key, first[key])
        for key in old:
            result.put(key, old[key], old.key_places.get(key, old.place), old.where(key))
        self.machine.put("instructions", result, self.machine.key_places["instructions"], old.place)


def _known_of(changes: Map, instructions: Map) -> Map:
    """Return those changes of instructions that there are."""
    result = Map(changes.place)
    for key in changes:
        result.put_from(changes, key, changes[key])
    known = {name for key in instructions for name in key.split()}
    for name in [name for key in changes for name in key.split() if name not in known]:
        for key in keys_with(result, name):
            take_out(result, key, name)
    return result


def states_folder(path: Path, folder: str) -> bool:
    """Whether a description itself says that a folder has its extensions; reads no more of the file than that takes."""
    found = _FOLDER_LINE.search(path.read_text(encoding="utf-8"))
    return found is not None and found[1] == folder


def summary(path: Path) -> str:
    """Return what a description says in a line that its machine is; reads no more of the file than that takes.

    Raises DescriptionError, OSError.
    """
    depth, previous = 0, ""
    with path.open(encoding="utf-8-sig") as stream, contextlib.suppress(yaml.YAMLError, UnicodeDecodeError):
        for event in yaml.parse(stream, Loader=LOADER):
            ends = isinstance(event, yaml.MappingEndEvent | yaml.SequenceEndEvent)
            depth += isinstance(event, yaml.MappingStartEvent | yaml.SequenceStartEvent) - ends
            word = event.value if depth == 1 and isinstance(event, yaml.ScalarEvent) else ""
            if previous == "description":
                return str(word)
            previous = word
    return str(read_file(path).get("description", ""))
