"""Reads instructions from a file in CoreDSL 2; what they do by the grammar coredsl.lark, the rest by its braces."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from lark import Lark, v_args
from lark.exceptions import UnexpectedInput

from ease.exchange.idl import Reading, said
from ease.exchange.trees import (
    Assignment,
    Binary,
    Cast,
    Concatenation,
    Declaration,
    Expression,
    For,
    If,
    Instruction,
    Number,
    Part,
    SourceError,
    Statement,
    Variable,
)

COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
SET = re.compile(r"\b(InstructionSet|Core)\s+(\w+)[^{]*\{")
ENTRY = re.compile(r"(\w+)\s*((?:\[\[.*?\]\]\s*)*)\{", re.DOTALL)
KEY = re.compile(r"\b(encoding|assembly|behavior)\s*:")
PIECE = re.compile(r"(\d+)'([bdh])([0-9a-fA-F_]+)|(\w+)\s*(?:\[\s*(\d+)\s*(?::\s*(\d+)\s*)?\])?")
BASES = {"b": 2, "d": 10, "h": 16}
SIZES = {"int": 32, "long": 64, "short": 16, "char": 8}


def read(path: Path, extensions: Collection[str], word: int) -> Iterator[Instruction]:
    """Yield the instructions of a file, of some of its sets only if these are named.

    Raises SourceError, OSError.
    """
    text = plain(path.read_text())
    stated = constants(path, set()).items()
    parameters = {**{name: number if number >= 0 else 2 * word for name, number in stated}, "XLEN": word}
    sets = list(SET.finditer(text))
    missing = sorted(set(extensions) - {each[2] for each in sets})
    if missing or not sets:
        raise SourceError(f"{path}:1: no instruction set {', '.join(missing)}".rstrip())
    for each in sets:
        if extensions and each[2] not in extensions:
            continue
        end = closing(text, each.end() - 1, path)
        for block in re.finditer(r"\binstructions\s*(?:\[\[.*?\]\]\s*)*\{", text[:end]):
            if block.start() >= each.end():
                yield from entries(text, block.end(), closing(text, block.end() - 1, path), path, parameters)


def plain(text: str) -> str:
    """Return a text without comments, on the same lines."""
    return COMMENT.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)


def constants(path: Path, seen: set[Path]) -> dict[str, int]:
    """Return the parameters of a file and of what it imports that have numbers."""
    if path in seen or not path.is_file():
        return {}
    seen.add(path)
    text = plain(path.read_text())
    result: dict[str, int] = {}
    for name in re.findall(r'\bimport\s+"([^"]+)"', text):
        result |= constants(path.parent / name, seen)
    doubled = re.findall(r"\b([A-Z]\w*)\s*=\s*(?:2\s*\*\s*XLEN|XLEN\s*\*\s*2)\s*;", text)
    result |= dict.fromkeys(doubled, -1)  # twice the width of a register
    return result | {name: int(number, 0) for name, number in re.findall(r"\b([A-Z]\w*)\s*=\s*(0x[0-9a-fA-F]+|\d+)\s*;", text)}


def closing(text: str, place: int, path: Path) -> int:
    """Return where the brace that opens at a place closes.  Raises SourceError."""
    depth = 0
    for at in range(place, len(text)):
        depth += (text[at] == "{") - (text[at] == "}")
        if not depth:
            return at
    raise SourceError(f"{path}:{line_at(text, place)}: this brace is never closed; expected: '}}'")


def line_at(text: str, place: int) -> int:
    """Return the line of a place."""
    return text.count("\n", 0, place) + 1


def entries(text: str, start: int, end: int, path: Path, parameters: dict[str, int]) -> Iterator[Instruction]:
    """Yield the instructions between two places."""
    while (found := ENTRY.search(text, start, end)) is not None:
        start = closing(text, found.end() - 1, path) + 1
        if enabled(found[2], parameters["XLEN"]):
            yield instruction(found[1], text, found.end(), start - 1, path, parameters)


def enabled(attributes: str, word: int) -> bool:
    """Whether an instruction is there on machines with words of so many bits."""
    wanted = re.search(r"enable\s*=\s*XLEN\s*(==|!=|>=|<=|>|<)\s*(\d+)", attributes)
    if wanted is None:
        return True
    number = int(wanted[2])
    return {"==": word == number, "!=": word != number, ">=": word >= number, "<=": word <= number, ">": word > number,
            "<": word < number}[wanted[1]]  # fmt: skip


def instruction(name: str, text: str, start: int, end: int, path: Path, parameters: dict[str, int]) -> Instruction:
    """Return one instruction.  Raises SourceError."""
    where = f"{path}:{line_at(text, start)}"
    keys = list(KEY.finditer(text, start, end))
    sections: dict[str, tuple[int, str]] = {}
    for key, following in zip(keys, [*keys[1:], None], strict=True):
        sections[key[1]] = key.end(), text[key.end() : end if following is None else following.start()]
    for wanted in ("encoding", "behavior"):
        if wanted not in sections:
            raise SourceError(f"{where}: {name} has no {wanted}; expected: '{wanted}:'")
    parts, variables = encoded(sections["encoding"][1].strip().rstrip(";"), where)
    place, code = sections["behavior"]
    body: tuple[Statement, ...] = ()
    problem = ""
    try:
        body = behavior(code, path, line_at(text, place) - 1, {each.name for each in variables})
    except SourceError as error:
        problem = str(error)
    mnemonic = name.lower().replace("__", ".")
    shown = assembly(mnemonic, sections.get("assembly", (0, ""))[1])
    return Instruction(mnemonic, where, parts, variables, shown, body, True, problem, parameters)


def encoded(text: str, where: str) -> tuple[tuple[Part, ...], tuple[Variable, ...]]:
    """Return an encoding part by part, and its fields."""
    parts: list[Part] = []
    ends: dict[str, list[int]] = {}
    for piece in text.split("::"):
        found = PIECE.fullmatch(piece.strip())
        if found is None or (found[4] and found[5] is None):
            raise SourceError(f"{where}: '{piece.strip()}' is no part of an encoding; expected: as 7'b0001011 or rd[4:0]")
        if found[1]:
            parts.append(Part(int(found[1]), int(found[3].replace("_", ""), BASES[found[2]])))
            continue
        name, high, low = renamed(found[4]), int(found[5]), int(found[6] or found[5])
        ends.setdefault(name, []).extend((high, low))
        parts.append(Part(high - low + 1, 0, name, low))
    variables = tuple(Variable(name, max(places) - min(places) + 1, min(places)) for name, places in ends.items())
    parts = [replace(part, low=part.low - min(ends[part.variable])) if part.variable else part for part in parts]
    return tuple(parts), variables


def renamed(name: str) -> str:
    """Return a name that no operator of RTLs runs into: a relation without sign ends in u."""
    return f"n_{name}" if name.startswith("u") else name


def assembly(mnemonic: str, text: str) -> str:
    """Return how an instruction prints."""
    strings = re.findall(r'"([^"]*)"', text)
    if len(strings) > 1:
        mnemonic = strings[0]

    def operand(found: re.Match[str]) -> str:
        name = re.findall(r"[A-Za-z_]\w*", found[1].split(":")[0])
        return f"${renamed(name[-1])}" if name else found[0]

    return f"{mnemonic} {re.sub(r'{([^}]*)}', operand, strings[-1] if strings else '').replace(', ', ',')}".strip()


def behavior(text: str, path: Path, line: int, fields: set[str]) -> tuple[Statement, ...]:
    """Return the statements of a behavior.  Raises SourceError."""
    for name in fields:
        if name.startswith("n_u"):
            text = re.sub(rf"\b{name[2:]}\b", name, text)
    try:
        tree = _grammar().parse(text)
    except UnexpectedInput as error:
        raise SourceError(f"{path}:{line + max(error.line, 1)}: {said(error, text)}") from None
    return tuple(flat(_Reading(line).transform(tree)))


def flat(statements: Any) -> Iterator[Statement]:
    """Yield statements without the braces around some of them."""
    for statement in statements:
        if isinstance(statement, tuple):
            yield from flat(statement)
        else:
            yield statement


@cache
def _grammar() -> Lark:
    grammar = (Path(__file__).parent / "coredsl.lark").read_text()
    return Lark(grammar, parser="lalr", propagate_positions=True, maybe_placeholders=False)


class _Reading(Reading):
    """From what the grammar found to trees."""

    @v_args(meta=True)
    def if_(self, meta: Any, c: list[Any]) -> If:
        return If(self.at(meta), c[0], tuple(flat([c[1]])))

    @v_args(meta=True)
    def if_else(self, meta: Any, c: list[Any]) -> If:
        return If(self.at(meta), c[0], tuple(flat([c[1]])), tuple(flat([c[2]])))

    @v_args(meta=True)
    def for_(self, meta: Any, c: list[Any]) -> For:
        return For(self.at(meta), c[0], c[1], c[2], tuple(flat([c[3]])))

    @v_args(meta=True)
    def declared(self, meta: Any, c: list[Any]) -> Declaration:
        signed, width = c[0]
        return Declaration(self.at(meta), str(c[1]), width, signed, c[2])

    @v_args(meta=True)
    def undeclared(self, meta: Any, c: list[Any]) -> Declaration:
        signed, width = c[0]
        return Declaration(self.at(meta), str(c[1]), width, signed, None)

    @v_args(meta=True)
    def change(self, meta: Any, c: list[Any]) -> Assignment:
        return Assignment(self.at(meta), c[0], Binary(str(c[1])[:-1], c[0], c[2]))

    @v_args(meta=True)
    def step(self, meta: Any, c: list[Any]) -> Assignment:
        return Assignment(self.at(meta), c[0], Binary(str(c[1])[0], c[0], Number(1)))

    @v_args(meta=True)
    def step_before(self, meta: Any, c: list[Any]) -> Assignment:
        return Assignment(self.at(meta), c[1], Binary(str(c[0])[0], c[1], Number(1)))

    def wide(self, c: list[Any]) -> tuple[bool, Expression]:
        return str(c[0]) == "signed", c[2]

    def plain(self, c: list[Any]) -> tuple[bool, Expression | None]:
        words = [str(each) for each in c]
        sized = [SIZES[word] for word in words if word in SIZES]
        return words[0] != "unsigned", Number(sized[0]) if sized else None

    def truth(self, _: list[Any]) -> tuple[bool, None]:
        return False, None

    def cast(self, c: list[Any]) -> Cast:
        signed, width = c[0]
        return Cast(signed, width, c[1])

    def joined(self, c: list[Any]) -> Concatenation:
        return Concatenation((c[0], c[1]))
