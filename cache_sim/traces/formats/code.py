"""The code of a program by address. A file of its own, since two formats, which do not know each other, have it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable

from cache_sim.trace import TraceError


class Code:
    """The bytes of a program, in pieces, with the number of its architecture (ELF's `e_machine`) and the bits of its words."""

    def __init__(self, pieces: Iterable[tuple[int, bytes]], architecture: int = 0, bits: int = 32) -> None:
        self.pieces, self.architecture, self.bits = sorted(pieces), architecture, bits
        self._starts = [start for start, _ in self.pieces]

    def of(self, address: int, size: int) -> bytes:
        """Return the bytes of an instruction; raises TraceError if they are not there."""
        number = bisect_right(self._starts, address) - 1
        start, content = self.pieces[number] if number >= 0 else (0, b"")
        found = content[address - start : address - start + size]
        if len(found) != size:
            raise TraceError(f"the executable has no {size} bytes at {address:#x}: it is not of this trace")
        return found
