"""What a statement may use: variables, arrays, structures, functions written before; and how much may still be executed."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from string import Template

from tests.fuzz.people.values import KINDS, LIMITS, Array, Kind, Place, Record, Subject

MOST = 4000  # statements that one call of a function may execute
LONGEST = 40  # statements of one function, about
PRINTED = 12  # times that a print in a loop may be executed for each call

Idiom = Callable[["Scope"], str]
Piece = Callable[["Writer"], None]
IDIOMS: list[tuple[float, Idiom]] = []
PIECES: list[tuple[float, Piece]] = []
STEMS = (
    "count", "total", "index", "value", "left", "right", "size", "width", "level", "state", "status", "found", "ok",
    "done", "valid", "changed", "seen", "key", "rank", "score", "limit", "offset", "length", "depth", "flags", "mode",
    "kind", "last", "first", "next", "best", "result", "sum", "delta", "step", "part", "rest", "mark", "need", "used",
    "free_now", "pending",
)  # fmt: skip


def idiom(weight: float) -> Callable[[Idiom], Idiom]:
    """Register a statement that people write."""

    def register(write: Idiom) -> Idiom:
        IDIOMS.append((weight, write))
        return write

    return register


def piece(weight: float) -> Callable[[Piece], Piece]:
    """Register something that people write at the top of a file: functions with what belongs to them."""

    def register(write: Piece) -> Piece:
        PIECES.append((weight, write))
        return write

    return register


def fill(text: str, /, **parts: object) -> str:
    """Put parts where a template has `$names`."""
    return Template(text).substitute(parts)


@dataclass(frozen=True)
class Function:
    """A function that may be called: ranges of its int parameters and of its int result; statements that a call executes.

    The parameters are written as numbers; `record` and `array` say that a structure (by pointer or by value) and an array
    of ints come before them, `out` that the address of an int comes behind.
    """

    name: str
    parameters: tuple[tuple[int, int], ...]
    low: int
    high: int
    cost: int
    rank: int = 0
    record: Record | None = None
    by_pointer: bool = False
    array: bool = False
    out: tuple[int, int] | None = None
    returns: Record | None = None


@dataclass
class Writer:
    """A program being written."""

    chance: random.Random
    bits: int
    tops: list[str] = field(default_factory=list)
    functions: list[Function] = field(default_factory=list)
    records: list[Record] = field(default_factory=list)
    enums: list[tuple[str, list[str]]] = field(default_factory=list)
    shared: Scope | None = None  # what all functions see
    cost: int = 0  # of the function being written
    size: int = 0  # how many random statements it has
    whole: int = 0  # and the program
    numbers: dict[str, int] = field(default_factory=dict)

    @property
    def kinds(self) -> tuple[Kind, ...]:
        return KINDS[self.bits]

    @property
    def int_kind(self) -> Kind:
        return self.kinds[0]

    @property
    def counter(self) -> Kind:
        """The type of counters that no run of a program can make overflow."""
        return next(kind for kind in self.kinds if kind.name == ("int" if self.bits == 32 else "long"))

    def name(self, stem: str = "") -> str:
        """Return a name that nothing else has: it ends with a number, and names in templates do not."""
        stem = stem or self.chance.choice(STEMS)
        number = self.numbers[stem] = self.numbers.get(stem, 0) + 1
        return f"{stem}{number}"

    def likely(self, probability: float) -> bool:
        return self.chance.random() < probability

    def storage(self) -> str:
        """Return how a function may be declared."""
        return self.chance.choice(
            (
                "static",
                "static",
                "static",
                "",
                "static __attribute__((noinline))",
                "__attribute__((noinline))",
                "static inline",
            )
        )

    def scope(self, result: tuple[int, int] | None = None, **changes: object) -> Scope:
        """Return the scope of a new function's body, which sees what all functions see."""
        self.cost, self.size = 1, 0
        assert self.shared is not None
        return self.shared.inner(result=result, depth=0, inherited=len(self.shared.places), **changes)

    def number(self, low: int, high: int) -> int:
        return self.chance.randint(low, high)


@dataclass
class Scope:
    """What is known at a place of a program."""

    writer: Writer
    places: list[Place] = field(default_factory=list)
    arrays: list[Array] = field(default_factory=list)
    words: list[str] = field(default_factory=list)  # variables of type uint32_t, with any value
    counters: list[str] = field(default_factory=list)  # that only count up
    subjects: list[Subject] = field(default_factory=list)
    texts: list[tuple[str, int]] = field(default_factory=list)  # arrays of char that hold a string, and their sizes
    result: tuple[int, int] | None = None  # the range of the function's int, if it may return here
    loop: bool = False  # whether `break` and `continue` are allowed
    label: str = ""  # where `goto` may go, if anywhere
    weight: int = 1  # how often this is executed for each call
    depth: int = 0
    calls: bool = True
    inherited: int = 0  # how many of the places all functions see

    @property
    def chance(self) -> random.Random:
        return self.writer.chance

    def inner(self, times: int = 1, **changes: object) -> Scope:
        """Return a scope within this one, executed so many times for each time that this is."""
        lists = {name: list(getattr(self, name)) for name in ("places", "arrays", "words", "counters", "subjects", "texts")}
        changes = {"depth": self.depth + 1, "weight": self.weight * times, **lists, **changes}
        return replace(self, **changes)  # type: ignore[arg-type]

    def likely(self, probability: float) -> bool:
        return self.chance.random() < probability

    def number(self, low: int, high: int) -> int:
        return self.chance.randint(low, high)

    def spend(self, statements: int = 1) -> None:
        self.writer.cost += statements * self.weight

    def affords(self, statements: int) -> bool:
        """Whether so many statements may still be executed here."""
        return self.writer.cost + statements * self.weight <= MOST and self.writer.size < LONGEST

    def prints(self) -> bool:
        return self.weight <= PRINTED

    def range_of(self, kind: Kind) -> tuple[int, int]:
        """Return a range for a variable of a type."""
        low, high = self.chance.choice(kind.ranges)
        limit = LIMITS[self.writer.bits][kind.rank]
        return max(low, -limit), min(high, limit)

    def declare(self, stem: str = "", kind: Kind | None = None, ends: tuple[int, int] | None = None) -> Place:
        """Return a new variable, known here from now on; the caller declares it."""
        kind = kind or self.chance.choice(self.writer.kinds)
        low, high = ends or self.range_of(kind)
        place = Place(self.writer.name(stem), kind, low, high)
        self.places.append(place)
        return place

    def read_only(self, text: str, low: int, high: int, kind: Kind | None = None) -> Place:
        """Know an int of a range that only its owner writes."""
        place = Place(text, kind or self.writer.int_kind, low, high, False)
        self.places.append(place)
        return place


def indented(text: str) -> str:
    """Return C text with each line indented by how many braces are open."""
    lines, depth = [], 0
    for line in text.splitlines():
        line = line.strip()
        if not line:
            continue
        bare = re.sub(r"'(?:\\.|[^'\\])'|\"(?:\\.|[^\"\\])*\"", "", line)
        first = depth - (1 if bare.startswith("}") else 0)
        label = bool(re.match(r"(case\b.*|default|\w+) ?:", bare)) and "?" not in bare.split(":")[0]
        lines.append("    " * max(0, first - label) + line)
        depth += bare.count("{") - bare.count("}")
    return "\n".join(lines) + "\n"
