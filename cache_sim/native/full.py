"""Count stack distances as LLVM IR, by number or by powers of two: fully associative LRU caches of every size."""

from __future__ import annotations

from cache_sim.config import Cache
from cache_sim.distances import BITS, GROUPS, HASH, Histogram, Sample
from cache_sim.native.cache import ADDRESS_BITS, OUTSIDE, CacheCode, Memory
from cache_sim.native.code import STATE, UNLIKELY, Code, Field, Read, State, Writer
from cache_sim.native.sets import set_of
from cache_sim.sweeps import SIDES

# ----------------------------------------------------------------------------------------------------------------------
# Compute stack distances as LLVM IR, each in the time of a few vector operations.
#
# Each line of a stack has the moment of its last use.  A bitmap has a bit for each moment in use.  Above the bitmap stand
# levels of rows of 16 sums: the bits set in each of 16 words, in each of 16 rows of words, and so on.  The distance of a line
# is the number of later moments in use: the sum of what stands behind the line's place in its word and in one row of each
# level.  When all moments are used up, those in use are renumbered.  (Olken, 1981, has trees of sums for stack distances;
# wide nodes make the tree low, and a row is added up without branches.)


# ----------------------------------------------------------------------------------------------------------------------
# The common parts of simulators that follow stacks of lines: an access whose misses are only counted, and a vector stack.


class StackCode(CacheCode):
    """A function @NAME(line) for all kinds of accesses; it returns no miss to its caller."""

    def call(self, code: Writer, kind: str, line: str, site: str, inline: bool = False) -> str:
        """Write code for an access."""
        how = "alwaysinline" if inline else "noinline"
        code.lines.append(f"call {OUTSIDE} void @{self.name}({self.word} {line}) {how}, !tbaa !6")
        return "0"

    @property
    def short(self) -> bool:
        """False: an access takes many host instructions."""
        return False

    def empty(self, code: Code) -> None:
        """Write nothing: a context switch counts nothing."""


def use(code: Code, word: str, ways: int, place: str, counts: str) -> str:
    """Write code that moves %line to the front of the tags at a place; return an i1 for each tag, all 0 if the line is new.

    `counts` points to the count of each depth.  Tags and counts are stored as a whole (volatile): a load of what a masked
    store wrote is slow.
    """
    row, numbers = f"<{ways} x {word}>", f"<{ways} x i64>"
    tags = code.load(row, place)
    same = code.put(f"icmp eq {row} {tags}, {everywhere(code, word, ways, '%line')}")
    found = code.put(f"zext <{ways} x i1> {same} to {numbers}")
    found = code.put(f"add {numbers} {code.load(numbers, counts)}, {found}")
    code.do(f"store volatile {numbers} {found}, ptr {counts}, {STATE}")
    bits = code.put(f"bitcast <{ways} x i1> {same} to i{ways}")
    # All bits up to the one that is set, which are all if there is none.
    upto = code.put(f"xor i{ways} {bits}, {code.put(f'add i{ways} {bits}, -1')}")
    moves = code.put(f"bitcast i{ways} {upto} to <{ways} x i1>")
    # The line comes from the last element of a vector, so that one instruction shifts it in.
    line = code.put(f"insertelement {row} poison, {word} %line, i64 {ways - 1}")
    order = ", ".join(f"i32 {number}" for number in (2 * ways - 1, *range(ways - 1)))
    moved = code.put(f"shufflevector {row} {tags}, {row} {line}, <{ways} x i32> <{order}>")
    used = code.put(f"select <{ways} x i1> {moves}, {row} {moved}, {row} {tags}")
    code.do(f"store volatile {row} {used}, ptr {place}, {STATE}")
    return bits


def everywhere(code: Code, type_: str, count: int, value: str) -> str:
    """Return a vector with one value in all elements."""
    row = f"<{count} x {type_}>"
    first = code.put(f"insertelement {row} poison, {type_} {value}, i64 0")
    return code.put(f"shufflevector {row} {first}, {row} poison, <{count} x i32> zeroinitializer")


# ----------------------------------------------------------------------------------------------------------------------


_ROW, _ROW_BITS, _WORD_BITS = 16, 4, 6
_FEW = 1 << (_WORD_BITS + _ROW_BITS)  # moments that there are at least: one row of words
_SPARE = 4  # moments for each line when they are numbered anew
_SUMS = f"<{_ROW} x i32>"
DECLARATIONS = (
    "declare i64 @llvm.ctpop.i64(i64)\ndeclare i64 @llvm.ctlz.i64(i64, i1)\n"
    f"declare i32 @llvm.vector.reduce.add.v{_ROW}i32({_SUMS})\n"
)


class Trees:
    """`count` stacks of lines; a line is in one of them at most.  Addresses are i32.

    The memory is proportional to the address space; most pages of it are never touched.
    """

    def __init__(self, name: str, count: int, line: int, state: State, large: State) -> None:
        self.name, self.count = name, count
        lines = 1 << (ADDRESS_BITS - (line.bit_length() - 1))
        self.shifts = [_WORD_BITS]  # of a moment, to its sum on each level
        while 1 << (self.shifts[-1] + _ROW_BITS) < 2 * lines:
            self.shifts.append(self.shifts[-1] + _ROW_BITS)
        self.room = 1 << (self.shifts[-1] + _ROW_BITS)  # moments of each stack
        self.moment_of = large.array("i32", lines)  # one more, since 0 means that there is none
        self.line_at = large.array("i32", count * self.room)
        self.used = large.array("i64", count * self.room >> _WORD_BITS)
        self.sums = [large.array("i32", count * self.room >> shift) for shift in self.shifts]
        self.now = state.array("i64", count)  # the next moment
        self.end = state.array("i64", count, _FEW)  # how many there are before they are numbered anew

    def take(self, code: Code, tree: str, line: str) -> str:
        """Write code that removes an i32 line from its stack; return how many lines were above it, -1 if it was in none."""
        return code.put(f"call {OUTSIDE} i64 @{self.name}.take(i64 {tree}, i32 {line}), !tbaa !6")

    def put(self, code: Code, tree: str, line: str) -> None:
        """Write code that puts a line, which is in no stack, on top of a stack."""
        code.do(f"call {OUTSIDE} void @{self.name}.put(i64 {tree}, i32 {line}), !tbaa !6")

    def empty(self, code: Code) -> None:
        """Write code that empties all stacks."""
        for tree in range(self.count):
            code.do(f"call {OUTSIDE} void @{self.name}.empty(i64 {tree}), !tbaa !6")

    def functions(self) -> str:
        """Return the text of the functions."""
        return "\n".join([self._take(), self._put(), self._mark(), self._anew("number"), self._anew("empty")])

    def _take(self) -> str:
        code = Code()
        place = code.at(self.moment_of.pointer, code.wide("i32", "%line"), "i32")
        moment = code.wide("i32", code.load("i32", place))
        with code.when(code.put(f"icmp eq i64 {moment}, 0")):
            code.do("ret i64 -1")
        code.store("i32", place, "0")
        moment = code.put(f"add i64 {self._first(code)}, {code.put(f'add i64 {moment}, -1')}")
        word = code.at(self.used.pointer, code.put(f"lshr i64 {moment}, {_WORD_BITS}"), "i64")
        bits, within = code.load("i64", word), code.put(f"and i64 {moment}, {(1 << _WORD_BITS) - 1}")
        code.store("i64", word, code.put(f"xor i64 {bits}, {code.put(f'shl i64 1, {within}')}"))
        later = code.put(f"call i64 @llvm.ctpop.i64(i64 {code.put(f'lshr i64 {bits}, {within}')})")
        above = code.put(f"add i64 {later}, -1")  # without itself
        for level in range(len(self.shifts)):
            sums = self._change(code, level, moment, "-1")
            behind = code.put(f"icmp ugt {_SUMS} {_numbers()}, {self._place(code, level, moment)}")
            sums = code.put(f"select <{_ROW} x i1> {behind}, {_SUMS} {sums}, {_SUMS} zeroinitializer")
            row = code.wide("i32", code.put(f"call i32 @llvm.vector.reduce.add.v{_ROW}i32({_SUMS} {sums})"))
            above = code.put(f"add i64 {above}, {row}")
            self._return_below(code, level, f"ret i64 {above}")
        code.do(f"ret i64 {above}")
        return code.function(f"{OUTSIDE} i64 @{self.name}.take(i64 %tree, i32 %line)")

    def _put(self) -> str:
        code = Code()
        full = code.put(f"icmp eq i64 {self._of_tree(code, 'now')}, {self._of_tree(code, 'end')}")
        with code.when(full, "!prof !3"):
            code.do(f"call {OUTSIDE} void @{self.name}.number(i64 %tree), !tbaa !6")
        now = self._of_tree(code, "now")
        after = code.put(f"add i64 {now}, 1")
        code.store("i64", code.at(self.now.pointer, "%tree", "i64"), after)
        moment = code.put(f"add i64 {self._first(code)}, {now}")
        code.store("i32", code.at(self.line_at.pointer, moment, "i32"), "%line")
        place = code.at(self.moment_of.pointer, code.wide("i32", "%line"), "i32")
        code.store("i32", place, code.put(f"trunc i64 {after} to i32"))
        code.do(f"call {OUTSIDE} void @{self.name}.mark(i64 %tree, i64 {moment}) alwaysinline, !tbaa !6")
        code.do("ret void")
        return code.function(f"{OUTSIDE} void @{self.name}.put(i64 %tree, i32 %line)")

    def _mark(self) -> str:
        """Write code that marks a moment as used."""
        code = Code()
        word = code.at(self.used.pointer, code.put(f"lshr i64 %moment, {_WORD_BITS}"), "i64")
        bit = code.put(f"shl i64 1, {code.put(f'and i64 %moment, {(1 << _WORD_BITS) - 1}')}")
        code.store("i64", word, code.put(f"or i64 {code.load('i64', word)}, {bit}"))
        for level in range(len(self.shifts)):
            self._change(code, level, "%moment", "1")
            self._return_below(code, level, "ret void")
        code.do("ret void")
        return code.function(f"{OUTSIDE} void @{self.name}.mark(i64 %tree, i64 %moment)")

    def _anew(self, name: str) -> str:
        """Return the function that renumbers the moments in use, or forgets all lines."""
        code = Code()
        first, end, kept = self._first(code), self._of_tree(code, "end"), code.variable("i64", "0")
        with code.count_up("0", self._of_tree(code, "now")) as moment:
            old = code.put(f"add i64 {first}, {moment}")
            word = code.load("i64", code.at(self.used.pointer, code.put(f"lshr i64 {old}, {_WORD_BITS}"), "i64"))
            within = code.put(f"and i64 {old}, {(1 << _WORD_BITS) - 1}")
            with code.when(code.put(f"trunc i64 {code.put(f'lshr i64 {word}, {within}')} to i1")):
                line = code.load("i32", code.at(self.line_at.pointer, old, "i32"))
                place = code.at(self.moment_of.pointer, code.wide("i32", line), "i32")
                if name == "number":
                    new = code.get("i64", kept)
                    code.store("i32", code.at(self.line_at.pointer, code.put(f"add i64 {first}, {new}"), "i32"), line)
                    after = code.put(f"add i64 {new}, 1")
                    code.set("i64", kept, after)
                    code.store("i32", place, code.put(f"trunc i64 {after} to i32"))
                else:
                    code.store("i32", place, "0")
        for field, shift in ((self.used, _WORD_BITS), *zip(self.sums, self.shifts, strict=True)):
            self._clear(code, field.pointer, field.type, shift, first, end)
        self._start(code, first, code.get("i64", kept))
        code.do("ret void")
        return code.function(f"{OUTSIDE} void @{self.name}.{name}(i64 %tree) noinline cold")

    def _start(self, code: Code, first: str, lines: str) -> None:
        """Write code that marks the first moments as used and all others as free."""
        wanted = code.put(f"add i64 {code.put(f'mul i64 {lines}, {_SPARE}')}, {_FEW}")
        wanted = code.put(f"and i64 {wanted}, {-_FEW}")
        many = code.put(f"icmp ugt i64 {wanted}, {self.room}")
        end = code.put(f"select i1 {many}, i64 {self.room}, i64 {wanted}")
        code.store("i64", code.at(self.now.pointer, "%tree", "i64"), lines)
        code.store("i64", code.at(self.end.pointer, "%tree", "i64"), end)
        with code.count_up("0", lines) as number:
            moment = code.put(f"add i64 {first}, {number}")
            code.do(f"call {OUTSIDE} void @{self.name}.mark(i64 %tree, i64 {moment}), !tbaa !6")

    def _clear(self, code: Code, pointer: str, type_: str, shift: int, first: str, end: str) -> None:
        """Write code that sets the bits and sums of a stack to 0."""
        start = code.put(f"lshr i64 {first}, {shift}")
        last = code.put(f"add i64 {first}, {code.put(f'add i64 {end}, -1')}")
        after = code.put(f"add i64 {code.put(f'lshr i64 {last}, {shift}')}, 1")
        with code.count_up(start, after) as number:
            code.store(type_, code.at(pointer, number, type_), "0")

    # --------------------------------------------------------------------------------------------- parts

    def _first(self, code: Code) -> str:
        """Return the first moment of %tree."""
        return code.put(f"mul i64 %tree, {self.room}")

    def _of_tree(self, code: Code, name: str) -> str:
        field = self.now if name == "now" else self.end
        return code.load("i64", code.at(field.pointer, "%tree", "i64"))

    def _place(self, code: Code, level: int, moment: str) -> str:
        """Return the place of a moment's sum in its row, as a vector."""
        place = code.put(f"and i64 {code.put(f'lshr i64 {moment}, {self.shifts[level]}')}, {_ROW - 1}")
        return everywhere(code, "i32", _ROW, code.put(f"trunc i64 {place} to i32"))

    def _change(self, code: Code, level: int, moment: str, amount: str) -> str:
        """Write the addition to the sum of a moment; return the row, stored as a whole so that loading it is fast."""
        row = code.put(f"and i64 {code.put(f'lshr i64 {moment}, {self.shifts[level]}')}, {-_ROW}")
        pointer = code.at(self.sums[level].pointer, row, "i32")
        here = code.put(f"icmp eq {_SUMS} {_numbers()}, {self._place(code, level, moment)}")
        sign = "sext" if amount == "-1" else "zext"
        sums = code.put(f"add {_SUMS} {code.load(_SUMS, pointer)}, {code.put(f'{sign} <{_ROW} x i1> {here} to {_SUMS}')}")
        code.do(f"store volatile {_SUMS} {sums}, ptr {pointer}, {STATE}")
        return sums

    def _return_below(self, code: Code, level: int, text: str) -> None:
        """Write a return if all moments in use lie in one row of this level."""
        inside = code.put(f"icmp ule i64 {self._of_tree(code, 'end')}, {1 << (self.shifts[level] + _ROW_BITS)}")
        with code.when(inside):
            code.do(text)


def _numbers() -> str:
    """Return the vector 0, 1, 2, ..."""
    return f"<{', '.join(f'i32 {number}' for number in range(_ROW))}>"


# ----------------------------------------------------------------------------------------------------------------------
# Write fully associative LRU caches of every size as LLVM IR: count stack distances by powers of two.
#
# The newest lines stand in a vector, in which most accesses find their line.  Lines that leave the vector go into a tree.
# A sample (`cache_sim.distances`) has only trees: one of the whole sample, and one of each of its parts.


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
