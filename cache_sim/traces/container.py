"""Files of sections, such as traces, and what a trace says of itself in them (docs/traces.md)."""

from __future__ import annotations

import hashlib
import json
import struct
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from os import SEEK_END
from typing import IO, Any

import zstandard

from cache_sim.words import ADDRESS, COUNT, misfit

# ----------------------------------------------------------------------------------------------------------------------
# Files of sections, such as traces: each has its kind, size and checksum, and is compressed (docs/traces.md).
#
# A file is written and read from the beginning to the end, so it may be a pipe.  One that was cut short is read up to its last
# whole section.


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


# ----------------------------------------------------------------------------------------------------------------------
# What a trace says of itself in JSON: facts, static half and end, each checked before anybody uses it (docs/traces.md).


FORMS = ("path", "list", "profile")
_SITE = range(1 << 32)
_FACTS = {
    "bits": range(32, 65, 32), "start?": _SITE, "data?": bool, "form?": str, "machine?": str, "kinds?": [str], "command?": str,
    "arguments?": [str], "program?": str, "image?": str, "window?": [COUNT, COUNT], "line?": COUNT,
}  # fmt: skip
_STATIC = {
    "types": [str], "files": [str], "functions": [[str, _SITE, _SITE, _SITE]],
    "blocks": [[_SITE, ADDRESS, COUNT, COUNT, COUNT, COUNT]], "type": [range(-1, 1 << 32)], "line": [int], "text": [str],
    "address": [ADDRESS], "copies?": [[_SITE, _SITE]],
    "uses?": [[[COUNT], [COUNT]]], "use?": [_SITE], "transfer?": [range(4)],
}  # fmt: skip
_END = {
    "status": (int, None), "instructions?": COUNT, "systems?": COUNT, "fault?": str, "site?": _SITE, "done?": bool,
    "accessed?": ADDRESS, "whole?": bool, "chunks?": COUNT, "calls?": COUNT,
}  # fmt: skip

_CALLS = [COUNT, [[str, *[int] * 6, (int, None)]]]


def facts_of(section: Section) -> dict[str, Any]:
    """Return what the section HEAD says.

    Raises TraceDamaged.
    """
    facts: dict[str, Any] = _checked(section, _FACTS)
    if facts.get("form", "path") not in FORMS:
        raise TraceDamaged(f"a trace of the form '{facts['form']}', which this version of ease cannot read")
    return facts


def end_of(section: Section) -> dict[str, Any]:
    """Return what the section DONE says.

    Raises TraceDamaged.
    """
    end: dict[str, Any] = _checked(section, _END)
    return end


def calls_of(section: Section, told: int | None) -> list[list[Any]]:
    """Return the system calls that a section SYST lists; `told` is how many those before list, None if nobody has read them.

    Raises TraceDamaged.
    """
    first, calls = _checked(section, _CALLS)
    if told is not None and first != told:
        raise TraceDamaged(f"system call {told} is not where it must be")
    return list(calls)


def static_of(section: Section) -> dict[str, Any]:
    """Return what the section SITE says; empty if nothing is known of the program.

    Raises TraceDamaged.
    """
    if section.json() == {}:
        return {}
    static: dict[str, Any] = _checked(section, _STATIC)
    count = len(static["type"])
    consistent = (
        all(len(static[name]) == count for name in ("line", "text", "address"))
        and len({name in static for name in ("uses", "use", "transfer")}) == 1
        and max(static["type"], default=-1) < len(static["types"])
        and all(file < len(static["files"]) and first + size < count for _, file, first, size in static["functions"])
        and all(block[0] < count for block in static["blocks"])
        and all(len(static.get(name, static["type"])) == count for name in ("use", "transfer", "target"))
        and max(static.get("use", ()), default=-1) < len(static.get("uses", ()))
        and all(load < count and store < count for load, store in static.get("copies", ()))
    )
    if not consistent:
        raise TraceDamaged("the section SITE contradicts itself")
    return static


def check_program(facts: dict[str, Any], static: bytes) -> None:
    """Raise TraceDamaged if the static half is of another program than the facts."""
    if facts.get("program", _digest(static)) != _digest(static):
        raise TraceDamaged("its section SITE is of another program")


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _checked(section: Section, shape: Any) -> Any:
    value: Any = section.json()
    wrong = misfit(value, shape, f"the section {section.kind}")
    if wrong:
        raise TraceDamaged(wrong)
    return value
