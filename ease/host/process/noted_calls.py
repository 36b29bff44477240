"""What system calls answered, kept in memory by the process of a program in case that the run is cut short.

A run that is cut short is run again step by step to count to the faulting instruction (`ease.run.stepping`), and the second
run is given the same answers.  A run that ends well writes nothing.  Records for users are another matter (`ease.records`).
"""

from __future__ import annotations

import os
import pickle
from collections.abc import Iterable, Sequence

from vpo.system.kernel import Accessor, Kernel
from vpo.system.system import System

MOST_CALLS, MOST_BYTES = 1 << 20, 1 << 27  # that are kept: beyond them, none are
_COMPUTED = frozenset(["brk", "exit", "exit_group"])  # their effect follows from the program
_Written = tuple[tuple[int, bytes], ...]
_Noted = tuple[int, int, _Written]  # number, result, what was stored where


class _WatchedMemory:
    """Memory of a program that notes what is stored."""

    def __init__(self, memory: Accessor) -> None:
        self.memory = memory
        self.read, self.writable, self.set_break = memory.read, memory.writable, memory.set_break
        self.written: list[tuple[int, bytes]] = []

    def write(self, address: int, data: bytes) -> None:
        """Store bytes.

        Raises MemoryFault.
        """
        self.memory.write(address, data)
        self.written.append((address, bytes(data)))


class NotingSystem(System):
    """Does system calls, and notes what they answer."""

    def __init__(self, kernel: Kernel, memory: Accessor, roots: Iterable[str], file: int) -> None:
        self.watched, self.file = _WatchedMemory(memory), file
        self.noted: list[_Noted] | None = []
        self.bytes = 0
        super().__init__(kernel, self.watched, (0, 1, 2), roots)

    def call(self, number: int, arguments: Sequence[int]) -> int:
        """Do a system call and note its answer.

        Raises Exit.
        """
        result = super().call(number, arguments)
        noted, written = self.noted, self.watched.written
        if noted is not None:
            noted.append((number, result, tuple(written)))
            if len(noted) > MOST_CALLS:
                self.noted = None
        if written:
            self.bytes += sum(len(data) for _, data in written)
            written.clear()
            if self.bytes > MOST_BYTES:
                self.noted = None
        return result

    def leave(self) -> None:
        """Write what was noted to the file, if it is all."""
        if self.noted is not None:
            with os.fdopen(os.dup(self.file), "wb") as file:
                pickle.dump(self.noted, file)


class Unanswered(Exception):
    """The first run was cut short here, in this system call."""


class AnsweringSystem(System):
    """Answers system calls as another run noted them; nothing of the host is read or written."""

    def __init__(self, kernel: Kernel, memory: Accessor, file: int) -> None:
        super().__init__(kernel, memory)
        with open(os.dup(file), "rb") as content:
            content.seek(0)
            self.answers: list[_Noted] = pickle.load(content)
        self.done = 0

    @property
    def all_answered(self) -> bool:
        """Whether the next call is the first that was not answered."""
        return self.done >= len(self.answers)

    def call(self, number: int, arguments: Sequence[int]) -> int:
        """Answer a system call.

        Raises Exit, Unanswered.
        """
        if self.names.get(number, "") in _COMPUTED:
            self.done += not self.all_answered
            return super().call(number, arguments)
        if self.all_answered or self.answers[self.done][0] != number:
            raise Unanswered
        _, result, written = self.answers[self.done]
        self.done += 1
        for address, data in written:
            self.memory.write(address, data)
        return result

    def flush(self) -> None:
        """Write nothing: the first run has."""
