"""Sweeps in a line, such as `sweep+D+size:256-64k+line:16,32+ways:1-8,full+switch:10000i`.

    sweep = "sweep" {"+" part}
    part  = "I" | "D" | "U" | ("size" | "line" | "ways") ":" range {"," range} | "sample:" RATE | "switch:" NUMBER "i"
    range = NUMBER ["-" NUMBER] | "full"

A range is a number, or every power of two from one to another; `full`, of ways, are fully associative caches.  RATE is a
decimal fraction.  What is not said is as in `Grid()`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal
from typing import Any

from cache_sim.config import demand_power_of_two
from cache_sim.grid import SIDES, Grid
from cache_sim.numbers import FULL, format_size, parse_count, parse_size
from cache_sim.places import blamed
from cache_sim.words import Word

_NUMBERS: dict[str, tuple[str, Callable[[str, str], int]]] = {
    "size": ("sizes", parse_size), "line": ("lines", parse_size), "ways": ("ways", parse_count)
}  # fmt: skip
_MOST = 1 << 62  # numbers in a range


def is_sweep(text: str) -> bool:
    """Return whether a text is the short form of a sweep, not of a memory system."""
    return re.split("[+:,]", text)[0] == "sweep"


def parse_sweep(text: str) -> Grid:
    """Return the grid of a short form.

    Raises ConfigurationError, with a pointer to the place.
    """
    fields: dict[str, Any] = {}
    words: dict[str, Word] = {}
    whole = Word(text, 0, len(text))
    first, *parts = whole.split("+")
    if str(first) != "sweep":
        raise first.error("what a sweep is of follows a '+', as in sweep+D+size:1k-64k")
    for word in parts:
        for name, value in _part(word).items():
            if name == "sides" and name in fields:
                value = tuple(side for side in SIDES if side in (*fields[name], *value))
            elif name in fields:
                raise word.error(f"there is one for this already: {words[name]}")
            fields[name], words[name] = value, word
    with blamed(whole, **words):
        return Grid(**fields)


def _part(word: Word) -> dict[str, Any]:
    """Return the fields of a grid that a part sets."""
    if str(word) in SIDES:
        return {"sides": (str(word),)}
    name, value = word.partition(":")
    if str(name) in _NUMBERS:
        return _numbers(str(name), value)
    if str(name) == "sample":
        if not re.fullmatch(r"0?\.[0-9]{1,18}|1", str(value)):
            raise value.error("expected the share of lines that are in the sample, as in 0.01")
        return {"rate": float(str(value))}
    if str(name) == "switch":
        if not str(value).endswith("i"):
            raise value.error("a sweep switches every so many instructions, as in 10000i: work is another for each cache")
        with blamed(value):
            every = parse_count("every", str(value).removesuffix("i"))
        if not every:
            raise value.error("a context switch every 0 instructions")
        return {"every": every}
    raise name.error(f"'{name}': expected one of {', '.join(SIDES)}, size:, line:, ways:, sample:, switch:")


def _numbers(name: str, value: Word) -> dict[str, Any]:
    """Return the fields that ranges set."""
    field, parse = _NUMBERS[name]
    ranges = value.split(",")
    full = [part for part in ranges if name == "ways" and str(part) == FULL]
    numbers = {number for part in ranges if part not in full for number in _range(part, name, parse)}
    return {field: tuple(sorted(numbers)), **({"full": True} if full else {})}


def _range(word: Word, about: str, parse: Callable[[str, str], int]) -> list[int]:
    """Return the powers of two of a range, or the one number that there is."""
    first, last = word.partition("-")
    if "-" not in str(word):
        with blamed(word):
            return [parse(about, str(word))]
    ends = []
    for part in (first, last):
        with blamed(part):
            number = parse(about, str(part))
            demand_power_of_two(about, number)
            ends.append(number)
    if ends[0] > ends[1]:
        raise word.error(f"there is nothing from {first} to {last}")
    return [number for exponent in range(_MOST.bit_length()) if ends[0] <= (number := 1 << exponent) <= ends[1]]


def format_sweep(grid: Grid) -> str:
    """Return the short form of a grid, with everything in it."""
    parts = ["sweep", *grid.sides]
    for name, (field, _) in _NUMBERS.items():
        numbers = [*map(format_size, getattr(grid, field)), *([FULL] if name == "ways" and grid.full else [])]
        parts.append(f"{name}:{','.join(numbers)}")
    parts += [f"sample:{Decimal(str(grid.rate)):f}"] * (grid.rate < 1)
    return "+".join(parts + [f"switch:{grid.every}i"] * bool(grid.every))
