"""The host's files that a program may use: regular files and folders below a few roots, nothing of the kernel's.

Some devices are there as well (`vpo.devices`), and the files directly in /tmp.

Each folder on the way to a file is opened by itself and without following links, so what was checked is what is used,
whoever renames files meanwhile.
"""

from __future__ import annotations

import errno
import os
import re
import stat
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from vpo.devices import DEVICES, NO_WAITING, open_device

EVERYTHING = "*"  # in place of a root: every other file may be read
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


def is_inside(path: str, folder: str) -> bool:
    """Return whether a real path is a folder or lies below it."""
    return path == folder or path.startswith(folder.rstrip("/") + "/")


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


class Files:
    """Opens, makes, removes and renames files and folders below the working directory and the folders `roots`, or in /tmp."""

    def __init__(self, roots: Iterable[str | Path]) -> None:
        given = [os.fspath(root) for root in roots]
        self.reads_everything = EVERYTHING in given
        self.roots = [os.path.realpath(root) for root in given if root != EVERYTHING]
        with suppress(FileNotFoundError):  # somebody removed the working directory
            self.roots.insert(0, os.path.realpath(os.getcwd()))

    def open(self, path: str, flags: int, mode: int) -> int:
        """Return a descriptor of a file; a last symbolic link is followed.

        Raises OSError (EACCES) for a file outside the roots, for one of the kernel's, and for pipes, sockets and devices.
        """
        if path in DEVICES:
            return open_device(path, flags)
        reading = flags & (os.O_ACCMODE | os.O_CREAT | os.O_TRUNC) == os.O_RDONLY
        with self._folder(path, os.path.realpath(path), reading) as (folder, name):
            with suppress(FileNotFoundError):
                _check_entry(name, folder)  # first, because to open a device may do something
                _check_slash(path, name, folder)
            if path.endswith("/") and flags & os.O_CREAT:
                raise OSError(errno.EISDIR, path)
            descriptor = os.open(name, flags | NO_WAITING, mode & 0o777, dir_fd=folder)
        try:
            _check(descriptor)
        except OSError:
            os.close(descriptor)
            raise
        return descriptor

    def unlink(self, path: str) -> None:
        """Remove a file or a symbolic link; raises OSError as `open` does."""
        with self._entry(path) as (folder, name):
            _check_entry(name, folder)
            _check_slash(path, name, folder)
            os.unlink(name, dir_fd=folder)

    def rename(self, old: str, new: str) -> None:
        """Rename a file, a folder or a symbolic link; raises OSError as `open` does."""
        with self._entry(old) as (old_folder, old_name), self._entry(new) as (new_folder, new_name):
            _check_entry(old_name, old_folder)
            with suppress(FileNotFoundError):
                _check_entry(new_name, new_folder)
            os.rename(old_name, new_name, src_dir_fd=old_folder, dst_dir_fd=new_folder)

    def make_folder(self, path: str, mode: int) -> None:
        """Make a folder; raises OSError as `open` does."""
        with self._entry(path) as (folder, name):
            os.mkdir(name, mode & 0o777, dir_fd=folder)

    def remove_folder(self, path: str) -> None:
        """Remove an empty folder; raises OSError as `open` does."""
        with self._entry(path) as (folder, name):
            _check_entry(name, folder)
            os.rmdir(name, dir_fd=folder)

    def folder(self, path: str) -> str:
        """Return the real path of a folder; raises OSError as `open` does, and ENOTDIR."""
        if not stat.S_ISDIR(self.status(path, follow=True).st_mode):
            raise OSError(errno.ENOTDIR, path)
        return os.path.realpath(path)

    def change_mode(self, path: str, mode: int) -> None:
        """Change the permissions of a file or a folder; raises OSError as `open` does."""
        with self._folder(path, os.path.realpath(path)) as (folder, name):
            _check_entry(name, folder)
            os.chmod(name, mode & 0o777, dir_fd=folder)

    def status(self, path: str, follow: bool) -> os.stat_result:
        """Return what the host knows of a file, or of a last symbolic link; raises OSError as `open` does.

        The folders in which roots lie may be asked about, too, since programs check absolute paths step by step.
        """
        real = os.path.realpath(path)
        if path in DEVICES or any(is_inside(root, real) for root in (*self.roots, TEMPORARY)):
            return os.stat(real)
        if follow:
            place = self._folder(path, real, reading=True)
        else:
            place = self._entry(path, reading=True)
        with place as (folder, name):
            _check_entry(name, folder)
            _check_slash(path, name, folder)
            return os.stat(name, dir_fd=folder, follow_symlinks=False)

    @contextmanager
    def _entry(self, path: str, reading: bool = False) -> Iterator[tuple[int, str]]:
        """Yield the open folder and the name of a path whose last symbolic link is not followed."""
        folder, name = os.path.split(path.rstrip("/") or "/")
        if name in ("", ".", ".."):
            raise OSError(errno.EINVAL, path)
        with self._folder(path, os.path.join(os.path.realpath(folder or "."), name), reading) as place:
            yield place

    @contextmanager
    def _folder(self, path: str, real: str, reading: bool = False) -> Iterator[tuple[int, str]]:
        """Yield the open folder and the name of a file; `path` is what the program calls it."""
        spelled = "/" + os.path.abspath(path).lstrip("/")
        root = next((root for root in self.roots if _covers(root, real) and not _is_kernels(root, spelled)), None)
        if root is None and os.path.dirname(real) == TEMPORARY and not _is_kernels("/", spelled):
            root = TEMPORARY
        if root is None and reading and self.reads_everything and not (_is_kernels("/", real) or _is_kernels("/", spelled)):
            root = "/"
        if root is None:
            raise OSError(errno.EACCES, path)
        *folders, name = os.path.relpath(real, root).split("/")
        folder = os.open(root, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            for step in folders:
                outer, folder = folder, os.open(step, os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=folder)
                os.close(outer)
            _check(folder)
            yield folder, name
        finally:
            os.close(folder)


def _covers(root: str, path: str) -> bool:
    return is_inside(path, root) and not _is_kernels(root, path)


def _is_kernels(root: str, path: str) -> bool:
    """Return whether a path lies in a folder of the kernel's that is below the root."""
    return any(is_inside(path, folder) and is_inside(folder, root) for folder in KERNEL_FOLDERS)


def _check_entry(name: str, folder: int) -> None:
    """Check a file in a folder without opening it for reading or writing."""
    entry = os.open(name, os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=folder)
    try:
        _check(entry)
    finally:
        os.close(entry)


def _check_slash(path: str, name: str, folder: int) -> None:
    """Raise OSError (ENOTDIR) for a file that is called a folder by a slash at the end of its path."""
    if path.endswith("/") and not stat.S_ISDIR(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode):
        raise OSError(errno.ENOTDIR, path)


def _check(descriptor: int) -> None:
    """Raise OSError (EACCES) for an open file that is the kernel's, a pipe, a socket or a device."""
    kind = stat.S_IFMT(os.fstat(descriptor).st_mode)
    if kind not in _USABLE or _file_system(descriptor) in KERNEL_FILE_SYSTEMS:
        raise OSError(errno.EACCES, "not a regular file")


def _file_system(descriptor: int) -> int:
    """Return the number of the file system in which an open file lies: the first word of struct statfs."""
    import ctypes  # slow, and not wanted by those who only want names

    answer = (ctypes.c_ulong * 32)()
    if ctypes.CDLL(None, use_errno=True).fstatfs(descriptor, answer):
        raise OSError(ctypes.get_errno(), "fstatfs")
    return answer[0] & 0xFFFFFFFF
