"""The cache on disk does not grow without bound: entries that were not used for long go, and the oldest of too many.

An entry's time of modification says when it was used, to the day.  Whoever finds an entry gone makes it anew.
"""

from __future__ import annotations

import os
import time
from contextlib import suppress
from pathlib import Path

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
