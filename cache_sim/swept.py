"""The results of a sweep: for each side, line size and number of sets, a histogram of stack distances."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from cache_sim.config import Cache
from cache_sim.distances import Histogram
from cache_sim.grid import SIDES, Grid
from cache_sim.results import Kinds
from cache_sim.shards import Estimate, Sample

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
