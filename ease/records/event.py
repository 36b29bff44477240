"""System calls as they are kept in a record: what was asked, what memory was read and written, what the answer was."""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Iterator
from dataclasses import dataclass

_HEAD = struct.Struct("<IBBHH")  # number, whether the program went on, arguments, pieces read, pieces written
_PIECE = struct.Struct("<QQI")  # address, bytes there, bytes in the record
_WORD = struct.Struct("<q")
_DIGEST = 8  # bytes
COMPUTED = frozenset(["brk", "exit", "exit_group"])  # calls whose effect follows from the program
_NUMBER = 0xFFFFFFFF  # what is kept of a call's number


class EventsDamaged(ValueError):
    """Bytes that are no system calls."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Memory at an address: its size and its content, or the digest of the content of what is output."""

    address: int
    size: int
    content: bytes


@dataclass(frozen=True, slots=True)
class Event:
    """One system call.  `result` is None if the program ended by it."""

    number: int
    arguments: tuple[int, ...]
    result: int | None
    read: tuple[Piece, ...] = ()
    written: tuple[Piece, ...] = ()

    def encoded(self) -> bytes:
        """Return the call as it is in a record."""
        goes_on = self.result is not None
        parts = [_HEAD.pack(self.number, goes_on, len(self.arguments), len(self.read), len(self.written))]
        parts += [_WORD.pack(word) for word in (*self.arguments, self.result or 0)]
        for piece in (*self.read, *self.written):
            parts += [_PIECE.pack(piece.address, piece.size, len(piece.content)), piece.content]
        return b"".join(parts)


def number_of(number: int) -> int:
    """Return the number of a system call as a record has it."""
    return number & _NUMBER


def digest(content: bytes) -> bytes:
    """Return what stands for output in a record."""
    return hashlib.blake2b(content, digest_size=_DIGEST).digest()


def kept(name: str, content: bytes) -> bytes:
    """Return what a record keeps of memory that a system call read: names of files, and the digest of what is output."""
    return digest(content) if name == "write" else content


def decoded(content: bytes) -> Iterator[Event]:
    """Yield the system calls of a record.

    Raises EventsDamaged.
    """
    at = 0
    try:
        while at < len(content):
            number, goes_on, arguments, read, written = _HEAD.unpack_from(content, at)
            words = struct.unpack_from(f"<{arguments + 1}q", content, at + _HEAD.size)
            at += _HEAD.size + _WORD.size * len(words)
            pieces = []
            for _ in range(read + written):
                address, size, length = _PIECE.unpack_from(content, at)
                at += _PIECE.size
                if at + length > len(content):
                    raise EventsDamaged("a system call is cut short")
                pieces.append(Piece(address, size, content[at : at + length]))
                at += length
            result = words[-1] if goes_on else None
            yield Event(number, words[:-1], result, tuple(pieces[:read]), tuple(pieces[read:]))
    except struct.error:
        raise EventsDamaged("a system call is cut short") from None
