"""The host's files that a program may use: regular files and folders below a few roots, nothing of the kernel's.

Some devices are there as well (`vpo.system.descriptors`), and the files directly in /tmp, or a folder in its place.

The roots are open from the start of a run, and from there each folder on the way to a file is opened by itself and without
following links, so what was checked is what is used, whoever renames files, or the roots themselves, meanwhile.

Folders that no measured program may change come first.
"""

from __future__ import annotations

import errno
import os
import re
import site
import stat
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from enum import Enum
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from vpo.base.cache import COMPILER, places
from vpo.system.descriptors import BYTES_OF_FILE, DEVICES, NO_WAITING, DiskRoom, is_random, open_device

# ----------------------------------------------------------------------------------------------------------------------
# Folders that no measured program may change, whatever its roots are: later runs execute, or believe, what lies in them.
#
# These are the cache, the installed packages, and the Python environment in which they run.


Identity = tuple[int, int]  # device and number of a file


def is_inside(path: str, folder: str) -> bool:
    """Return whether a real path is a folder or lies below it."""
    return path == folder or path.startswith(folder.rstrip("/") + "/")


def identity(status: os.stat_result) -> Identity:
    """Return what tells a file from all others, by whatever name it is reached."""
    return status.st_dev, status.st_ino


def guarded_folders() -> Iterator[str]:
    """Yield the folders of the cache, of this installation, and of the Python environment."""
    yield from map(str, places())
    yield from map(str, _packages())
    yield from _environment()


def _packages() -> Iterator[object]:
    """Yield the folders of the packages that are installed together: a common one, or several side by side."""
    common = COMPILER.parent
    beside = (path for path in common.iterdir() if (path / "__init__.py").exists())
    yield from (common,) if (common / "__init__.py").exists() else beside


def _environment() -> Iterator[str]:
    """Yield the folders from which Python and its packages are loaded."""
    if sys.prefix != sys.base_prefix:
        yield sys.prefix  # a virtual environment, with its pyvenv.cfg
    for prefix in (sys.prefix, sys.base_prefix, sys.exec_prefix):
        yield from (os.path.join(prefix, name) for name in ("bin", "lib", "lib64"))
    yield from (path for path in sys.path if os.path.basename(path) in ("site-packages", "dist-packages"))
    if site.ENABLE_USER_SITE and site.USER_SITE:
        yield site.USER_SITE


class GuardedFolders:
    """Tells whether a change would be one in some folders; these need not exist, lest a program makes them."""

    def __init__(self, folders: Iterable[str]) -> None:
        spelled = [os.path.abspath(folder) for folder in folders]
        self._names = {os.path.realpath(folder) for folder in spelled}
        self._identities = set(_identities(self._names))
        above = {step for folder in (*spelled, *self._names) for step in _steps(folder)}
        self._names_above = {os.path.join(os.path.realpath(os.path.dirname(step)), os.path.basename(step)) for step in above}
        self._identities_above = set(_identities(above))

    def contain(self, folder: int, real: str) -> bool:
        """Return whether a file with a real path, in an open folder, lies in one of them or is one."""
        return any(is_inside(real, name) for name in self._names) or any(step in self._identities for step in _way_up(folder))

    def hang_on(self, real: str, status: os.stat_result | None) -> bool:
        """Return whether a path, or a file with a status, is one of them or on the way to one: it is not to be moved."""
        return real in self._names_above or (status is not None and identity(status) in self._identities_above)


def _steps(path: str) -> Iterator[str]:
    """Yield a path and those of all folders in which it lies."""
    while True:
        yield path
        outer = os.path.dirname(path)
        if outer == path:
            return
        path = outer


def _identities(paths: Iterable[str]) -> Iterator[Identity]:
    for path in paths:
        with suppress(OSError):
            yield identity(os.stat(path))


def _way_up(folder: int) -> Iterator[Identity]:
    """Yield the identities of an open folder and of all in which it lies, wherever these were moved meanwhile."""
    below, folder = None, os.dup(folder)
    try:
        while (here := identity(os.fstat(folder))) != below:
            yield here
            inner, folder = folder, os.open("..", os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC, dir_fd=folder)
            os.close(inner)
            below = here
    finally:
        os.close(folder)


# ----------------------------------------------------------------------------------------------------------------------
# Files.


# In place of a root: what begins so may be read and not changed; is what the program calls /tmp; every other file may be
# read; nothing but what is named; /tmp is a new folder of this run.
READ, TMP, EVERYTHING, NOTHING, NEW = "read=", "tmp=", "*", "none", "tmp=new"
TEMPORARY = "/tmp"  # programs make files in it, and nothing says that it lies below a root
KERNEL_FOLDERS = ("/dev", "/proc", "/sys")
# What statfs(2) says of file systems whose files are the kernel's, wherever they are mounted.
KERNEL_FILE_SYSTEMS = {
    0x9FA0: "proc", 0x62656572: "sysfs", 0x1CD1: "devpts", 0x64626720: "debugfs", 0x74726163: "tracefs",
    0x27E0EB: "cgroup", 0x63677270: "cgroup2", 0x73636673: "securityfs", 0xF97CFF8C: "selinux", 0x43415D53: "smack",
    0x62656570: "configfs", 0xCAFE4A11: "bpf", 0x6165676C: "pstore", 0xDE5E81E4: "efivarfs", 0x42494E4D: "binfmt_misc",
    0x19800202: "mqueue", 0x65735543: "fusectl", 0x6E736673: "nsfs", 0x7655821: "resctrl", 0xABBA1974: "xenfs",
    0x67596969: "rpc_pipefs", 0x6E667364: "nfsd", 0x9FA1: "openprom", 0x9FA2: "usbdevice", 0x9041934: "anon_inode",
}  # fmt: skip
_USABLE = (stat.S_IFREG, stat.S_IFDIR, stat.S_IFLNK)
_DESCRIPTOR = re.compile(r"/proc/self/fd/(\d+)/(.*)", re.DOTALL)


class Origin(Enum):
    """Where a descriptor is from that a program has opened."""

    OWN = 0  # a file or a folder that the program may change
    FOREIGN = 1  # one that it may only read
    DEVICE = 2
    RANDOM = 3  # a random device


class Opened(NamedTuple):
    """A descriptor of the host's, and where it is from."""

    descriptor: int
    origin: Origin


_FOLDER = os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


class OpenFolder:
    """A folder that stays open as long as this object is there, whatever its path stands for meanwhile."""

    def __init__(self, path: str) -> None:
        """Raises OSError."""
        self._process = os.getpid()
        self.descriptor = os.open(path, _FOLDER)

    def __del__(self) -> None:
        """Close it; a process that was forked later may have another file by its number."""
        if hasattr(self, "descriptor") and self._process == os.getpid():
            with suppress(OSError):
                os.close(self.descriptor)


class Place(NamedTuple):
    """Where a file is: the open folder, its name there, its real path, and whether the program may change it."""

    folder: int
    name: str
    real: str
    own: bool


def by_names(path: str, host: Callable[[int], int]) -> str:
    """Return a path by names alone, which may begin at the descriptor of a folder, as /proc/self/fd/3/name does.

    `host` returns the host's descriptor.  Raises OSError (EBADF, ENOTDIR).
    """
    found = _DESCRIPTOR.match(path)
    if found is None:
        return path
    descriptor = host(int(found[1]))
    if not stat.S_ISDIR(os.fstat(descriptor).st_mode):
        raise OSError(errno.ENOTDIR, path)
    return os.path.join(os.readlink(f"/proc/self/fd/{descriptor}"), found[2])


def folder_of(root: str) -> str:
    """Return the folder that a root names, '' if it stands for something else."""
    return "" if root in (EVERYTHING, NOTHING, NEW) else root.removeprefix(READ).removeprefix(TMP)


def absolute(root: str) -> str:
    """Return a root that means the same in any working directory, but for `none`."""
    folder = folder_of(root)
    return root.removesuffix(folder) + os.path.abspath(folder) if folder else root


@contextmanager
def with_new_folder(roots: Iterable[str | Path]) -> Iterator[list[str]]:
    """Yield roots among which there is a new folder if `tmp=new` asks for one; it is removed in the end."""
    given = [os.fspath(root) for root in roots]
    if NEW not in given:
        yield given
        return
    import tempfile

    with tempfile.TemporaryDirectory(prefix="ease-tmp-", ignore_cleanup_errors=True) as folder:
        yield [*(root for root in given if root != NEW), TMP + folder]


class Files:
    """Opens, makes, removes and renames files and folders below the working directory and the folders `roots`, or in /tmp.

    A root `read=FOLDER` may be read only, as all files with `*`; with `none` it is only what other roots name.  With
    `tmp=FOLDER`, this is what the program calls /tmp, but for roots that lie in /tmp.
    Where the working directory is `/`, it may be read only, since the whole system lies below it.
    There will be no more than `most` files and folders beside those that there were; None: as many as leave `disks` some room.
    """

    def __init__(self, roots: Iterable[str | Path], most: int | None = None, disks: DiskRoom | None = None) -> None:
        given = [os.fspath(root) for root in roots]
        changed = [root for root in given if folder_of(root) == root]
        self.roots = [os.path.realpath(root) for root in changed]
        self.read = [os.path.realpath(folder_of(root)) for root in given if root.startswith(READ)]
        if EVERYTHING in given:
            self.read = ["/"]
        self._open: dict[str, OpenFolder] = {}
        kept = [folder_of(root) for root in given if root.startswith(TMP)]
        self.temporary = TEMPORARY if NOTHING not in given and not kept else None
        if NOTHING not in given:
            with suppress(FileNotFoundError):  # somebody removed the working directory
                here = os.path.realpath(os.getcwd())
                (self.read if here == "/" else self.roots).insert(0, here)
        self._in_temporary = [root for root in (*self.roots, *self.read) if is_inside(root, TEMPORARY)]
        self._own_temporary = os.path.realpath(kept[-1]) if kept and kept[-1] else None
        if self._own_temporary:
            self.roots.append(self._own_temporary)
        self._most, self._made, self._disks = most, 0, disks or DiskRoom()
        for root in filter(None, (*self.roots, *self.read, self.temporary)):
            with suppress(OSError):  # of one that is not there yet
                self._root_folder(root)

    @cached_property
    def _guarded(self) -> GuardedFolders:
        return GuardedFolders(guarded_folders())

    def named(self, path: str) -> str:
        """Return where a path leads that the program may mean for a /tmp of its own."""
        spelled = "/" + path.lstrip("/")
        if not self._own_temporary or not path.startswith("/") or not is_inside(spelled, TEMPORARY) or ".." in path.split("/"):
            return path
        if any(is_inside(os.path.realpath(path), root) for root in self._in_temporary):
            return path
        return self._own_temporary + spelled.removeprefix(TEMPORARY)

    def open(self, path: str, flags: int, mode: int) -> Opened:
        """Open a file; a last symbolic link is followed.

        Raises OSError (EACCES) for a file outside the roots, for one of the kernel's, and for pipes, sockets and devices.
        """
        if path in DEVICES:
            return Opened(open_device(path, flags), Origin.RANDOM if is_random(path) else Origin.DEVICE)
        reading = flags & (os.O_ACCMODE | os.O_CREAT | os.O_TRUNC) == os.O_RDONLY
        with self._folder(path, os.path.realpath(path), reading) as place:
            new = flags & os.O_CREAT
            with suppress(FileNotFoundError):
                _check_entry(place)  # first, because to open a device may do something
                new = 0
                _check_slash(path, place)
            if path.endswith("/") and flags & os.O_CREAT:
                raise OSError(errno.EISDIR, path)
            with self._making(place) if new else nullcontext():
                descriptor = os.open(place.name, flags | NO_WAITING, mode & 0o777, dir_fd=place.folder)
        try:
            _check(descriptor)
        except OSError:
            os.close(descriptor)
            raise
        return Opened(descriptor, Origin.OWN if place.own else Origin.FOREIGN)

    def unlink(self, path: str) -> None:
        """Remove a file or a symbolic link; raises OSError as `open` does."""
        with self._entry(path) as place:
            self._check_movable(place)
            _check_slash(path, place)
            os.unlink(place.name, dir_fd=place.folder)
            self._made -= 1

    def rename(self, old: str, new: str) -> None:
        """Rename a file, a folder or a symbolic link; raises OSError as `open` does."""
        with self._entry(old) as before, self._entry(new) as after:
            self._check_movable(before)
            with suppress(FileNotFoundError):
                self._check_movable(after)
            os.rename(before.name, after.name, src_dir_fd=before.folder, dst_dir_fd=after.folder)

    def make_folder(self, path: str, mode: int) -> None:
        """Make a folder; raises OSError as `open` does."""
        with self._entry(path) as place, self._making(place):
            os.mkdir(place.name, mode & 0o777, dir_fd=place.folder)

    def remove_folder(self, path: str) -> None:
        """Remove an empty folder; raises OSError as `open` does."""
        with self._entry(path) as place:
            self._check_movable(place)
            os.rmdir(place.name, dir_fd=place.folder)
            self._made -= 1

    def change_mode(self, path: str, mode: int) -> None:
        """Change the permissions of a file or a folder; raises OSError as `open` does."""
        with self._folder(path, os.path.realpath(path)) as place, _entry_of(place) as entry:
            _check(entry)
            self.change_mode_of(entry, mode)

    def change_mode_of(self, descriptor: int, mode: int) -> None:
        """Change the permissions of an open file, which may be open as a path only, and is the program's own.

        Raises OSError: EACCES for a folder on the way to a guarded one, ELOOP for a symbolic link.
        """
        status = os.fstat(descriptor)
        if self._guarded.hang_on("", status):
            raise OSError(errno.EACCES, "guarded folder")
        if stat.S_ISLNK(status.st_mode):
            raise OSError(errno.ELOOP, "symbolic link")
        os.chmod(f"/proc/self/fd/{descriptor}", mode & 0o777)  # whatever the name stands for meanwhile

    def folder(self, path: str) -> str:
        """Return the real path of a folder; raises OSError as `open` does, and ENOTDIR."""
        if not stat.S_ISDIR(self.status(path, follow=True).st_mode):
            raise OSError(errno.ENOTDIR, path)
        return os.path.realpath(path)

    def status(self, path: str, follow: bool) -> os.stat_result:
        """Return what the host knows of a file, or of a last symbolic link; raises OSError as `open` does.

        The folders in which roots lie may be asked about, too, since programs check absolute paths step by step.
        """
        real = os.path.realpath(path)
        if path in DEVICES or any(is_inside(root, real) for root in (*self.roots, *self.read, self.temporary) if root):
            return os.stat(real)
        entry = self._folder(path, real, reading=True) if follow else self._entry(path, reading=True)
        with entry as place:
            _check_entry(place)
            _check_slash(path, place)
            return os.stat(place.name, dir_fd=place.folder, follow_symlinks=False)

    @contextmanager
    def _making(self, place: Place) -> Iterator[None]:
        """Count a file or a folder that is made; raises OSError (EDQUOT, ENOSPC) if it is one too many."""
        if self._made == self._most:
            raise OSError(errno.EDQUOT, "too many files")
        if self._most is None:
            self._disks.take(place.folder, BYTES_OF_FILE)
        yield
        self._made += 1

    def _check_movable(self, place: Place) -> None:
        """Raise OSError (EACCES) for a name or a file that a guarded folder, or one on the way to it, has."""
        if self._guarded.hang_on(place.real, None) or self._guarded.hang_on(place.real, _check_entry(place)):
            raise OSError(errno.EACCES, place.real)

    @contextmanager
    def _entry(self, path: str, reading: bool = False) -> Iterator[Place]:
        """Yield the place of a path whose last symbolic link is not followed."""
        folder, name = os.path.split(path.rstrip("/") or "/")
        if name in ("", ".", ".."):
            raise OSError(errno.EINVAL, path)
        with self._folder(path, os.path.join(os.path.realpath(folder or "."), name), reading) as place:
            yield place

    @contextmanager
    def _folder(self, path: str, real: str, reading: bool = False) -> Iterator[Place]:
        """Yield the place of a file; `path` is what the program calls it.

        Raises OSError (EACCES) unless the program may change it or, if it is only read, may read it.
        """
        root, own = self._root(path, real, reading)
        *folders, name = os.path.relpath(real, root).split("/")
        folder = os.dup(self._root_folder(root))
        try:
            for step in folders:
                outer, folder = folder, os.open(step, _FOLDER, dir_fd=folder)
                os.close(outer)
            _check(folder)
            own = own and not self._guarded.contain(folder, real)
            if not own and not reading:
                raise OSError(errno.EACCES, path)
            yield Place(folder, name, real, own)
        finally:
            os.close(folder)

    def _root_folder(self, root: str) -> int:
        """Return the descriptor of a root, which is opened when it is first seen; raises OSError."""
        if root not in self._open:
            self._open[root] = OpenFolder(root)
        return self._open[root].descriptor

    def _root(self, path: str, real: str, reading: bool) -> tuple[str, bool]:
        """Return the folder from which a file is looked for, and whether it is a root: what is in it may be changed.

        Raises OSError (EACCES).
        """
        spelled = "/" + os.path.abspath(path).lstrip("/")
        root = next((root for root in self.roots if _covers(root, real) and not _goes_through_kernels(root, spelled)), None)
        if root is not None:
            return root, True
        if os.path.dirname(real) == self.temporary and not _is_kernels("/", spelled):
            return self.temporary, True
        root = next((root for root in self.read if is_inside(real, root)), None) if reading else None
        if root is None or _is_kernels("/", real) or _is_kernels("/", spelled):
            raise OSError(errno.EACCES, path)
        return root, False


def _covers(root: str, path: str) -> bool:
    return is_inside(path, root) and not _is_kernels(root, path)


def _goes_through_kernels(root: str, path: str) -> bool:
    """Return whether a path goes through a folder of the kernel's: /dev/fd/3 may be a file of this process's."""
    return _is_kernels(root if is_inside(path, root) else "/", path)


def _is_kernels(root: str, path: str) -> bool:
    """Return whether a path lies in a folder of the kernel's that is below the root."""
    return any(is_inside(path, folder) and is_inside(folder, root) for folder in KERNEL_FOLDERS)


@contextmanager
def _entry_of(place: Place) -> Iterator[int]:
    """Yield a descriptor of a file that is opened as a path only, neither for reading nor for writing."""
    entry = os.open(place.name, os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=place.folder)
    try:
        yield entry
    finally:
        os.close(entry)


def _check_entry(place: Place) -> os.stat_result:
    """Return the status of a file that is not the kernel's, a pipe, a socket or a device; raises OSError (EACCES)."""
    with _entry_of(place) as entry:
        return _check(entry)


def _check_slash(path: str, place: Place) -> None:
    """Raise OSError (ENOTDIR) for a file that is called a folder by a slash at the end of its path."""
    if path.endswith("/") and not stat.S_ISDIR(os.stat(place.name, dir_fd=place.folder, follow_symlinks=False).st_mode):
        raise OSError(errno.ENOTDIR, path)


def _check(descriptor: int) -> os.stat_result:
    """Return the status of an open file; raises OSError (EACCES) for one of the kernel's, a pipe, a socket or a device."""
    status = os.fstat(descriptor)
    if stat.S_IFMT(status.st_mode) not in _USABLE or _file_system(descriptor) in KERNEL_FILE_SYSTEMS:
        raise OSError(errno.EACCES, "not a regular file")
    return status


def _file_system(descriptor: int) -> int:
    """Return the number of the file system in which an open file lies: the first word of struct statfs."""
    import ctypes  # slow, and not wanted by those who only want names

    answer = (ctypes.c_ulong * 32)()
    if ctypes.CDLL(None, use_errno=True).fstatfs(descriptor, answer):
        raise OSError(ctypes.get_errno(), "fstatfs")
    return answer[0] & 0xFFFFFFFF
