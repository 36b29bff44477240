"""The file of a record: sections, each with its kind, sizes and checksum, compressed."""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Iterator

import zstandard

MAGIC = b"EASERUN\x01"
_HEAD = struct.Struct("<4sIQQ")  # kind, checksum, size, size in the file
_LEVEL = 3  # of compression
_MOST = 1 << 31  # bytes of a section


class Damaged(ValueError):
    """A file that is no record, or not what was written."""


def section(kind: str, content: bytes) -> bytes:
    """Return a section as it is in a file; `kind` is four letters."""
    stored = zstandard.ZstdCompressor(level=_LEVEL).compress(content)
    head = kind.encode(), len(content), len(stored)
    return _HEAD.pack(head[0], _checksum(*head, stored), *head[1:]) + stored


def json_section(kind: str, content: object) -> bytes:
    """Return a section of JSON text as it is in a file."""
    return section(kind, json.dumps(content, separators=(",", ":")).encode())


def _checksum(kind: bytes, size: int, length: int, stored: bytes) -> int:
    return zlib.crc32(stored, zlib.crc32(_HEAD.pack(kind, 0, size, length)))


def read_sections(file: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield kind and content of the sections behind the magic bytes.

    Raises Damaged.
    """
    if file[: len(MAGIC)] != MAGIC:
        known = file[: len(MAGIC) - 1] == MAGIC[:-1]
        raise Damaged("a record of another version of ease" if known else "not a record of a run")
    at = len(MAGIC)
    while at < len(file):
        if at + _HEAD.size > len(file):
            raise Damaged("the record is cut short")
        kind, checksum, size, length = _HEAD.unpack_from(file, at)
        stored = file[at + _HEAD.size : at + _HEAD.size + length]
        if len(stored) < length:
            raise Damaged("the record is cut short")
        if size > _MOST or checksum != _checksum(kind, size, length, stored):
            raise Damaged("the record is damaged: a section does not fit its checksum")
        at += _HEAD.size + length
        yield kind.decode("ascii", "replace"), _decompressed(stored, size)


def _decompressed(stored: bytes, size: int) -> bytes:
    try:
        content = zstandard.ZstdDecompressor().decompress(stored, max_output_size=size)
    except zstandard.ZstdError:
        raise Damaged("the record is damaged: a section cannot be decompressed") from None
    if len(content) != size:
        raise Damaged("the record is damaged: a section has another size than it says")
    return content
