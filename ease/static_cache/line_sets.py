"""Represent sets of lines as integers: one bit for each line that a program can fetch."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from cache_sim.config import Cache


@dataclass(frozen=True, slots=True)
class Lines:
    """The lines of a program in a cache.

    `numbers` are their addresses divided by the line size, in order, and `bits` the bit of each.  `rivals` has for each line
    all lines of its cache set, and `sets` has each of these once.  `ways` is the associativity, at most the size of the
    largest set.
    """

    numbers: tuple[int, ...]
    bits: dict[int, int]
    rivals: dict[int, int]
    sets: tuple[int, ...]
    ways: int

    def crowded(self, touched: int) -> int:
        """Return the lines in cache sets that have more touched lines than ways."""
        return sum(members for members in self.sets if (members & touched).bit_count() > self.ways)

    def members(self, lines: int) -> Iterator[int]:
        """Yield the numbers of the lines whose bits are set."""
        return (number for number in self.numbers if self.bits[number] & lines)


def lines_of(numbers: Iterable[int], cache: Cache) -> Lines:
    """Return the lines of graphs, arranged by the sets of a cache."""
    ordered = tuple(sorted(set(numbers)))
    bits = {number: 1 << index for index, number in enumerate(ordered)}
    members: dict[int, int] = {}
    for number in ordered:
        members[number % cache.sets] = members.get(number % cache.sets, 0) | bits[number]
    rivals = {number: members[number % cache.sets] for number in ordered}
    most = max((lines.bit_count() for lines in members.values()), default=1)
    return Lines(ordered, bits, rivals, tuple(members.values()), min(cache.ways, most))
