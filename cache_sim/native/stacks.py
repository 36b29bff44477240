"""The common parts of simulators that follow stacks of lines: an access whose misses are only counted, and a vector stack."""

from __future__ import annotations

from cache_sim.native.cache import OUTSIDE, CacheCode
from cache_sim.native.code import STATE, Code, Writer


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
