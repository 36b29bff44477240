"""The traces of IDtrace (Pierce and Mudge, 1994, appendix A): of caches, of branches, of execution.

The cache trace comes first: tags and 32-bit addresses of lines of code and of data.  Lines and references are in exact
order, where IDtrace wrote the lines of a block before its references.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

import numpy as np

from cache_sim.trace import TraceError
from cache_sim.traces.formats.references import by_instructions, events_of, references
from cache_sim.traces.regeneration import BLOCK, BRANCH, FETCHED, READ, WRITE, Events, Words

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


# ----------------------------------------------------------------------------------------------------------------------
# IDtrace's branch trace (Pierce and Mudge, 1994, appendix A): begins of blocks, and the transfers of control that end them.
#
# An entry of a transfer has its type and the address of the last byte of its block; if the next block begins behind that, the
# branch was not taken.  With delay slots this is the last byte of the slots, annulled ones among them.  In place of IDtrace's
# opcode stands the number of the instruction's type, and 1.


BEGIN, ONE_BYTE, TWO_BYTES = 0x70, 0xA0, 0xB0  # tags: of blocks, of transfers with types of one byte and of two
_BEGIN, _ONE, _TWO = struct.Struct("<BI"), struct.Struct("<BBI"), struct.Struct("<BHI")


@dataclass(slots=True)
class _BranchWriter:
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


def write_branch_trace(chunks: Iterable[Events], types: Sequence[int], out: IO[bytes]) -> None:
    """Write a trace of fetches, blocks and branches; `types` are the numbers of the types of instructions, by site.

    Raises TraceError for an address of more than 32 bits.
    """
    writer = _BranchWriter(types)
    for events in chunks:
        if len(events) and int((events.addresses + events.sizes)[events.kinds == FETCHED].max(initial=0)) > LARGEST:
            raise TraceError("IDtrace's files have addresses of 32 bits, and this trace has larger ones")
        out.write(b"".join(writer.entries(events)))


def read_branch_trace(_file: IO[bytes], name: str, _size: int = 1) -> Iterator[Events]:
    """Say that such a trace has no references.

    Raises TraceError.
    """
    raise TraceError(f"{name}: error: a branch trace of IDtrace has no references")


# ----------------------------------------------------------------------------------------------------------------------
# IDtrace's execution trace (Pierce and Mudge, 1994, appendix A): blocks with references, and files of blocks and counts.
#
# The trace has an entry of five bytes for each block begun (where its record is in the file of blocks), each reference, and
# each place at which control goes on that does not follow from the blocks: targets of calls, returns and computed jumps.  The
# file of blocks tells of each instruction its type, its size and how many entries it has.  A block that is executed with
# other references, or up to another instruction, is another record here; IDtrace had one, and its readers counted entries of
# repeated instructions up to a mark.  The order is exact.


BOTH, READ_TAG, WRITE_TAG, BLOCK_TAG, TARGET_TAG = 0x00, 0x10, 0x20, 0x80, 0x90
HEADER = struct.Struct("<iiII")  # blocks, what is to be taken from an address for its place in the program (0), two signatures
COUNTS = struct.Struct("<II")  # the signatures
_BLOCK_RECORD = struct.Struct("<IBx")  # address, instructions
INSTRUCTION = struct.Struct("<hBb")  # type, size, entries
MOST = 127  # instructions in a block, and entries of one, that a record can tell
SIGNATURE = int.from_bytes(b"ease", "little")
_ENTRIES_AT_ONCE = 1 << 16  # entries
_SIZE_OF = {code: size for size, code in SIZE_CODES.items()}

Instruction = tuple[int, int, int]  # type, size, entries


@dataclass(slots=True)
class _Block:
    """A block as it is being executed."""

    address: int
    last_site: int = -1
    end: int = 0
    sizes: list[tuple[int, int]] = field(default_factory=list)  # type and size of each instruction
    entries: list[list[tuple[int, int]]] = field(default_factory=list)  # of each
    decides: bool = False  # whether a conditional branch is among its last two instructions


class _ExecutionWriter:
    """Writes blocks as they end, and knows where the records of those are that were seen before."""

    def __init__(self, types: Sequence[int], out: IO[bytes], blocks: IO[bytes]) -> None:
        self.types, self.out, self.blocks = types, out, blocks
        self.places: dict[tuple[int, tuple[Instruction, ...]], int] = {}
        self.counts: dict[int, int] = {}  # by place
        self.end = HEADER.size
        self.pending: list[tuple[int, int]] = []

    def finish(self, block: _Block, target: int | None) -> None:
        """Write a block that has ended, and where control goes on if its record does not tell."""
        if target is not None and target != block.end and not block.decides:
            block.entries[-1].append((TARGET_TAG, target))
        record = tuple((*kind, len(found)) for kind, found in zip(block.sizes, block.entries, strict=True))
        key = block.address, record
        place = self.places.get(key)
        if place is None:
            place = self.places[key] = self.end
            content = _BLOCK_RECORD.pack(block.address, len(record)) + b"".join(INSTRUCTION.pack(*each) for each in record)
            self.blocks.write(content)
            self.end += len(content)
        self.counts[place] = self.counts.get(place, 0) + 1
        self.pending.append((BLOCK_TAG, place))
        self.pending += [entry for found in block.entries for entry in found]
        if len(self.pending) >= _ENTRIES_AT_ONCE:
            self.flush()

    def flush(self) -> None:
        """Write what is kept."""
        self.out.write(np.array(self.pending, ENTRY).tobytes())
        self.pending.clear()

    def type_of(self, site: int) -> int:
        """Return the number of the type of the instruction at a site, 0 if it is not known."""
        return self.types[site] + 1 if site < len(self.types) else 0


def write_execution_trace(
    chunks: Iterable[Events], types: Sequence[int], out: IO[bytes], blocks: IO[bytes], counts: IO[bytes]
) -> None:
    """Write a trace of fetches, references, branches and transfers into a file, its blocks and their counts into others.

    `types` are the numbers of the types of instructions, by site.  Raises TraceError for what the format cannot say.
    """
    blocks.write(HEADER.pack(0, 0, SIGNATURE, SIGNATURE))
    writer = _ExecutionWriter(types, out, blocks)
    block: _Block | None = None
    for events, _ in by_instructions(chunks):
        if int((events.addresses + events.sizes).max()) > LARGEST:
            raise TraceError("IDtrace's files have addresses of 32 bits, and this trace has larger ones")
        for address, size, site, entries, decides in _instructions(events):
            begins = block is None or site != block.last_site + 1 or address != block.end or len(block.sizes) == MOST
            if block is not None and (begins or block.decides):
                writer.finish(block, address)
                block = None
            if block is None:
                block = _Block(address)
            block.sizes.append((writer.type_of(site), size))
            block.entries.append(entries)
            block.last_site, block.end, block.decides = site, address + size, decides
    if block is not None:
        writer.finish(block, None)
    writer.flush()
    blocks.seek(0)
    blocks.write(HEADER.pack(len(writer.places), 0, SIGNATURE, SIGNATURE))
    counts.write(COUNTS.pack(SIGNATURE, SIGNATURE))
    _write_counts([writer.counts[place] for place in writer.places.values()], counts)


def _write_counts(found: list[int], out: IO[bytes]) -> None:
    """Write counts, in as many sets as the largest one needs."""
    most = (1 << 32) - 1
    while True:
        out.write(np.array([min(count, most) for count in found], "<u4").tobytes())
        found = [max(count - most, 0) for count in found]
        if not any(found):
            return


def _instructions(events: Events) -> Iterator[tuple[int, int, int, list[tuple[int, int]], bool]]:
    """Yield address, size, site, entries of each instruction, and whether it is a conditional branch.

    Raises TraceError for one with more entries than a record can tell.
    """
    columns = (column.tolist() for column in (events.kinds, events.addresses, events.sizes, events.sites))
    rows = list(zip(*columns, strict=True))
    starts = np.flatnonzero(events.kinds == FETCHED).tolist()
    for start, end in zip(starts, [*starts[1:], len(rows)], strict=True):
        _, address, size, site = rows[start]
        entries: list[tuple[int, int]] = []
        decides, before = False, None
        for row in rows[start + 1 : end]:
            kind, at, wide, _ = row
            decides |= kind == BRANCH
            if kind == WRITE and before == (READ, at, wide, site) and wide in SIZE_CODES:
                entries[-1] = BOTH | SIZE_CODES[wide], at
            elif kind in (READ, WRITE):
                tag = READ_TAG if kind == READ else WRITE_TAG
                entries += [(tag | SIZE_CODES[part], place) for place, part in parts(at, max(wide, 1))]
            before = row if kind == READ else None
        if len(entries) >= MOST:
            said = f"the instruction at {address:#x} has {len(entries)} references"
            raise TraceError(f"{said}, and IDtrace's files tell of {MOST - 1}")
        yield address, size, site, entries, decides


def read_execution_trace(file: IO[bytes], name: str) -> Iterator[Events]:
    """Yield fetches, reads and writes of a file whose blocks are in the file with the ending `.blk` beside it.

    Raises TraceError, OSError.
    """
    content = Path(name).with_suffix(".blk").read_bytes()
    known: dict[int, tuple[int, list[Instruction]]] = {}
    entries = _execution_entries(file, name)
    rows: list[tuple[int, int, int]] = []
    for number, (tag, place) in entries:
        if tag != BLOCK_TAG:
            raise TraceError(f"{name}: error: entry {number}: tag {tag:#04x}, where a block has to begin")
        if place not in known:
            known[place] = _record(content, place, name)
        address, instructions = known[place]
        for _, size, count in instructions:
            rows.append((FETCHED, address, size))
            address += size
            for _ in range(count):
                number, (tag, at) = next(entries, (-1, (0, 0)))
                if number < 0:
                    raise TraceError(f"{name}: error: its last block is cut short")
                group, code = tag & 0xF0, tag & 0x0F
                if group in (BOTH, READ_TAG) and code in _SIZE_OF:
                    rows.append((READ, at, _SIZE_OF[code]))
                if group in (BOTH, WRITE_TAG) and code in _SIZE_OF:
                    rows.append((WRITE, at, _SIZE_OF[code]))
                if tag != TARGET_TAG and (group > WRITE_TAG or code not in _SIZE_OF):
                    raise TraceError(f"{name}: error: entry {number}: tag {tag:#04x}, where a reference has to be")
        if len(rows) >= _ENTRIES_AT_ONCE:
            yield _execution_events(rows)
            rows = []
    if rows:
        yield _execution_events(rows)


def _execution_events(rows: list[tuple[int, int, int]]) -> Events:
    columns = np.array(rows, np.uint64)
    return events_of(columns[:, 0], columns[:, 1], columns[:, 2])


def _execution_entries(file: IO[bytes], name: str) -> Iterator[tuple[int, tuple[int, int]]]:
    """Yield the entries of a file, numbered.

    Raises TraceError.
    """
    number = 0
    while content := file.read(ENTRY.itemsize * _ENTRIES_AT_ONCE):
        if len(content) % ENTRY.itemsize:
            raise TraceError(f"{name}: error: its last entry is cut short: it has to have {ENTRY.itemsize} bytes")
        found = np.frombuffer(content, ENTRY)
        for entry in zip(found["tag"].tolist(), found["address"].tolist(), strict=True):
            yield number, entry
            number += 1


def _record(content: bytes, place: int, name: str) -> tuple[int, list[Instruction]]:
    """Return the address and the instructions of a block.

    Raises TraceError if there is no whole record at that place.
    """
    start = place + _BLOCK_RECORD.size
    if HEADER.size <= place and start <= len(content):
        address, count = _BLOCK_RECORD.unpack_from(content, place)
        end = start + count * INSTRUCTION.size
        instructions = list(INSTRUCTION.iter_unpack(content[start:end])) if end <= len(content) else []
        if instructions and all(entries >= 0 for _, _, entries in instructions):
            return address, instructions
    raise TraceError(f"{name}: error: its file of blocks has none at byte {place}")
