"""Output that a program has written to its streams and that its library had not given to the system when the run ended.

A run that is cut short shows this output all the same: who stops a program wants to see how far it got.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

SYMBOL = "___streams"  # the library's list of streams that have had output
_POINTERS = ("next", "read_end", "write_end", "buffer", "link")  # the fields that a FILE begins with, then its descriptor
_MOST = 1 << 16  # streams, and bytes in a buffer: more than that is damage


class Reader(Protocol):
    """How the memory of the program is read."""

    def read(self, address: int, size: int) -> bytes:
        """Return bytes.

        Raises MemoryFault.
        """
        ...


@dataclass(frozen=True, slots=True)
class Streams:
    """Where the list of streams begins, the sizes in bytes of a pointer and of an int, and the order of bytes."""

    first: int
    pointer: int
    integer: int
    big_endian: bool

    def pending(self, memory: Reader) -> Iterator[tuple[int, bytes]]:
        """Yield the descriptor of each stream with what its buffer holds.

        Raises MemoryFault if the program has damaged the list.
        """
        file, seen = self._number(memory, self.first, self.pointer), 0
        while file and seen < _MOST:
            fields = {
                name: self._number(memory, file + index * self.pointer, self.pointer) for index, name in enumerate(_POINTERS)
            }
            size = fields["next"] - fields["buffer"]
            if 0 < size < _MOST and not fields["read_end"]:
                descriptor = self._number(memory, file + len(_POINTERS) * self.pointer, self.integer)
                yield descriptor, memory.read(fields["buffer"], size)
            file, seen = fields["link"], seen + 1

    def _number(self, memory: Reader, address: int, size: int) -> int:
        return int.from_bytes(memory.read(address, size), "big" if self.big_endian else "little")
