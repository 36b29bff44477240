"""One cache as LLVM IR: a function for each kind of access, which tells whether it missed.

Beside its tags a cache has filters: for each set, the line of the last access, and that line again if it is dirty.  An
access that its filter names changes nothing in any policy, so whoever generates code may test the filter in line and
leave out the access (`cache_sim.native.system`).  Tags of LRU caches stand in order of use; each is a line number, with
a bit behind it that says whether the line is dirty where that matters.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from cache_sim.config import Cache
from cache_sim.native.causes import Causes
from cache_sim.native.code import Code
from cache_sim.native.state import Field, State

KINDS = ("read", "write", "fetch")
OUTSIDE = "preserve_allcc"  # of functions that are called rarely, from code that has its registers full
UNROLLED = 8  # ways up to which a search is written out
_MULTIPLIER, _INCREMENT = 1664525, 1013904223  # of the generator behind random replacement


def reading(kind: str) -> str:
    """Return as what kind of access a line is read from the next level when an access of a kind wants it."""
    return "fetch" if kind == "fetch" else "read"


class Next(Protocol):
    """What is behind a cache."""

    def read(self, code: Code, line: str, kind: str, site: str) -> None:
        """Write code that reads a line of the cache in front."""
        ...

    def write(self, code: Code, line: str, site: str) -> None:
        """Write code that writes a line of the cache in front."""
        ...


class Memory:
    """Main memory: what it is asked for follows from other counts."""

    def read(self, code: Code, line: str, kind: str, site: str) -> None:
        """Nothing happens."""

    def write(self, code: Code, line: str, site: str) -> None:
        """Nothing happens."""


class CacheCode:
    """The state of a cache and the text of its functions.

    Filters lie in `near`.  `word` is the type of addresses,
    `filters` the number of entries of each filter, at most the number of sets; `kinds`
    those of accesses that occur, `sites` how many places there are to which misses are attributed.
    """

    def __init__(
        self, cache: Cache, name: str, state: State, large: State, word: str, kinds: tuple[str, ...], sites: int, behind: Next,
        filters: int, near: State, causes: bool = False, tlb: bool = False,
    ) -> None:  # fmt: skip
        self.cache, self.name, self.word, self.kinds, self.behind = cache, name, word, kinds, behind
        self.back = cache.write == "back" and "write" in kinds and not tlb
        self.filters = filters
        bits = 32 if word == "i32" else 64
        self.shift = cache.line.bit_length() - 1
        none = (1 << bits) - 1
        self.filter = near.array(word, filters, none)
        self.dirty_filter = near.array(word, filters, none) if self.back else self.filter
        self.filter_is_tag = cache.ways == 1 and filters == cache.sets and not self.back
        self.ordered = cache.ways > 1 and cache.policy == "lru"
        self.tags = self.filter if self.filter_is_tag else state.array(word, cache.sets * cache.ways, none)
        self.replacement = self._replacement(state)
        self.random = state.array("i32", 1, 1) if cache.policy == "random" and cache.ways > 1 else None
        self.misses = {kind: state.array("i64", sites) for kind in kinds}
        self.prefetches = {kind: state.array("i64", 1) for kind in dict.fromkeys(map(reading, kinds))}
        self.writebacks, self.emptied, self.dirty = (state.array("i64", 1) for _ in range(3))
        self.causes = Causes(cache, f"{name}.causes", state, large, word, sites) if causes else None

    def _replacement(self, state: State) -> Field | None:
        """What a policy keeps for each set: the oldest way, how many ways are valid, or the tree's bits."""
        if self.cache.ways == 1 or self.cache.policy == "lru":
            return None
        return state.array("i64", self.cache.sets)

    # -------------------------------------------------------------------------------------------- use

    def call(self, code: Code, kind: str, line: str, site: str, inline: bool = False) -> str:
        """Write code for an access; return an i64: 1 if it misses, else 0."""
        how = "alwaysinline" if inline else "noinline"
        return code.put(f"call {OUTSIDE} i64 @{self.name}.{kind}({self.word} {line}, i64 {site}) {how}, !tbaa !6")

    def filtered(self, kind: str) -> Field:
        """The filter that tells whether an access of a kind changes nothing."""
        return self.dirty_filter if kind == "write" else self.filter

    @property
    def passes_writes(self) -> bool:
        """Whether every write goes on to the next level."""
        return self.cache.write == "through" and "write" in self.kinds

    @property
    def flushed(self) -> list[Field]:
        """Fields that get their initial values back when the cache is emptied."""
        fields = {self.filter, self.dirty_filter, self.tags, self.dirty, *([self.replacement] if self.replacement else [])}
        return sorted(fields, key=lambda field: field.address)

    def functions(self) -> str:
        """Return the text of the functions that `call` calls."""
        causes = [self.causes.functions()] if self.causes else []
        prefetch = [self._prefetch(kind) for kind in self.prefetches] if self.cache.prefetch == "next" else []
        return "\n".join([*causes, *prefetch, *(self._function(kind) for kind in self.kinds)])

    def empty(self, code: Code) -> None:
        """Write code for what a context switch does to the cache, before its fields in `flushed` are as at the start."""
        code.add("i64", self.emptied.pointer, code.load("i64", self.dirty.pointer))
        if self.causes:
            self.causes.empty(code)

    # ---------------------------------------------------------------------------------------- functions

    def _function(self, kind: str) -> str:
        """What an access of a kind does."""
        code = Code()
        write = kind == "write"
        place = self._place(code)

        def hit(tag: str) -> None:
            self._touched(code, tag, write)
            if write and self.cache.write == "through":
                self.behind.write(code, "%line", "%site")
            if self.causes:
                self.causes.accessed(code, "%line")
            code.do("ret i64 0")

        self._search(code, place, hit, write)
        code.add("i64", code.at(self.misses[kind].pointer, "%site", "i64"))
        if self.causes:
            self.causes.missed(code, "%line", "%site")
        if write and not self.cache.allocate:
            self.behind.write(code, "%line", "%site")
            if self.causes:
                self.causes.asked(code, "%line")
                self._forget(code, "-1")
        else:
            self._fill(code, place, kind, write and self.back)
            self._remember(code, "true" if write else "false")
            if write and self.cache.write == "through":
                self.behind.write(code, "%line", "%site")
            if self.causes:
                self.causes.accessed(code, "%line")
            if self.cache.prefetch == "next":
                line = code.put(f"add {self.word} %line, 1")
                name = f"{self.name}.prefetch.{reading(kind)}"
                code.do(f"call {OUTSIDE} void @{name}({self.word} {line}, i64 %site), !tbaa !6")
        code.do("ret i64 1")
        return code.function(f"{OUTSIDE} i64 @{self.name}.{kind}({self.word} %line, i64 %site)")

    def _prefetch(self, kind: str) -> str:
        """Bring in a line that nobody has asked for; filters might name what it throws out."""
        code = Code()
        place = self._place(code)
        self._search(code, place, lambda tag: code.do("ret void"), False, moving=False)
        code.add("i64", self.prefetches[kind].pointer)
        self._fill(code, place, kind, False)
        self._forget(code, "%line" if self.filter_is_tag else "-1")
        code.do("ret void")
        head = f"{OUTSIDE} void @{self.name}.prefetch.{kind}({self.word} %line, i64 %site) noinline"
        return code.function(head)

    # --------------------------------------------------------------------------------------------- parts

    def _index(self, code: Code, sets: int) -> str:
        """Return the set of %line, or its entry in a filter, as an i64."""
        return code.wide(self.word, code.put(f"and {self.word} %line, {sets - 1}"))

    def _place(self, code: Code) -> str:
        """Return a pointer to the tags of the set of %line."""
        index = self._index(code, self.cache.sets)
        first = index if self.cache.ways == 1 else code.put(f"mul i64 {index}, {self.cache.ways}")
        return code.at(self.tags.pointer, first, self.word)

    def _tag(self, code: Code, dirty: bool) -> str:
        """Return the tag that names %line."""
        if not self.back:
            return "%line"
        moved = code.put(f"shl {self.word} %line, 1")
        return code.put(f"or {self.word} {moved}, 1") if dirty else moved

    def _names(self, code: Code, tag: str, wanted: str) -> str:
        """Return whether a tag names the line for which `wanted` is the dirty tag."""
        seen = code.put(f"or {self.word} {tag}, 1") if self.back else tag
        return code.put(f"icmp eq {self.word} {seen}, {wanted}")

    def _search(self, code: Code, place: str, hit: Callable[[str], None], write: bool, moving: bool = True) -> None:
        """Look for %line; `hit` writes what happens, given its tag, and returns; here it is only moved or marked."""
        wanted, ways = self._tag(code, True), self.cache.ways
        if self.ordered and ways <= UNROLLED:
            for depth in range(ways):
                tag = code.load(self.word, code.at(place, str(depth), self.word))
                with code.when(self._names(code, tag, wanted)):
                    if moving:
                        self._to_front(code, place, str(depth), wanted if write else tag)
                    hit(tag)
            return
        with code.count_up("0", str(ways)) as way:
            where = code.at(place, way, self.word)
            tag = code.load(self.word, where)
            with code.when(self._names(code, tag, wanted)):
                if moving and self.ordered:
                    self._to_front(code, place, way, wanted if write else tag)
                elif moving:
                    if write and self.back:
                        code.store(self.word, where, wanted)
                    self._point_away(code, way)
                hit(tag)

    def _to_front(self, code: Code, place: str, depth: str, tag: str) -> None:
        """Move the tags before `depth` back by one and put a tag in front of them."""
        if depth.isdigit() and int(depth) < UNROLLED:
            kept = [code.load(self.word, code.at(place, str(i), self.word)) for i in range(int(depth))]
            for i, value in enumerate(kept, 1):
                code.store(self.word, code.at(place, str(i), self.word), value)
        else:
            with code.count_up("0", depth) as step:
                to = code.at(place, code.put(f"sub i64 {depth}, {step}"), self.word)
                code.store(self.word, to, code.load(self.word, code.at(to, "-1", self.word)))
        code.store(self.word, place, tag)

    def _touched(self, code: Code, tag: str, write: bool) -> None:
        """After a hit: keep count of dirty lines, let the filters name the line."""
        dirty = "false"
        if self.back:
            dirty = code.put(f"trunc {self.word} {tag} to i1")
            if write:
                with code.when(code.put(f"xor i1 {dirty}, true")):
                    code.add("i64", self.dirty.pointer)
                dirty = "true"
        self._remember(code, dirty)

    def _remember(self, code: Code, dirty: str) -> None:
        """Let the filters name %line; `dirty` is an i1."""
        if self.filter_is_tag:
            return
        index = self._index(code, self.filters)
        code.store(self.word, code.at(self.filter.pointer, index, self.word), "%line")
        if self.back:
            value = code.put(f"select i1 {dirty}, {self.word} %line, {self.word} -1")
            code.store(self.word, code.at(self.dirty_filter.pointer, index, self.word), value)

    def _forget(self, code: Code, value: str) -> None:
        """Let the filters not name what they may name in the place of %line."""
        index = self._index(code, self.filters)
        for field in dict.fromkeys((self.filter, self.dirty_filter)):
            code.store(self.word, code.at(field.pointer, index, self.word), value)

    def _fill(self, code: Code, place: str, kind: str, dirty: bool) -> None:
        """Throw out a line for %line, and bring that in."""
        ways = self.cache.ways
        way = str(ways - 1) if self.ordered else "0" if ways == 1 else self._victim(code, place)
        where = code.at(place, way, self.word)
        if self.back:
            tag = code.load(self.word, where)
            valid = code.put(f"icmp ne {self.word} {tag}, -1")
            soiled = code.put(f"trunc {self.word} {tag} to i1")
            with code.when(code.put(f"and i1 {valid}, {soiled}")):
                code.add("i64", self.writebacks.pointer)
                code.add("i64", self.dirty.pointer, "-1")
                self.behind.write(code, code.put(f"lshr {self.word} {tag}, 1"), "%site")
        self.behind.read(code, "%line", kind, "%site")
        tag = self._tag(code, dirty)
        if self.ordered:
            self._to_front(code, place, way, tag)
        else:
            code.store(self.word, where, tag)
        if dirty:
            code.add("i64", self.dirty.pointer)

    # -------------------------------------------------------------------------------------------- policies

    def _victim(self, code: Code, place: str) -> str:
        """Return the way to use in a set that is not ordered: the first that is free, else what the policy says."""
        assert self.replacement is not None
        kept = code.at(self.replacement.pointer, self._index(code, self.cache.sets), "i64")
        if self.cache.policy == "plru":
            way = self._pointed_at(code, kept, place)
            self._point_away(code, way)
            return way
        number = code.load("i64", kept)
        if self.cache.policy == "fifo":  # free ways are used in order, so the oldest comes behind the youngest
            after = code.put(f"add i64 {number}, 1")
            code.store("i64", kept, code.put(f"and i64 {after}, {self.cache.ways - 1}"))
            return number
        assert self.random is not None
        way = code.variable("i64", number)
        full = code.put(f"icmp eq i64 {number}, {self.cache.ways}")
        with code.when(full):
            product = code.put(f"mul i32 {code.load('i32', self.random.pointer)}, {_MULTIPLIER}")
            state = code.put(f"add i32 {product}, {_INCREMENT}")
            code.store("i32", self.random.pointer, state)
            drawn = code.put(f"lshr i32 {state}, 16")
            code.set("i64", way, code.wide("i32", code.put(f"urem i32 {drawn}, {self.cache.ways}")))
        with code.when(code.put(f"xor i1 {full}, true")):
            code.store("i64", kept, code.put(f"add i64 {number}, 1"))
        return code.get("i64", way)

    def _pointed_at(self, code: Code, bits: str, place: str) -> str:
        """Return the first free way, else the leaf to which a set's tree points; node n has children 2n and 2n + 1."""
        way = code.variable("i64", "-1")
        with code.count_up("0", str(self.cache.ways)) as each:
            free = code.put(f"icmp eq {self.word} {code.load(self.word, code.at(place, each, self.word))}, -1")
            unset = code.put(f"icmp slt i64 {code.get('i64', way)}, 0")
            with code.when(code.put(f"and i1 {free}, {unset}")):
                code.set("i64", way, each)
        with code.when(code.put(f"icmp slt i64 {code.get('i64', way)}, 0")):
            tree, node = code.load("i64", bits), "1"
            for _ in range(self.cache.ways.bit_length() - 1):
                bit = code.put(f"and i64 {code.put(f'lshr i64 {tree}, {node}')}, 1")
                node = code.put(f"add i64 {code.put(f'shl i64 {node}, 1')}, {bit}")
            code.set("i64", way, code.put(f"sub i64 {node}, {self.cache.ways}"))
        return code.get("i64", way)

    def _point_away(self, code: Code, way: str) -> None:
        """Where a tree of bits keeps the order, let every node above a way point away from it."""
        if self.cache.policy != "plru" or self.replacement is None:
            return
        bits = code.at(self.replacement.pointer, self._index(code, self.cache.sets), "i64")
        tree, node = code.load("i64", bits), code.put(f"add i64 {way}, {self.cache.ways}")
        for _ in range(self.cache.ways.bit_length() - 1):
            side = code.put(f"and i64 {node}, 1")
            node = code.put(f"lshr i64 {node}, 1")
            mask = code.put(f"shl i64 1, {node}")
            away = code.put(f"shl i64 {code.put(f'xor i64 {side}, 1')}, {node}")
            cleared = code.put(f"and i64 {tree}, {code.put(f'xor i64 {mask}, -1')}")
            tree = code.put(f"or i64 {cleared}, {away}")
        code.store("i64", bits, tree)
