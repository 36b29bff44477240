"""Every LRU cache of a grid at once, as LLVM IR: one function walks stacks for all numbers of sets.

A line that is the last used of its set is so in every larger number of sets, too (the sets there are parts of it), and
using it again changes no stack.  So a filter for the smallest number of sets keeps most accesses away, and a walk from few
sets to many ends where the line is the last used.  Depths of 0 are not counted: they are all accesses that are not others.
(Mattson et al. 1970; Hill and Smith 1989.)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from cache_sim.config import Cache
from cache_sim.distances import Histogram
from cache_sim.grid import SIDES, Grid
from cache_sim.native.cache import KINDS, OUTSIDE, CacheCode, Memory
from cache_sim.native.code import STATE, Code
from cache_sim.native.sets import Read, set_of
from cache_sim.native.simulate import Simulator
from cache_sim.native.state import Field, State
from cache_sim.native.system import SystemCode
from cache_sim.results import Kinds
from cache_sim.swept import Key, Swept

TESTED = 3  # every so many numbers of sets, a walk may end: the host guesses seldom where


@dataclass(frozen=True, slots=True)
class Level:
    """The stacks for a number of sets: `ways` tags of each set in the order of use; how often each depth was met."""

    sets: int
    ways: int
    tags: Field
    counts: Field


class SweepCache(CacheCode):
    """The caches of a grid that have lines of one size, on one side; in itself, the one of the fewest sets."""

    def __init__(self, grid: Grid, side: str, line: int, state: State, large: State, word: str, near: State) -> None:
        levels = iter(grid.levels(line).items())
        sets, ways = next(levels)
        cache = Cache(side, sets * ways * line, line, ways, write="through")  # nobody asks which lines are dirty
        super().__init__(cache, f"{side}{line}", state, large, word, SIDES[side], 1, Memory(), sets, near)
        (first,) = self.sets.flushed
        self.levels = [Level(sets, ways, first, state.array("i64", ways))]
        for sets, ways in levels:
            tags = state.array(word, sets * ways, first.initial)
            self.levels.append(Level(sets, ways, tags, state.array("i64", ways)))
        self.ends = state.array("i64", len(self.levels) + 1)  # how many walks ended before each level

    def call(self, code: Code, kind: str, line: str, site: str, inline: bool = False) -> str:
        """Write code for an access; what it misses is counted, but told to nobody."""
        how = "alwaysinline" if inline else "noinline"
        code.do(f"call {OUTSIDE} void @{self.name}({self.word} {line}) {how}, !tbaa !6")
        return "0"

    @property
    def flushed(self) -> list[Field]:
        """Fields that get their initial values back when the caches are emptied."""
        return sorted({self.filter, *(level.tags for level in self.levels)}, key=lambda field: field.address)

    def empty(self, code: Code) -> None:
        """A context switch is nothing to count."""

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
            self._use(code, level, place)
        code.add("i64", self.ends.element(len(self.levels)))
        code.do("ret void")
        return code.function(f"{OUTSIDE} void @{self.name}({self.word} %line)")

    def _use(self, code: Code, level: Level, place: str) -> None:
        """Put %line before the tags of a set and close the gap; count where it was.

        Tags and counts are written as a whole (volatile): what is stored under a mask cannot be loaded soon.
        """
        ways, row, counts = level.ways, f"<{level.ways} x {self.word}>", f"<{level.ways} x i64>"
        tags = code.load(row, place)
        same = code.put(f"icmp eq {row} {tags}, {self._everywhere(code, ways)}")
        found = code.put(f"zext <{ways} x i1> {same} to {counts}")
        found = code.put(f"add {counts} {code.load(counts, level.counts.pointer)}, {found}")
        code.do(f"store volatile {counts} {found}, ptr {level.counts.pointer}, {STATE}")
        bits = code.put(f"bitcast <{ways} x i1> {same} to i{ways}")
        # All bits up to the one that is set, which are all if there is none.
        upto = code.put(f"xor i{ways} {bits}, {code.put(f'add i{ways} {bits}, -1')}")
        moves = code.put(f"bitcast i{ways} {upto} to <{ways} x i1>")
        # The line comes from the last element of a vector, so that one instruction shifts it in.
        line = code.put(f"insertelement {row} poison, {self.word} %line, i64 {ways - 1}")
        order = ", ".join(f"i32 {number}" for number in (2 * ways - 1, *range(ways - 1)))
        moved = code.put(f"shufflevector {row} {tags}, {row} {line}, <{ways} x i32> <{order}>")
        used = code.put(f"select <{ways} x i1> {moves}, {row} {moved}, {row} {tags}")
        code.do(f"store volatile {row} {used}, ptr {place}, {STATE}")

    def _everywhere(self, code: Code, ways: int) -> str:
        """Return a vector whose elements are all %line."""
        row = f"<{ways} x {self.word}>"
        line = code.put(f"insertelement {row} poison, {self.word} %line, i64 0")
        return code.put(f"shufflevector {row} {line}, {row} poison, <{ways} x i32> zeroinitializer")


class SweepCode(SystemCode):
    """State and text of a grid of caches, as `SystemCode` has them of a memory system (`grid.smallest` in its place)."""

    def __init__(
        self, grid: Grid, state: State, large: State, word: str = "i32", straddles: bool = True,
        kinds: Iterable[str] = KINDS, near: State | None = None,
    ) -> None:  # fmt: skip
        self.grid = grid
        self.sides: dict[str, list[SweepCache]] = {}
        super().__init__(grid.smallest, State(0), State(0), word, 1, straddles, ())
        near = state if near is None else near
        self.sides = {
            side: [SweepCache(grid, side, line, state, large, word, near) for line in sorted(grid.lines)]
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
        """What a reference of a kind goes through."""
        return [cache for cache in self.firsts if kind in cache.kinds]

    def functions(self) -> str:
        """Return the text of all functions."""
        return f"declare i64 @llvm.cttz.i64(i64, i1)\n{super().functions()}"


def collect_sweep(code: SweepCode, references: Kinds, read: Read) -> Swept:
    """Return what a sweep came to; `references` are all that were made, on every side."""
    found: dict[Key, Histogram] = {}
    for side, caches in code.sides.items():
        made = sum(getattr(references, kind) for kind in SIDES[side])
        for cache in caches:
            accesses = made + sum(read(code.splits[cache.name]))
            reached = sum(read(cache.ends))
            for number, level in enumerate(cache.levels):
                reached -= read(cache.ends)[number]
                found[side, cache.cache.line, level.sets] = _histogram(accesses, reached, read(level.counts))
    (switches,) = read(code.switches)
    return Swept(code.grid, references, found, switches)


def _histogram(accesses: int, reached: int, counts: Sequence[int]) -> Histogram:
    """Return the histogram of a number of sets, to whose stacks so many of the accesses came; the others are of depth 0."""
    deeper = reached - sum(counts)
    depths = [accesses - deeper - sum(counts[1:]), *counts[1:]]
    return Histogram({depth: count for depth, count in enumerate(depths) if count}, deeper)


class SweepSimulator(Simulator):
    """A sweep compiled for this host, for arrays of references; counts of successive calls of `run` add up.

    Raises OSError if there is no memory for it.
    """

    def __init__(self, grid: Grid) -> None:
        self.grid = grid
        super().__init__(grid.smallest)

    def make_code(self, state: State, large: State, word: str) -> SweepCode:
        """Lay out the simulator."""
        self.sweep = SweepCode(self.grid, state, large, word)
        return self.sweep

    def swept(self) -> Swept:
        """Return what happened so far."""
        return collect_sweep(self.sweep, self.made, self.read)
