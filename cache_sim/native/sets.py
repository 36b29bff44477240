"""Write the sets of a cache as LLVM IR: an access looks a line up and updates its set.

Direct-mapped and narrow LRU sets do without branches, since a host predicts misses badly: hits and misses execute the same
instructions, with selects.  `cache_sim.native.sets` has all other sets.

Sets that are searched way by way stand at the end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from cache_sim.config import Cache
from cache_sim.native.code import BYTES, STATE, Code, Field, Read, State
from cache_sim.policies import FARTHEST, LONG

_FREE = (-1, (1 << 32) - 1)  # how an entry that is free is read: numbers of 64 bits are signed
_DOUBLE = {"i32": "i64", "i64": "i128"}
NARROW = 8  # ways up to which a set is one vector
LANES = 8  # of vectors in which lines are counted


@dataclass(frozen=True, slots=True)
class Access:
    """The outcome of an access: values of type i1, and the number of a line.

    `missed`: the line was absent.  `soiled`: the line was dirty before.  `victim` is the line evicted, and `written` whether
    it was dirty ("" if that cannot be).
    """

    missed: str
    soiled: str = "false"
    victim: str = ""
    written: str = ""


@dataclass(frozen=True, slots=True)
class Wanted:
    """The line to access, a value of the type of addresses, and how.

    `dirty`: the line becomes dirty.  `fills`: an absent line is brought in.  `moves`: a present line counts as used.
    """

    line: str
    dirty: bool = False
    fills: bool = True
    moves: bool = True


class Sets(Protocol):
    """The lines of a cache."""

    @property
    def flushed(self) -> list[Field]:
        """Fields that get their initial values back when the cache is emptied."""
        ...

    def with_dirty(self, number: int) -> Sequence[int]:
        """Return what may stand in the first of `flushed` if so many lines are dirty."""
        ...

    def access(self, code: Code, wanted: Wanted) -> Access:
        """Write an access."""
        ...

    def dirty(self, code: Code) -> str:
        """Write code that counts dirty lines; return an i64."""
        ...

    def dirty_in(self, read: Read) -> int:
        """Count dirty lines in memory."""
        ...


class Direct:
    """Sets of one line.  If writes stay in the cache, the word behind the line is 0 if the line is dirty.

    So a read needs no select for that word: it or's into it whether the line was absent.
    """

    def __init__(self, cache: Cache, word: str, back: bool, state: State) -> None:
        self.sets, self.word, self.back = cache.sets, word, back
        self.entries = state.array(word, cache.sets * (1 + back), none(word))

    @property
    def flushed(self) -> list[Field]:
        """Fields that get their initial values back when the cache is emptied."""
        return [self.entries]

    def dirty(self, code: Code) -> str:
        """Write code that counts dirty lines; return an i64."""
        clean = range(1, min(2 * self.sets, LANES), 2)
        return count(code, self.entries, clean, lambda some, type_: code.put(f"icmp eq {type_} {some}, zeroinitializer"))

    def dirty_in(self, read: Read) -> int:
        """Count dirty lines in memory."""
        return sum(clean == 0 for clean in read(self.entries)[1::2])

    def with_dirty(self, number: int) -> Sequence[int]:
        """Return entries of which so many are dirty."""
        return [0] * (2 * number)

    def access(self, code: Code, wanted: Wanted) -> Access:
        """Write an access."""
        index = set_of(code, self.word, wanted.line, self.sets)
        where = code.at(self.entries.pointer, code.put(f"mul i64 {index}, {1 + self.back}"), self.word)
        old = code.load(self.word, where)
        missed = code.put(f"icmp ne {self.word} {old}, {wanted.line}")
        if not self.back:
            if wanted.fills:
                code.store(self.word, where, wanted.line)
            return Access(missed)
        beside = code.at(where, "1", self.word)
        kept = code.load(self.word, beside)
        clean = code.put(f"and {self.word} {kept}, 1")
        filled = code.put(f"zext i1 {missed} to {self.word}")
        soiled = code.put(f"icmp eq {self.word} {code.put(f'or {self.word} {clean}, {filled}')}, 0")
        if not wanted.fills:
            code.store(self.word, beside, choose(code, missed, self.word, kept, "0"))
            return Access(missed, soiled)
        if wanted.dirty:
            store_pair(code, self.word, where, wanted.line, "0")
        else:
            code.store(self.word, where, wanted.line)
            code.store(self.word, beside, code.put(f"or {self.word} {kept}, {filled}"))
        written = code.put(f"icmp ugt {self.word} {filled}, {clean}")
        return Access(missed, soiled, old, written)


class _Tagged:
    """Sets with a field of tags, each with a dirty bit below it if writes stay in the cache."""

    tags: Field

    def dirty(self, code: Code) -> str:
        """Write code that counts dirty lines; return an i64."""
        return count_dirty(code, self.tags)

    def dirty_in(self, read: Read) -> int:
        """Count dirty lines in memory."""
        return dirty_among(read(self.tags))

    def with_dirty(self, number: int) -> Sequence[int]:
        """Return tags of which so many are of dirty lines."""
        return [1] * number


class Ordered(_Tagged):
    """Sets of a few lines, newest first: the tags are a vector; each has a dirty bit below it if writes stay in the cache."""

    def __init__(self, cache: Cache, word: str, back: bool, state: State) -> None:
        self.sets, self.ways, self.word, self.back = cache.sets, cache.ways, word, back
        self.tags = state.array(word, cache.sets * cache.ways, none(word))

    @property
    def flushed(self) -> list[Field]:
        """Fields that get their initial values back when the cache is emptied."""
        return [self.tags]

    def access(self, code: Code, wanted: Wanted) -> Access:
        """Write an access."""
        index = code.put(f"mul i64 {set_of(code, self.word, wanted.line, self.sets)}, {self.ways}")
        place = code.at(self.tags.pointer, index, self.word)
        vector, flags = f"<{self.ways} x {self.word}>", f"<{self.ways} x i1>"
        align = 4 if self.word == "i32" else 8
        tags = code.put(f"load {vector}, ptr {place}, align {align}, !tbaa !6")
        tag = named(code, self.word, wanted.line, self.back)
        same = code.put(f"icmp eq {vector} {self._clean(code, vector, tags)}, {self._all(code, vector, tag)}")
        there = code.put(f"bitcast {flags} {same} to i{self.ways}")
        missed = code.put(f"icmp eq i{self.ways} {there}, 0")
        soiled = "false"
        if self.back:
            marked = code.put(f"and {flags} {same}, {code.put(f'trunc {vector} {tags} to {flags}')}")
            soiled = code.put(f"icmp ne i{self.ways} {code.put(f'bitcast {flags} {marked} to i{self.ways}')}, 0")
            mark = "1" if wanted.dirty else code.put(f"zext i1 {soiled} to {self.word}")
            tag = code.put(f"or {self.word} {tag}, {mark}")
        # All bits up to the one that is set, which are all if there is none: these ways move.
        upto = code.put(f"xor i{self.ways} {there}, {code.put(f'add i{self.ways} {there}, -1')}")
        moves = code.put(f"bitcast i{self.ways} {upto} to {flags}")
        front = code.put(f"insertelement {vector} poison, {self.word} {tag}, i64 {self.ways - 1}")
        order = ", ".join(f"i32 {lane}" for lane in (2 * self.ways - 1, *range(self.ways - 1)))
        moved = code.put(f"shufflevector {vector} {tags}, {vector} {front}, <{self.ways} x i32> <{order}>")
        now = code.put(f"select {flags} {moves}, {vector} {moved}, {vector} {tags}")
        if not wanted.fills:
            now = choose(code, missed, vector, tags, now)
        if not wanted.moves:
            now = choose(code, missed, vector, now, tags)
        # Volatile: what is stored under a mask cannot be loaded soon.
        code.do(f"store volatile {vector} {now}, ptr {place}, align {align}, !tbaa !6")
        if not wanted.fills:
            return Access(missed, soiled)
        return Access(missed, soiled, *self._victim(code, vector, tags, missed))

    def _clean(self, code: Code, vector: str, tags: str) -> str:
        """Write code that returns tags without their dirty bits; a free entry stays free."""
        return code.put(f"and {vector} {tags}, splat ({self.word} -2)") if self.back else tags

    def _all(self, code: Code, vector: str, value: str) -> str:
        first = code.put(f"insertelement {vector} poison, {self.word} {value}, i64 0")
        return code.put(f"shufflevector {vector} {first}, {vector} poison, <{self.ways} x i32> zeroinitializer")

    def _victim(self, code: Code, vector: str, tags: str, missed: str) -> tuple[str, str]:
        if not self.back:
            return "", ""
        last = code.put(f"extractelement {vector} {tags}, i64 {self.ways - 1}")
        written = dirty_tag(code, self.word, last)
        return code.put(f"lshr {self.word} {last}, 1"), code.put(f"and i1 {missed}, {written}")


def none(word: str) -> int:
    """Return the value of a free entry."""
    return (1 << (32 if word == "i32" else 64)) - 1


def set_of(code: Code, word: str, line: str, sets: int) -> str:
    """Return (an i64) the number of a line's set, or of its entry in a filter with as many entries."""
    return code.wide(word, code.put(f"and {word} {line}, {sets - 1}"))


def choose(code: Code, condition: str, type_: str, yes: str, no: str) -> str:
    """Write the choice of one of two values, in a way that LLVM does not turn into a branch."""
    return code.put(f"select i1 {condition}, {type_} {yes}, {type_} {no}, !unpredictable !9")


def named(code: Code, word: str, line: str, back: bool) -> str:
    """Return the tag of a clean line."""
    return code.put(f"shl {word} {line}, 1") if back else line


def dirty_tag(code: Code, word: str, tag: str, lanes: int = 1) -> str:
    """Return whether a tag, or each of a vector of them, is that of a dirty line; a free entry is not."""
    type_, flags, free = word, "i1", "-1"
    if lanes > 1:
        type_, flags, free = f"<{lanes} x {word}>", f"<{lanes} x i1>", f"splat ({word} -1)"
    valid = code.put(f"icmp ne {type_} {tag}, {free}")
    return code.put(f"and {flags} {valid}, {code.put(f'trunc {type_} {tag} to {flags}')}")


def store_pair(code: Code, word: str, where: str, line: str, clean: str) -> None:
    """Write the store of a line and of the word behind it at once: only then a load of both is fast on the host."""
    both = _DOUBLE[word]
    pair = code.put(f"zext {word} {line} to {both}")
    if clean != "0":
        high = code.put(f"shl {both} {code.put(f'zext {word} {clean} to {both}')}, {8 * BYTES[word]}")
        pair = code.put(f"or {both} {pair}, {high}")
    code.store(both, where, pair)


def count(code: Code, field: Field, lanes: Iterable[int], test: Callable[[str, str], str]) -> str:
    """Write code that counts the elements for which a test holds; return an i64.

    The test gets vectors of `LANES` elements and their type; only some lanes count.
    """
    type_, sums = f"<{LANES} x {field.type}>", f"<{LANES} x i64>"
    total = code.variable(sums, "zeroinitializer")
    with code.count_up("0", str(-(-field.count // LANES))) as number:  # the last may reach into what aligns the next field
        some = code.put(f"load {type_}, ptr {code.at(field.pointer, number, type_)}, align {BYTES[field.type]}, {STATE}")
        found = code.put(f"zext <{LANES} x i1> {test(some, type_)} to {sums}")
        code.set(sums, total, code.put(f"add {sums} {code.get(sums, total)}, {found}"))
    found, result = code.get(sums, total), "0"
    for lane in lanes:
        result = code.put(f"add i64 {result}, {code.put(f'extractelement {sums} {found}, i64 {lane}')}")
    return result


def count_dirty(code: Code, tags: Field) -> str:
    """Write code that counts the tags of dirty lines; return an i64."""
    return count(code, tags, range(LANES), lambda some, _: dirty_tag(code, tags.type, some, LANES))


def dirty_among(tags: Sequence[int]) -> int:
    """Return how many tags are those of dirty lines."""
    odd = sum(map((1).__and__, tags))  # all in C: large caches are counted often
    return odd - sum(tags.count(free) for free in _FREE if free & 1)


# ----------------------------------------------------------------------------------------------------------------------
# Write sets that are searched way by way: wide LRU sets, whose tags stand in order of use, and FIFO, random and tree-PLRU.
#
# `cache_sim.policies` defines the policies.


WORD_BITS = 6  # of the number of a bit: its place in a word
_MULTIPLIER, _INCREMENT = 1664525, 1013904223  # of the generator behind random replacement


class Searched(_Tagged):
    """The tags of each set, with a dirty bit if writes stay in the cache, and the state of the policy.

    That state is the oldest way (FIFO), the number of ways in use (random, RRIP), or the bits of the tree (PLRU); RRIP has an
    age for each line beside it, and the last way that was used.
    """

    def __init__(self, cache: Cache, word: str, back: bool, state: State) -> None:
        self.sets, self.ways, self.policy, self.word, self.back = cache.sets, cache.ways, cache.policy, word, back
        self.tags = state.array(word, cache.sets * cache.ways, none(word))
        self.words = max(1, cache.ways >> WORD_BITS) if cache.policy == "plru" else 1  # that are kept of a set
        self.kept = None if cache.policy == "lru" else state.array("i64", cache.sets * self.words)
        self.random = state.array("i32", 1, 1) if cache.policy == "random" else None
        self.ages = state.array("i8", cache.sets * cache.ways) if cache.policy == "rrip" else None
        self.last = state.array("i32", cache.sets) if cache.policy == "rrip" else None  # way of each set that was used

    @property
    def flushed(self) -> list[Field]:
        """Fields that get their initial values back when the cache is emptied."""
        return [self.tags, *([self.kept] if self.kept else [])]

    def access(self, code: Code, wanted: Wanted) -> Access:
        """Write an access."""
        index = set_of(code, self.word, wanted.line, self.sets)
        place = code.at(self.tags.pointer, code.put(f"mul i64 {index}, {self.ways}"), self.word)
        clean = named(code, self.word, wanted.line, self.back)
        found, tag = code.variable("i64", "-1"), code.variable(self.word, "0")
        with code.count_up("0", str(self.ways)) as way:
            each = code.load(self.word, code.at(place, way, self.word))
            bare = code.put(f"and {self.word} {each}, -2") if self.back else each
            same = code.put(f"icmp eq {self.word} {bare}, {clean}")
            code.set("i64", found, code.put(f"select i1 {same}, i64 {way}, i64 {code.get('i64', found)}"))
            before = code.get(self.word, tag)
            code.set(self.word, tag, code.put(f"select i1 {same}, {self.word} {each}, {self.word} {before}"))
        missed = code.put(f"icmp slt i64 {code.get('i64', found)}, 0")
        if wanted.moves or wanted.dirty:
            with code.when(code.put(f"xor i1 {missed}, true")):
                self._touch(code, index, place, code.get("i64", found), code.get(self.word, tag), wanted)
        soiled = code.put(f"trunc {self.word} {code.get(self.word, tag)} to i1") if self.back else "false"
        if not wanted.fills:
            return Access(missed, soiled)
        victim = code.variable(self.word, str(none(self.word)))
        with code.when(missed):
            self._fill(code, index, place, victim, code.put(f"or {self.word} {clean}, {int(wanted.dirty)}"))
        if not self.back:
            return Access(missed)
        old = code.get(self.word, victim)
        return Access(missed, soiled, code.put(f"lshr {self.word} {old}, 1"), dirty_tag(code, self.word, old))

    def _touch(self, code: Code, index: str, place: str, way: str, tag: str, wanted: Wanted) -> None:
        """Write the update of the policy for a line that is present."""
        now = code.put(f"or {self.word} {tag}, 1") if wanted.dirty and self.back else tag
        if self.policy == "lru":
            self._to_front(code, place, way, now)
            return
        code.store(self.word, code.at(place, way, self.word), now)
        self._point_away(code, index, way)
        if self.ages is not None and self.last is not None:
            last = code.at(self.last.pointer, index, "i32")
            with code.when(code.put(f"icmp ne i64 {code.wide('i32', code.load('i32', last))}, {way}")):
                code.store("i8", code.at(self._ages_of(code, self.ages, index), way, "i8"), "0")
                code.store("i32", last, code.put(f"trunc i64 {way} to i32"))

    def _fill(self, code: Code, index: str, place: str, victim: str, tag: str) -> None:
        """Write code that evicts a line and brings one in."""
        way = str(self.ways - 1) if self.kept is None else self._victim(code, self.kept, index, place)
        where = code.at(place, way, self.word)
        code.set(self.word, victim, code.load(self.word, where))
        if self.kept is None:
            self._to_front(code, place, way, tag)
        else:
            code.store(self.word, where, tag)

    def _to_front(self, code: Code, place: str, depth: str, tag: str) -> None:
        """Write code that moves the tags before `depth` back by one and puts a tag in front of them."""
        with code.count_up("0", depth) as step:
            to = code.at(place, code.put(f"sub i64 {depth}, {step}"), self.word)
            code.store(self.word, to, code.load(self.word, code.at(to, "-1", self.word)))
        code.store(self.word, place, tag)

    # -------------------------------------------------------------------------------------------- policies

    def _victim(self, code: Code, field: Field, index: str, place: str) -> str:
        """Write the choice of a way to fill: the first free one, else the victim of the policy."""
        kept = code.at(field.pointer, self._first_word(code, index), "i64")
        if self.policy == "plru":
            way = self._pointed_at(code, kept, place)
            self._point_away(code, index, way)
            return way
        number = code.load("i64", kept)
        if self.policy == "fifo":  # free ways are used in order, so the oldest comes behind the youngest
            after = code.put(f"add i64 {number}, 1")
            wrapped = code.put(f"icmp eq i64 {after}, {self.ways}")
            code.store("i64", kept, code.put(f"select i1 {wrapped}, i64 0, i64 {after}"))
            return number
        way = code.variable("i64", number)
        full = code.put(f"icmp eq i64 {number}, {self.ways}")
        with code.when(full):
            if self.ages is not None:
                self._find_farthest(code, self._ages_of(code, self.ages, index), way)
            else:
                self._draw(code, way)
        with code.when(code.put(f"xor i1 {full}, true")):
            code.store("i64", kept, code.put(f"add i64 {number}, 1"))
        if self.ages is not None and self.last is not None:
            code.store("i8", code.at(self._ages_of(code, self.ages, index), code.get("i64", way), "i8"), str(LONG))
            filled = code.put(f"trunc i64 {code.get('i64', way)} to i32")
            code.store("i32", code.at(self.last.pointer, index, "i32"), filled)
        return code.get("i64", way)

    def _ages_of(self, code: Code, ages: Field, index: str) -> str:
        """Return a pointer to the ages of a set."""
        return code.at(ages.pointer, code.put(f"mul i64 {index}, {self.ways}"), "i8")

    def _find_farthest(self, code: Code, ages: str, way: str) -> None:
        """Write the choice of the first way with the highest age, and make all ages so much higher that it is the highest."""
        most = code.variable("i8", "-1")
        with code.count_up("0", str(self.ways)) as each:
            age = code.load("i8", code.at(ages, each, "i8"))
            with code.when(code.put(f"icmp sgt i8 {age}, {code.get('i8', most)}")):
                code.set("i8", most, age)
                code.set("i64", way, each)
        more = code.put(f"sub i8 {FARTHEST}, {code.get('i8', most)}")
        with code.count_up("0", str(self.ways)) as each:
            code.add("i8", code.at(ages, each, "i8"), more)

    def _draw(self, code: Code, way: str) -> None:
        """Write the choice of any way."""
        assert self.random is not None
        product = code.put(f"mul i32 {code.load('i32', self.random.pointer)}, {_MULTIPLIER}")
        state = code.put(f"add i32 {product}, {_INCREMENT}")
        code.store("i32", self.random.pointer, state)
        drawn = code.put(f"lshr i32 {state}, 16")
        code.set("i64", way, code.wide("i32", code.put(f"urem i32 {drawn}, {self.ways}")))

    def _pointed_at(self, code: Code, bits: str, place: str) -> str:
        """Write the choice of the first free way, else of the leaf to which the tree points; node n has sons 2n and 2n + 1."""
        way = code.variable("i64", "-1")
        with code.count_up("0", str(self.ways)) as each:
            free = code.put(f"icmp eq {self.word} {code.load(self.word, code.at(place, each, self.word))}, -1")
            unset = code.put(f"icmp slt i64 {code.get('i64', way)}, 0")
            with code.when(code.put(f"and i1 {free}, {unset}")):
                code.set("i64", way, each)
        with code.when(code.put(f"icmp slt i64 {code.get('i64', way)}, 0")):
            node = "1"
            for _ in range(self.ways.bit_length() - 1):
                word, place_in_it = self._bit(code, bits, node)
                tree = code.load("i64", word)
                bit = code.put(f"and i64 {code.put(f'lshr i64 {tree}, {place_in_it}')}, 1")
                node = code.put(f"add i64 {code.put(f'shl i64 {node}, 1')}, {bit}")
            code.set("i64", way, code.put(f"sub i64 {node}, {self.ways}"))
        return code.get("i64", way)

    def _point_away(self, code: Code, index: str, way: str) -> None:
        """Write the update of a tree: every node above a way points away from the way."""
        if self.policy != "plru" or self.kept is None:
            return
        bits = code.at(self.kept.pointer, self._first_word(code, index), "i64")
        node = code.put(f"add i64 {way}, {self.ways}")
        for _ in range(self.ways.bit_length() - 1):
            side = code.put(f"and i64 {node}, 1")
            node = code.put(f"lshr i64 {node}, 1")
            word, place = self._bit(code, bits, node)
            mask = code.put(f"shl i64 1, {place}")
            away = code.put(f"shl i64 {code.put(f'xor i64 {side}, 1')}, {place}")
            cleared = code.put(f"and i64 {code.load('i64', word)}, {code.put(f'xor i64 {mask}, -1')}")
            code.store("i64", word, code.put(f"or i64 {cleared}, {away}"))

    def _first_word(self, code: Code, index: str) -> str:
        """Return the index of a set's first word of policy state."""
        return code.put(f"mul i64 {index}, {self.words}") if self.words > 1 else index

    def _bit(self, code: Code, bits: str, node: str) -> tuple[str, str]:
        """Return a pointer to the word with the bit of a node, and the position of the bit in it."""
        if self.words == 1:
            return bits, node
        word = code.at(bits, code.put(f"lshr i64 {node}, {WORD_BITS}"), "i64")
        return word, code.put(f"and i64 {node}, {(1 << WORD_BITS) - 1}")
