"""Reads operations in IDL, the language of the RISC-V Unified Database, by the grammar idl.lark."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

from lark import Lark, Token, Transformer, v_args
from lark.exceptions import UnexpectedInput

from ease.exchange.trees import (
    Assignment,
    Binary,
    CallOf,
    Cast,
    Choice,
    Concatenation,
    Declaration,
    Do,
    Expression,
    For,
    If,
    Index,
    Name,
    Number,
    Repetition,
    Slice,
    SourceError,
    Statement,
    Unary,
)

BASES = {"": 10, "d": 10, "b": 2, "o": 8, "h": 16}
WORD = Name("MXLEN")
WIDTHS: dict[str, Expression | None] = {"XReg": WORD, "U32": Number(32), "U64": Number(64), "Boolean": None}


def operation(text: str, where: str, line: int) -> tuple[Statement, ...]:
    """Return the statements of an operation that begins behind a line of a file.

    Raises SourceError.
    """
    return tuple(_parse(text, "start", where, line))


def expression(text: str) -> Expression:
    """Return an expression.  Raises SourceError."""
    found: Expression = _parse(text, "expr", text, 0)
    return found


def _parse(text: str, start: str, where: str, line: int) -> Any:
    try:
        tree = _grammar().parse(text, start)
    except UnexpectedInput as error:
        raise SourceError(f"{where}:{line + max(error.line, 1)}: {said(error, text)}") from None
    return _Reading(line).transform(tree)


def said(error: UnexpectedInput, text: str) -> str:
    """Say what stands where something else was expected."""
    words = {"SEMICOLON": "';'", "RPAR": "')'", "RBRACE": "'}'", "RSQB": "']'", "NAME": "a name", "NUMBER": "a number"}
    tokens = getattr(error, "expected", None) or getattr(error, "allowed", None) or ()
    expected = sorted({words[each] for each in tokens if each in words})
    rest = text[error.pos_in_stream :].split("\n")[0].strip()[:30] if error.pos_in_stream is not None else ""
    what = f"'{rest}' cannot stand here" if rest else "the text ends too early"
    return what + (f"; expected: {', '.join(expected)}" if expected else "")


@cache
def _grammar() -> Lark:
    grammar = (Path(__file__).parent / "idl.lark").read_text()
    return Lark(grammar, parser="lalr", start=["start", "expr"], propagate_positions=True, maybe_placeholders=False)


def _operator(op: str) -> Any:
    return lambda _, c: Binary(op, c[0], c[1])


@v_args(inline=False)
class _Reading(Transformer[Any, Any]):
    """From what the grammar found to trees."""

    def __init__(self, line: int) -> None:
        super().__init__()
        self.line = line

    start = block = arguments = lambda _, c: tuple(c)
    logical_or, logical_and = _operator("||"), _operator("&&")
    bit_or, bit_xor, bit_and = _operator("|"), _operator("^"), _operator("&")

    def at(self, meta: Any) -> int:
        """Return a line of the file."""
        return self.line + int(getattr(meta, "line", 0))

    # ----------------------------------------------------------------------------------------------- statements

    @v_args(meta=True)
    def if_(self, meta: Any, c: list[Any]) -> If:
        return If(self.at(meta), c[0], c[1], c[2] if len(c) > 2 else ())

    def else_part(self, c: list[Any]) -> Any:
        return c[0]

    @v_args(meta=True)
    def else_if(self, meta: Any, c: list[Any]) -> Any:
        return (If(self.at(meta), c[0], c[1], c[2] if len(c) > 2 else ()),)

    @v_args(meta=True)
    def for_(self, meta: Any, c: list[Any]) -> For:
        return For(self.at(meta), c[0], c[1], c[2], c[3])

    @v_args(meta=True)
    def guarded(self, meta: Any, c: list[Any]) -> If:
        return If(self.at(meta), c[1], (c[0],))

    @v_args(meta=True)
    def do(self, meta: Any, c: list[Any]) -> Do:
        return Do(self.at(meta), c[0])

    @v_args(meta=True)
    def assign(self, meta: Any, c: list[Any]) -> Assignment:
        return Assignment(self.at(meta), c[0], c[1])

    @v_args(meta=True)
    def increment(self, meta: Any, c: list[Any]) -> Assignment:
        return Assignment(self.at(meta), c[0], Binary("+", c[0], Number(1)))

    @v_args(meta=True)
    def decrement(self, meta: Any, c: list[Any]) -> Assignment:
        return Assignment(self.at(meta), c[0], Binary("-", c[0], Number(1)))

    @v_args(meta=True)
    def declared(self, meta: Any, c: list[Any]) -> Declaration:
        return Declaration(self.at(meta), str(c[1]), c[0], False, c[2])

    @v_args(meta=True)
    def undeclared(self, meta: Any, c: list[Any]) -> Declaration:
        return Declaration(self.at(meta), str(c[1]), c[0], False, None)

    def type(self, c: list[Token]) -> Expression | None:
        word = str(c[0])
        if word.startswith("Bits<"):
            return expression(word[5:-1])
        return WIDTHS.get(word, Name(word))

    # ---------------------------------------------------------------------------------------------- expressions

    def name(self, c: list[Any]) -> Name:
        return Name(str(c[0]))

    def pc(self, _: list[Any]) -> Name:
        return Name("$pc")

    def encoding(self, _: list[Any]) -> Name:
        return Name("$encoding")

    def string(self, c: list[Any]) -> CallOf:
        return CallOf(str(c[0]), (), ())

    def true(self, _: list[Any]) -> Number:
        return Number(1, 1)

    def false(self, _: list[Any]) -> Number:
        return Number(0, 1)

    def number(self, c: list[Any]) -> Number:
        return Number(int(c[0].replace("_", ""), 0 if c[0][:2] in ("0x", "0b") else 10))

    def sized(self, c: list[Any]) -> Number:
        width, signed, base, digits = re.fullmatch(r"(MXLEN|\d+)?'(s?)([bodh]?)([0-9a-fA-F_x]+)", c[0]).groups()  # type: ignore[union-attr]
        value = int(digits.replace("_", ""), BASES[base])
        return Number(value, int(width) if width and width != "MXLEN" else None, bool(signed), width in (None, "MXLEN"))

    def choice(self, c: list[Any]) -> Choice:
        return Choice(*c)

    def binary(self, c: list[Any]) -> Binary:
        return Binary(str(c[1]), c[0], c[2])

    def negative(self, c: list[Any]) -> Unary:
        return Unary("-", c[0])

    def complement(self, c: list[Any]) -> Unary:
        return Unary("~", c[0])

    def negation(self, c: list[Any]) -> Unary:
        return Unary("!", c[0])

    def index(self, c: list[Any]) -> Index:
        return Index(c[0], c[1])

    def slice(self, c: list[Any]) -> Slice:
        return Slice(c[0], c[1], c[2])

    def member(self, c: list[Any]) -> CallOf:
        return CallOf(f".{c[1]}", (), (c[0],))

    def method(self, c: list[Any]) -> CallOf:
        return CallOf(f".{c[1]}()", (), (c[0],))

    def member_of(self, c: list[Any]) -> CallOf:
        return CallOf(f"{c[0]}::{c[1]}", (), ())

    def signed(self, c: list[Any]) -> Cast:
        return Cast(True, None, c[0])

    def bits(self, c: list[Any]) -> Cast:
        return Cast(False, None, c[0])

    def concatenation(self, c: list[Any]) -> Concatenation:
        return Concatenation(tuple(c))

    def repetition(self, c: list[Any]) -> Repetition:
        return Repetition(c[0], c[1])

    def call(self, c: list[Any]) -> CallOf:
        return CallOf(str(c[0]), (), c[1] if len(c) > 1 else ())

    def templated(self, c: list[Any]) -> CallOf:
        name, inner = str(c[0])[:-1].split("<", 1)
        return CallOf(name, tuple(map(expression, inner.split(","))), c[1] if len(c) > 1 else ())


Reading = _Reading  # for other languages with much the same operators
