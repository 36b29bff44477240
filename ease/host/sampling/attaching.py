"""How another process starts and stops measuring: a file tells where the words are by which a run is controlled.

The file has the name of the process that measures.  It names the memory that this process shares with the program, and the
offsets of words in it.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from vpo.base.cache import folder

WORD = 8  # bytes
ON = 1 << 58  # what the wanted mode is while the run is to be measured; 0 otherwise
NAMES = ("wanted", "weight", "made", "passed", "measured")


class NotAttachable(OSError):
    """There is no such run."""


@contextlib.contextmanager
def attachable(descriptor: int, offsets: Mapping[str, int]) -> Iterator[None]:
    """Let others attach to a run of this process: a file has the words at offsets (by NAMES).

    Raises OSError if there is no folder for it.
    """
    place = _folder() / str(os.getpid())
    text = json.dumps({"memory": f"/proc/{os.getpid()}/fd/{descriptor}", "offsets": dict(offsets)})
    temporary = place.with_suffix(".new")
    temporary.write_text(text)
    temporary.replace(place)
    try:
        yield
    finally:
        place.unlink(missing_ok=True)


def _folder() -> Path:
    found = folder("attach")
    if found is None:
        raise OSError("a run to attach to needs the cache folder (EASE_CACHE)")
    return found


def runs() -> list[int]:
    """Return the processes to which one can attach."""
    return sorted(int(file.name) for file in _folder().iterdir() if file.name.isdecimal() and _is_alive(int(file.name)))


def _is_alive(process: int) -> bool:
    with contextlib.suppress(OSError):
        os.kill(process, 0)
        return True
    return False


@dataclass(frozen=True, slots=True)
class Attached:
    """A run to which this process is attached."""

    memory: str
    offsets: Mapping[str, int]

    @staticmethod
    def to(process: int) -> Attached:
        """Attach to the run of a process.

        Raises NotAttachable.
        """
        try:
            found = json.loads((_folder() / str(process)).read_text())
        except FileNotFoundError:
            raise NotAttachable(f"process {process} runs nothing with -sample shm") from None
        return Attached(found["memory"], found["offsets"])

    def want(self, measured: bool) -> None:
        """Ask for the run to be measured from the next checkpoint on, or no longer."""
        with self._open(os.O_RDWR) as file:
            os.pwrite(file, (ON if measured else 0).to_bytes(WORD, "little"), self.offsets["wanted"])

    def read(self) -> dict[str, int]:
        """Return the words of the run, by NAMES."""
        with self._open(os.O_RDONLY) as file:
            return {name: int.from_bytes(os.pread(file, WORD, at), "little") for name, at in self.offsets.items()}

    @contextlib.contextmanager
    def _open(self, how: int) -> Iterator[int]:
        try:
            file = os.open(self.memory, how)
        except FileNotFoundError:
            raise NotAttachable("the run has ended") from None
        try:
            yield file
        finally:
            os.close(file)
