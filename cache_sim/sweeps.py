"""Grids of LRU caches: what they are, how a line of text describes them, and what comes of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from cache_sim.config import MOST_SIZE, Cache, ConfigurationError, MemorySystem, Switch, demand_power_of_two, is_power_of_two
from cache_sim.distances import Estimate, Histogram, Sample, threshold_of
from cache_sim.results import Kinds
from cache_sim.words import FULL, Word, blamed, format_pieces, format_size, parse_count, parse_pieces, parse_size

# ----------------------------------------------------------------------------------------------------------------------
# A grid of LRU caches: every size by every associativity by every line size, for instructions, data or both together.
#
# The caches are simulated by stacks of lines, one for each set (`cache_sim.distances`).  So a grid gives the numbers of sets,
# and the depth of stacks for each.  Fully associative caches are simulated by one stack of all lines.

SIDES = {"I": ("fetch",), "D": ("read", "write"), "U": ("read", "write", "fetch")}  # the kinds of references of each
MOST_WAYS = 32  # the depth to which stacks are kept
MOST_IN_SETS = 16 << 20  # bytes of a cache with stacks for its sets


@dataclass(frozen=True, slots=True)
class Grid:
    """The caches: `sizes` and `lines` in bytes, lines in powers of two; `sides` are keys of SIDES.

    Those of a size in a number of ways are in it that have a power of two of sets.

    U excludes the other sides.  `every` is the number of instructions between context switches (0: there are none).  `full`
    adds fully associative caches of all sizes, simulated with all lines or with a sample at a `rate`.  `uncached` is as in
    `MemorySystem`.

    Raises ConfigurationError.
    """

    sizes: tuple[int, ...] = tuple(1024 << n for n in range(7))
    lines: tuple[int, ...] = (16, 32, 64)
    ways: tuple[int, ...] = (1, 2, 4, 8)
    sides: tuple[str, ...] = ("I", "D")
    every: int = 0
    full: bool = False
    rate: float = 1.0
    uncached: tuple[tuple[int, int], ...] = ()

    def __post_init__(self) -> None:
        for line in self.lines:
            demand_power_of_two("line", line)
        if max(self.sizes) > MOST_SIZE:
            raise ConfigurationError(f"size {max(self.sizes)} is more than {MOST_SIZE >> 30}g", "sizes")
        self._check_sets()
        if self.ways and max(self.sizes) > MOST_IN_SETS:
            most = f"the {MOST_IN_SETS >> 20}m that a sweep looks for"
            raise ConfigurationError(f"size {max(self.sizes)} is more than {most} where not all ways are full", "sizes")
        if not self.ways and not self.full:
            raise ConfigurationError("a sweep of no caches", "ways")
        if max(self.ways, default=0) > MOST_WAYS:
            raise ConfigurationError(f"{max(self.ways)} ways are more than the {MOST_WAYS} that a sweep looks for", "ways")
        if self.sides not in (("I",), ("D",), ("I", "D"), ("U",)):
            raise ConfigurationError(f"sides {', '.join(self.sides)}: there are I, D, I and D, or U", "sides")
        self._check_rate()
        for line in self.lines:
            if line > max(self.sizes) or not (self.levels(line) or self.full):
                raise ConfigurationError(f"no cache of the sweep has room for lines of {line} bytes", "lines")

    def _check_sets(self) -> None:
        """Raise ConfigurationError for a size, or a number of ways, that no cache has: one that is no power of two."""
        made = [cache for line in self.lines for cache in self.caches("", line)]
        for size in self.sizes:
            if not is_power_of_two(size) and self.full:
                raise ConfigurationError(f"size {size} is not a power of two, as sizes are where ways are full", "sizes")
            if not is_power_of_two(size) and all(cache.size != size for cache in made):
                raise ConfigurationError(f"size {size} makes a power of two of sets with none of the ways", "sizes")
        for ways in self.ways:
            if not is_power_of_two(ways) and all(cache.ways != ways for cache in made):
                raise ConfigurationError(f"{ways} ways make a power of two of sets in none of the sizes", "ways")

    def _check_rate(self) -> None:
        try:
            threshold_of(self.rate)
        except ValueError as error:
            raise ConfigurationError(str(error), "rate") from None
        if self.rate < 1 and not self.full:
            raise ConfigurationError("only fully associative caches are found from a sample, and none are asked for", "rate")

    def caches(self, side: str, line: int) -> Iterator[Cache]:
        """Yield the caches with lines of so many bytes, by size, then ways."""
        for size in self.sizes:
            for ways in self.ways:
                if ways and size % (line * ways) == 0 and is_power_of_two(size // (line * ways)):
                    yield Cache(side, size, line, ways)

    def full_sizes(self, line: int) -> list[int]:
        """Return the sizes of fully associative caches with lines of so many bytes."""
        return [size for size in self.sizes if self.full and line <= size]

    def levels(self, line: int) -> dict[int, int]:
        """Return the numbers of sets that there are with lines of so many bytes, ascending, each with the depth of its stacks.

        That is the power of two which is enough for its most ways.
        """
        found: dict[int, int] = {}
        for cache in self.caches("", line):
            found[cache.sets] = max(1 << (cache.ways - 1).bit_length(), found.get(cache.sets, 0))
        return dict(sorted(found.items()))

    @property
    def smallest(self) -> MemorySystem:
        """The memory system with the shortest lines and fewest sets that has the sides and switches of the grid."""
        line = min(self.lines)
        sets, ways = next(iter(self.levels(line).items()), (1, 1))
        caches = {side: Cache(side, sets * ways * line, line, ways) for side in self.sides}
        switch = Switch(self.every, "instructions") if self.every else None
        both = caches.get("U")
        return MemorySystem(caches.get("I", both), caches.get("D", both), switch=switch, uncached=self.uncached)


# ----------------------------------------------------------------------------------------------------------------------
# Sweeps in a line, such as `sweep+D+size:256-64k+line:16,32+ways:1-8,full+switch:10000i`.
#
#     sweep = "sweep" {"+" part}
#     part  = "I" | "D" | "U" | ("size" | "line" | "ways") ":" range {"," range} | "sample:" RATE | "switch:" NUMBER "i"
#           | "uncached:" ADDRESS "," SIZE {"," ADDRESS "," SIZE}
#     range = NUMBER ["-" NUMBER] | "full"
#
# A range is a number, or every power of two from one to another; `full`, of ways, are fully associative caches.  RATE is a
# decimal fraction.  What is not said is as in `Grid()`.


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
    if str(name) == "uncached":
        return {"uncached": parse_pieces(value)}
    raise name.error(f"'{name}': expected one of {', '.join(SIDES)}, size:, line:, ways:, sample:, switch:, uncached:")


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
    from decimal import Decimal  # which is slow to import

    parts = ["sweep", *grid.sides]
    for name, (field, _) in _NUMBERS.items():
        numbers = [*map(format_size, getattr(grid, field)), *([FULL] if name == "ways" and grid.full else [])]
        parts.append(f"{name}:{','.join(numbers)}")
    parts += [f"sample:{Decimal(str(grid.rate)):f}"] * (grid.rate < 1)
    parts += [format_pieces(grid.uncached)] * bool(grid.uncached)
    return "+".join(parts + [f"switch:{grid.every}i"] * bool(grid.every))


# ----------------------------------------------------------------------------------------------------------------------
# The results of a sweep: for each side, line size and number of sets, a histogram of stack distances.


Key = tuple[str, int, int]  # side, bytes of a line, number of sets


@dataclass(frozen=True, slots=True)
class Swept:
    """`histograms` are by (side, line, sets); their `cold` accesses were to lines that were new, or deeper than any cache is.

    `full`, by (side, line), has distances in a stack of all lines; each power of two stands for all distances up to the next.
    `lines`, by the same, is the number of lines accessed.  `references` are all references made, those of uncached sides
    included; fetches are instructions.
    """

    grid: Grid
    references: Kinds
    histograms: Mapping[Key, Histogram]
    full: Mapping[tuple[str, int], Sample]
    lines: Mapping[tuple[str, int], int]
    switches: int = 0

    def misses(self, cache: Cache) -> int:
        """Return the misses of a cache that is called by its side.

        Raises KeyError for one that is not in the grid.
        """
        levels = self.grid.levels(cache.line) if cache.line in self.grid.lines else {}
        if cache.ways > levels.get(cache.sets, 0):
            raise KeyError(cache)
        return self.histograms[cache.name, cache.line, cache.sets].misses(cache.ways)

    def accesses(self, side: str, line: int) -> int:
        """Return how many lines of so many bytes were accessed."""
        return self.lines[side, line]

    def full_misses(self, side: str, size: int, line: int) -> Estimate:
        """Return the misses of a fully associative cache.

        Raises KeyError for one that is not in the grid.
        """
        if size not in self.grid.full_sizes(line):
            raise KeyError(size)
        return self.full[side, line].misses(size // line)

    def made(self, side: str) -> int:
        """Return how many references were made on a side."""
        return sum(getattr(self.references, kind) for kind in SIDES[side])

    def caches(self) -> Iterator[tuple[Cache, int]]:
        """Yield each cache with its misses: by side, line, size and ways."""
        for side in self.grid.sides:
            for line in sorted(self.grid.lines):
                for cache in self.grid.caches(side, line):
                    yield cache, self.misses(cache)

    def __add__(self, other: Swept) -> Swept:
        """Add what programs came to in one grid.

        Raises ValueError for two grids.
        """
        if self.grid != other.grid:
            raise ValueError("sweeps of different grids do not add")
        both = {key: found + other.histograms[key] for key, found in self.histograms.items()}
        full = {key: found + other.full[key] for key, found in self.full.items()}
        lines = {key: count + other.lines[key] for key, count in self.lines.items()}
        return Swept(self.grid, self.references + other.references, both, full, lines, self.switches + other.switches)
