"""What a program's descriptors stand for beside files: pipes, devices, disks with room, streams with output to show."""

from __future__ import annotations

import errno
import os
import random
import select
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

# ----------------------------------------------------------------------------------------------------------------------
# Pipes that a program makes and reads itself: the host's, of which no call waits.
#
# Nobody else would ever write or read, so calls that would have to wait fail with EAGAIN.


class Pipes:
    """The pipes that one run has made."""

    def __init__(self) -> None:
        self._made: set[tuple[int, int]] = set()  # devices and numbers of the host's

    def make(self) -> tuple[int, int]:
        """Make a pipe; return the host's descriptors of the ends to read and to write."""
        ends = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        status = os.fstat(ends[0])
        self._made.add((status.st_dev, status.st_ino))
        return ends

    def have(self, status: os.stat_result) -> bool:
        """True if a file with this status is one of these pipes."""
        return (status.st_dev, status.st_ino) in self._made

    def check_reader(self, host: int) -> None:
        """Refuse to write to a pipe whose other end is closed: the signal of that would end the host's process.

        Raises BrokenPipeError.
        """
        if self._made and self.have(os.fstat(host)):
            poll = select.poll()
            poll.register(host, select.POLLOUT)
            if any(events & select.POLLERR for _, events in poll.poll(0)):
                raise BrokenPipeError(errno.EPIPE, "nobody reads the pipe")


# ----------------------------------------------------------------------------------------------------------------------
# Room on the host's disks, of which a program leaves some to others.

PACE = 64 << 20  # bytes that a program writes before anybody looks, since that takes time
BYTES_OF_FILE = 64 << 10  # a new file counts as so many
SPARE, SHARE = 1 << 30, 20  # so many bytes of a disk are left to others, of a small one a part of so many; of its files, too


class DiskRoom:
    """What one run takes of the host's disks; a run that takes little never learns how much is free."""

    def __init__(self) -> None:
        self._taken = 0

    def take(self, host: int, size: int) -> None:
        """Take bytes for a file of the host's, or for what is made in a folder; others than these take nothing.

        Raises OSError (ENOSPC) where so little is free that it is left to others.
        """
        self._taken += size
        if self._taken < PACE or stat.S_IFMT(os.fstat(host).st_mode) not in (stat.S_IFREG, stat.S_IFDIR):
            return
        disk = os.fstatvfs(host)
        least = min(SPARE, disk.f_blocks * disk.f_frsize // SHARE)
        if disk.f_bavail * disk.f_frsize < least or disk.f_favail < disk.f_files // SHARE:
            raise OSError(errno.ENOSPC, "what is free is left to others")
        self._taken = 0


# ----------------------------------------------------------------------------------------------------------------------
# The devices that a program may open: those that do the same on every host, and random numbers, made to be so.


NO_WAITING = os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
_RANDOM = (os.makedev(1, 8), os.makedev(1, 9))
DEVICES = {
    "/dev/null": os.makedev(1, 3),
    "/dev/zero": os.makedev(1, 5),
    "/dev/full": os.makedev(1, 7),
    **dict(zip(("/dev/random", "/dev/urandom"), _RANDOM, strict=True)),
}


def is_random(path: str) -> bool:
    """Return whether a path is that of a random device."""
    return DEVICES.get(path) in _RANDOM


def open_device(path: str, flags: int) -> int:
    """Return the host's descriptor of a device; raises OSError (EACCES) if the host has something else in its place.

    In place of random devices stands one that loses what is written to it: what the host's get changes its numbers.
    """
    path = "/dev/null" if is_random(path) else path
    descriptor = os.open(path, flags & os.O_ACCMODE | NO_WAITING)
    status = os.fstat(descriptor)
    if stat.S_ISCHR(status.st_mode) and status.st_rdev == DEVICES[path]:
        return descriptor
    os.close(descriptor)
    raise OSError(errno.EACCES, path)


class RandomNumbers:
    """What one run reads from random devices: the same bytes in each run, so that runs compare."""

    def __init__(self) -> None:
        self._numbers = random.Random(0)

    def read(self, host: int, count: int) -> bytes:
        """Return the next `count` bytes if the host's descriptor may be read; raises OSError (EBADF)."""
        os.read(host, 0)
        return self._numbers.randbytes(count)


# ----------------------------------------------------------------------------------------------------------------------
# Output that a program has written to its streams and that its library had not given to the system when the run ended.
#
# A run that is cut short shows this output all the same: who stops a program wants to see how far it got.


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
