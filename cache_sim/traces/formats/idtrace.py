"""The cache trace of IDtrace (Pierce and Mudge, 1994, appendix A): tags and 32-bit addresses of lines of code and of data.

Lines and references are in exact order, where IDtrace wrote the lines of a block before its references.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import IO, Any

import numpy as np

from cache_sim.trace import TraceError
from cache_sim.traces.formats.references import events_of, references
from cache_sim.traces.path_code import FETCHED, READ, WRITE
from cache_sim.traces.regeneration import Events, Words

ENTRY = np.dtype([("tag", "u1"), ("address", "<u4")])
LINE = 16  # bytes: IDtrace's default
LARGEST = 1 << 32  # one more than the last address
AT_ONCE = 1 << 18  # entries
SIZE_CODES = {1: 1, 2: 2, 4: 3, 8: 4, 10: 5}  # of sizes
_SIZES = np.array([0, 1, 2, 4, 8, 10] + [0] * 10, np.uint64)
_READ, _WRITE, _REPEATED_READ, _REPEATED_WRITE, _REPEAT_END, _LINE = 0x10, 0x20, 0x30, 0x40, 0x50, 0x60
_TAGS = {READ: _READ, WRITE: _WRITE}
REPEATED, LAST = 1, 2  # bits of marks


def write(chunks: Iterable[Events], out: IO[bytes], marks: Iterable[Words] | None = None) -> None:
    """Write the references of a trace.

    `marks` has for each reference of each chunk whether it is one of repeated ones (REPEATED) and their last one (LAST): these
    get tags of their own, and an entry behind the last.  Raises TraceError for an address of more than 32 bits.
    """
    line = -1
    given = iter(marks) if marks is not None else None
    for events in map(references, chunks):
        if len(events) and int((events.addresses + events.sizes).max()) > LARGEST:
            raise TraceError("IDtrace's files have addresses of 32 bits, and this trace has larger ones")
        marked = np.zeros(len(events), np.uint8) if given is None else next(given)
        entries, line = _entries(events, marked, line)
        out.write(entries.tobytes())


def _entries(events: Events, marks: Words, line: int) -> tuple[Any, int]:
    """Return the entries of references, and the last line that was fetched; `line` is the one before."""
    found: list[tuple[int, int]] = []
    columns = (column.tolist() for column in (events.kinds, events.addresses, events.sizes, marks))
    for kind, address, size, mark in zip(*columns, strict=True):
        if kind == FETCHED:
            for touched in range(address // LINE, (address + max(size, 1) - 1) // LINE + 1):
                if touched != line:
                    line = touched
                    found.append((_LINE, touched * LINE))
            continue
        tag = _TAGS[kind] + (_REPEATED_READ - _READ if mark & REPEATED else 0)
        found += [(tag + SIZE_CODES[part], at) for at, part in parts(address, max(size, 1))]
        if mark & LAST:
            found.append((_REPEAT_END, 0))
    return np.array(found, ENTRY), line


def parts(address: int, size: int) -> Iterator[tuple[int, int]]:
    """Yield addresses and sizes that IDtrace knows."""
    while size:
        part = size if size in SIZE_CODES else max(known for known in (1, 2, 4, 8) if known < size)
        yield address, part
        address, size = address + part, size - part


def read(file: IO[bytes], name: str, size: int = 1) -> Iterator[Events]:
    """Yield lines, as fetches, and references of a file of some name.

    Raises TraceError.
    """
    number = 0
    while content := file.read(ENTRY.itemsize * AT_ONCE):
        if len(content) % ENTRY.itemsize:
            raise TraceError(f"{name}: error: its last entry is cut short: it has to have {ENTRY.itemsize} bytes")
        entries = np.frombuffer(content, ENTRY)
        group, sizes = entries["tag"] & 0xF0, _SIZES[entries["tag"] & 0x0F]
        lines = entries["tag"] == _LINE
        data = np.isin(group, (_READ, _WRITE, _REPEATED_READ, _REPEATED_WRITE)) & (sizes > 0)
        unknown = np.flatnonzero(~lines & ~data & (entries["tag"] != _REPEAT_END))
        for at in unknown[:1].tolist():
            tag = int(entries["tag"][at])
            raise TraceError(f"{name}: error: entry {number + at}: tag {tag:#04x} is none of a cache trace")
        yield _events(entries["address"], group, np.where(lines, np.uint64(1), sizes), lines | data)
        number += len(entries)


def _events(addresses: Words, group: Words, sizes: Words, which: Words) -> Events:
    written = np.isin(group, (_WRITE, _REPEATED_WRITE))
    kinds = np.where(group == _LINE, FETCHED, np.where(written, WRITE, READ))
    return events_of(kinds[which], addresses[which], sizes[which])
