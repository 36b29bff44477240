"""The cache on disk: results of compiling and of runs, under keys of everything that could change them.

Nobody but the user may write to it: host code from it is run.  All else is plain data, and reading it calls nothing but the
constructors of the classes that the reader expects.
"""

from __future__ import annotations

import hashlib
import io
import os
import pickle
import time
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any

from vpo import STARTED
from vpo.base.clock import timed
from vpo.base.whole_files import whole_file

# ----------------------------------------------------------------------------------------------------------------------
# The cache on disk does not grow without bound: entries that were not used for long go, and the oldest of too many.
#
# An entry's time of modification says when it was used, to the day.  Whoever finds an entry gone makes it anew.


DAY = 86_400  # seconds
KEPT_DAYS = 30  # of an entry that nobody uses
LARGEST = 2 << 30  # bytes that are kept
_ENOUGH = 0.8  # the part of these that is kept where they are too many, so that not every day has to look for room
_STAMP = "pruned"  # a file whose time says when the last process looked


def prune_if_due(base: Path, largest: int = LARGEST) -> None:
    """Once a day, remove the entries below a folder that are old, and the oldest beyond `largest` bytes."""
    stamp, now = base / _STAMP, time.time()
    try:
        if now - stamp.stat().st_mtime < DAY:
            return
    except OSError:
        pass
    with suppress(OSError):
        stamp.touch(mode=0o600)  # first: others need not look meanwhile
        prune(base, largest, now)


def prune(base: Path, largest: int, now: float) -> None:
    """Remove the entries that are too old at a moment (seconds since 1970), and the oldest of the rest beyond `largest` bytes.

    Raises OSError.
    """
    found = sorted((status.st_mtime, status.st_size, path) for path, status in _entries(base))
    total = sum(size for _, size, _ in found)
    room = _ENOUGH * largest if total > largest else total
    for used, size, path in found:
        if now - used < KEPT_DAYS * DAY and total <= room:
            break
        with suppress(OSError):
            os.unlink(path)
        total -= size


def _entries(base: Path) -> list[tuple[str, os.stat_result]]:
    """Return the files two folders down: kind, first digits of the name, entry."""
    found: list[tuple[str, os.stat_result]] = []
    for kind in _folders(str(base)):
        for digits in _folders(kind):
            with suppress(OSError), os.scandir(digits) as files:
                found += [(file.path, file.stat()) for file in files if file.is_file(follow_symlinks=False)]
    return found


def _folders(path: str) -> list[str]:
    with os.scandir(path) as entries:
        return [entry.path for entry in entries if entry.is_dir(follow_symlinks=False)]


def note_use(path: str | Path) -> None:
    """Tell that an entry is in use, unless that was told within a day."""
    with suppress(OSError):
        if time.time() - os.stat(path).st_mtime > DAY:
            os.utime(path)


# ----------------------------------------------------------------------------------------------------------------------


DIGEST = hashlib.sha256().digest_size  # bytes before an entry's content
COMPILER = Path(__file__).parents[1]
SOURCES = (".py", ".lark", ".c", ".h", ".txt", ".so")  # with native modules it is another compiler
_ENTRIES = "entries"
KINDS = (_ENTRIES, "code", "plugins", "attach", "gcc")
_OTHERS_WRITE = 0o022
_MOMENT = 0.5  # seconds
_TICK = 20_000_000  # nanoseconds by which file systems may be behind the clock


def folder(kind: str) -> Path | None:
    """Return the folder for one kind of entries; the only place that decides where, and whether, anything is kept.

    It lies in $EASE_CACHE, else in the user's cache folder, and is made if need be.  None if EASE_CACHE is
    empty, if the user has no home, if it cannot be made, or if it is not the user's alone to write to.
    """
    assert kind in KINDS
    setting = os.environ.get("EASE_CACHE")
    base = setting or _usual(os.environ.get("XDG_CACHE_HOME"))
    if setting == "" or base.startswith("~"):
        return None
    path = Path(base).absolute() / kind
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        status = path.stat()
    except OSError:
        return None
    return path if status.st_uid == _user() and not status.st_mode & _OTHERS_WRITE else None


def _user() -> int:
    return os.geteuid() if hasattr(os, "geteuid") else os.getuid()  # a browser has one user


def is_kept() -> bool:
    """Return whether there is a place in which entries are kept."""
    return folder(_ENTRIES) is not None


def _usual(folder_of_caches: str | None) -> str:
    """Return the place of the cache of those who set none; it begins with '~' if the user has no home."""
    return os.path.join(folder_of_caches or os.path.expanduser("~/.cache"), "ease")


def places() -> Iterator[Path]:
    """Yield the folders in which this process, or one without its environment, keeps entries; they need not exist."""
    bases = {os.environ.get("EASE_CACHE"), _usual(os.environ.get("XDG_CACHE_HOME")), _usual(None)}
    for base in sorted(base for base in bases if base and not base.startswith("~")):
        yield from (Path(base).absolute() / kind for kind in KINDS)


@cache
def _sources(package: Path) -> tuple[str, ...]:
    """Return the paths of the sources of a package; strings, since each command looks at a thousand."""
    found = [os.path.join(folder, name) for folder, _, names in os.walk(package) for name in names if name.endswith(SOURCES)]
    return tuple(sorted(found))


@cache
def code_version(package: Path = COMPILER, without: tuple[str, ...] = ()) -> str:
    """Return a digest of the sources of a package, the compiler if none is named, but for some files or folders in it."""
    digest = hashlib.sha256()
    left_out = tuple(os.path.join(package, name) for name in without)
    for path in _sources(package):
        if path.startswith(left_out):
            continue
        with open(path, "rb", buffering=0) as file:
            content = file.read()
        digest.update(f"{path[len(str(package)) :]} {len(content)}\n".encode())
        digest.update(content)
    return digest.hexdigest()


class _Sources:
    """The compiler's sources; they are looked at again after a moment, since there are many, and entries come in groups."""

    def __init__(self) -> None:
        self.looked, self.current = float("-inf"), False

    def are_current(self) -> bool:
        """Return whether this process runs what they say: none has changed since it started."""
        now = time.monotonic()
        if now - self.looked > _MOMENT:
            try:
                self.current = all(os.stat(name).st_ctime_ns < STARTED - _TICK for name in _sources(COMPILER))
            except OSError:
                self.current = False
            self.looked = now
        return self.current


_SOURCES = _Sources()
Held = tuple[str, bytes]  # a key, and the object to be stored under it, pickled
_HOLDERS: list[list[Held]] = []  # where such wait, the innermost last


def key(*parts: str) -> str:
    """Return the cache key of these parts and the compiler's version."""
    return hashlib.sha256("\0".join((code_version(), *parts)).encode(errors="surrogateescape")).hexdigest()


class _Reader(pickle.Unpickler):
    """Reads data of known classes; anything else that an entry asks for is refused."""

    def __init__(self, data: bytes, classes: Collection[type]) -> None:
        super().__init__(io.BytesIO(data))
        self.classes = {(cls.__module__, cls.__name__): cls for cls in classes}

    def find_class(self, module: str, name: str) -> type:
        """Return one of the classes.

        Raises UnpicklingError.
        """
        if (module, name) not in self.classes:
            raise pickle.UnpicklingError(f"{module}.{name} is not expected here")
        return self.classes[module, name]


@timed("cache")
def load(name: str, classes: Collection[type]) -> Any:
    """Return the object stored under a key, or None; an entry that is damaged, or has objects of other classes, is none."""
    base = folder(_ENTRIES)
    if base is None:
        return None
    try:
        content = _place(base, name).read_bytes()
    except OSError:
        return None
    digest, data = content[:DIGEST], content[DIGEST:]
    if hashlib.sha256(data).digest() != digest:
        return None
    note_use(_place(base, name))
    try:
        return _Reader(data, classes).load()
    except Exception:  # whatever what was made up by somebody leads to
        return None


def unpickled(data: bytes, classes: Collection[type]) -> Any:
    """Return an object of some classes from its bytes, which are part of an entry.

    Raises UnpicklingError.
    """
    return _Reader(data, classes).load()


@timed("cache")
def store(name: str, value: Any) -> None:
    """Store an object under a key; a cache that cannot be written is no error.

    Nothing is stored after the compiler's sources have changed: the value may be of another version than the key says.
    """
    if folder(_ENTRIES) is not None and _SOURCES.are_current():
        _put((name, pickle.dumps(value, protocol=pickle.HIGHEST_PROTOCOL)))


def _place(base: Path, name: str) -> Path:
    """Return the file of an entry."""
    return base / name[:2] / name


def has(name: str) -> bool:
    """Whether something is stored under a key, damaged or not; it counts as used."""
    base = folder(_ENTRIES)
    if base is None or not _place(base, name).exists():
        return False
    note_use(_place(base, name))
    return True


def _put(entry: Held) -> None:
    name, data = entry
    base = folder(_ENTRIES)
    if _HOLDERS:
        _HOLDERS[-1].append(entry)
    elif base is not None:
        with suppress(OSError):
            write(_place(base, name), hashlib.sha256(data).digest() + data)
            prune_if_due(base.parent)


@contextmanager
def holding() -> Iterator[list[Held]]:
    """Let what is stored wait in a list, for a process that writes nothing."""
    _HOLDERS.append([])
    try:
        yield _HOLDERS[-1]
    finally:
        _HOLDERS.pop()


def store_held(entries: Iterable[Held]) -> None:
    """Store what waits, under the keys that it was given."""
    for entry in entries:
        _put(entry)


def store_again(name: str, other: str) -> bool:
    """Store under a key what another has; return whether that is there and the cache can do it."""
    base = folder(_ENTRIES)
    if base is None or _HOLDERS or not _SOURCES.are_current():
        return False
    path = _place(base, name)
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with suppress(FileExistsError):
            _same(base / other[:2] / other, path)
    except OSError:
        return False
    return True


def _same(path: Path, other: Path) -> None:
    """Give the content of a file another name."""
    if hasattr(os, "link"):
        os.link(path, other)
    else:  # in a browser
        other.write_bytes(path.read_bytes())


def write(path: Path, content: bytes) -> None:
    """Write a file, and its folder if need be, so that it appears whole or not at all.

    Raises OSError.
    """
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with whole_file(path, 0o600) as file:
        file.write(content)
