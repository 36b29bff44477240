"""A grid of LRU caches: every size by every associativity by every line size, for instructions, data or both together.

The caches are simulated by stacks of lines, one for each set (`cache_sim.distances`).  So a grid gives the numbers of sets,
and the depth of stacks for each.  Fully associative caches are simulated by one stack of all lines.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from cache_sim.config import MOST_SIZE, Cache, ConfigurationError, MemorySystem, Switch, demand_power_of_two, is_power_of_two
from cache_sim.shards import threshold_of

SIDES = {"I": ("fetch",), "D": ("read", "write"), "U": ("read", "write", "fetch")}  # the kinds of references of each
MOST_WAYS = 32  # the depth to which stacks are kept
MOST_IN_SETS = 16 << 20  # bytes of a cache with stacks for its sets


@dataclass(frozen=True, slots=True)
class Grid:
    """The caches: `sizes` and `lines` in bytes, lines in powers of two; `sides` are keys of SIDES.

    Those of a size in a number of ways are in it that have a power of two of sets.

    U excludes the other sides.  `every` is the number of instructions between context switches (0: there are none).  `full`
    adds fully associative caches of all sizes, simulated with all lines or with a sample at a `rate`.

    Raises ConfigurationError.
    """

    sizes: tuple[int, ...] = tuple(1024 << n for n in range(7))
    lines: tuple[int, ...] = (16, 32, 64)
    ways: tuple[int, ...] = (1, 2, 4, 8)
    sides: tuple[str, ...] = ("I", "D")
    every: int = 0
    full: bool = False
    rate: float = 1.0

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
        return MemorySystem(caches.get("I", both), caches.get("D", both), switch=switch)
