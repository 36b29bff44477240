"""The files of a command line: source text, units as text, archives of objects."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from vpo.base.errors import UserError

if TYPE_CHECKING:
    from vpo.machines.machine import Machine
    from vpo.rtl.function import Unit

# ----------------------------------------------------------------------------------------------------------------------
# What the files of a command line are: source text, objects, or archives of objects.
#
# A shared library is an archive, too: what a program needs of it is linked into the program.


Kind = Literal["source", "object", "archive", "unknown"]

ARCHIVE_MAGIC = b"!<arch>\n"
OBJECT_START = b"machine "
SOURCES = (".c", ".i", ".h", ".S", ".s", ".sx")
_ENDINGS: dict[str, Kind] = {".rtl": "object", ".o": "object", ".obj": "object", ".a": "archive"}


def input_kind(file: str) -> Kind:
    """Return what a file is, by the end of its name, else by how it begins; a linker finds libraries of any name so."""
    if file.endswith(SOURCES):
        return "source"
    known = next((kind for ending, kind in _ENDINGS.items() if file.endswith(ending)), None)
    if known is not None:
        return known
    try:
        with open(file, "rb") as stream:
            start = stream.read(len(ARCHIVE_MAGIC))
    except OSError:
        return "unknown"
    return "archive" if start == ARCHIVE_MAGIC else "object" if start == OBJECT_START else "unknown"


# ----------------------------------------------------------------------------------------------------------------------
# Archives of object files, in the format of `ar`: reading and writing them, with the GNU forms of long names and the index.
#
# The index says which member defines a symbol.  Members that are RTL text are in it; other files may be members, too.


MAGIC = ARCHIVE_MAGIC
_INDEXES, _NAMES, _END = ("/", "/SYM64/"), "//", b"`\n"
_HEADER = struct.Struct("16s12s6s6s8s10s2s")
_LONGEST = 15  # bytes of a name in a header
_DEFINITION = re.compile(rb"^(?:function _(\S+) file .*? line \d+|data _(\S+))(.*)$", re.MULTILINE)


class ArchiveError(Exception):
    """A file is not an archive, or a damaged one."""


@dataclass(frozen=True)
class Member:
    """A file in an archive."""

    name: str
    content: bytes

    @property
    def is_object(self) -> bool:
        """Whether this is RTL text."""
        return self.content.startswith(OBJECT_START)

    @cached_property
    def symbols(self) -> list[str]:
        """The symbols that this member defines for others."""
        found = _DEFINITION.findall(self.content) if self.is_object else []
        names = [function or data for function, data, rest in found if b"static" not in rest.split()]
        return [name.decode(errors="surrogateescape") for name in names]


@dataclass
class Archive:
    """The members of an archive, in order."""

    members: list[Member] = field(default_factory=list)

    @cached_property
    def _defining(self) -> dict[str, Member]:
        found: dict[str, Member] = {}
        for member in self.members:
            for symbol in member.symbols:
                found.setdefault(symbol, member)
        return found

    def defining(self, symbol: str) -> Member | None:
        """Return the first member that defines a symbol, None if there is none."""
        return self._defining.get(symbol)


def read_archive(path: str | Path) -> Archive:
    """Read an archive.

    Raises ArchiveError, OSError.
    """
    content = Path(path).read_bytes()
    if not content.startswith(MAGIC):
        raise ArchiveError(f"{path}: error: not an archive")
    members, names, at = [], b"", len(MAGIC)
    while at < len(content):
        if len(content) < at + _HEADER.size or content[at + _HEADER.size - 2 : at + _HEADER.size] != _END:
            raise ArchiveError(f"{path}: error: damaged: there is no member at byte {at}")
        raw, *_, length, _end = _HEADER.unpack_from(content, at)
        start = at + _HEADER.size
        end = start + int(length) if length.strip().isdigit() else -1
        if not start <= end <= len(content):
            raise ArchiveError(f"{path}: error: damaged: the member at byte {at} has no size that fits")
        body, name = content[start:end], raw.rstrip().decode(errors="surrogateescape")
        at = end + (end - start) % 2
        if name == _NAMES:
            names = body
        elif name not in _INDEXES:
            members.append(Member(_name(name, names, path), body))
    return Archive(members)


def _name(name: str, names: bytes, path: str | Path) -> str:
    """Return the name of a member, which may be a place in the table of names.

    Raises ArchiveError.
    """
    if not name.startswith("/"):
        return name.rstrip("/")
    start = int(name[1:]) if name[1:].isdecimal() else len(names)
    end = names.find(b"/\n", start)
    if end < 0:
        raise ArchiveError(f"{path}: error: damaged: it has no name '{name}' for a member")
    return names[start:end].decode(errors="surrogateescape")


def archive_bytes(members: Iterable[Member]) -> bytes:
    """Return the archive of some members, with an index; no times and owners, so that equal members give equal bytes."""
    members = list(members)
    names, heads = b"", []
    for member in members:
        name = member.name.encode(errors="surrogateescape")
        if len(name) > _LONGEST or b"/" in name:
            heads.append(b"/%d" % len(names))
            names += name + b"/\n"
        else:
            heads.append(name + b"/")
    table = _part(_NAMES.encode(), names) if names else b""
    symbols = [(symbol, number) for number, member in enumerate(members) for symbol in member.symbols]
    text = b"".join(symbol.encode(errors="surrogateescape") + b"\0" for symbol, _ in symbols)
    index_size = 4 + 4 * len(symbols) + len(text)
    start = len(MAGIC) + (_HEADER.size + index_size + index_size % 2 if symbols else 0) + len(table)
    parts, places = [], []
    for head, member in zip(heads, members, strict=True):
        places.append(start)
        parts.append(_part(head, member.content))
        start += len(parts[-1])
    offsets = struct.pack(f">{len(symbols) + 1}I", len(symbols), *(places[number] for _, number in symbols))
    index = _part(_INDEXES[0].encode(), offsets + text) if symbols else b""
    return MAGIC + index + table + b"".join(parts)


def _part(name: bytes, content: bytes) -> bytes:
    header = _HEADER.pack(
        *(text.ljust(width) for text, width in (
            (name, 16), (b"0", 12), (b"0", 6), (b"0", 6), (b"644", 8), (str(len(content)).encode(), 10), (_END, 2),
        ))
    )  # fmt: skip
    return header + content + b"\n" * (len(content) % 2)


# ----------------------------------------------------------------------------------------------------------------------
# Reading units that were written as text.


def parsed_unit(file: str, content: bytes, machine: Machine) -> Unit:
    """Return a unit that was written as text, each of its instructions and functions checked.

    Raises UserError.
    """
    from vpo.analysis.verify import verify  # a command line needs names of files only
    from vpo.machines.machine import IllegalRtl
    from vpo.text import TextError, parse_unit

    try:
        unit, cells = parse_unit(content.decode())
    except TextError as error:
        raise UserError([f"{file}:{error.line}:{error.column}: error: {error.message}"]) from None
    except UnicodeDecodeError:
        raise UserError([f"{file}:1:1: error: not UTF-8 text"]) from None
    if cells != machine.cells:
        raise UserError(
            [f"{file}:1:1: error: this file is for machine '{unit.machine}', not for '{machine.name}': "
             "their register classes differ"]
        )  # fmt: skip
    problems = []
    for function in unit.functions:
        for rtl in function.rtls():
            try:
                machine.record(rtl)
            except IllegalRtl as error:
                problems.append(f"{file}: error: in {function.name[1:]}: {error}")
    for function in unit.functions if not problems else ():
        problems += [f"{file}: error: in {function.name[1:]}: {problem}" for problem in verify(function, machine)]
    if problems:
        raise UserError(problems)
    return unit
