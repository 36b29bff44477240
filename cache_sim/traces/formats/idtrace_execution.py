"""IDtrace's execution trace (Pierce and Mudge, 1994, appendix A): blocks with references, and files of blocks and counts.

The trace has an entry of five bytes for each block begun (where its record is in the file of blocks), each reference, and each
place at which control goes on that does not follow from the blocks: targets of calls, returns and computed jumps.  The file of
blocks tells of each instruction its type, its size and how many entries it has.  A block that is executed with other
references, or up to another instruction, is another record here; IDtrace had one, and its readers counted entries of repeated
instructions up to a mark.  The order is exact.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

import numpy as np

from cache_sim.trace import TraceError
from cache_sim.traces.formats.idtrace import ENTRY, LARGEST, SIZE_CODES, parts
from cache_sim.traces.formats.references import by_instructions, events_of
from cache_sim.traces.path_code import BRANCH, FETCHED, READ, WRITE
from cache_sim.traces.regeneration import Events

BOTH, READ_TAG, WRITE_TAG, BLOCK_TAG, TARGET_TAG = 0x00, 0x10, 0x20, 0x80, 0x90
HEADER = struct.Struct("<iiII")  # blocks, what is to be taken from an address for its place in the program (0), two signatures
COUNTS = struct.Struct("<II")  # the signatures
BLOCK = struct.Struct("<IBx")  # address, instructions
INSTRUCTION = struct.Struct("<hBb")  # type, size, entries
MOST = 127  # instructions in a block, and entries of one, that a record can tell
SIGNATURE = int.from_bytes(b"ease", "little")
AT_ONCE = 1 << 16  # entries
_SIZES = {code: size for size, code in SIZE_CODES.items()}

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


class _Writer:
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
            content = BLOCK.pack(block.address, len(record)) + b"".join(INSTRUCTION.pack(*each) for each in record)
            self.blocks.write(content)
            self.end += len(content)
        self.counts[place] = self.counts.get(place, 0) + 1
        self.pending.append((BLOCK_TAG, place))
        self.pending += [entry for found in block.entries for entry in found]
        if len(self.pending) >= AT_ONCE:
            self.flush()

    def flush(self) -> None:
        """Write what is kept."""
        self.out.write(np.array(self.pending, ENTRY).tobytes())
        self.pending.clear()

    def type_of(self, site: int) -> int:
        """Return the number of the type of the instruction at a site, 0 if it is not known."""
        return self.types[site] + 1 if site < len(self.types) else 0


def write(chunks: Iterable[Events], types: Sequence[int], out: IO[bytes], blocks: IO[bytes], counts: IO[bytes]) -> None:
    """Write a trace of fetches, references, branches and transfers into a file, its blocks and their counts into others.

    `types` are the numbers of the types of instructions, by site.  Raises TraceError for what the format cannot say.
    """
    blocks.write(HEADER.pack(0, 0, SIGNATURE, SIGNATURE))
    writer = _Writer(types, out, blocks)
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


def read(file: IO[bytes], name: str) -> Iterator[Events]:
    """Yield fetches, reads and writes of a file whose blocks are in the file with the ending `.blk` beside it.

    Raises TraceError, OSError.
    """
    content = Path(name).with_suffix(".blk").read_bytes()
    known: dict[int, tuple[int, list[Instruction]]] = {}
    entries = _entries(file, name)
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
                if group in (BOTH, READ_TAG) and code in _SIZES:
                    rows.append((READ, at, _SIZES[code]))
                if group in (BOTH, WRITE_TAG) and code in _SIZES:
                    rows.append((WRITE, at, _SIZES[code]))
                if tag != TARGET_TAG and (group > WRITE_TAG or code not in _SIZES):
                    raise TraceError(f"{name}: error: entry {number}: tag {tag:#04x}, where a reference has to be")
        if len(rows) >= AT_ONCE:
            yield _events(rows)
            rows = []
    if rows:
        yield _events(rows)


def _events(rows: list[tuple[int, int, int]]) -> Events:
    columns = np.array(rows, np.uint64)
    return events_of(columns[:, 0], columns[:, 1], columns[:, 2])


def _entries(file: IO[bytes], name: str) -> Iterator[tuple[int, tuple[int, int]]]:
    """Yield the entries of a file, numbered.

    Raises TraceError.
    """
    number = 0
    while content := file.read(ENTRY.itemsize * AT_ONCE):
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
    start = place + BLOCK.size
    if HEADER.size <= place and start <= len(content):
        address, count = BLOCK.unpack_from(content, place)
        end = start + count * INSTRUCTION.size
        instructions = list(INSTRUCTION.iter_unpack(content[start:end])) if end <= len(content) else []
        if instructions and all(entries >= 0 for _, _, entries in instructions):
            return address, instructions
    raise TraceError(f"{name}: error: its file of blocks has none at byte {place}")
