"""System calls: the only way out of the target machine, shared by the interpreter and by host code.

Names, argument order, flags and error numbers are Linux's (asm-generic).  Nothing outside the standard streams and
the files that `vpo.system.files` allows can be reached, and time is a virtual clock, so runs are reproducible.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import struct
from collections.abc import Callable, Iterable, Sequence
from heapq import heapify, heappop, heappush
from pathlib import Path
from typing import ClassVar

from vpo.system.descriptors import DiskRoom, Pipes, RandomNumbers
from vpo.system.faults import Exit, MemoryFault
from vpo.system.files import Files, Origin, by_names
from vpo.system.kernel import Accessor, Kernel

CLOCK_START = 1_000_000_000  # seconds: the virtual clock begins on 9 September 2001
CLOCK_STEP = 1_000_000  # nanoseconds between two queries
AT_FDCWD = -100
AT_SYMLINK_NOFOLLOW, AT_REMOVEDIR, AT_EMPTY_PATH = 0x100, 0x200, 0x1000
OPEN_FLAGS = {name: getattr(os, name) for name in ("O_CREAT", "O_EXCL", "O_TRUNC", "O_APPEND", "O_NONBLOCK")}
OPEN_FILES = 1024  # files that a program may have open at once, as usual on Linux
_CHUNK = 1 << 20
_STREAMS = ("/dev/stdin", "/dev/stdout", "/dev/stderr")


class System:
    """The operating system that one run sees.

    `streams` are the host's descriptors for the target's 0, 1 and 2; `roots` are directories, beside the working
    directory, in which files may be opened.
    """

    def __init__(
        self, kernel: Kernel, memory: Accessor, streams: Sequence[int] = (0, 1, 2), roots: Iterable[str | Path] = ()
    ) -> None:
        self.memory = memory
        self.bits = kernel.bits
        self.order = ">" if kernel.big_endian else "<"
        self.names = kernel.names
        self.open_flags = {**OPEN_FLAGS, **kernel.open_flags}
        self.files: dict[int, int] = dict(enumerate(streams))
        self.origins: dict[int, Origin] = {}  # of the host's descriptors of what the program has opened by a name
        self._lent = frozenset(streams)  # descriptors of the caller, who closes them
        self.free: list[int] = []  # a heap of the descriptors that are not open, all below len(files) + len(free)
        self.disks = DiskRoom()
        self.host_files = Files(roots, kernel.limits.files, self.disks)
        self.directory = ""  # where relative paths begin, once the program has left the host's working directory
        self.folders: dict[int, list[bytes]] = {}  # the entries that a folder's reader has not yet got
        self.pipes = Pipes()
        self.random_numbers = RandomNumbers()
        self.numbers: dict[tuple[int, int], int] = {}  # of the files that were asked about, instead of the host's
        self.heap_start, self.limits, self.written = kernel.heap_start, kernel.limits, 0
        most = kernel.limits.memory
        self.heap_limit = kernel.heap_limit if most is None else min(kernel.heap_limit, kernel.heap_start + most)
        self.break_ = self.mapped_break = self.heap_start
        self.clock = CLOCK_START * 1_000_000_000
        self.streams = kernel.streams

    def call(self, number: int, arguments: Sequence[int]) -> int:
        """Do system call `number`; return its result, or minus an error number.

        Raises Exit when the program ends.
        """
        handler = self._handlers.get(self.names.get(number, ""))
        if handler is None:
            return -errno.ENOSYS
        words = [self._signed(a) for a in arguments] + [0] * (6 - len(arguments))
        try:
            return handler(self, *words[:6])
        except MemoryFault:
            return -errno.EFAULT
        except OSError as error:
            return -(error.errno or errno.EIO)
        except (ValueError, OverflowError):
            return -errno.EINVAL

    def asked(self, number: int, arguments: Sequence[int]) -> tuple[str, tuple[int, ...]]:
        """Return the name of a system call, '' if there is none of its number, and those arguments that it takes."""
        name = self.names.get(number, "")
        handler = self._handlers.get(name)
        taken = 0 if handler is None else handler.__code__.co_argcount - 1
        return name, tuple(map(self._signed, arguments[:taken]))

    def flush(self) -> None:
        """Write what the program's streams hold, after a run that was cut short; what cannot be written is lost."""
        if self.streams is None:
            return
        with contextlib.suppress(MemoryFault, OSError):
            for descriptor, data in list(self.streams.pending(self.memory)):
                host = self._host(descriptor)
                while data:
                    data = data[os.write(host, data) :]

    def _signed(self, value: int) -> int:
        value &= (1 << self.bits) - 1
        return value - (1 << self.bits) if value >> (self.bits - 1) else value

    def _address(self, value: int) -> int:
        return value & ((1 << self.bits) - 1)

    def _host(self, fd: int) -> int:
        if fd not in self.files:
            raise OSError(errno.EBADF, "no such descriptor")
        return self.files[fd]

    def _room(self, address: int, size: int) -> int:
        """Return how many of `size` bytes can be stored, so that none are taken that nobody gets.

        Raises MemoryFault.
        """
        room = self.memory.writable(self._address(address), size)
        if room == 0 < size:
            raise MemoryFault(address, size, write=True)
        return room

    def _path(self, address: int) -> str:
        """Read a path name."""
        raw = bytearray()
        address = self._address(address)
        while True:
            piece = self.memory.read(address + len(raw), 1)
            if piece == b"\0":
                if not raw:
                    raise OSError(errno.ENOENT, "empty path")
                return self.host_files.named(os.path.join(self.directory, by_names(os.fsdecode(bytes(raw)), self._host)))
            raw += piece
            if len(raw) >= 4096:
                raise OSError(errno.ENAMETOOLONG, "path")

    # ------------------------------------------------------------------------------------------ the calls

    def _exit(self, status: int, *_: int) -> int:
        raise Exit(status & 0xFF)

    def _read(self, fd: int, buffer: int, count: int, *_: int) -> int:
        host = self._host(fd)
        if count < 0:
            return -errno.EINVAL
        count = self._room(buffer, min(count, _CHUNK))
        source = self.random_numbers.read if self.origins.get(host) is Origin.RANDOM else os.read
        data = source(host, count)
        self.memory.write(self._address(buffer), data)
        return len(data)

    def _write(self, fd: int, buffer: int, count: int, *_: int) -> int:
        if count < 0:
            return -errno.EINVAL
        self.pipes.check_reader(self._host(fd))
        data = self.memory.read(self._address(buffer), self._allowed(min(count, _CHUNK)))
        if self.limits.output is None:
            self.disks.take(self._host(fd), len(data))
        done = os.write(self._host(fd), data)
        self.written += done
        return done

    def _allowed(self, count: int) -> int:
        """Return how many bytes may be written of so many; as under RLIMIT_FSIZE, what is left is written, then nothing.

        Raises OSError.
        """
        if self.limits.output is None:
            return count
        if count and self.written >= self.limits.output:
            raise OSError(errno.EFBIG, "file too large")
        return min(count, self.limits.output - self.written)

    def _open(self, path: int, flags: int, mode: int, *_: int) -> int:
        self._make_room()
        wanted = flags & os.O_ACCMODE
        for name, value in self.open_flags.items():
            wanted |= OPEN_FLAGS[name] if flags & value else 0
        name = self._path(path)
        if name in _STREAMS:
            return self._dup(_STREAMS.index(name))
        opened = self.host_files.open(name, wanted, mode)
        self.origins[opened.descriptor] = opened.origin
        return self._new_descriptor(opened.descriptor)

    def _make_room(self, count: int = 1) -> None:
        if len(self.files) + count > OPEN_FILES:
            raise OSError(errno.EMFILE, "too many open files")

    def _new_descriptor(self, host: int) -> int:
        fd = heappop(self.free) if self.free else len(self.files)
        self.files[fd] = host
        return fd

    def _dup(self, fd: int, *_: int) -> int:
        self._make_room()
        return self._new_descriptor(self._copy(self._host(fd)))

    def _copy(self, host: int) -> int:
        """Return another descriptor of the host's for the same, which is from the same place."""
        copy = os.dup(host)
        if host in self.origins:
            self.origins[copy] = self.origins[host]
        return copy

    def _pipe2(self, ends: int, *_: int) -> int:
        self._make_room(2)
        if self._room(ends, 8) < 8:
            return -errno.EFAULT
        made = struct.pack(self.order + "2i", *map(self._new_descriptor, self.pipes.make()))
        self.memory.write(self._address(ends), made)
        return 0

    def _dup2(self, fd: int, wanted: int, *_: int) -> int:
        """Copy a descriptor to one with a number that is asked for."""
        host = self._host(fd)
        if fd == wanted:
            return fd
        if not 0 <= wanted < OPEN_FILES:
            return -errno.EBADF
        if wanted in self.files:
            self._close(wanted)
        self.free += range(len(self.files) + len(self.free), wanted + 1)  # up to there none was used yet
        self.free.remove(wanted)
        heapify(self.free)
        self.files[wanted] = self._copy(host)
        return wanted

    def _openat(self, folder: int, path: int, flags: int, mode: int, *_: int) -> int:
        self._at(folder, path)
        return self._open(path, flags, mode)

    def _at(self, folder: int, path: int) -> None:
        """Accept only the working directory as a base of relative paths."""
        if folder != AT_FDCWD and not self._path(path).startswith("/"):
            raise OSError(errno.EBADF, "directory")

    def _close(self, fd: int, *_: int) -> int:
        host = self._host(fd)
        del self.files[fd]
        self.folders.pop(fd, None)
        heappush(self.free, fd)
        self.origins.pop(host, None)
        if host not in self._lent:
            os.close(host)
        return 0

    def _lseek(self, fd: int, offset: int, whence: int, *_: int) -> int:
        self.folders.pop(fd, None)
        return os.lseek(self._host(fd), offset, whence)

    def _llseek(self, fd: int, high: int, low: int, result: int, whence: int, *_: int) -> int:
        mask = 0xFFFFFFFF
        offset = ((high & mask) << 32) | (low & mask)
        offset -= (offset >> 63) << 64
        position = self._lseek(fd, offset, whence)
        self.memory.write(self._address(result), struct.pack(self.order + "q", position))
        return 0

    def _brk(self, end: int, *_: int) -> int:
        end = self._address(end)
        if self.heap_start <= end <= self.heap_limit:
            if end > self.mapped_break:
                self.memory.set_break(end)
                self.mapped_break = end
            elif end < self.break_:
                self.memory.write(end, bytes(self.break_ - end))  # what is mapped again later is zero
            self.break_ = end
        return self.break_

    def _unlink(self, path: int, *_: int) -> int:
        self.host_files.unlink(self._path(path))
        return 0

    def _unlinkat(self, folder: int, path: int, flags: int, *_: int) -> int:
        self._at(folder, path)
        if flags == AT_REMOVEDIR:
            return self._rmdir(path)
        return -errno.EINVAL if flags else self._unlink(path)

    def _mkdir(self, path: int, mode: int, *_: int) -> int:
        self.host_files.make_folder(self._path(path), mode)
        return 0

    def _mkdirat(self, folder: int, path: int, mode: int, *_: int) -> int:
        self._at(folder, path)
        return self._mkdir(path, mode)

    def _rmdir(self, path: int, *_: int) -> int:
        self.host_files.remove_folder(self._path(path))
        return 0

    def _getcwd(self, buffer: int, size: int, *_: int) -> int:
        name = os.fsencode(self.directory or os.getcwd()) + b"\0"
        if len(name) > size:
            return -errno.ERANGE
        self.memory.write(self._address(buffer), name)
        return len(name)

    def _chdir(self, path: int, *_: int) -> int:
        self.directory = self.host_files.folder(self._path(path))
        return 0

    def _fchdir(self, fd: int, *_: int) -> int:
        host = self._host(fd)
        if not stat.S_ISDIR(os.fstat(host).st_mode):
            return -errno.ENOTDIR
        self.directory = os.readlink(f"/proc/self/fd/{host}")
        return 0

    def _chmod(self, path: int, mode: int, *_: int) -> int:
        self.host_files.change_mode(self._path(path), mode)
        return 0

    def _fchmodat(self, folder: int, path: int, mode: int, *_: int) -> int:
        self._at(folder, path)
        return self._chmod(path, mode)

    def _fchmod(self, fd: int, mode: int, *_: int) -> int:
        host = self._host(fd)
        if self.origins.get(host) is not Origin.OWN:  # somebody else's: a stream, a device, what may only be read
            return -errno.EPERM
        self.host_files.change_mode_of(host, mode)
        return 0

    def _getdents64(self, fd: int, buffer: int, size: int, *_: int) -> int:
        """Tell the next entries of a folder: all in the order of their names, whatever the host's is."""
        host, size = self._host(fd), self._room(buffer, size)
        if fd not in self.folders:
            self.folders[fd] = [b".", b"..", *sorted(os.fsencode(name) for name in os.listdir(host))]
        left, data = self.folders[fd], b""
        while left:
            length = (19 + len(left[0]) + 8) & -8
            if len(data) + length > size:
                break
            head = struct.pack(self.order + "QqHB", 1, 0, length, 0)
            data += (head + left.pop(0)).ljust(length, b"\0")
        if left and not data:
            return -errno.EINVAL
        self.memory.write(self._address(buffer), data)
        return len(data)

    def _ftruncate(self, fd: int, size: int, *_: int) -> int:
        host, most = self._host(fd), self.limits.output
        if most is not None and size > max(most, os.fstat(host).st_size):
            raise OSError(errno.EFBIG, "file too large")
        os.ftruncate(host, size)
        return 0

    def _ftruncate64(self, fd: int, low: int, high: int, *_: int) -> int:
        return self._ftruncate(fd, high << 32 | low & 0xFFFFFFFF)

    def _statx(self, folder: int, path: int, flags: int, _mask: int, result: int, *_: int) -> int:
        """Tell kind, permissions and size of a file; its times are the start of the virtual clock."""
        if flags & AT_EMPTY_PATH:
            found = os.fstat(self._host(folder))
        else:
            self._at(folder, path)
            found = self.host_files.status(self._path(path), not flags & AT_SYMLINK_NOFOLLOW)
        mode, size = found.st_mode & ~0o7000, found.st_size
        if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode) or stat.S_ISLNK(mode)):
            kind = stat.S_IFIFO if self.pipes.have(found) else stat.S_IFCHR  # of a standard stream, whatever it is
            mode, size = kind | 0o600, 0
        number = self.numbers.setdefault((found.st_dev, found.st_ino), len(self.numbers) + 2)
        data = struct.pack(self.order + "2IQ3IHHQQQQ", 0x7FF, 4096, 0, 1, 0, 0, mode, 0, number, size, -(-size // 512), 0)
        data += struct.pack(self.order + "qIi", CLOCK_START, 0, 0) * 4 + struct.pack(self.order + "4I", 0, 0, 0, 1)
        self.memory.write(self._address(result), data.ljust(256, b"\0"))
        return 0

    def _rename(self, old: int, new: int, *_: int) -> int:
        self.host_files.rename(self._path(old), self._path(new))
        return 0

    def _renameat(self, old_folder: int, old: int, new_folder: int, new: int, *_: int) -> int:
        self._at(old_folder, old)
        self._at(new_folder, new)
        return self._rename(old, new)

    def _renameat2(self, old_folder: int, old: int, new_folder: int, new: int, flags: int, *_: int) -> int:
        if flags:
            return -errno.EINVAL
        return self._renameat(old_folder, old, new_folder, new)

    def _tick(self) -> tuple[int, int]:
        self.clock += CLOCK_STEP
        return divmod(self.clock, 1_000_000_000)

    def _clock_gettime64(self, _clock: int, result: int, *_: int) -> int:
        self.memory.write(self._address(result), struct.pack(self.order + "qq", *self._tick()))
        return 0

    def _words(self, address: int, *values: int) -> int:
        form = "i" if self.bits == 32 else "q"
        self.memory.write(self._address(address), struct.pack(f"{self.order}{len(values)}{form}", *values))
        return 0

    def _clock_gettime(self, _clock: int, result: int, *_: int) -> int:
        return self._words(result, *self._tick())

    def _gettimeofday(self, result: int, *_: int) -> int:
        seconds, nanoseconds = self._tick()
        return self._words(result, seconds, nanoseconds // 1000) if result else 0

    def _time(self, result: int, *_: int) -> int:
        seconds = self._tick()[0]
        if result:
            self._words(result, seconds)
        return seconds

    _handlers: ClassVar[dict[str, Callable[..., int]]] = {
        **dict.fromkeys(("exit", "exit_group"), _exit),
        "read": _read, "write": _write, "open": _open, "openat": _openat, "close": _close,
        **dict.fromkeys(("llseek", "_llseek"), _llseek), "lseek": _lseek, "brk": _brk,
        "unlink": _unlink, "unlinkat": _unlinkat, "rename": _rename, "renameat": _renameat, "renameat2": _renameat2,
        "dup": _dup, **dict.fromkeys(("dup2", "dup3"), _dup2), "pipe2": _pipe2,
        "mkdir": _mkdir, "mkdirat": _mkdirat, "rmdir": _rmdir, "getcwd": _getcwd, "chdir": _chdir,
        "fchdir": _fchdir, "chmod": _chmod, "fchmod": _fchmod, "fchmodat": _fchmodat, "getdents64": _getdents64,
        "ftruncate": _ftruncate, "ftruncate64": _ftruncate64, "statx": _statx,
        "clock_gettime": _clock_gettime, "clock_gettime64": _clock_gettime64, "gettimeofday": _gettimeofday, "time": _time,
    }  # fmt: skip
