"""The memory of tools: arrays of integers, the same for Python and for translated analysis functions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

WIDTHS = (8, 32, 64)  # bits of an element; those of 64 bits are signed, the others are not
READABLE = 1 << 26  # bytes: larger arrays are not read back after the run


def wrapped(number: int, bits: int = 64) -> int:
    """Return a number as an element of so many bits holds it."""
    number &= (1 << bits) - 1
    return number - (1 << bits) if bits == 64 and number >> 63 else number


class Array:
    """A row of integers.

    `bits` is one of WIDTHS; all elements are `fill` at the start.  `resize` gives it another length while the program is
    instrumented.  There are no negative indices.
    """

    def __init__(self, length: int = 1, bits: int = 64, fill: int = 0) -> None:
        if bits not in WIDTHS:
            raise ValueError(f"elements have 8, 32 or 64 bits, not {bits}")
        self.bits, self.fill = bits, wrapped(fill, bits)
        self.resize(length)

    def resize(self, length: int) -> None:
        """Set the length; all elements are as at the start."""
        if length < 0:
            raise ValueError(f"an array has a length of 0 or more, not {length}")
        self.length = length
        self.changed: dict[int, int] = {}
        self._read: Sequence[int] = ()

    @property
    def bytes(self) -> int:
        """Its size."""
        return self.length * self.bits // 8

    def load(self, content: Sequence[int]) -> None:
        """Take over what a run has left."""
        self._read, self.changed = content, {}

    def _check(self, index: int) -> None:
        if not 0 <= index < self.length:
            raise IndexError(f"index {index} of an array of {self.length}")
        if self.bytes > READABLE:
            raise ValueError(f"an array of {self.bytes >> 20} MiB can be used while the program runs only")

    def __getitem__(self, index: int) -> int:
        self._check(index)
        if index in self.changed:
            return self.changed[index]
        return self._read[index] if self._read else self.fill

    def __setitem__(self, index: int, value: int) -> None:
        self._check(index)
        self.changed[index] = wrapped(value, self.bits)

    def __len__(self) -> int:
        return self.length

    def __iter__(self) -> Iterator[int]:
        return (self[index] for index in range(self.length))
