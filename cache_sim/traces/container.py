"""Files of sections, such as traces: each has its kind, size and checksum, and is compressed (docs/traces.md).

A file is written and read from the beginning to the end, so it may be a pipe.  One that was cut short is read up to its last
whole section.
"""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from os import SEEK_END
from typing import IO, Any

import zstandard

MAGIC = b"EASETRC\x02"
_HEAD = struct.Struct("<4sIQQ")  # kind, checksum, size, size in the file
LEVEL = 1  # of compression: the run waits for it
MOST = 1 << 31  # bytes of a section
Bound = Callable[[str, int], int]
CUT, END = "CUT ", ""  # in place of a kind: the file was cut short here, or ends


class TraceDamaged(ValueError):
    """A trace that says what cannot be."""


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


def most(_kind: str, _stored: int) -> int:
    """Return how many bytes a section of a kind may have of which so many are in the file."""
    return MOST


def read_sections(file: IO[bytes], magic: bytes = MAGIC, what: str = "trace", bound: Bound = most) -> Iterator[Section]:
    """Yield the sections behind the magic bytes; the last may be 'CUT ', which no file has: there the file was cut short.

    `bound` is as `most`.  Raises TraceDamaged for what is not `what` it should be, or does not fit its checksum.
    """
    begins = file.read(len(magic))
    if begins != magic:
        other = begins[:-1] == magic[:-1]
        raise TraceDamaged(f"a {what} of another version of ease" if other else f"not a {what}")
    yield from further_sections(file, bound)


def further_sections(file: IO[bytes], bound: Bound = most) -> Iterator[Section]:
    """Yield the sections from where a file stands, as `read_sections` does."""
    while (found := read_section(file, bound)).kind != END:
        yield found
        if found.kind == CUT:
            return


def read_section(file: IO[bytes], bound: Bound = most) -> Section:
    """Return the section that begins where a file stands; of kind END if there is none, CUT if it is not whole.

    Raises TraceDamaged.
    """
    head = file.read(_HEAD.size)
    if len(head) < _HEAD.size:
        return Section(CUT if head else END, b"")
    kind, checksum, size, length = _HEAD.unpack(head)
    if size > bound(kind.decode("ascii", "replace"), length) or length > MOST:
        raise TraceDamaged("a section is larger than any can be")
    stored = file.read(length)
    if len(stored) < length:
        return Section(CUT, b"")
    if zlib.crc32(stored, zlib.crc32(_HEAD.pack(kind, 0, size, length))) != checksum:
        raise TraceDamaged("a section does not fit its checksum")
    try:
        content = zstandard.ZstdDecompressor().decompress(stored, max_output_size=size)
    except zstandard.ZstdError:
        raise TraceDamaged("a section cannot be decompressed") from None
    if len(content) != size:
        raise TraceDamaged("a section has another size than it says")
    return Section(kind.decode("ascii", "replace"), content)


def section_places(file: IO[bytes]) -> Iterator[tuple[str, int]]:
    """Yield kind and place of each whole section of a file that can be read at any place; contents are passed over."""
    end = file.seek(0, SEEK_END)
    at = len(MAGIC)
    while at + _HEAD.size <= end:
        file.seek(at)
        kind, _, _, length = _HEAD.unpack(file.read(_HEAD.size))
        if at + _HEAD.size + length <= end:
            yield kind.decode("ascii", "replace"), at
        at += _HEAD.size + length
