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
    """An array of `count` elements of an LLVM type at an address; every element is `initial` at the start."""

    address: int
    type: str
    count: int
    initial: int = 0

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

    def array(self, type_: str, count: int, initial: int = 0) -> Field:
        """Lay out one more array."""
        made = Field(self.base + self.size, type_, count, initial)
        self.size += -(-made.bytes // ALIGNMENT) * ALIGNMENT
        self.fields.append(made)
        return made

    def initialise(self, memory: bytearray | memoryview | mmap.mmap, offset: int = 0) -> None:
        """Write initial values into zeroed memory, in which the state begins at an offset."""
        for item in self.fields:
            if item.initial:
                start = offset + item.address - self.base
                content = (item.initial % (1 << 8 * BYTES[item.type])).to_bytes(BYTES[item.type], "little") * item.count
                memory[start : start + item.bytes] = content

    def read(self, item: Field, memory: bytes | bytearray | memoryview | mmap.mmap, offset: int = 0) -> Sequence[int]:
        """Return the elements of an array."""
        return struct.unpack_from(f"={item.count}{_FORMAT[item.type]}", memory, offset + item.address - self.base)
