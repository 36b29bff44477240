"""KT, the format of IDtrace's `idt2kt`: instructions with the bytes of their code and effective addresses.

A record has the address of an instruction, a byte with the numbers of effective addresses and of bytes of code, these bytes,
filled up to words, and the addresses, of 4 bytes each.  An instruction with more than two has several records.  Others, of
processes and of pages, are passed over when such a trace is read, and not written.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import IO, Any

import numpy as np

from cache_sim.trace import TraceError
from cache_sim.traces.formats.code import Code
from cache_sim.traces.formats.references import by_instructions, events_of
from cache_sim.traces.regeneration import FETCHED, WRITE, Events

MOST = 2  # effective addresses of a record
_INSTRUCTION, _PROCESS, _PAGE = 0x40, 0x80, 0x81  # types: those below the first are of instructions
_WORD = struct.Struct("<I")
AT_ONCE = 1 << 15  # records


def write(chunks: Iterable[Events], static: Mapping[str, Any], code: Code, out: IO[bytes]) -> None:
    """Write the instructions of a trace; its events are fetches and references.  Raises TraceError."""
    targets = static.get("target", [])
    for events, _ in by_instructions(chunks):
        columns = (getattr(events, name).tolist() for name in ("kinds", "addresses", "sizes", "sites"))
        found: list[tuple[int, int, list[int]]] = []
        for kind, address, size, site in zip(*columns, strict=True):
            if kind == FETCHED:
                target = targets[site] if site < len(targets) else 0
                found.append((address, size, [target] if target else []))
            elif kind <= WRITE and address not in found[-1][2]:
                found[-1][2].append(address)
        out.write(b"".join(map(_records, found, (code.of(address, size) for address, size, _ in found))))


def _records(instruction: tuple[int, int, Sequence[int]], code: bytes) -> bytes:
    address, size, effective = instruction
    if max(address, *effective, 0) >= 1 << 32 or size > 15:
        raise TraceError("KT has addresses of 32 bits, and at most 15 bytes of an instruction")
    head = _WORD.pack(address)
    parts = [effective[first : first + MOST] for first in range(0, len(effective), MOST)] or [[]]
    filled = code + bytes((-size - 1) % 4)
    return b"".join(head + bytes([len(part) << 4 | size]) + filled + struct.pack(f"<{len(part)}I", *part) for part in parts)


def read(file: IO[bytes], name: str, _size: int = 1) -> Iterator[Events]:
    """Yield the fetches of a trace; of effective addresses it does not tell which are references.  Raises TraceError."""
    rows: list[tuple[int, int]] = []
    while head := file.read(5):
        if len(head) < 5:
            raise TraceError(f"{name}: error: the last record is not whole")
        (address,), kind = _WORD.unpack(head[:4]), head[4]
        size = kind & 15
        rest = 3 if kind in (_PROCESS, _PAGE) else size + (-size - 1) % 4 + (kind >> 4) * 4
        if kind not in (_PROCESS, _PAGE) and (kind >= _INSTRUCTION or not size):
            raise TraceError(f"{name}: error: there are no records of type {kind:#x}")
        if len(file.read(rest)) < rest:
            raise TraceError(f"{name}: error: the last record is not whole")
        if kind < _INSTRUCTION:
            rows.append((address, size))
        if len(rows) == AT_ONCE:
            yield _fetches(rows)
            rows = []
    if rows:
        yield _fetches(rows)


def _fetches(rows: Sequence[tuple[int, int]]) -> Events:
    addresses, sizes = (np.array(column, np.uint64) for column in zip(*rows, strict=True))
    return events_of(np.full(len(rows), FETCHED, np.uint8), addresses, sizes)
