"""STF, the Simulation Trace Format of Sparta's tools (specification 1.6): instructions with their code, and references.

A file is a row of records: a byte that says which, and fields of fixed sizes, little-endian.  Those of an instruction end with
the one that has its code; its address is not told, since it follows from sizes and from the targets of what was taken.  Of
instruction encodings the format knows those of RISC-V only.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator, Mapping
from typing import IO, Any

import numpy as np

from cache_sim.trace import TraceError
from cache_sim.traces.formats.code import Code
from cache_sim.traces.formats.references import by_instructions, events_of
from cache_sim.traces.regeneration import BRANCH, FETCHED, WRITE, Events

VERSION = (1, 6)
RISC_V, ELF_RISC_V = 1, 243
MODES = {32: 1, 64: 2}  # of instruction encoding, by bits of a word
WIDE_FEATURE = 0x20  # a trace of 64-bit instructions
IDENTIFIER, VERSION_, COMMENT, ISA, MODE, INFO, FEATURES, FORCED, ENDED = 1, 2, 3, 4, 5, 6, 7, 9, 19
TARGET, ACCESS, CONTENT = 31, 60, 61
WORDS = {4: 240, 2: 241}  # records with the code of an instruction, by its bytes
_ADDRESS = struct.Struct("<BQ")
_ACCESS = struct.Struct("<BQHHB")
_SIZES = {IDENTIFIER: 3, VERSION_: 8, ISA: 2, MODE: 2, FEATURES: 8, 8: 12, FORCED: 8, 10: 4, ENDED: 0, TARGET: 8, 41: 2,
          ACCESS: 13, CONTENT: 8, 101: 8, 240: 4, 241: 2}  # fmt: skip
_COUNTED = {COMMENT: "<I", INFO: "<4xH", 13: "<I"}  # records that end with text, whose size stands before it
_EVENT, _REGISTER = 100, 40
AT_ONCE = 1 << 15  # events


def write(chunks: Iterable[Events], static: Mapping[str, Any], code: Code, out: IO[bytes]) -> None:
    """Write the instructions of a trace; its events are fetches, references and branches.

    Contents of memory are zeros, since a trace does not have them.  Raises TraceError.
    """
    if code.architecture != ELF_RISC_V:
        raise TraceError("STF says how instructions of RISC-V are encoded, and of no other machine")
    words: dict[tuple[int, int], bytes] = {}
    is_first = True
    for events, after in by_instructions(chunks):
        if is_first:
            out.write(_header(code.bits, int(events.addresses[0])))
        is_first = False
        out.write(b"".join(_instructions(events, after, code, words)))
    if is_first:
        out.write(_header(code.bits, 0))


def _header(bits: int, start: int) -> bytes:
    told = b"ease"
    return b"".join((
        bytes([IDENTIFIER]), b"STF", struct.pack("<BII", VERSION_, *VERSION), struct.pack("<BI", COMMENT, len(told)), told,
        struct.pack("<BH", ISA, RISC_V), struct.pack("<BH", MODE, MODES[bits]),
        struct.pack("<B4BH", INFO, 0, 0, 0, 0, len(told)), told, struct.pack("<BQ", FEATURES, WIDE_FEATURE * (bits == 64)),
        _ADDRESS.pack(FORCED, start), bytes([ENDED]),
    ))  # fmt: skip


def _instructions(events: Events, after: int | None, code: Code, words: dict[tuple[int, int], bytes]) -> Iterator[bytes]:
    """Yield the records of whole instructions; `words` keeps those that end an instruction, by address and size."""
    fetches = np.flatnonzero(events.kinds == FETCHED)
    following = [*events.addresses[fetches[1:]].tolist(), after]
    columns = (getattr(events, name).tolist() for name in ("kinds", "addresses", "sizes"))
    number, last = -1, b""
    here = size = 0
    taken = False
    for kind, address, bytes_ in zip(*columns, strict=True):
        if kind == FETCHED:
            if last:
                yield _end(following[number], here + size, taken) + last
            number, here, size, taken = number + 1, address, bytes_, False
            last = words.get((here, size)) or words.setdefault((here, size), _word(code, here, size))
        elif kind <= WRITE:
            yield _ACCESS.pack(ACCESS, address, bytes_, 0, 1 + (kind == WRITE))
            yield _ADDRESS.pack(CONTENT, 0) * max(-(-bytes_ // 8), 1)
        elif kind == BRANCH:
            taken = bool(bytes_)
    yield _end(following[number], here + size, taken) + last


def _end(following: int | None, straight: int, taken: bool) -> bytes:
    """Return what tells where control goes behind an instruction, if not straight on."""
    return _ADDRESS.pack(TARGET, following) if following is not None and (taken or following != straight) else b""


def _word(code: Code, address: int, size: int) -> bytes:
    if size not in WORDS:
        raise TraceError(f"STF has instructions of 2 and 4 bytes, and one at {address:#x} has {size}")
    return bytes([WORDS[size]]) + code.of(address, size)


# ---------------------------------------------------------------------------------------------------------------------


def read(file: IO[bytes], name: str, _size: int = 1) -> Iterator[Events]:
    """Yield fetches, and the references of each instruction behind its fetch.  Raises TraceError."""
    rows: list[tuple[int, int, int]] = []
    mine: list[tuple[int, int, int]] = []  # references of the instruction whose code has not come
    here, target = 0, None
    for kind, content in _records(file, name):
        if kind == FORCED:
            here = int.from_bytes(content, "little")
        elif kind == TARGET:
            target = int.from_bytes(content, "little")
        elif kind == ACCESS:
            _, address, bytes_, _, way = _ACCESS.unpack(bytes([kind]) + content)
            mine.append((int(way == 2), address, bytes_))
        elif kind in WORDS.values():
            rows += [(FETCHED, here, len(content)), *mine]
            here = here + len(content) if target is None else target
            mine, target = [], None
            if len(rows) >= AT_ONCE:
                yield _events(rows)
                rows = []
    if rows:
        yield _events(rows)


def _records(file: IO[bytes], name: str) -> Iterator[tuple[int, bytes]]:
    """Yield records; those with text have no content here.  Raises TraceError for what is no such file, or is not whole."""
    if file.read(4) != bytes([IDENTIFIER]) + b"STF":
        raise TraceError(f"{name}: error: this is not an STF file")

    def taken(count: int) -> bytes:
        content = file.read(count)
        if len(content) < count:
            raise TraceError(f"{name}: error: the last record is not whole")
        return content

    while head := file.read(1):
        kind = head[0]
        if kind in _COUNTED:
            size = struct.Struct(_COUNTED[kind])
            taken(size.unpack(taken(size.size))[0])
            yield kind, b""
        elif kind == _EVENT:
            taken(8)
            taken(8 * taken(1)[0])
            yield kind, b""
        elif kind == _REGISTER:
            if taken(3)[2] & 15 == 3:
                raise TraceError(f"{name}: error: registers of vectors are not read here")
            yield kind, taken(8)
        elif kind in _SIZES:
            yield kind, taken(_SIZES[kind])
        else:
            raise TraceError(f"{name}: error: there are no records {kind} of instructions")


def _events(rows: list[tuple[int, int, int]]) -> Events:
    kinds, addresses, sizes = (np.array(column, np.uint64) for column in zip(*rows, strict=True))
    return events_of(kinds, addresses, sizes)
