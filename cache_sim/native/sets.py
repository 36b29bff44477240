"""Where the lines of a cache are kept, as LLVM IR: one access looks a line up and leaves the set as it is afterwards.

Direct-mapped and narrow LRU sets do without branches, since a host predicts
misses badly: hits and misses go the same way, and selects tell them apart.  `cache_sim.native.searched` has the others.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from cache_sim.config import Cache
from cache_sim.native.code import Code
from cache_sim.native.state import Field, Read, State

FREE = (-1, (1 << 32) - 1)  # how an entry that is free is read: numbers of 64 bits are signed
NARROW = 8  # ways up to which a set is one vector


@dataclass(frozen=True, slots=True)
class Access:
    """What happened: values of type i1, and a line number.

    `missed`; `soiled`: the line was dirty before; `victim` and `written`: the line that was thrown out, and whether it was
    dirty ("" where no line can be).
    """

    missed: str
    soiled: str = "false"
    victim: str = ""
    written: str = ""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is accessed: a line, a value of the type of addresses.

    It gets `dirty`, it comes in if it is not there (`fills`), and being there it counts as used (`moves`).
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
    """One line a set: an array of lines, and another that names them again where they are dirty."""

    def __init__(self, cache: Cache, word: str, back: bool, near: State) -> None:
        self.sets, self.word, self.back = cache.sets, word, back
        self.lines = near.array(word, cache.sets, none(word))
        self.dirty_lines = near.array(word, cache.sets, none(word)) if back else self.lines

    @property
    def flushed(self) -> list[Field]:
        """Fields that get their initial values back when the cache is emptied."""
        return list(dict.fromkeys((self.lines, self.dirty_lines)))

    def dirty(self, code: Code) -> str:
        """Write code that counts dirty lines; return an i64."""
        return count(code, self.dirty_lines, lambda line: code.put(f"icmp ne {self.word} {line}, -1"))

    def dirty_in(self, read: Read) -> int:
        """Count dirty lines in memory."""
        return sum(line not in FREE for line in read(self.dirty_lines))

    def access(self, code: Code, wanted: Wanted) -> Access:
        """Write an access."""
        index = set_of(code, self.word, wanted.line, self.sets)
        where = code.at(self.lines.pointer, index, self.word)
        missed = code.put(f"icmp ne {self.word} {code.load(self.word, where)}, {wanted.line}")
        if not wanted.fills:
            if not (self.back and wanted.dirty):
                return Access(missed)
            return self._dirtied_if_there(code, wanted.line, index, missed)
        code.store(self.word, where, wanted.line)
        if not self.back:
            return Access(missed)
        where = code.at(self.dirty_lines.pointer, index, self.word)
        old = code.load(self.word, where)
        soiled = code.put(f"icmp eq {self.word} {old}, {wanted.line}")
        now = wanted.line if wanted.dirty else choose(code, missed, self.word, "-1", old)
        code.store(self.word, where, now)
        valid = code.put(f"icmp ne {self.word} {old}, -1")
        return Access(missed, soiled, old, code.put(f"and i1 {valid}, {missed}"))

    def _dirtied_if_there(self, code: Code, line: str, index: str, missed: str) -> Access:
        where = code.at(self.dirty_lines.pointer, index, self.word)
        old = code.load(self.word, where)
        code.store(self.word, where, choose(code, missed, self.word, old, line))
        return Access(missed, code.put(f"icmp eq {self.word} {old}, {line}"))


class Ordered:
    """A few lines a set in order of use, the last used first: tags in a vector, each with a bit behind it if dirty."""

    def __init__(self, cache: Cache, word: str, back: bool, state: State) -> None:
        self.sets, self.ways, self.word, self.back = cache.sets, cache.ways, word, back
        self.tags = state.array(word, cache.sets * cache.ways, none(word))

    @property
    def flushed(self) -> list[Field]:
        """Fields that get their initial values back when the cache is emptied."""
        return [self.tags]

    def dirty(self, code: Code) -> str:
        """Write code that counts dirty lines; return an i64."""
        return count(code, self.tags, lambda tag: dirty_tag(code, self.word, tag))

    def dirty_in(self, read: Read) -> int:
        """Count dirty lines in memory."""
        return sum(tag & 1 for tag in read(self.tags) if tag not in FREE)

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
        """Tags as if nothing were dirty; an entry that is free names nothing, either way."""
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
    """What stands in an entry that is free."""
    return (1 << (32 if word == "i32" else 64)) - 1


def set_of(code: Code, word: str, line: str, sets: int) -> str:
    """Return the number of a line's set, or of an entry in a filter of as many, as an i64."""
    return code.wide(word, code.put(f"and {word} {line}, {sets - 1}"))


def choose(code: Code, condition: str, type_: str, yes: str, no: str) -> str:
    """Return one of two values; LLVM shall not make a branch of it."""
    return code.put(f"select i1 {condition}, {type_} {yes}, {type_} {no}, !unpredictable !9")


def named(code: Code, word: str, line: str, back: bool) -> str:
    """Return the tag of a line that is not dirty."""
    return code.put(f"shl {word} {line}, 1") if back else line


def dirty_tag(code: Code, word: str, tag: str) -> str:
    """Return whether a tag says that its line is dirty; a free entry does not."""
    valid = code.put(f"icmp ne {word} {tag}, -1")
    return code.put(f"and i1 {valid}, {code.put(f'trunc {word} {tag} to i1')}")


def count(code: Code, field: Field, test: Callable[[str], str]) -> str:
    """Write code that counts elements for which a test, an i1, holds; return an i64."""
    total = code.variable("i64", "0")
    with code.count_up("0", str(field.count)) as number:
        counts = code.wide("i1", test(code.load(field.type, code.at(field.pointer, number, field.type))))
        code.set("i64", total, code.put(f"add i64 {code.get('i64', total)}, {counts}"))
    return code.get("i64", total)
