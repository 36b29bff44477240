"""Write one cache as LLVM IR: a function for each kind of access, which returns whether the access missed.

Besides its lines (`cache_sim.native.sets`) a cache has a filter.  For each set, the filter has the line of the last access
and whether that line is dirty.  Reading that line again changes nothing, whatever the policy; neither does writing it if it
is dirty.  So code that finds the line in the filter need not call the cache (`cache_sim.native.check_code`).  The number of
lines written back follows from how many lines became dirty.

The causes of misses come first: a fully associative cache of the same size follows all accesses.
"""

from __future__ import annotations

from copy import copy
from typing import Protocol

from cache_sim.config import Cache
from cache_sim.native.code import Code, Field, Read, State, Writer
from cache_sim.native.gauge import ALWAYS, NEVER, Counting
from cache_sim.native.sets import NARROW, Access, Direct, Ordered, Searched, Sets, Wanted, none, set_of, store_pair

# ----------------------------------------------------------------------------------------------------------------------
# Find the causes of misses: a fully associative LRU cache of the same size follows all accesses of a cache.
#
# A miss is `compulsory` if no access came to the line before, else `switch` if none came since the last context switch, else
# `capacity` if the fully associative cache misses as well, else `conflict`.  Two arrays over all lines have the time of the
# last access and the node of the LRU list.  They are as long as there are lines in the address space; most pages of them
# are never touched.


CAUSES = ("compulsory", "switch", "capacity", "conflict")
ADDRESS_BITS = 32


class Causes:
    """The state and code of a cause finder; `large` holds the arrays over all lines.

    Nodes of the list are counted from 1; node 0 is both ends of the list.
    """

    def __init__(self, cache: Cache, name: str, state: State, large: State, word: str, sites: int, counting: Counting) -> None:
        self.name, self.word, self.sites, self.counting = name, word, sites, counting
        self.lines = cache.size // cache.line
        all_lines = 1 << (ADDRESS_BITS - (cache.line.bit_length() - 1))
        self.asked_at, self.node_of = (large.array("i32", all_lines) for _ in range(2))
        self.line_of = state.array("i64", self.lines + 1)
        self.before, self.after = (state.array("i32", self.lines + 1) for _ in range(2))
        self.used = state.array("i64", 1)
        self.epoch = state.array("i32", 1, 1)
        self.counts = [state.array("i64", sites) for _ in CAUSES]

    def missed(self, code: Code, line: str, site: str) -> None:
        """Write the count of a miss; this comes before `accessed` or `asked`."""
        code.do(f"call preserve_allcc void @{self.name}.missed({self.word} {line}, i64 {site}), !tbaa !6")

    def accessed(self, code: Code, line: str) -> None:
        """Write the note of an access that brings in its line if it is absent."""
        code.do(f"call preserve_allcc void @{self.name}.accessed({self.word} {line}), !tbaa !6")

    def asked(self, code: Code, line: str) -> None:
        """Write the note of an access that does not bring in its line; a line that is present becomes the newest."""
        code.do(f"call preserve_allcc void @{self.name}.asked({self.word} {line}), !tbaa !6")

    def empty(self, code: Code) -> None:
        """Write code that forgets everything except which lines were ever accessed."""
        used = code.put(f"add i64 {code.load('i64', self.used.pointer)}, 1")
        with code.count_up("1", used) as node:
            line = code.load("i64", code.at(self.line_of.pointer, node, "i64"))
            code.store("i32", code.at(self.node_of.pointer, line, "i32"), "0")
        code.store("i64", self.used.pointer, "0")
        code.store("i32", self.before.pointer, "0")
        code.store("i32", self.after.pointer, "0")
        code.add("i32", self.epoch.pointer)

    def functions(self) -> str:
        """Return the text of the functions."""
        return "\n".join([self._missed(), self._accessed("accessed"), self._accessed("asked")])

    def _missed(self) -> str:
        code = Code()
        line = code.wide(self.word, "%line")
        asked = code.load("i32", code.at(self.asked_at.pointer, line, "i32"))
        node = code.load("i32", code.at(self.node_of.pointer, line, "i32"))
        now = code.load("i32", self.epoch.pointer)
        tests = (f"icmp eq i32 {asked}, 0", f"icmp ne i32 {asked}, {now}", f"icmp eq i32 {node}, 0")
        for test, counts in zip(tests, self.counts, strict=False):
            with code.when(code.put(test)):
                self.counting.count(code, code.at(counts.pointer, "%site", "i64"), "1")
                code.do("ret void")
        self.counting.count(code, code.at(self.counts[-1].pointer, "%site", "i64"), "1")
        code.do("ret void")
        return code.function(f"preserve_allcc void @{self.name}.missed({self.word} %line, i64 %site) noinline")

    def _accessed(self, name: str) -> str:
        """Return the function that makes a line the newest: with its own node, a new one, or that of the oldest line."""
        code = Code()
        line = code.wide(self.word, "%line")
        code.store("i32", code.at(self.asked_at.pointer, line, "i32"), code.load("i32", self.epoch.pointer))
        where = code.at(self.node_of.pointer, line, "i32")
        node = code.variable("i32", code.load("i32", where))
        absent = code.put(f"icmp eq i32 {code.get('i32', node)}, 0")
        with code.when(absent):
            if name == "asked":
                code.do("ret void")
            else:
                self._take(code, node)
                taken = code.get("i32", node)
                code.store("i32", where, taken)
                code.store("i64", code.at(self.line_of.pointer, code.wide("i32", taken), "i64"), line)
        with code.when(code.put(f"xor i1 {absent}, true")):
            self._unlink(code, code.get("i32", node))
        self._link(code, code.get("i32", node))
        code.do("ret void")
        return code.function(f"preserve_allcc void @{self.name}.{name}({self.word} %line) noinline")

    def _neighbour(self, code: Code, side: str, node: str) -> str:
        field = self.before if side == "before" else self.after
        return code.at(field.pointer, code.wide("i32", node), "i32")

    def _take(self, code: Code, node: str) -> None:
        """Write code that sets `node` to a new node, or to the last one of the list, whose line is evicted."""
        used = code.load("i64", self.used.pointer)
        full = code.put(f"icmp eq i64 {used}, {self.lines}")
        with code.when(full):
            last = code.load("i32", self.before.pointer)
            old = code.load("i64", code.at(self.line_of.pointer, code.wide("i32", last), "i64"))
            code.store("i32", code.at(self.node_of.pointer, old, "i32"), "0")
            self._unlink(code, last)
            code.set("i32", node, last)
        with code.when(code.put(f"xor i1 {full}, true")):
            new = code.put(f"add i64 {used}, 1")
            code.store("i64", self.used.pointer, new)
            code.set("i32", node, code.put(f"trunc i64 {new} to i32"))

    def _unlink(self, code: Code, node: str) -> None:
        before, after = (code.load("i32", self._neighbour(code, side, node)) for side in ("before", "after"))
        code.store("i32", self._neighbour(code, "after", before), after)
        code.store("i32", self._neighbour(code, "before", after), before)

    def _link(self, code: Code, node: str) -> None:
        """Write code that puts a node at the front of the list."""
        first = code.load("i32", self.after.pointer)
        code.store("i32", self._neighbour(code, "after", node), first)
        code.store("i32", self._neighbour(code, "before", node), "0")
        code.store("i32", self._neighbour(code, "before", first), node)
        code.store("i32", self.after.pointer, node)


# ----------------------------------------------------------------------------------------------------------------------
# One cache.


KINDS = ("read", "write", "fetch")
WORTH, WORTH_OF_SEVERAL = 10, 3  # cost of a mispredicted check, in checks without branches: by ways
OUTSIDE = "preserve_allcc"  # calling convention of functions called rarely, from code that needs its registers


def reading(kind: str) -> str:
    """Return the kind of access that reads a line from the next level, for an access of a kind that misses."""
    return "fetch" if kind == "fetch" else "read"


class Next(Protocol):
    """The next level, as a cache sees it."""

    def read(self, code: Code, line: str, kind: str, site: str) -> None:
        """Write code that reads a line of the cache above."""
        ...

    def write(self, code: Code, line: str, site: str) -> None:
        """Write code that writes a line of the cache above."""
        ...


class Memory:
    """Main memory.  It has no code: how often it is read and written follows from other counts."""

    def read(self, code: Code, line: str, kind: str, site: str) -> None:
        """Write nothing."""

    def write(self, code: Code, line: str, site: str) -> None:
        """Write nothing."""


class CacheCode:
    """The state of a cache and the text of its functions.

    The filter has an entry every `stride` words.  An entry is a line.  If writes stay in the cache, the line has a dirty bit
    below it (`marked`) or a word behind it that is 0 if the line is dirty (`paired`).  `word` is the type of addresses,
    `filters` the number of entries, at most the number of sets.  `kinds` are the kinds of accesses that occur, and misses are
    attributed to one of so many `sites`.
    """

    def __init__(
        self, cache: Cache, name: str, state: State, large: State, word: str, kinds: tuple[str, ...], sites: int, behind: Next,
        filters: int, causes: bool = False, tlb: bool = False, counting: Counting = ALWAYS,
    ) -> None:  # fmt: skip
        self.cache, self.name, self.word, self.kinds, self.behind = cache, name, word, kinds, behind
        self.symbol = f"@{name}"  # that names of functions begin with
        self.back = cache.write == "back" and "write" in kinds and not tlb
        self.filters, self.counting = filters, counting
        self.shift = cache.line.bit_length() - 1
        self.sets: Sets
        narrow = cache.ways <= NARROW and (cache.ways == 1 or cache.policy == "lru")
        # The newest line stands first and is the filter.  So does a prefetched line, whose first use causes must see.
        self.own_filter = narrow and filters == cache.sets and not (causes and cache.prefetch == "next")
        if cache.ways == 1:
            self.sets = Direct(cache, word, self.back, state)
        elif narrow:
            self.sets = Ordered(cache, word, self.back, state)
        else:
            self.sets = Searched(cache, word, self.back, state)
        self.marked = self.own_filter and isinstance(self.sets, Ordered) and self.back
        self.paired = self.back and not self.marked
        self.stride = cache.ways if self.own_filter and cache.ways > 1 else 1 + self.paired
        self.filter = self.sets.flushed[0] if self.own_filter else state.array(word, filters * self.stride, none(word))
        self.misses = {kind: state.array("i64", sites) for kind in kinds}
        self.dirtied = state.array("i64", sites if self.back else 1)
        self.prefetches = {kind: state.array("i64", 1) for kind in dict.fromkeys(map(reading, kinds))}
        self.emptied = state.array("i64", 1)
        self.causes = Causes(cache, f"{name}.causes", state, large, word, sites, counting) if causes else None
        self.dirty: Field | None = None  # a place for the number of dirty lines, which then is not found out by reading tags

    def silent(self, behind: Next) -> CacheCode:
        """Return the same cache, in front of another next level, with functions of their own that count nothing."""
        other = copy(self)
        other.symbol, other.behind, other.counting = f"@{self.name}.silent", behind, NEVER
        return other

    # -------------------------------------------------------------------------------------------- use

    def call(self, code: Writer, kind: str, line: str, site: str, inline: bool = False) -> str:
        """Write code for an access; return an i64: 1 if it misses, else 0."""
        how = "alwaysinline" if inline else "noinline"
        return code.put(f"call {OUTSIDE} i64 {self.symbol}.{kind}({self.word} {line}, i64 {site}) {how}, !tbaa !6")

    def entry(self, line: int) -> str:
        """A constant pointer to the filter's entry for a line."""
        return self.filter.element(line % self.filters * self.stride)

    @property
    def passes_writes(self) -> bool:
        """True if every write goes on to the next level."""
        return self.cache.write == "through" and "write" in self.kinds

    @property
    def shows_writes(self) -> bool:
        """True if the next level is simulated and sees every write."""
        return self.passes_writes and not isinstance(self.behind, Memory)

    @property
    def short(self) -> bool:
        """True if an access is a few host instructions without branches."""
        return self.alone and not isinstance(self.sets, Searched)

    def is_hard(self, entered: int, made: int) -> bool:
        """True if a check should have no branches: `made` times it was made, and `entered` times its test failed."""
        return self.short and entered * (WORTH if self.cache.ways == 1 else WORTH_OF_SEVERAL) > made

    @property
    def alone(self) -> bool:
        """True if an access changes only one set of this cache: no next level, no causes, no prefetching."""
        return isinstance(self.behind, Memory) and self.causes is None and self.cache.prefetch == "none"

    @property
    def flushed(self) -> list[Field]:
        """The fields that get their initial values back when the cache is emptied."""
        fields = {self.filter, *self.sets.flushed}
        return sorted(fields, key=lambda field: field.address)

    def functions(self) -> str:
        """Return the text of the functions that `call` calls."""
        causes = [self.causes.functions()] if self.causes and self.counting.counts else []
        prefetch = [self._prefetch(kind) for kind in self.prefetches] if self.cache.prefetch == "next" else []
        return "\n".join([*causes, *prefetch, *(self._function(kind) for kind in self.kinds)])

    def written_back(self, read: Read) -> tuple[int, int]:
        """Return how many lines were written back, and how many were dirty when the cache was emptied.

        Of a part of a run, all lines that became dirty are taken to be written back.
        """
        (emptied,) = read(self.emptied)
        left = 0 if self.counting.partial else emptied + self._dirty(read)
        return (sum(read(self.dirtied)) - left if self.back else 0), emptied

    def _dirty(self, read: Read) -> int:
        """Return how many lines are dirty."""
        return self.sets.dirty_in(read) if self.dirty is None else read(self.dirty)[0]

    def count_dirty(self, code: Code) -> None:
        """Write code that notes how many lines are dirty, where there is a place for that."""
        if self.dirty is not None:
            code.store("i64", self.dirty.pointer, self.sets.dirty(code))

    def empty(self, code: Code) -> None:
        """Write code that a context switch runs before the fields in `flushed` get their initial values back."""
        if self.back:
            code.add("i64", self.emptied.pointer, self.sets.dirty(code))
        if self.causes:
            self.causes.empty(code)

    # ---------------------------------------------------------------------------------------- functions

    def _function(self, kind: str) -> str:
        """Return the function of an access of a kind."""
        code = Code()
        write = kind == "write"
        fills = not write or self.cache.allocate
        access = self.sets.access(code, Wanted("%line", write and self.back, fills))
        missed = code.wide("i1", access.missed)
        self.counting.count(code, code.at(self.misses[kind].pointer, "%site", "i64"), missed, f"{self.name} {kind}")
        if write and self.back:
            clean = code.put(f"xor i1 {access.soiled}, true")
            dirtied = clean if fills else code.put(f"and i1 {clean}, {code.put(f'xor i1 {access.missed}, true')}")
            pointer = code.at(self.dirtied.pointer, "%site", "i64")
            self.counting.count(code, pointer, code.wide("i1", dirtied), f"{self.name} dirtied")
        if not isinstance(self.behind, Memory):
            self._go_on(code, kind, fills, access)
        self._note(code, fills, access.missed)
        if not self.own_filter:
            self._remember(code, write, fills, access)
        if fills and self.cache.prefetch == "next":
            with code.when(access.missed):
                line = code.put(f"add {self.word} %line, 1")
                name = f"{self.symbol}.prefetch.{reading(kind)}"
                code.do(f"call {OUTSIDE} void {name}({self.word} {line}, i64 %site), !tbaa !6")
        code.do(f"ret i64 {missed}")
        return code.function(f"{OUTSIDE} i64 {self.symbol}.{kind}({self.word} %line, i64 %site)")

    def _go_on(self, code: Code, kind: str, fills: bool, access: Access) -> None:
        """Write code that reads a missing line from the next level, and passes victims and writes on to it."""
        if fills:
            with code.when(access.missed):
                self._write_back(code, access)
                self.behind.read(code, "%line", kind, "%site")
        if kind != "write":
            return
        if self.cache.write == "through":
            self.behind.write(code, "%line", "%site")
        elif not fills:
            with code.when(access.missed):
                self.behind.write(code, "%line", "%site")

    def _write_back(self, code: Code, access: Access) -> None:
        if access.written:
            with code.when(access.written):
                self.behind.write(code, access.victim, "%site")

    def _note(self, code: Code, fills: bool, missed: str) -> None:
        """Write code that tells the cause finder of an access."""
        if self.causes is None:
            return
        if self.counting.counts:
            with code.when(missed):
                self.causes.missed(code, "%line", "%site")
        note = self.causes.accessed if fills else self.causes.asked
        note(code, "%line")

    def _prefetch(self, kind: str) -> str:
        """Return the function that prefetches a line; it clears the filter's entry, which may name the victim."""
        code = Code()
        access = self.sets.access(code, Wanted("%line", moves=False))
        with code.when(access.missed):
            self.counting.count(code, self.prefetches[kind].pointer, "1")
            self._write_back(code, access)
            self.behind.read(code, "%line", kind, "%site")
            if not self.own_filter:
                code.store(self.word, self._place(code), "-1")
        code.do("ret void")
        head = f"{OUTSIDE} void {self.symbol}.prefetch.{kind}({self.word} %line, i64 %site) noinline"
        return code.function(head)

    def _remember(self, code: Code, write: bool, fills: bool, access: Access) -> None:
        """Write code that puts %line into the filter, if the line is now in the cache and newest for the cause finder."""
        line = "%line"
        if not fills:
            line = "-1" if self.causes else code.put(f"select i1 {access.missed}, {self.word} -1, {self.word} %line")
        if not self.paired:
            code.store(self.word, self._place(code), line)
            return
        clean = "0" if write else code.put(f"zext i1 {code.put(f'xor i1 {access.soiled}, true')} to {self.word}")
        store_pair(code, self.word, self._place(code), line, clean)

    def _place(self, code: Code) -> str:
        """Return a pointer to the filter's entry for %line."""
        index = code.put(f"mul i64 {set_of(code, self.word, '%line', self.filters)}, {self.stride}")
        return code.at(self.filter.pointer, index, self.word)
