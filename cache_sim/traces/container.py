"""The file of a trace: sections, each with its kind, size and checksum, most of them compressed (docs/traces.md).

A file is written and read from the beginning to the end, so it may be a pipe.  One that was cut short is read up to its last
whole section.
"""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO, Any

import numpy as np
import zstandard

from cache_sim.traces.regeneration import TraceDamaged, Words

MAGIC = b"EASETRC\x01"
_HEAD = struct.Struct("<4sIQQ")  # kind, checksum, size, size in the file
LEVEL = 1  # of compression: the run waits for it
MOST = 1 << 31  # bytes of a section


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a file: `kind` is four letters, `content` is what it holds, uncompressed."""

    kind: str
    content: bytes

    def json(self) -> Any:
        """Return the content of a section that is JSON text.

        Raises TraceDamaged.
        """
        try:
            return json.loads(self.content)
        except ValueError:
            raise TraceDamaged(f"the section {self.kind} is no JSON text") from None


def section(kind: str, content: bytes, compressor: zstandard.ZstdCompressor | None = None) -> bytes:
    """Return a section as it is in a file."""
    stored = (compressor or zstandard.ZstdCompressor(level=LEVEL)).compress(content)
    head = _HEAD.pack(kind.encode(), 0, len(content), len(stored))
    checksum = zlib.crc32(stored, zlib.crc32(head))
    return _HEAD.pack(kind.encode(), checksum, len(content), len(stored)) + stored


def json_section(kind: str, content: object) -> bytes:
    """Return a section of JSON text as it is in a file."""
    return section(kind, json.dumps(content, separators=(",", ":")).encode())


def read_sections(file: IO[bytes]) -> Iterator[Section]:
    """Yield the sections behind the magic bytes; the last may be 'CUT ', which no file has: there the file was cut short.

    Raises TraceDamaged for what is no trace or does not fit its checksum.
    """
    if file.read(len(MAGIC)) != MAGIC:
        raise TraceDamaged("not a trace, or one of another version")
    decompressor = zstandard.ZstdDecompressor()
    while True:
        head = file.read(_HEAD.size)
        if not head:
            return
        if len(head) < _HEAD.size:
            yield Section("CUT ", b"")
            return
        kind, checksum, size, length = _HEAD.unpack(head)
        if size > MOST or length > MOST:
            raise TraceDamaged("a section is larger than any can be")
        stored = file.read(length)
        if len(stored) < length:
            yield Section("CUT ", b"")
            return
        if zlib.crc32(stored, zlib.crc32(_HEAD.pack(kind, 0, size, length))) != checksum:
            raise TraceDamaged("a section does not fit its checksum")
        try:
            content = decompressor.decompress(stored, max_output_size=size)
        except zstandard.ZstdError:
            raise TraceDamaged("a section cannot be decompressed") from None
        if len(content) != size:
            raise TraceDamaged("a section has another size than it says")
        yield Section(kind.decode("ascii", "replace"), content)


_CHUNK = struct.Struct("<III")  # number, bytes of control, bytes of words


def chunk(number: int, control: bytes, words: bytes, compressor: zstandard.ZstdCompressor | None = None) -> bytes:
    """Return the section of a chunk of the streams: its number, one bit a decision, the words."""
    bits = np.packbits(np.frombuffer(control, np.uint8), bitorder="little").tobytes()
    return section("DATA", _CHUNK.pack(number, len(control), len(words)) + bits + words, compressor)


def read_chunk(content: bytes, bits: int) -> tuple[int, Words, Words]:
    """Return number, decisions (a byte each) and words of a chunk; `bits` is the size of addresses.

    Raises TraceDamaged.
    """
    number, decisions, size = _CHUNK.unpack_from(content)
    packed = -(-decisions // 8)
    if len(content) != _CHUNK.size + packed + size or size % (bits // 8):
        raise TraceDamaged("a chunk has another size than it says")
    control = np.unpackbits(np.frombuffer(content, np.uint8, packed, _CHUNK.size), count=decisions, bitorder="little")
    words = np.frombuffer(content, np.dtype(f"<u{bits // 8}"), size // (bits // 8), _CHUNK.size + packed)
    return number, control, words.astype(np.uint64)
