"""Folders that no measured program may change, whatever its roots are: later runs execute, or believe, what lies in them.

These are the cache, the installed packages, and the Python environment in which they run.
"""

from __future__ import annotations

import os
import site
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress

from vpo.base.cache import COMPILER, places

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


