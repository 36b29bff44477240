"""The operating system of a run that is recorded: it does what it is asked for and writes every call to a file."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from typing import NoReturn

from ease.records.record_file import COMPUTED, Event, Piece, decoded, kept, number_of
from vpo.system.faults import Exit, HostError, MemoryFault
from vpo.system.kernel import Accessor, Kernel
from vpo.system.system import System


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


# ----------------------------------------------------------------------------------------------------------------------
# The operating system of a replay: it answers each system call as the record says, and tells the first that differs.


_DUPLICATES = ("dup", "dup2", "dup3")
_OPENING = ("open", "openat")


class Stopped(Exit):
    """A replay ends here, as `told` says; instructions up to here are counted, as in a run that ends by itself."""

    def __init__(self, told: str) -> None:
        super().__init__(1, told)


class ReplayingSystem(System):
    """Answers system calls from a record.

    What went to the standard streams goes there again; nothing else of the host is read or written.
    """

    def __init__(self, kernel: Kernel, memory: Accessor, content: bytes, silent: bool = False) -> None:
        super().__init__(kernel, memory)
        self.silent = silent  # nothing is written
        self.events: Iterator[Event] = decoded(content)
        self.done = 0
        self.told = ""  # why the replay stopped
        self.nothing = os.open(os.devnull, os.O_WRONLY)  # stands for every file of the program's
        self.files = {0: self.nothing, 1: 1, 2: 2}

    def call(self, number: int, arguments: Sequence[int]) -> int:
        """Answer a system call.

        Raises Exit, Stopped.
        """
        event = next(self.events, None)
        self.done += 1
        name, words = self.asked(number, arguments)
        if event is None:
            self._stop(f"end {self.done} {self._shown(number, words)}, which the record has not")
        if (number_of(number), words) != (event.number, event.arguments):
            self._differ(f"{self._shown(number, words)} in place of {self._shown(event.number, event.arguments)}")
        if name not in COMPUTED:
            return self._answer(name, event)
        result = super().call(number, arguments)
        if result != event.result:
            self._differ(f"{name} gives {result} in place of {event.result}")
        return result

    def _answer(self, name: str, event: Event) -> int:
        """Return the result of a call, after its effects."""
        if event.result is None:
            self._differ(f"{name} ends the program in the record")
        for piece in event.read:
            content = self._given(name, piece)
            if name == "write" and event.result > 0:
                self._output(event.arguments[0], content[: event.result])
        for piece in event.written:
            try:
                self.memory.write(piece.address, piece.content)
            except MemoryFault:
                self._differ(f"{name} writes memory at {piece.address:#x} that is not there")
        self._follow(name, event)
        return event.result

    def _given(self, name: str, piece: Piece) -> bytes:
        """Return the memory that a call reads, which must have what the record says."""
        try:
            content = self.memory.read(piece.address, piece.size)
        except MemoryFault:
            self._differ(f"{name} reads memory at {piece.address:#x} that is not there")
        if kept(name, content) != piece.content:
            difference = "" if name == "write" else f": {content!r} in place of {piece.content!r}"
            self._differ(f"{name} is given other bytes at {piece.address:#x}{difference}")
        return content

    def _output(self, descriptor: int, content: bytes) -> None:
        """Write what the program writes if it goes to a standard stream."""
        shown = not self.silent and self.files.get(descriptor, self.nothing) != self.nothing
        data = memoryview(content if shown else b"")
        try:
            while data:
                data = data[os.write(self.files[descriptor], data) :]
        except OSError as error:
            self._stop(f"output {self.done} {error.strerror}")

    def _follow(self, name: str, event: Event) -> None:
        """Note to which standard stream a new descriptor leads."""
        result = event.result
        if result is None or result < 0:
            return
        if name in _OPENING:
            self.files[result] = self.nothing
        elif name in _DUPLICATES:
            self.files[result] = self.files.get(event.arguments[0], self.nothing)
        elif name == "close":
            self.files.pop(event.arguments[0], None)

    def _shown(self, number: int, words: Sequence[int]) -> str:
        return f"{self.names.get(number, f'system call {number}')}({', '.join(map(str, words))})"

    def _differ(self, what: str) -> NoReturn:
        self._stop(f"differs {self.done} {what}")

    def _stop(self, told: str) -> NoReturn:
        self.told = told
        raise Stopped(told)
