"""The devices that a program may open: those that do the same on every host, and random numbers, made to be so."""

from __future__ import annotations

import errno
import os
import random
import stat

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
