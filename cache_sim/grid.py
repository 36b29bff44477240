"""A grid of LRU caches: every size by every associativity by every line size, for instructions, data or both together.

The caches are simulated by stacks of lines, one for each set (`cache_sim.distances`).  So a grid gives the numbers of sets,
and the depth of stacks for each.  Fully associative caches are simulated by one stack of all lines.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from cache_sim.config import MOST_SIZE, Cache, ConfigurationError, MemorySystem, Switch, demand_power_of_two
from cache_sim.shards import threshold_of

SIDES = {"I": ("fetch",), "D": ("read", "write"), "U": ("read", "write", "fetch")}  # the kinds of references of each
MOST_WAYS = 32  # the depth to which stacks are kept
MOST_IN_SETS = 16 << 20  # bytes of a cache with stacks for its sets


@dataclass(frozen=True, slots=True)
class Grid:
    """The caches: `sizes` and `lines` in bytes, powers of two as are `ways`; `sides` are keys of SIDES.

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
        for about, numbers in (("size", self.sizes), ("line", self.lines), ("ways", self.ways)):
            for number in numbers:
                demand_power_of_two(about, number)
        if max(self.sizes) > MOST_SIZE:
            raise ConfigurationError(f"size {max(self.sizes)} is more than {MOST_SIZE >> 30}g", "sizes")
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
                if line * ways <= size:
                    yield Cache(side, size, line, ways)

    def full_sizes(self, line: int) -> list[int]:
        """Return the sizes of fully associative caches with lines of so many bytes."""
        return [size for size in self.sizes if self.full and line <= size]

    def levels(self, line: int) -> dict[int, int]:
        """Return the numbers of sets that there are with lines of so many bytes, ascending, each with its most ways."""
        found: dict[int, int] = {}
        for cache in self.caches("", line):
            found[cache.sets] = max(cache.ways, found.get(cache.sets, 0))
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
