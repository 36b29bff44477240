"""Reads candidates as RISC-V's Scalar Efficiency group lists them: YAML with a mnemonic, a size and a line near C for each.

A line is rewritten as an operation in IDL; numbers have a sign, as in C, and immediates that do not say, as RISC-V has them.
Nobody has chosen opcodes yet, so encodings have fields and as many bits as are left.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

from ease.exchange.idl import operation
from ease.exchange.trees import Instruction, Part, SourceError, Statement, Variable
from ease.exchange.udb import loaded

WORDS = re.compile(r"\$\w+|\b(?P<name>[a-z]\w*)(?P<short>'?)(?!\w|\s*\()")
JUMP = re.compile(r"\bpc\s*\+=\s*\(?\s*(simm\d+)\s*(?:<<\s*(\d+)\s*)?\)?")
NUMBER = re.compile(r"(?<![\w'])\d+(?!\w)")
FIELD = re.compile(r"([su]?imm|shamt|width)(\d+)(?:_\d+)?")
FILE = re.compile(r"r(?:d|s\d)")
BY_NAME = {"ra": 1, "sp": 2, **{f"x{number}": number for number in range(32)}, **{f"a{n}": 10 + n for n in range(8)}}
OPCODE = "opcode"


def read(file: Path, extensions: Collection[str], word: int) -> Iterator[Instruction]:
    """Yield the candidates of a file, or those of some categories, for words of so many bits.

    Raises SourceError, OSError.
    """
    data = loaded(file)
    if not isinstance(data, list) or not all(isinstance(each, dict) and "mnemonic" in each for each in data):
        raise SourceError(f"{file}:1: no list of candidates, each with a mnemonic")
    known = {str(category) for each in data for category in each.get("categories") or ()}
    missing = sorted(set(extensions) - known)
    if missing:
        raise SourceError(f"{file}: no candidate of the category {', '.join(missing)}; it has {', '.join(sorted(known))}")
    lines = file.read_text().split("\n")
    for each in data:
        wanted = not extensions or set(extensions) & {str(category) for category in each.get("categories") or ()}
        if wanted and str(each.get("base", "All")) in ("All", str(word), f"RV{word}"):
            name = str(each["mnemonic"])
            named = re.compile(rf"mnemonic:\s*['\"]?{re.escape(name)}\b")
            number = next((place for place, line in enumerate(lines, 1) if named.search(line)), 1)
            yield candidate(each, f"{file}:{number}")


def candidate(data: dict[str, Any], where: str) -> Instruction:
    """Return one candidate; a line that cannot be read is its problem."""
    name, line = str(data["mnemonic"]), str(data.get("description", ""))
    body: tuple[Statement, ...] = ()
    problem, fields = "", dict[str, Variable]()
    try:
        body = operation(in_idl(line, fields), where, 0)
    except SourceError as error:
        problem = f"`{line}`: {str(error).split(': ', 1)[-1]}"
    size, used = int(data.get("enc_size", 32)), sum(each.bits for each in fields.values())
    if used >= size and not problem:
        problem = f"its fields have {used} bits, and it has {size}"
    free = Part(max(size - used, 1), 0, OPCODE, 0)
    parts = (free, *(Part(each.bits, 0, each.name, 0) for each in fields.values()))
    shown = f"{name.lower()} {','.join(f'${field}' for field in sorted(fields, key=_place))}".strip()
    return Instruction(name, where, parts, tuple(fields.values()), shown, body, problem=problem)


def _place(field: str) -> tuple[bool, bool]:
    return (field != "rd", FILE.fullmatch(field) is None)


def in_idl(line: str, fields: dict[str, Variable]) -> str:
    """Return a line as an operation in IDL; the fields that it names are added.

    Raises SourceError.
    """

    def jump(found: re.Match[str]) -> str:
        name, shift = found[1], int(found[2] or 0)
        fields[name] = Variable(name, int(name[4:]), shift)
        return f"jump($pc + ${name})"

    def named(found: re.Match[str]) -> str:
        name = found["name"]
        if name is None:
            field = found[0][1:]
            return f"$signed({field})" if field in fields else found[0]
        return _named(name, bool(found["short"]), fields)

    result = []
    for statement in JUMP.sub(jump, line).split(";"):
        text = WORDS.sub(named, NUMBER.sub(r"'s\g<0>", statement.strip()))
        text = re.sub(r"^(X\[[^]]*\])\s*([-+*&|^])=", r"\1 = \1 \2 ", text)
        guarded = re.fullmatch(r"if\s*(\(.*\))\s*(jump\(.*\)|X\[[^]]*\]\s*=[^=].*)", text)
        result.append(f"if {guarded[1]} {{ {guarded[2]}; }}" if guarded else f"{text};")
    return "\n".join(result) + "\n"


def _named(name: str, short: bool, fields: dict[str, Variable]) -> str:
    """Return what a name of a line is in IDL."""
    if FILE.fullmatch(name):
        fields.setdefault(name, Variable(name, 3 if short else 5))
        return f"X[{name} + 8]" if short else f"X[{name}]"
    if name in BY_NAME:
        return f"X[{BY_NAME[name]}]" if BY_NAME[name] else "0"
    found = FIELD.fullmatch(name)
    if found is not None:
        fields.setdefault(name, Variable(name, int(found[2])))
        return f"$signed({name})" if found[1] in ("imm", "simm") else name
    return "$pc" if name == "pc" else name
