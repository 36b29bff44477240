"""The operating system of a replay: it answers each system call as the record says, and tells the first that differs."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import NoReturn

from ease.records.event import COMPUTED, Event, Piece, decoded, kept, number_of
from vpo.faults import Exit, MemoryFault
from vpo.kernel import Accessor, Kernel
from vpo.system import System

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
