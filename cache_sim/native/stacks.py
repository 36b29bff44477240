"""What walks over stacks of lines have in common: accesses of which only a count is kept, and a stack in a vector."""

from __future__ import annotations

from cache_sim.native.cache import OUTSIDE, CacheCode
from cache_sim.native.code import STATE, Code, Writer


class StackCode(CacheCode):
    """A function @NAME(line) for all kinds of accesses; what it misses is counted, but told to nobody."""

    def call(self, code: Writer, kind: str, line: str, site: str, inline: bool = False) -> str:
        """Write code for an access."""
        how = "alwaysinline" if inline else "noinline"
        code.lines.append(f"call {OUTSIDE} void @{self.name}({self.word} {line}) {how}, !tbaa !6")
        return "0"

    @property
    def short(self) -> bool:
        """Whether an access is a few host instructions without branches: it is not."""
        return False

    def empty(self, code: Code) -> None:
        """A context switch is nothing to count."""


def use(code: Code, word: str, ways: int, place: str, counts: str) -> str:
    """Put %line before the tags at a place and close the gap; return an i1 for each of them, all 0 if it is new.

    `counts` points to how often each depth was met.  Tags and counts are written as a whole (volatile): what is stored
    under a mask cannot be loaded soon.
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
    """Return a vector whose elements are all one value."""
    row = f"<{count} x {type_}>"
    first = code.put(f"insertelement {row} poison, {type_} {value}, i64 0")
    return code.put(f"shufflevector {row} {first}, {row} poison, <{count} x i32> zeroinitializer")
