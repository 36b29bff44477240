"""The operating system of a run that is recorded: it does what it is asked for and writes every call to a file."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence

from ease.records.event import COMPUTED, Event, Piece, kept, number_of
from vpo.faults import Exit, HostError
from vpo.kernel import Accessor, Kernel
from vpo.system import System


class WatchedMemory:
    """Memory of a program that notes what system calls read and write there."""

    def __init__(self, memory: Accessor) -> None:
        self.memory = memory
        self.read_pieces: list[tuple[int, bytes]] = []
        self.written: list[tuple[int, bytes]] = []

    def forget(self) -> None:
        """Begin with another system call."""
        self.read_pieces.clear()
        self.written.clear()

    def read(self, address: int, size: int) -> bytes:
        """Return bytes; those that follow others are noted as one piece, since names are read byte by byte.

        Raises MemoryFault.
        """
        content = self.memory.read(address, size)
        if self.read_pieces:
            start, before = self.read_pieces[-1]
            if start + len(before) == address:
                self.read_pieces[-1] = start, before + content
                return content
        self.read_pieces.append((address, content))
        return content

    def write(self, address: int, data: bytes) -> None:
        """Store bytes.

        Raises MemoryFault.
        """
        self.memory.write(address, data)
        self.written.append((address, bytes(data)))

    def writable(self, address: int, size: int) -> int:
        """Return how many of `size` bytes from an address on may be stored."""
        return self.memory.writable(address, size)

    def set_break(self, end: int) -> None:
        """Map the heap up to `end`."""
        self.memory.set_break(end)


class RecordingSystem(System):
    """Does system calls and writes them to the file of a descriptor."""

    def __init__(self, kernel: Kernel, memory: Accessor, streams: Sequence[int], roots: Iterable[str], file: int) -> None:
        self.watched, self.file = WatchedMemory(memory), file
        super().__init__(kernel, self.watched, streams, roots)

    def call(self, number: int, arguments: Sequence[int]) -> int:
        """Do a system call and note it.

        Raises Exit, HostError.
        """
        self.watched.forget()
        try:
            result = super().call(number, arguments)
        except Exit:
            self._note(number, arguments, None)
            raise
        self._note(number, arguments, result)
        return result

    def _note(self, number: int, arguments: Sequence[int], result: int | None) -> None:
        name, words = self.asked(number, arguments)
        event = Event(number_of(number), words, result)
        if name not in COMPUTED:
            read = tuple(Piece(address, len(content), kept(name, content)) for address, content in self.watched.read_pieces)
            written = tuple(Piece(address, len(content), content) for address, content in self.watched.written)
            event = Event(event.number, words, result, read, written)
        data = memoryview(event.encoded())
        try:
            while data:
                data = data[os.write(self.file, data) :]
        except OSError as error:
            raise HostError(f"the record cannot be written: {error.strerror}") from None
