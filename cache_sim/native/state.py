"""The memory of simulators: arrays at fixed addresses.  Code generation lays them out; they are read after the run."""

from __future__ import annotations

import mmap
import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

BYTES = {"i8": 1, "i32": 4, "i64": 8}
_FORMAT = {"i8": "B", "i32": "I", "i64": "q"}
ALIGNMENT = 64  # bytes: a line of the host's cache


@dataclass(frozen=True, slots=True)
class Field:
    """An array of `count` elements of an LLVM type at an address.

    At the start, every element is `initial`, but for those (by index) that have a value in `others`.
    """

    address: int
    type: str
    count: int
    initial: int = 0
    others: tuple[tuple[int, int], ...] = ()

    @property
    def pointer(self) -> str:
        """The array as a constant pointer."""
        return f"inttoptr (i64 {self.address} to ptr)"

    def element(self, index: int) -> str:
        """A constant pointer to an element."""
        return f"inttoptr (i64 {self.address + index * BYTES[self.type]} to ptr)"

    @property
    def bytes(self) -> int:
        """Its size."""
        return self.count * BYTES[self.type]


Read = Callable[[Field], Sequence[int]]  # returns the elements of an array after a run


@dataclass(slots=True)
class State:
    """Arrays one behind the other, from an address on."""

    base: int
    size: int = 0
    fields: list[Field] = field(default_factory=list)

    def array(self, type_: str, count: int, initial: int = 0, others: tuple[tuple[int, int], ...] = ()) -> Field:
        """Lay out one more array."""
        made = Field(self.base + self.size, type_, count, initial, others)
        self.size += -(-made.bytes // ALIGNMENT) * ALIGNMENT
        self.fields.append(made)
        return made

    def initialise(self, memory: bytearray | memoryview | mmap.mmap, offset: int = 0) -> None:
        """Write initial values into zeroed memory, in which the state begins at an offset."""
        for item in self.fields:
            start, size = offset + item.address - self.base, BYTES[item.type]
            if item.initial:
                memory[start : start + item.bytes] = _element(item.initial, size) * item.count
            for index, value in item.others:
                memory[start + index * size : start + (index + 1) * size] = _element(value, size)

    def read(self, item: Field, memory: bytes | bytearray | memoryview | mmap.mmap, offset: int = 0) -> Sequence[int]:
        """Return the elements of an array."""
        return struct.unpack_from(f"={item.count}{_FORMAT[item.type]}", memory, offset + item.address - self.base)


def _element(value: int, size: int) -> bytes:
    """Return an element of so many bytes."""
    return (value % (1 << 8 * size)).to_bytes(size, "little")
