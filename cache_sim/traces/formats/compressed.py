"""Files that are compressed as a whole, as ChampSim's traces are: the ending of a name says how."""

from __future__ import annotations

import gzip
import lzma
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from cache_sim.trace import TraceError

_OPENERS: dict[str, Any] = {".xz": lzma.open, ".gz": gzip.open}


def inner_name(name: str) -> str:
    """Return a file's name without the ending that says how it is compressed."""
    return name[: -len(Path(name).suffix)] if Path(name).suffix.lower() in _OPENERS else name


@contextmanager
def decompressed(file: Any, name: str, mode: str = "rb") -> Iterator[Any]:
    """What is in a file, or (mode "wb") what goes to it.

    Raises TraceError for one that is damaged.
    """
    opener = _OPENERS.get(Path(name).suffix.lower())
    if opener is None:
        yield file
        return
    try:
        with opener(file, mode) as inner:
            yield inner
    except (lzma.LZMAError, gzip.BadGzipFile, EOFError) as error:
        raise TraceError(f"{name}: error: it cannot be decompressed ({error})") from None
