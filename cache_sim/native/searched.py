"""Write sets that are searched way by way: wide LRU sets, whose tags stand in order of use, and FIFO, random and tree-PLRU.

`cache_sim.policies` defines the policies.
"""

from __future__ import annotations

from collections.abc import Sequence

from cache_sim.config import Cache
from cache_sim.native.code import Code
from cache_sim.native.sets import Access, Wanted, count_dirty, dirty_among, dirty_tag, named, none, set_of
from cache_sim.native.state import Field, Read, State

WORD_BITS = 6  # of the number of a bit: its place in a word
_MULTIPLIER, _INCREMENT = 1664525, 1013904223  # of the generator behind random replacement


class Searched:
    """The tags of each set, with a dirty bit if writes stay in the cache, and the state of the policy.

    That state is the oldest way (FIFO), the number of ways in use (random), or the bits of the tree (PLRU).
    """

    def __init__(self, cache: Cache, word: str, back: bool, state: State) -> None:
        self.sets, self.ways, self.policy, self.word, self.back = cache.sets, cache.ways, cache.policy, word, back
        self.tags = state.array(word, cache.sets * cache.ways, none(word))
        self.words = max(1, cache.ways >> WORD_BITS) if cache.policy == "plru" else 1  # that are kept of a set
        self.kept = None if cache.policy == "lru" else state.array("i64", cache.sets * self.words)
        self.random = state.array("i32", 1, 1) if cache.policy == "random" else None

    @property
    def flushed(self) -> list[Field]:
        """Fields that get their initial values back when the cache is emptied."""
        return [self.tags, *([self.kept] if self.kept else [])]

    def dirty(self, code: Code) -> str:
        """Write code that counts dirty lines; return an i64."""
        return count_dirty(code, self.tags)

    def dirty_in(self, read: Read) -> int:
        """Count dirty lines in memory."""
        return dirty_among(read(self.tags))

    def with_dirty(self, number: int) -> Sequence[int]:
        """Return tags of which so many are of dirty lines."""
        return [1] * number

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
        assert self.random is not None
        way = code.variable("i64", number)
        full = code.put(f"icmp eq i64 {number}, {self.ways}")
        with code.when(full):
            product = code.put(f"mul i32 {code.load('i32', self.random.pointer)}, {_MULTIPLIER}")
            state = code.put(f"add i32 {product}, {_INCREMENT}")
            code.store("i32", self.random.pointer, state)
            drawn = code.put(f"lshr i32 {state}, 16")
            code.set("i64", way, code.wide("i32", code.put(f"urem i32 {drawn}, {self.ways}")))
        with code.when(code.put(f"xor i1 {full}, true")):
            code.store("i64", kept, code.put(f"add i64 {number}, 1"))
        return code.get("i64", way)

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
