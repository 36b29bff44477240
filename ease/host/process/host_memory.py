"""The memory of the process in which host code runs, at fixed addresses; the target's among it."""

from __future__ import annotations

import ctypes
import errno
import mmap

from ease.host.process.job import ADDRESS_SPACE, GUARD, PAGES_BELOW, READABLE, WRITABLE, Job
from vpo.system.faults import MemoryFault

_PROT_NONE, _READ, _WRITE = 0, mmap.PROT_READ, mmap.PROT_WRITE
_MAP_FIXED_NOREPLACE, _MAP_NORESERVE = 0x100000, 0x4000
_MAP_FAILED = ctypes.c_void_p(-1).value

libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long]
libc.mprotect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]


class NoSpace(Exception):
    """The host addresses that the program needs are taken."""


def _map(address: int, size: int, protection: int, flags: int, fd: int = -1) -> None:
    got = libc.mmap(address, size, protection, flags | _MAP_FIXED_NOREPLACE, fd, 0)
    if got == _MAP_FAILED and ctypes.get_errno() == errno.ENOMEM:
        raise MemoryError(f"no room for {size / 2**30:.1f} GiB of address space")
    if got != address:
        raise NoSpace(f"cannot map {size:#x} bytes at {address:#x}")


def map_empty(address: int, size: int, protection: int) -> None:
    """Map memory that is 0.

    Raises MemoryError, NoSpace.
    """
    _map(address, size, protection, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | _MAP_NORESERVE)


def map_shared(address: int, size: int, file: int) -> None:
    """Map the file of a descriptor, as others see it.

    Raises MemoryError, NoSpace.
    """
    _map(address, size, _READ | _WRITE, mmap.MAP_SHARED, file)


class HostMemory:
    """Target memory at a fixed host address, as system calls use it."""

    def __init__(self, job: Job) -> None:
        self.base, self.page, self.table = job.base, job.page, 0
        map_empty(self.base - GUARD, ADDRESS_SPACE + 2 * GUARD, _PROT_NONE)
        self.mapped = [list(region) for region in job.regions]
        for start, end, _ in job.regions:
            self._protect(start, end, _READ | _WRITE)
        for address, content in job.image:
            ctypes.memmove(self.base + address, content, len(content))
        for start, end, writable in job.regions:
            if not writable:
                self._protect(start, end, _READ)
        self.break_ = -(-job.kernel.heap_start // self.page) * self.page
        if job.checks_pages:
            self.table = job.shared - PAGES_BELOW
            map_empty(self.table, ADDRESS_SPACE // self.page + 1, _READ | _WRITE)
            for region in job.regions:
                self._tell_of(*region)

    def _tell_of(self, start: int, end: int, writable: bool) -> None:
        """Note in the table of pages what is mapped, if the program looks at it."""
        if self.table:
            first, last = start // self.page, -(-end // self.page)
            ctypes.memset(self.table + first, READABLE | WRITABLE if writable else READABLE, last - first)

    def _protect(self, start: int, end: int, protection: int) -> None:
        if libc.mprotect(self.base + start, end - start, protection):
            raise OSError(ctypes.get_errno(), "mprotect")

    def set_break(self, end: int) -> None:
        """Map the heap up to `end`."""
        end = -(-end // self.page) * self.page
        if end > self.break_:
            self._protect(self.break_, end, _READ | _WRITE)
            self._tell_of(self.break_, end, True)
            self.mapped.append([self.break_, end, True])
            if len(self.mapped) > 1 and self.mapped[-2][1] == self.break_ and self.mapped[-2][2]:
                self.mapped[-2][1] = end
                self.mapped.pop()
            self.break_ = end

    def _check(self, address: int, size: int, write: bool) -> None:
        at, end = address, address + size
        while at < end:
            for start, stop, writable in self.mapped:
                if start <= at < stop and (writable or not write):
                    at = stop
                    break
            else:
                raise MemoryFault(address, size, write)

    def writable(self, address: int, size: int) -> int:
        """Return how many of `size` bytes from an address on may be stored."""
        at, end = address, address + size
        while at < end:
            stop = next((stop for start, stop, writable in self.mapped if writable and start <= at < stop), None)
            if stop is None:
                return at - address
            at = stop
        return size

    def read(self, address: int, size: int) -> bytes:
        """Return bytes.

        Raises MemoryFault.
        """
        self._check(address, size, False)
        return ctypes.string_at(self.base + address, size)

    def write(self, address: int, data: bytes) -> None:
        """Store bytes.

        Raises MemoryFault.
        """
        self._check(address, len(data), True)
        ctypes.memmove(self.base + address, data, len(data))
