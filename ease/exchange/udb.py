"""Reads instructions from a folder of the RISC-V Unified Database: one YAML file each, with encoding and operation."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

import yaml

from ease.exchange.idl import operation
from ease.exchange.trees import Instruction, Part, SourceError, Statement, Variable

COMMON = Path("std") / "isa"  # where what instructions inherit is, beside `custom`


def read(folder: Path, extensions: Collection[str], word: int) -> Iterator[Instruction]:
    """Yield the instructions of some extensions that a machine with words of so many bits has.

    Raises SourceError, OSError.
    """
    files = sorted(path for path in folder.rglob("*.yaml") if "inst" in path.parts[-4:-1])
    if not files:
        raise SourceError(f"{folder}: no folder 'inst' with instructions of the Unified Database")
    found: set[str] = set()
    for path in files:
        data = loaded(path)
        if not isinstance(data, dict) or data.get("kind") != "instruction":
            continue
        definition = data.get("definedBy")
        found |= {path.parent.name, *names_in(definition)}
        wanted = not extensions or path.parent.name in extensions or has_all(definition, set(extensions))
        if wanted and has_word(data, word):
            yield instruction(data, path, word)
    missing = sorted(set(extensions) - found)
    if missing:
        raise SourceError(f"{folder}: no instruction of {', '.join(missing)}")


class _Loader(yaml.SafeLoader):
    """Reads words that have no fields as text: all their digits are 0 and 1, and YAML would read octal numbers."""


WORD = re.compile(r"[01]{16}|[01]{32}|[01]{48}")


def _integer(loader: _Loader, node: yaml.ScalarNode) -> int | str:
    return node.value if WORD.fullmatch(node.value) else loader.construct_yaml_int(node)


_Loader.add_constructor("tag:yaml.org,2002:int", _integer)


def loaded(path: Path) -> Any:
    """Return what a file of YAML says.  Raises SourceError."""
    try:
        return yaml.load(path.read_text(), Loader=_Loader)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise SourceError(f"{path}:{line}: {error.problem or 'no YAML'}") from None
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise SourceError(f"{path}:1: {error}") from None


def names_in(definition: Any) -> set[str]:
    """Return the names of the extensions that bring an instruction along."""
    if isinstance(definition, str):
        return {definition}
    if isinstance(definition, list):
        return set().union(*map(names_in, definition))
    if not isinstance(definition, dict):
        return set()
    result = {definition["name"]} if isinstance(definition.get("name"), str) else set()
    return result.union(*(names_in(value) for key, value in definition.items() if isinstance(value, dict | list)))


def has_all(definition: Any, extensions: set[str]) -> bool:
    """Whether some extensions together bring an instruction along."""
    match definition:
        case str():
            return definition in extensions
        case {"anyOf": list(options)} | {"oneOf": list(options)}:
            return any(has_all(each, extensions) for each in options)
        case {"allOf": list(parts)}:
            return all(has_all(each, extensions) for each in parts if not (isinstance(each, dict) and "xlen" in each))
        case {"extension": inner}:
            return has_all(inner, extensions)
        case {"name": str(name)}:
            return name in extensions
    return False


def has_word(data: dict[str, Any], word: int) -> bool:
    """Whether machines with words of so many bits have an instruction."""
    only = base_of(data.get("definedBy")) or data.get("base")
    encoding = data.get("encoding") or data.get("format") or {}
    return only in (None, word) and not ("RV32" in encoding and f"RV{word}" not in encoding)


def base_of(definition: Any) -> Any:
    """Return the only width of words that a definition allows."""
    if isinstance(definition, dict):
        if "xlen" in definition:
            return definition["xlen"]
        if "anyOf" not in definition:
            return next((base for value in definition.values() if (base := base_of(value)) is not None), None)
    if isinstance(definition, list):
        return next((base for value in definition if (base := base_of(value)) is not None), None)
    return None


# ----------------------------------------------------------------------------------------------------------------------


def instruction(data: dict[str, Any], path: Path, word: int) -> Instruction:
    """Return one instruction.  Raises SourceError."""
    name = str(data.get("name", path.stem))
    line = line_of(path, "operation(): |")
    encoding = data.get("encoding") or data.get("format")
    if not isinstance(encoding, dict):
        raise SourceError(f"{path}:1: no encoding")
    encoding = encoding.get(f"RV{word}", encoding)
    try:
        match, variables = matched(encoding, path)
        whole = all({"name", "location"} <= each.keys() for each in variables)
    except (AttributeError, KeyError, TypeError, ValueError):
        match, variables, whole = str(encoding)[:40], [], False
    if not re.fullmatch(r"[01-]+", match) or not whole:
        raise SourceError(
            f"{path}:1: '{match}' is no encoding; expected: match: of 0, 1 and -, and variables with name and location"
        )
    body: tuple[Statement, ...] = ()
    problem = ""
    if isinstance(data.get("operation()"), str) and data["operation()"].strip():
        try:
            body = operation(data["operation()"], str(path), line)
        except SourceError as error:
            problem = str(error)
    else:
        problem = "it has no operation()"
    parts = parts_of(match, variables, path)
    fields = tuple(variable_of(each, bits_of(each["location"], path)) for each in variables)
    shown = assembly(name, str(data.get("assembly", "")), [field.name for field in fields])
    place = f"{path}:{line or 1}"
    return Instruction(name, place, parts, fields, shown, body, problem=problem)


def line_of(path: Path, key: str) -> int:
    """Return the line of a key, behind which the text of its value begins."""
    lines = path.read_text().split("\n")
    return next((number for number, line in enumerate(lines, 1) if line.startswith(key)), 0)


def matched(encoding: dict[str, Any], path: Path) -> tuple[str, list[dict[str, Any]]]:
    """Return the bits of the opcode, and the fields, of an encoding in either notation."""
    if "match" in encoding:
        return str(encoding["match"]), list(encoding.get("variables") or [])
    encoding = inherited(encoding, path)
    kind = inherited(encoding, path).get("type", {})
    length = int(reference(kind["$ref"], path).get("length", 32)) if isinstance(kind, dict) and "$ref" in kind else 32
    bits = ["-"] * length
    for name, opcode in encoding.get("opcodes", {}).items():
        if not isinstance(opcode, dict) or "value" not in opcode or "location" not in opcode:
            raise SourceError(f"{path}:1: opcode '{name}' without value or location")
        places = bits_of(opcode["location"], path)
        for place, bit in zip(places, f"{opcode['value']:0{len(places)}b}", strict=True):
            bits[length - 1 - place] = bit
    variables = [{"name": name, **value} for name, value in encoding.get("variables", {}).items()]
    return "".join(bits), variables


def inherited(data: Any, path: Path) -> Any:
    """Return data with what it inherits from other files."""
    if not isinstance(data, dict):
        return data
    result: dict[str, Any] = {}
    sources = data.get("$inherits", [])
    for source in [sources] if isinstance(sources, str) else sources:
        merge(result, inherited(reference(source, path), path))
    merge(result, {key: inherited(value, path) for key, value in data.items() if key != "$inherits"})
    return result


def merge(into: dict[str, Any], other: dict[str, Any]) -> None:
    """Lay one mapping over another."""
    for key, value in other.items():
        if isinstance(value, dict) and isinstance(into.get(key), dict):
            merge(into[key], value)
        else:
            into[key] = value


def reference(text: str, path: Path) -> Any:
    """Return what a reference, FILE#/KEY/KEY, means.  Raises SourceError."""
    file, _, keys = text.partition("#")
    for folder in path.parents:
        for candidate in (folder / file, folder / COMMON / file):
            if candidate.is_file():
                found = loaded(candidate)
                for key in filter(None, keys.split("/")):
                    if not isinstance(found, dict) or key not in found:
                        raise SourceError(f"{path}:1: '{text}' means nothing")
                    found = found[key]
                return found
    raise SourceError(f"{path}:1: there is no '{file}', which it inherits from")


def bits_of(location: Any, path: Path) -> list[int]:
    """Return the places of the bits of a field, the highest first."""
    result: list[int] = []
    for part in str(location).split("|"):
        ends = re.fullmatch(r"\s*(\d+)(?:-(\d+))?\s*", part)
        if ends is None:
            raise SourceError(f"{path}:1: '{location}' is no location; expected: as 31-25|11-7")
        high, low = int(ends[1]), int(ends[2] or ends[1])
        result += range(high, low - 1, -1)
    return result


def variable_of(data: dict[str, Any], places: list[int]) -> Variable:
    """Return a field."""
    without = data.get("not", ())
    numbers = tuple(without) if isinstance(without, list) else (without,) if without != () else ()
    shift = int(data.get("left_shift", 0))
    return Variable(data["name"], len(places), shift, False, tuple(int(number) for number in numbers))


def parts_of(match: str, variables: list[dict[str, Any]], path: Path) -> tuple[Part, ...]:
    """Return an encoding part by part, the highest bits first."""
    length = len(match)
    owners: list[tuple[str, int]] = [("", 0)] * length
    for variable in variables:
        places = bits_of(variable["location"], path)
        for number, place in enumerate(places):
            if place >= length:
                raise SourceError(f"{path}:1: bit {place} of {variable['name']} is not in a word of {length} bits")
            owners[length - 1 - place] = (variable["name"], len(places) - 1 - number)
    result: list[Part] = []
    for bit, (name, place) in zip(match, owners, strict=True):
        last = result[-1] if result else None
        if not name and bit not in "01":
            name, place = "unused", 0
        if last is not None and name == last.variable and (not name or name == "unused" or place == last.low - 1):
            value = last.value << 1 | (bit == "1") if not name else 0
            result[-1] = Part(last.bits + 1, value, name, place)
        else:
            result.append(Part(1, int(bit == "1") if not name else 0, name, place))
    return tuple(result)


def assembly(name: str, operands: str, fields: list[str]) -> str:
    """Return how an instruction prints: the names of its fields get a $."""

    def named(found: re.Match[str]) -> str:
        word = found[0]
        for candidate in (word, "r" + word[1:], "x" + word[1:]):
            if candidate in fields:
                return "$" + candidate
        return word

    return f"{name} {re.sub(r'[A-Za-z_][A-Za-z0-9_]*', named, operands).replace(', ', ',')}".strip()
