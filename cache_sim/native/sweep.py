"""Write every LRU cache of a grid as LLVM IR: one function walks the stacks for all numbers of sets.

If a line is the last used of its set, it is so for every larger number of sets, whose sets are subsets.  Using such a line
again changes no stack.  So a filter for the smallest number of sets keeps most accesses away, and a walk from few sets to
many ends at the first number of sets in which the line is the last used.  Depth 0 is not counted: it is that of all other
accesses.  (Mattson et al. 1970; Hill and Smith 1989.)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from cache_sim.config import Cache
from cache_sim.distances import Histogram, Sample, threshold_of
from cache_sim.native.cache import KINDS, OUTSIDE, CacheCode, Memory
from cache_sim.native.code import Code, Field, Read, State
from cache_sim.native.full import DECLARATIONS, FullCode, SampledCode, StackCode, use
from cache_sim.native.sets import set_of
from cache_sim.native.system import SystemCode
from cache_sim.results import Kinds
from cache_sim.sweeps import SIDES, Grid, Key, Swept

TESTED = 3  # every so many numbers of sets, a walk may end: the host guesses seldom where


@dataclass(frozen=True, slots=True)
class Level:
    """The stacks for a number of sets: the `ways` tags of each set in order of use, and the count of each depth."""

    sets: int
    ways: int
    tags: Field
    counts: Field


class SweepCache(StackCode):
    """The caches of a grid with one line size on one side; seen as a cache, the one with the fewest sets."""

    def __init__(self, grid: Grid, side: str, line: int, state: State, large: State, word: str) -> None:
        levels = iter(grid.levels(line).items())
        sets, ways = next(levels)
        cache = Cache(side, sets * ways * line, line, ways, write="through")  # nobody asks which lines are dirty
        super().__init__(cache, f"{side}{line}", state, large, word, SIDES[side], 1, Memory(), sets)
        (first,) = self.sets.flushed
        self.levels = [Level(sets, ways, first, state.array("i64", ways))]
        for sets, ways in levels:
            tags = state.array(word, sets * ways, first.initial)
            self.levels.append(Level(sets, ways, tags, state.array("i64", ways)))
        self.ends = state.array("i64", len(self.levels) + 1)  # how many walks ended before each level

    @property
    def flushed(self) -> list[Field]:
        """Fields that get their initial values back when the caches are emptied."""
        return sorted({self.filter, *(level.tags for level in self.levels)}, key=lambda field: field.address)

    def functions(self) -> str:
        """Return the text of the walk."""
        code = Code()
        if not self.own_filter:
            index = set_of(code, self.word, "%line", self.filters)
            code.store(self.word, code.at(self.filter.pointer, index, self.word), "%line")
        for number, level in enumerate(self.levels):
            first = code.put(f"mul i64 {set_of(code, self.word, '%line', level.sets)}, {level.ways}")
            place = code.at(level.tags.pointer, first, self.word)
            if number % TESTED == 0:
                last = code.load(self.word, place)
                with code.when(code.put(f"icmp eq {self.word} {last}, %line")):
                    code.add("i64", self.ends.element(number))
                    code.do("ret void")
            use(code, self.word, level.ways, place, level.counts.pointer)
        code.add("i64", self.ends.element(len(self.levels)))
        code.do("ret void")
        return code.function(f"{OUTSIDE} void @{self.name}({self.word} %line)")

    def histograms(self, accesses: int, read: Read) -> Iterator[tuple[int, Histogram]]:
        """Yield each number of sets with its histogram of `accesses` accesses."""
        ends = read(self.ends)
        reached = sum(ends)
        for level, ended in zip(self.levels, ends, strict=False):
            reached -= ended
            yield level.sets, _histogram(accesses, reached, read(level.counts))


class SweepCode(SystemCode):
    """The state and text of a grid of caches; it takes the place of `SystemCode`, with the system `grid.smallest`."""

    def __init__(
        self, grid: Grid, state: State, large: State, word: str = "i32", straddles: bool = True,
        kinds: Iterable[str] = KINDS,
    ) -> None:  # fmt: skip
        self.grid = grid
        self.sides: dict[str, list[StackCode]] = {}
        super().__init__(grid.smallest, State(0), State(0), word, 1, straddles, ())
        self.sides = {
            side: [cache for line in sorted(grid.lines) for cache in _stacks(grid, side, line, state, large, word)]
            for side in grid.sides
            if not set(SIDES[side]).isdisjoint(kinds)
        }
        self.switches = state.array("i64", 1)
        self.splits = {cache.name: state.array("i64", len(KINDS)) for cache in self.firsts}

    @property
    def firsts(self) -> list[CacheCode]:
        """The caches of each side and size of lines."""
        return [cache for caches in self.sides.values() for cache in caches]

    def path(self, kind: str) -> list[CacheCode]:
        """Return the simulators of caches that a reference of a kind goes through."""
        return [cache for cache in self.firsts if kind in cache.kinds]

    def functions(self) -> str:
        """Return the text of all functions."""
        return (DECLARATIONS if self.grid.full else "") + super().functions()


def _stacks(
    grid: Grid, side: str, line: int, state: State, large: State, word: str
) -> Iterator[StackCode]:  # fmt: skip
    """Yield the simulators of caches with one line size on one side."""
    if grid.levels(line):
        yield SweepCache(grid, side, line, state, large, word)
    if grid.full and grid.rate == 1:
        yield FullCode(side, line, state, large, word)
    elif grid.full:
        yield SampledCode(side, line, threshold_of(grid.rate), state, large, word)


def collect_sweep(code: SweepCode, references: Kinds, read: Read) -> Swept:
    """Return the results of a sweep; `references` are all references made, those of uncached sides included."""
    found: dict[Key, Histogram] = {}
    full: dict[tuple[str, int], Sample] = {}
    accesses: dict[tuple[str, int], int] = {}
    for side, caches in code.sides.items():
        made = sum(getattr(references, kind) for kind in SIDES[side])
        for cache in caches:
            key = side, cache.cache.line
            accesses[key] = made + sum(read(code.splits[cache.name]))
            if isinstance(cache, FullCode):
                full[key] = cache.sample(accesses[key], read)
            elif isinstance(cache, SweepCache):
                found |= {(*key, sets): histogram for sets, histogram in cache.histograms(accesses[key], read)}
    (switches,) = read(code.switches)
    return Swept(code.grid, references, found, full, accesses, switches)


def _histogram(accesses: int, reached: int, counts: Sequence[int]) -> Histogram:
    """Return the histogram of a number of sets; accesses that did not reach its stacks have depth 0."""
    deeper = reached - sum(counts)
    depths = [accesses - deeper - sum(counts[1:]), *counts[1:]]
    return Histogram({depth: count for depth, count in enumerate(depths) if count}, deeper)
