"""Where the bits of a bit-field are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from vpo import il


@dataclass(frozen=True, slots=True)
class BitField:
    """Where a bit-field lives: a container (an unsigned integer) at a byte offset, a shift from its low end.

    A field that no container within its record holds has its `high` bits in another one, whose offset is from this one's.
    """

    offset: int
    container: il.Type
    shift: int
    width: int
    signed: bool
    high: BitField | None = None

    def parts(self) -> Iterator[tuple[int, il.Type]]:
        """Give the offset of each container, and its type."""
        yield self.offset, self.container
        if self.high is not None:
            for offset, container in self.high.parts():
                yield self.offset + offset, container
