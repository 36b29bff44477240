"""Integer values in C whose ranges are known, so that nothing overflows, is shifted too far or divided by zero."""

from __future__ import annotations

from dataclasses import dataclass

LONG = 2**31 - 1  # what a long holds everywhere
LIMITS = {16: (2**15 - 1, LONG, 2**63 - 1), 32: (LONG, LONG, 2**63 - 1)}  # by the bits of an int: int, long, long long
CASTS = ("(int)", "(long)", "(long long)")


@dataclass(frozen=True)
class Value:
    """An expression; `rank` 0 is an int, 1 a long, 2 a long long."""

    text: str
    low: int
    high: int
    rank: int = 0


@dataclass(frozen=True)
class Kind:
    """An integer type, the ranges that people give variables of it, and how a value of it is read as a signed one."""

    name: str
    ranges: tuple[tuple[int, int], ...]
    rank: int = 0
    cast: str = ""


USUAL = ((0, 1), (-1, 1), (0, 7), (0, 100), (-20, 20), (-1000, 1000), (-30000, 30000))
LARGE = (*USUAL, (-100000, 100000), (-LONG, LONG), (0, 1 << 30))
VAST = (*LARGE, (-(1 << 40), 1 << 40), (-(1 << 62), 1 << 62))
KINDS = {
    16: (
        Kind("int", USUAL),
        Kind("short", USUAL),
        Kind("signed char", ((-128, 127), (-1, 1), (0, 9))),
        Kind("char", ((0, 127), (0, 1))),
        Kind("unsigned char", ((0, 255), (0, 15))),
        Kind("bool", ((0, 1),)),
        Kind("unsigned", ((0, 30000), (0, 9)), cast="(int)"),
        Kind("unsigned short", ((0, 30000),), cast="(int)"),
        Kind("long", LARGE, 1),
        Kind("long long", VAST, 2),
        Kind("int32_t", LARGE, 1, "(long)"),
    ),
    32: (
        Kind("int", LARGE),
        Kind("int", USUAL),
        Kind("short", USUAL),
        Kind("signed char", ((-128, 127), (-1, 1), (0, 9))),
        Kind("char", ((0, 127), (0, 1))),
        Kind("unsigned char", ((0, 255), (0, 15))),
        Kind("bool", ((0, 1),)),
        Kind("unsigned", ((0, 30000), (0, LONG)), cast="(int)"),
        Kind("unsigned short", ((0, 65535),)),
        Kind("long", LARGE, 1),
        Kind("long long", VAST, 2),
        Kind("size_t", ((0, 1000),), cast="(int)"),
    ),
}


@dataclass(frozen=True)
class Place:
    """Something in memory or a register that holds a number of a range, whoever writes it."""

    text: str
    kind: Kind
    low: int
    high: int
    writable: bool = True

    @property
    def value(self) -> Value:
        return Value(f"{self.kind.cast}{self.text}", self.low, self.high, self.kind.rank)


@dataclass(frozen=True)
class Array:
    """An array of places."""

    text: str
    kind: Kind
    length: int
    low: int
    high: int
    writable: bool = True

    def element(self, index: str) -> Place:
        return Place(f"{self.text}[{index}]", self.kind, self.low, self.high, self.writable)


@dataclass(frozen=True)
class Field:
    """A member of a record; of `bits` bits if these are not 0."""

    name: str
    kind: Kind
    low: int
    high: int
    bits: int = 0

    @property
    def declaration(self) -> str:
        return f"{self.kind.name} {self.name}{f' : {self.bits}' if self.bits else ''};"


@dataclass(frozen=True)
class Record:
    """A structure type."""

    name: str
    fields: tuple[Field, ...]


@dataclass(frozen=True)
class Subject:
    """A structure that a scope knows: itself or what a pointer points to."""

    text: str
    record: Record
    pointer: bool = False

    def member(self, field: Field) -> Place:
        return Place(f"{self.text}{'->' if self.pointer else '.'}{field.name}", field.kind, field.low, field.high)

    @property
    def itself(self) -> str:
        return f"*{self.text}" if self.pointer else self.text

    @property
    def address(self) -> str:
        return self.text if self.pointer else f"&{self.text}"


def constant(number: int, bits: int) -> Value:
    """Return a number as C has it."""
    magnitude = abs(number)
    rank = next(rank for rank, limit in enumerate(LIMITS[bits]) if magnitude <= limit)
    text = f"{magnitude}{('', 'L', 'LL')[rank]}"
    return Value(f"(-{text})" if number < 0 else text, number, number, rank)


def combine(operator: str, left: Value, right: Value, bits: int) -> Value | None:
    """Return the value of + - *, with a type in which it fits; None if none has room."""
    ends = {
        "+": lambda a, b: a + b,
        "-": lambda a, b: a - b,
        "*": lambda a, b: a * b,
    }[operator]
    corners = [ends(a, b) for a in (left.low, left.high) for b in (right.low, right.high)]
    low, high = min(corners), max(corners)
    rank = max(left.rank, right.rank)
    for wanted in range(rank, 3):
        if -LIMITS[bits][wanted] <= low and high <= LIMITS[bits][wanted]:
            cast = CASTS[wanted] if wanted > rank else ""
            return Value(f"({cast}{left.text} {operator} {right.text})", low, high, wanted)
    return None
