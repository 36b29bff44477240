"""IDtrace's branch trace (Pierce and Mudge, 1994, appendix A): begins of blocks, and the transfers of control that end them.

An entry of a transfer has its type and the address of the last byte of its block; if the next block begins behind that, the
branch was not taken.  With delay slots this is the last byte of the slots, annulled ones among them.  In place of IDtrace's
opcode stands the number of the instruction's type, and 1.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import IO

from cache_sim.trace import TraceError
from cache_sim.traces.formats.idtrace import LARGEST
from cache_sim.traces.path_code import BLOCK, BRANCH, FETCHED
from cache_sim.traces.regeneration import Events

BEGIN, ONE_BYTE, TWO_BYTES = 0x70, 0xA0, 0xB0  # tags: of blocks, of transfers with types of one byte and of two
_BEGIN, _ONE, _TWO = struct.Struct("<BI"), struct.Struct("<BBI"), struct.Struct("<BHI")


@dataclass(slots=True)
class _Writer:
    """Where the trace has got to: behind the instruction of a site, which ends at `end`.

    `begins`: a block begins with the next instruction; `decided` is the site of a branch in this one, or -1, and `taken`
    whether it was taken.
    """

    types: Sequence[int]
    end: int = -1
    site: int = -1
    begins: bool = True
    decided: int = -1
    taken: bool = False

    def entries(self, events: Events) -> Iterator[bytes]:
        """Yield the entries of events, the next ones."""
        columns = (column.tolist() for column in (events.kinds, events.addresses, events.sizes, events.sites))
        for kind, address, size, site in zip(*columns, strict=True):
            if kind == BLOCK:
                self.begins = True
            elif kind == BRANCH:
                self.decided, self.taken = site, bool(size)
            elif kind == FETCHED:
                if self.begins or address != self.end:
                    if self.end >= 0 and (self.decided >= 0 or address != self.end):
                        yield self._transfer(address)
                    yield _BEGIN.pack(BEGIN, address)
                    self.begins, self.decided = False, -1
                self.end, self.site = address + size, site

    def _transfer(self, following: int) -> bytes:
        """Return the entry of what led to the address of the next block."""
        site = self.decided if self.decided >= 0 else self.site
        type_ = self.types[site] + 1 if site < len(self.types) else 0
        last = (following if self.decided >= 0 and not self.taken else self.end) - 1
        return _ONE.pack(ONE_BYTE, type_, last) if type_ < 256 else _TWO.pack(TWO_BYTES, type_, last)


def write(chunks: Iterable[Events], types: Sequence[int], out: IO[bytes]) -> None:
    """Write a trace of fetches, blocks and branches; `types` are the numbers of the types of instructions, by site.

    Raises TraceError for an address of more than 32 bits.
    """
    writer = _Writer(types)
    for events in chunks:
        if len(events) and int((events.addresses + events.sizes)[events.kinds == FETCHED].max(initial=0)) > LARGEST:
            raise TraceError("IDtrace's files have addresses of 32 bits, and this trace has larger ones")
        out.write(b"".join(writer.entries(events)))


def read(_file: IO[bytes], name: str, _size: int = 1) -> Iterator[Events]:
    """Say that such a trace has no references.

    Raises TraceError.
    """
    raise TraceError(f"{name}: error: a branch trace of IDtrace has no references")
