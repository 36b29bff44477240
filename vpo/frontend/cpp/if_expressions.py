"""The value of the expression of `#if` (6.10.1), with two stacks, so that any depth of parentheses is taken."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from vpo.frontend.cpp.tokens import CHARACTER, IDENTIFIER, NUMBER, Malformed, Token
from vpo.frontend.lower.constants import BadLiteral, character
from vpo.frontend.types.type_table import TypeTable

_INTEGER = re.compile(r"(?:0[xX]([0-9a-fA-F]+)|0[bB]([01]+)|(0[0-7]*)|([1-9]\d*))((?i:u(?:ll?)?|ll?u?)?)")
_BASES = (16, 2, 8, 10)


@dataclass(frozen=True, slots=True)
class Value:
    """A number of type intmax_t or uintmax_t; None stands for what a division by zero gives."""

    number: int | None
    unsigned: bool = False

    @staticmethod
    def of(number: int, unsigned: bool) -> Value:
        """Wrap a number to the type's 64 bits."""
        number &= (1 << 64) - 1
        return Value(number if unsigned or number < 1 << 63 else number - (1 << 64), unsigned)


def _divide(a: int, b: int) -> int:
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


_ARITHMETIC: dict[str, Callable[[int, int], int]] = {
    "*": operator.mul,
    "/": _divide,
    "%": lambda a, b: a - b * _divide(a, b),
    "+": operator.add,
    "-": operator.sub,
    "&": operator.and_,
    "^": operator.xor,
    "|": operator.or_,
}
_COMPARISONS: dict[str, Callable[[int, int], bool]] = {
    "<": operator.lt,
    ">": operator.gt,
    "<=": operator.le,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}
_UNARY: dict[str, Callable[[int], int]] = {"+": operator.pos, "-": operator.neg, "~": operator.invert}
_LEVELS = (",", "?:", "||", "&&", "|", "^", "&", "== !=", "< > <= >=", "<< >>", "+ -", "* / %")
_LEVEL = {name: level for level, names in enumerate(_LEVELS, 1) for name in names.split()} | {"?": 2, ":": 2}
_PREFIX_LEVEL = len(_LEVELS) + 1


def _binary(name: str, a: Value, b: Value) -> Value:
    """Return the value of a binary operation."""
    if name == ",":
        return Value(None) if a.number is None else b
    if name in ("&&", "||"):
        return _logical(a, b, name == "||")
    x, y = a.number, b.number
    if x is None or y is None or (y == 0 and name in "/%"):
        return Value(None, a.unsigned or b.unsigned)
    if name in ("<<", ">>"):
        count = y if name == "<<" else -y
        shifted = (x << min(count, 64)) if count >= 0 else x >> min(-count, 64)
        return Value.of(shifted, a.unsigned)
    unsigned = a.unsigned or b.unsigned
    x, y = _converted(x, unsigned), _converted(y, unsigned)
    if name in _COMPARISONS:
        return Value(int(_COMPARISONS[name](x, y)))
    return Value.of(_ARITHMETIC[name](x, y), unsigned)


def _converted(number: int, unsigned: bool) -> int:
    return number & ((1 << 64) - 1) if unsigned else number


def _logical(a: Value, b: Value, decisive: bool) -> Value:
    """Return the value of `||` or `&&`; a first operand with the decisive truth leaves the second unevaluated."""
    if a.number is None or bool(a.number) == decisive:
        return Value(None if a.number is None else int(decisive))
    return Value(None if b.number is None else int(bool(b.number)))


class _Evaluator:
    """Operators wait on a stack until one that binds less tightly comes.

    Names and commas in operands that are not evaluated (behind `0 &&`) are not told, as in gcc.
    """

    def __init__(self, types: TypeTable, told: Callable[[Token], None]) -> None:
        self._types, self._told = types, told
        self._values: list[Value] = []
        self._operators: list[tuple[str, int, bool]] = []  # with its level (0 for what only its partner ends);
        self._skipping = 0  # how many of them have an operand in work that is not evaluated, which is the third

    def evaluate(self, tokens: Sequence[Token]) -> Value | None:
        """Return the value of an expression, or None if it is none."""
        expects_operand = True
        for token in tokens:
            text = token.text
            if expects_operand:
                if text in ("+", "-", "~", "!"):
                    self._push("u" + text, _PREFIX_LEVEL)
                elif text == "(":
                    self._push("(", 0)
                else:
                    self._values.append(self._operand(token))
                    expects_operand = False
            elif text == ")":
                if not self._end("("):
                    return None
            elif text in _LEVEL:
                if text == "," and not self._skipping:
                    self._told(token)
                if not self._operator(text):
                    return None
                expects_operand = True
            else:
                return None
        self._reduce(1)
        return None if expects_operand or self._operators else self._values.pop()

    def _operator(self, text: str) -> bool:
        """Put a binary operator on the stack; return False if a `:` has no `?`."""
        if text == ":":
            if not self._end("?"):
                return False
            self._push(":", _LEVEL[":"], skips=bool(self._values[-2].number))
        elif text == "?":
            self._reduce(_LEVEL["?"] + 1)
            self._push("?", 0, skips=self._values[-1].number == 0)
        else:
            self._reduce(_LEVEL[text])
            left = self._values[-1].number
            self._push(text, _LEVEL[text], skips=(text == "&&" and left == 0) or (text == "||" and bool(left)))
        return True

    def _push(self, name: str, level: int, skips: bool = False) -> None:
        self._operators.append((name, level, skips))
        self._skipping += skips

    def _pop(self) -> str:
        name, _, skips = self._operators.pop()
        self._skipping -= skips
        return name

    def _end(self, partner: str) -> bool:
        """Take the partner of a `)` or `:` off the stack; return False if it is not there."""
        self._reduce(1)
        return bool(self._operators) and self._pop() == partner

    def _reduce(self, level: int) -> None:
        """Do the operations on the stack that bind at least as tightly as a level."""
        while self._operators and self._operators[-1][1] >= level:
            name = self._pop()
            last = self._values.pop()
            if name[0] == "u":
                self._values.append(_prefixed(name[1:], last))
            elif name == ":":
                self._choose(last)
            else:
                self._values.append(_binary(name, self._values.pop(), last))

    def _choose(self, otherwise: Value) -> None:
        """Do a conditional operation."""
        then, condition = self._values.pop(), self._values.pop()
        unsigned = then.unsigned or otherwise.unsigned
        number = then.number if condition.number else otherwise.number
        if condition.number is None or number is None:
            self._values.append(Value(None, unsigned))
        else:
            self._values.append(Value.of(number, unsigned))

    def _operand(self, token: Token) -> Value:
        """Return the value of a number, a character or a name, which is 0."""
        if token.kind == IDENTIFIER:
            if not self._skipping:
                self._told(token)
            return Value(0)
        if token.kind == NUMBER and (match := _INTEGER.fullmatch(token.text.replace("'", ""))) is not None:
            digits, base = next((d, b) for d, b in zip(match.groups(), _BASES, strict=False) if d is not None)
            number = int(digits, base)
            if number < 1 << 64:
                return Value.of(number, "u" in match[5].lower() or number >= 1 << 63)
        if token.kind == CHARACTER:
            try:
                return Value(character(token.text, self._types)[1])
            except (BadLiteral, IndexError):
                pass
        raise Malformed(token, "invalid expression in #if")


def _prefixed(name: str, value: Value) -> Value:
    """Return the value of a unary operation."""
    if value.number is None:
        return value
    if name == "!":
        return Value(int(not value.number))
    return Value.of(_UNARY[name](value.number), value.unsigned)


def number_of(tokens: Sequence[Token], types: TypeTable) -> int:
    """Evaluate an expression without macros, for its number; raise `Malformed` if it has none."""
    value = _Evaluator(types, lambda name: None).evaluate(tokens) if tokens else None
    if value is None or value.number is None:
        raise Malformed(tokens[0], "invalid expression") if tokens else ValueError
    return value.number


def is_true(tokens: Sequence[Token], types: TypeTable, told: Callable[[Token], None] = lambda name: None) -> bool:
    """Evaluate an expression without macros, and tell names that are 0, and commas; raise `Malformed` if it has no value."""
    value = _Evaluator(types, told).evaluate(tokens)
    if value is None or value.number is None:
        raise Malformed(tokens[0], "invalid expression in #if")
    return value.number != 0
