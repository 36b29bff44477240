"""Write lookups of a reference's line in the filters of caches.

The filter of a cache has the line last used of each set (`cache_sim.native.cache`).
"""

from __future__ import annotations

from dataclasses import dataclass

from cache_sim.native.cache import CacheCode
from cache_sim.native.code import STATE, Writer, unless


def is_within(out: Writer, address: str, size: int, line: int) -> str:
    """Return a test of whether `size` bytes at an address are in one line of `line` bytes."""
    return f"icmp ule i32 {out.put(f'and i32 {address}, {line - 1}')}, {line - size}"


def unless_present(out: Writer, cache: CacheCode, kind: str, address: str, size: int, slow: str) -> None:
    """Write a branch to `slow`, taken unless the filter shows that the reference changes nothing.

    `size` is 1 if the reference is known to be in one line.
    """
    line = out.put(f"lshr i32 {address}, {cache.shift}")
    last = line
    if size > 1:
        last = out.put(f"lshr i32 {out.put(f'add i32 {address}, {size - 1}')}, {cache.shift}")
        if cache.filters <= -(-(size - 1) // cache.cache.line):  # both lines may have the same entry
            unless(out, f"icmp eq i32 {line}, {last}", slow)
    index = out.put(f"zext i32 {out.put(f'and i32 {line}, {cache.filters - 1}')} to i64")
    if cache.stride > 1:
        index = out.put(f"mul i64 {index}, {cache.stride}")
    place = out.put(f"getelementptr i32, ptr {cache.filter.pointer}, i64 {index}")
    if cache.paired and kind == "write":  # the word behind a dirty line is 0
        named = out.put(f"load i64, ptr {place}, {STATE}")
        unless(out, f"icmp eq i64 {named}, {out.put(f'zext i32 {last} to i64')}", slow)
        return
    named = out.put(f"load i32, ptr {place}, {STATE}")
    if not cache.marked:
        unless(out, f"icmp eq i32 {named}, {last}", slow)
        return
    clean = out.put(f"shl i32 {last}, 1")
    if kind == "write":
        unless(out, f"icmp eq i32 {named}, {out.put(f'or i32 {clean}, 1')}", slow)
    else:
        unless(out, f"icmp ult i32 {out.put(f'xor i32 {named}, {clean}')}, 2", slow)


@dataclass(frozen=True, slots=True)
class Alignment:
    """What is known of where references lie.

    `straddles`: a reference may touch several lines.  References of up to `usual` bytes mostly lie at a multiple of their
    size.
    """

    straddles: bool
    usual: int = 4

    def spans(self, size: int) -> int:
        """Return how many bytes to look up for a reference of a size: 1 if it is in one line anyway."""
        return size if self.straddles else 1

    def is_in_line(self, out: Writer, address: str, size: int, line: int) -> str:
        """Return a test that holds only if a reference is in one line; small references are mostly aligned and pass it."""
        if size <= min(self.usual, line) and size & (size - 1) == 0:
            return f"icmp eq i32 {out.put(f'and i32 {address}, {size - 1}')}, 0"
        return is_within(out, address, size, line)
