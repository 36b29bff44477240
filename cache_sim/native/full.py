"""Write fully associative LRU caches of every size as LLVM IR: count stack distances by powers of two.

The newest lines stand in a vector, in which most accesses find their line.  Lines that leave the vector go into a tree.
A sample (`cache_sim.shards`) has only trees: one of the whole sample, and one of each of its parts.
"""

from __future__ import annotations

from cache_sim.config import Cache
from cache_sim.distances import Histogram
from cache_sim.native.cache import OUTSIDE, Memory
from cache_sim.native.code import UNLIKELY, Code
from cache_sim.native.sets import set_of
from cache_sim.native.stack_distance import StackCode, Trees, use
from cache_sim.native.state import Field, Read, State
from cache_sim.shards import BITS, GROUPS, HASH, Sample
from cache_sim.sweeps import SIDES

TOP = 16  # lines on top of a stack
_POWERS = 64  # counts of a stack: distance 0, 1, 2-3, 4-7, and so on


class _Distances:
    """How often each distance occurred, in some stacks; `new` counts lines that were in no stack."""

    def __init__(self, count: int, state: State) -> None:
        self.counts, self.new = state.array("i64", count * _POWERS), state.array("i64", count)

    def count(self, code: Code, stack: str, distance: str, met: str) -> None:
        """Write code that counts a distance, unless `met` (an i64) is negative, which means that the line is new."""
        new = code.put(f"icmp slt i64 {met}, 0")
        power = code.put(f"sub i64 64, {code.put(f'call i64 @llvm.ctlz.i64(i64 {distance}, i1 false)')}")
        known = code.at(self.counts.pointer, code.put(f"add i64 {code.put(f'mul i64 {stack}, {_POWERS}')}, {power}"), "i64")
        place = code.put(f"select i1 {new}, ptr {code.at(self.new.pointer, stack, 'i64')}, ptr {known}")
        code.add("i64", place)

    def histogram(self, read: Read, stack: int) -> Histogram:
        """Return the histogram of a stack; each of its distances is the least of those counted together."""
        counts = read(self.counts)[stack * _POWERS : (stack + 1) * _POWERS]
        return Histogram({(1 << power) >> 1: count for power, count in enumerate(counts) if count}, read(self.new)[stack])


class FullCode(StackCode):
    """All fully associative caches with lines of one size on one side; the filter names the last line."""

    FILTERS = 1

    def __init__(self, side: str, line: int, state: State, large: State, word: str) -> None:
        cache = Cache(side, self.FILTERS * line, line, write="through")
        name = f"{side}{line}.full"
        super().__init__(cache, name, state, large, word, SIDES[side], 1, Memory(), self.FILTERS)
        self.place(state, large)

    def place(self, state: State, large: State) -> None:
        """Lay out the memory, except for the filter."""
        self.top = state.array(self.word, TOP, -1)
        self.depths = state.array("i64", TOP)
        self.trees = Trees(f"{self.name}.tree", 1, self.cache.line, state, large)
        self.distances = _Distances(1, state)

    @property
    def flushed(self) -> list[Field]:
        """The fields that get their initial values back when the caches are emptied."""
        return [self.filter, self.top]

    def empty(self, code: Code) -> None:
        """Write code that a context switch runs before these fields get their initial values back."""
        self.trees.empty(code)

    def functions(self) -> str:
        """Return the function of an access, and those of trees."""
        code = Code()
        place = code.at(self.filter.pointer, set_of(code, self.word, "%line", self.FILTERS), self.word)
        code.store(self.word, place, "%line")
        self.access(code)
        code.do("ret void")
        return self.trees.functions() + code.function(f"{OUTSIDE} void @{self.name}({self.word} %line)")

    def access(self, code: Code) -> None:
        """Write the body of an access."""
        last = code.load(self.word, code.at(self.top.pointer, str(TOP - 1), self.word))
        found = use(code, self.word, TOP, self.top.pointer, self.depths.pointer)
        with code.when(code.put(f"icmp eq i{TOP} {found}, 0")):
            met = self.trees.take(code, "0", "%line")
            with code.when(code.put(f"icmp ne {self.word} {last}, -1")):
                self.trees.put(code, "0", last)
            self.distances.count(code, "0", code.put(f"add i64 {met}, {TOP}"), met)

    def sample(self, accesses: int, read: Read) -> Sample:
        """Return the distances of `accesses` accesses; the filter kept those of distance 0 away."""
        deep = self.distances.histogram(read, 0)
        shallow = Histogram({depth: count for depth, count in enumerate(read(self.depths)) if depth and count})
        found = shallow + deep
        return Sample(1.0, accesses, Histogram({0: accesses - found.accesses}) + found)


class SampledCode(FullCode):
    """The fully associative caches, simulated with a sample of the lines.

    The filter has lines that are not in the sample, and the last line that is.
    """

    FILTERS = 512

    def __init__(
        self, side: str, line: int, threshold: int, state: State, large: State, word: str
    ) -> None:  # fmt: skip
        self.threshold = threshold
        super().__init__(side, line, state, large, word)

    def place(self, state: State, large: State) -> None:
        """Lay out the memory, except for the filter."""
        self.last = state.array("i64", 1)  # the set of the last line in the sample
        self.trees = Trees(f"{self.name}.tree", 1, self.cache.line, state, large)
        self.parts = Trees(f"{self.name}.parts", GROUPS, self.cache.line, state, large)
        self.distances, self.of_parts = _Distances(1, state), _Distances(GROUPS, state)

    @property
    def flushed(self) -> list[Field]:
        """The fields that get their initial values back when the caches are emptied."""
        return [self.filter]

    def empty(self, code: Code) -> None:
        """Write code that a context switch runs before these fields get their initial values back."""
        self.trees.empty(code)
        self.parts.empty(code)

    def functions(self) -> str:
        """Return the function of an access, and those of trees."""
        return self.parts.functions() + super().functions()

    def access(self, code: Code) -> None:
        """Write the body of an access, which does nothing if its line is not in the sample."""
        bits = self._hash(code)
        high = code.put(f"lshr i64 {bits}, {64 - BITS}")
        with code.when(code.put(f"icmp ult i64 {high}, {self.threshold}"), UNLIKELY):
            self._replace_last(code)
            group = code.put(f"and i64 {bits}, {GROUPS - 1}")
            for trees, distances, tree, of in (
                (self.trees, self.distances, "0", 1), (self.parts, self.of_parts, group, GROUPS)
            ):  # fmt: skip
                met = trees.take(code, tree, "%line")
                trees.put(code, tree, "%line")
                distance = code.put(f"udiv i64 {code.put(f'mul i64 {met}, {of << BITS}')}, {self.threshold}")
                distances.count(code, tree, distance, met)

    def _replace_last(self, code: Code) -> None:
        """Write code that replaces the last sampled line in the filter by this one."""
        index = set_of(code, self.word, "%line", self.FILTERS)
        code.store(self.word, code.at(self.filter.pointer, code.load("i64", self.last.pointer), self.word), "-1")
        code.store(self.word, code.at(self.filter.pointer, index, self.word), "%line")
        code.store("i64", self.last.pointer, index)

    def _hash(self, code: Code) -> str:
        """Return `shards.hash_of` of %line."""
        start, *steps = HASH
        bits = code.put(f"add i64 {code.wide(self.word, '%line')}, {_signed(start[1])}")
        for shift, factor in steps:
            bits = code.put(f"xor i64 {bits}, {code.put(f'lshr i64 {bits}, {shift}')}")
            bits = code.put(f"mul i64 {bits}, {_signed(factor)}")
        return bits

    def sample(self, accesses: int, read: Read) -> Sample:
        """Return the distances of `accesses` accesses, as the sample has them."""
        groups = tuple(self.of_parts.histogram(read, group) for group in range(GROUPS))
        return Sample(self.threshold / (1 << BITS), accesses, self.distances.histogram(read, 0), groups)


def _signed(word: int) -> int:
    return word - (1 << 64) if word >> 63 else word
