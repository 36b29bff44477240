"""Reads names, fields and encodings from a folder of riscv-opcodes, which says nothing of what instructions mean."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from pathlib import Path

from ease.exchange.trees import NAMES_ONLY, Instruction, Part, SourceError, Variable

FIELDS = "arg_lut.csv"  # where the fields of all instructions are
BITS = re.compile(r"(\d+)(?:\.\.(\d+))?=(\w+)")
FILE = re.compile(r"rv(32|64|)_(\w+)")


def read(folder: Path, extensions: Collection[str], word: int) -> Iterator[Instruction]:
    """Yield the instructions of some extensions that a machine with words of so many bits has.

    Raises SourceError, OSError.
    """
    known = _fields(folder)
    paths = sorted(path for path in folder.rglob("rv*_*") if path.is_file() and FILE.fullmatch(path.name))
    lines = {path: list(enumerate(path.read_text().splitlines(), 1)) for path in paths}
    found: set[str] = set()
    for path in paths:
        match = FILE.fullmatch(path.name)
        assert match is not None
        names = {match[2], *match[2].split("_")}
        found |= names
        if match[1] in ("", str(word)) and (not extensions or names & {each.lower() for each in extensions}):
            for number, line in lines[path]:
                yield from _line(line, f"{path}:{number}", known, lines)
    missing = sorted({each for each in extensions if each.lower() not in found})
    if missing:
        raise SourceError(f"{folder}: no instruction of {', '.join(missing)}")


def _fields(folder: Path) -> dict[str, tuple[int, int]]:
    """Return the highest and the lowest bit of each field."""
    path = next(iter(sorted(folder.rglob(FIELDS))), None)
    if path is None:
        raise SourceError(f"{folder}: no {FIELDS}, in which riscv-opcodes has its fields")
    found = re.findall(r'^"(\w+)",\s*(\d+),\s*(\d+)', path.read_text(), re.MULTILINE)
    return {name: (int(high), int(low)) for name, high, low in found}


def _line(
    line: str, where: str, known: dict[str, tuple[int, int]], files: dict[Path, list[tuple[int, str]]]
) -> Iterator[Instruction]:
    """Yield the instruction of a line; other files are looked at for one that is imported from them."""
    text = line.partition("#")[0].split()
    if not text or text[0] == "$pseudo_op":  # another instruction with some of its fields fixed
        return
    if text[0] == "$import":
        file, _, name = text[-1].partition("::")
        for path, lines in files.items():
            for number, other in lines if path.name == file else ():
                if other.split()[:1] == [name]:
                    yield from _line(other, f"{path}:{number}", known, files)
        return
    yield _instruction(text[0], text[1:], where, known)


def _instruction(name: str, words: list[str], where: str, known: dict[str, tuple[int, int]]) -> Instruction:
    """Return an instruction; a field that is not known is its problem."""
    fixed: dict[int, int] = {}
    problem = NAMES_ONLY
    variables: list[tuple[str, int, int]] = []
    for text in words:
        match = BITS.fullmatch(text)
        if match is None and text in known:
            variables.append((text, *known[text]))
        elif match is not None and (value := _number(match[3])) is not None:
            low = int(match[2] or match[1])
            fixed |= {place: value >> place - low & 1 for place in range(low, int(match[1]) + 1)}
        elif match is None or match[3] != "ignore":
            problem = f"'{text}' is no field of {FIELDS}, and no bits such as 14..12=2"
    length = 32 if fixed.get(0) == fixed.get(1) == 1 else 16
    parts: list[Part] = []
    owners = {place: (field, place - low) for field, high, low in variables for place in range(low, high + 1)}
    for place in range(length - 1, -1, -1):
        field, at = owners.get(place, ("", 0)) if place not in fixed else ("", 0)
        if not field and place not in fixed:
            field = "unused"
        last = parts[-1] if parts else None
        if last is not None and last.variable == field:
            value = last.value << 1 | fixed[place] if not field else 0
            parts[-1] = Part(last.bits + 1, value, field, at)
        else:
            parts.append(Part(1, fixed[place] if not field else 0, field, at))
    fields = tuple(Variable(field, high - low + 1) for field, high, low in variables)
    shown = f"{name} {','.join(f'${field}' for field, _, _ in variables)}".strip()
    return Instruction(name, where, tuple(parts), fields, shown, problem=problem)


def _number(text: str) -> int | None:
    try:
        return int(text, 0)
    except ValueError:
        return None
