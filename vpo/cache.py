"""What was compiled is kept on disk, keyed by everything that could change it."""

from __future__ import annotations

import hashlib
import os
import pickle
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

DIGEST = hashlib.sha256().digest_size  # bytes before an entry's content


def folder() -> Path | None:
    """Return the cache folder ($EASE_CACHE, else the user's), or None if EASE_CACHE is empty or the user has no home."""
    setting = os.environ.get("EASE_CACHE")
    if setting is not None:
        return Path(setting) if setting else None
    base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return None if base.startswith("~") else Path(base) / "ease"


@cache
def code_version() -> str:
    """Return a digest of the compiler's own sources."""
    digest = hashlib.sha256()
    root = Path(__file__).parent
    for path in sorted(root.rglob("*")):
        if path.suffix in (".py", ".lark", ".c", ".h"):
            stat = path.stat()
            digest.update(f"{path.relative_to(root)} {stat.st_size} {stat.st_mtime_ns}\n".encode())
    return digest.hexdigest()


def key(*parts: str) -> str:
    """Return the cache key of these parts and the compiler's version."""
    return hashlib.sha256("\0".join((code_version(), *parts)).encode(errors="surrogateescape")).hexdigest()


def load(name: str) -> Any:
    """Return the object stored under a key, or None; an entry that is damaged is none."""
    base = folder()
    if base is None:
        return None
    try:
        content = (base / name[:2] / name).read_bytes()
    except OSError:
        return None
    digest, data = content[:DIGEST], content[DIGEST:]
    return pickle.loads(data) if hashlib.sha256(data).digest() == digest else None


def store(name: str, value: Any) -> None:
    """Store an object under a key; a cache that cannot be written is no error."""
    base = folder()
    if base is None:
        return
    data = pickle.dumps(value, protocol=pickle.HIGHEST_PROTOCOL)
    try:
        write(base / name[:2] / name, hashlib.sha256(data).digest() + data)
    except OSError:
        return


def write(path: Path, content: bytes) -> None:
    """Write a file, and its folder if need be, so that it appears whole or not at all.

    Raises OSError.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise
