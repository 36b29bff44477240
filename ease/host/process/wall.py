"""A second wall around a measured program: what the kernel refuses to its process, should host code ever go astray.

The first wall is that host code reaches nothing but target memory and `vpo.system`, which checks every path.  This one is
raised in the child when code is loaded, before the program's first instruction, and does not come down again:

* Landlock (Linux 5.13 and later; landlock(7)): files below the roots and in /tmp may be changed, those of the Python that
  runs here be read; no other file may be opened.  No TCP, no signals to other processes, as far as the kernel's version goes.
* seccomp (seccomp(2), on x86-64): no other program, process, socket, file system, link or owner; nobody's memory but this
  process's own; no memory becomes executable; nothing is typed on the caller's terminal.
* No core files, no new privileges, not to be looked at by other processes of the user.

A kernel without one of these runs programs all the same.  It is not asked for more rights than the user has.
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import resource
import struct
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import chain

from ease.host.process.job import libc
from vpo.base.cache import COMPILER, KINDS, folder
from vpo.system.descriptors import DEVICES
from vpo.system.files import Files, guarded_folders

FILES, CALLS = 1, 2  # the parts of the wall that may be missing
WHOLE = FILES | CALLS

_SET_DUMPABLE, _SET_NO_NEW_PRIVILEGES = 4, 38


def missing() -> str:
    """Return what this kernel does not offer, for a message; '' if the wall can stand whole."""
    parts = {"Landlock": _version() >= 1, "a filter of system calls for this processor": _knows_calls()}
    return " and ".join(name for name, there in parts.items() if not there)


def raise_wall(files: Files) -> int:
    """Confine this process and the threads that it will start; return which parts stand."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    libc.prctl(_SET_DUMPABLE, 0, 0, 0, 0)
    if libc.prctl(_SET_NO_NEW_PRIVILEGES, 1, 0, 0, 0):
        return 0
    return (FILES if _confine_files(files) else 0) | (CALLS if _confine_calls() else 0)


# ----------------------------------------------------------------------------------------------------------------------
# Landlock.


_CREATE, _ADD, _RESTRICT = 444, 445, 446  # system calls, the same on all machines
_VERSION, _BENEATH = 1, 1
_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_FOLDER, _REMOVE_FOLDER, _REMOVE_FILE = (1 << bit for bit in range(6))
_MAKE_FOLDER, _MAKE_FILE, _MAKE_LINK, _MOVE, _TRUNCATE = (1 << bit for bit in (7, 8, 12, 13, 14))
_READ = _READ_FILE | _READ_FOLDER
_CHANGE = _READ | _WRITE_FILE | _REMOVE_FOLDER | _REMOVE_FILE | _MAKE_FOLDER | _MAKE_FILE | _MAKE_LINK | _MOVE | _TRUNCATE
_USE = _READ_FILE | _WRITE_FILE | _TRUNCATE  # of a device
_SYSTEM = ("/usr", "/lib", "/lib64", "/bin", "/etc/ld.so.cache", "/proc")  # what it takes to start Python
# Bits that the versions of the interface know: rights to files, to the network, and what stays within the process.
_RIGHTS = {1: 13, 2: 14, 3: 15, 4: 15, 5: 16}
_NETWORK, _SCOPES = {4: 2}, {6: 2}


def _bits(known: dict[int, int], version: int) -> int:
    return (1 << max((bits for first, bits in known.items() if first <= version), default=0)) - 1


def _version() -> int:
    """Return the version of the kernel's interface, below 1 if it has none."""
    return int(libc.syscall(_CREATE, None, ctypes.c_size_t(0), _VERSION))


def confine_files(folders: Iterable[str]) -> bool:
    """Let this process, which compiles and measures for others, change files in folders and the cache alone.

    It may read besides what it is made of: Python, the compiler, the system's libraries.  So may the processes that it starts.
    Return whether the kernel can do it.
    """
    kept = [str(place) for kind in KINDS if (place := folder(kind)) is not None]
    own = chain(((path, _CHANGE) for path in (*folders, *kept)), ((device, _USE) for device in DEVICES))
    return _confine(chain(own, ((path, _READ | _EXECUTE) for path in (*_installed(), *_SYSTEM))))


def _confine_files(files: Files) -> bool:
    return _confine(_allowed(files))


def _confine(allowed: Iterable[tuple[str, int]]) -> bool:
    """Let this process do with files below some paths what it may, and nothing with others; return whether it is done."""
    version = _version()
    if version < 1:
        return False
    handled = _bits(_RIGHTS, version)
    wanted = struct.pack("=3Q", handled, _bits(_NETWORK, version), _bits(_SCOPES, version))
    size = 8 if version < 4 else 16 if version < 6 else 24  # bytes that this version knows
    rules = libc.syscall(_CREATE, wanted, ctypes.c_size_t(size), 0)
    if rules < 0:
        return False
    try:
        for path, rights in allowed:
            with suppress(OSError):  # what is not there cannot be opened either
                _allow(rules, path, rights & handled)
        return not libc.syscall(_RESTRICT, rules, 0)
    finally:
        os.close(rules)


def _allowed(files: Files) -> Iterator[tuple[str, int]]:
    """Yield what may be opened, and what may be done with it."""
    yield from ((root, _CHANGE) for root in (*files.roots, files.temporary) if root)
    yield from ((device, _USE) for device in DEVICES)
    yield from ((root, _READ) for root in files.read)
    yield from ((path, _READ) for path in _installed())


def _installed() -> Iterator[str]:
    yield from (*guarded_folders(), str(COMPILER.parent))


def _allow(rules: int, path: str, rights: int) -> None:
    """Raises OSError."""
    place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        libc.syscall(_ADD, rules, _BENEATH, struct.pack("=Qi", rights, place), 0)
    finally:
        os.close(place)


# ----------------------------------------------------------------------------------------------------------------------
# seccomp: a program of the kernel's packet filter looks at each system call.


_X86_64 = 0xC000003E
_OTHER_CALLS = 0x40000000  # numbers from here on are of another interface (x32)
# Numbers of system calls on x86-64 (arch/x86/entry/syscalls/syscall_64.tbl) that are refused, whatever their arguments.
_REFUSED = {
    "other programs and processes": (57, 58, 59, 101, 310, 311, 322, 434, 438),  # fork, exec, ptrace, process_vm, pidfd
    "signals to others": (62, 129, 200, 297, 424),
    "sockets": (41, 42, 43, 49, 50, 53, 288),
    "links and special files": (86, 88, 133, 259, 265, 266, 303, 304),
    "file systems": (155, 161, 165, 166, 167, 168, 179, 428, 429, 430, 431, 432, 433, 442),
    "owners and attributes": (92, 93, 94, 188, 189, 190, 197, 198, 199, 260),
    "users and rights": (105, 106, 113, 114, 116, 117, 119, 122, 123, 126, 272, 308),
    "keys, and parts of the kernel": (175, 176, 246, 248, 249, 250, 313, 320, 321, 298, 323, 425, 426, 427),
    "the whole machine": (159, 163, 164, 169, 170, 171, 172, 173, 227, 305),
    "executable memory by other ways": (29, 30, 135, 154, 319),  # System V's, personality, modify_ldt, memfd
}
_CLONE, _CLONE3, _IOCTL = 56, 435, 16
_THREAD = 0x10000  # a flag of clone
_MAPPING, _EXECUTABLE = (9, 10, 329), 4  # mmap, mprotect, pkey_mprotect; a bit of the third argument
_TYPE = 0x5412  # a request that puts characters into a terminal's input
_SET_FILTER, _ALL_THREADS = 1, 1
_SECCOMP = 317
_ALLOW, _ERROR, _KILL = 0x7FFF0000, 0x00050000, 0x80000000
_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06  # operations of the filter
_NUMBER, _ARCHITECTURE, _ARGUMENTS = 0, 4, 16  # places in what it looks at


def _knows_calls() -> bool:
    return platform.machine() == "x86_64" and sys.maxsize > 1 << 32


def _confine_calls() -> bool:
    """Refuse system calls; return whether it is done."""
    if not _knows_calls():
        return False
    code = b"".join(struct.pack("=HBBI", *step) for step in _filter())
    steps = ctypes.create_string_buffer(code, len(code))
    program = struct.pack("@HP", len(code) // 8, ctypes.addressof(steps))
    return not libc.syscall(_SECCOMP, _SET_FILTER, _ALL_THREADS, program)


def _filter() -> Iterator[tuple[int, int, int, int]]:
    """Yield the filter: operation, steps to pass over if it holds, and if not, operand."""
    yield from ((_LOAD, 0, 0, _ARCHITECTURE), (_EQUAL, 1, 0, _X86_64), (_RETURN, 0, 0, _KILL))
    yield from ((_LOAD, 0, 0, _NUMBER), (_AT_LEAST, 0, 1, _OTHER_CALLS), (_RETURN, 0, 0, _KILL))
    for number in sorted(number for numbers in _REFUSED.values() for number in numbers):
        yield from ((_EQUAL, 0, 1, number), (_RETURN, 0, 0, _ERROR | errno.EPERM))
    yield from ((_EQUAL, 0, 1, _CLONE3), (_RETURN, 0, 0, _ERROR | errno.ENOSYS))  # its flags cannot be seen; clone is next
    yield from _argument([_CLONE], 0, (_ANY_BIT, 1, 0, _THREAD))
    yield from _argument(_MAPPING, 2, (_ANY_BIT, 0, 1, _EXECUTABLE))
    yield from _argument([_IOCTL], 1, (_EQUAL, 0, 1, _TYPE))
    yield _RETURN, 0, 0, _ALLOW


def _argument(numbers: Iterable[int], place: int, test: tuple[int, int, int, int]) -> Iterator[tuple[int, int, int, int]]:
    """Yield steps that refuse some calls unless `test` of the lower half of an argument passes over one step."""
    for number in numbers:
        yield from ((_EQUAL, 0, 4, number), (_LOAD, 0, 0, _ARGUMENTS + 8 * place), test)
        yield from ((_RETURN, 0, 0, _ERROR | errno.EPERM), (_RETURN, 0, 0, _ALLOW))
