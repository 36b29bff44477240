"""What system calls must know: how to reach a program's memory, and what its machine and its library say.

A file of its own, since all system calls take it, each in the file of its subject.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from vpo.system.descriptors import Streams


class Accessor(Protocol):
    """How system calls reach the memory of the program."""

    def read(self, address: int, size: int) -> bytes:
        """Return bytes.

        Raises MemoryFault.
        """
        ...

    def write(self, address: int, data: bytes) -> None:
        """Store bytes.

        Raises MemoryFault.
        """
        ...

    def writable(self, address: int, size: int) -> int:
        """Return how many of `size` bytes from an address on may be stored, up to the first that may not."""
        ...

    def set_break(self, end: int) -> None:
        """Map the heap up to `end` (never called with less than an earlier one)."""
        ...


@dataclass(frozen=True, slots=True)
class Limits:
    """What a program may use: bytes of heap, bytes that it writes in all files together, and files and folders that it adds.

    None: as much as there is.
    """

    memory: int | None = None
    output: int | None = None
    files: int | None = None


NO_LIMITS = Limits()


@dataclass(frozen=True, slots=True)
class Kernel:
    """What system calls must know about a program and its machine; `vpo.system.address_space.kernel_of` finds it out.

    `names` maps the machine's numbers to names; the heap may use [heap_start, heap_limit).  `open_flags` are the flags
    of `open` that have other values than usual.  `streams` tells where the library keeps its streams, if it has any.
    """

    bits: int
    big_endian: bool
    names: Mapping[int, str]
    heap_start: int
    heap_limit: int
    open_flags: Mapping[str, int] = field(default_factory=dict)
    streams: Streams | None = None
    limits: Limits = NO_LIMITS
