"""Pipes that a program makes and reads itself: the host's, of which no call waits.

Nobody else would ever write or read, so calls that would have to wait fail with EAGAIN.
"""

from __future__ import annotations

import errno
import os
import select


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
