"""Records of runs as files: all that it takes to run a program again, written and read (docs/replay.md).

The sections are HEAD (JSON: how the program was run), PROG (the linked program as RTL text), DESC (the whole description of
its machine), SRCS (JSON: source texts by file), SLIC (JSON: where a slice goes on; only in slices), CALL (system
calls; as many sections as need be), DONE (JSON: how it ended).
"""

from __future__ import annotations

import hashlib
import io
import json
import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from cache_sim.traces.container import TraceDamaged, json_section, read_sections, section
from cache_sim.words import ADDRESS, COUNT, misfit
from ease.model.run_identity import RunIdentity
from vpo.base.errors import UserError
from vpo.build.compiler import Compiler, Settings
from vpo.machines.read.load import build
from vpo.machines.read.source import parse
from vpo.program import Program

# ----------------------------------------------------------------------------------------------------------------------
# System calls as they are kept in a record: what was asked, what memory was read and written, what the answer was.


_CALL = struct.Struct("<IBBHH")  # number, whether the program went on, arguments, pieces read, pieces written
_PIECE = struct.Struct("<QQI")  # address, bytes there, bytes in the record
_WORD = struct.Struct("<q")
_DIGEST = 8  # bytes
COMPUTED = frozenset(["brk", "exit", "exit_group"])  # calls whose effect follows from the program
_CALL_NUMBER = 0xFFFFFFFF  # what is kept of a call's number


class EventsDamaged(ValueError):
    """Bytes that are no system calls."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Memory at an address: its size and its content, or the digest of the content of what is output."""

    address: int
    size: int
    content: bytes


@dataclass(frozen=True, slots=True)
class Event:
    """One system call.  `result` is None if the program ended by it."""

    number: int
    arguments: tuple[int, ...]
    result: int | None
    read: tuple[Piece, ...] = ()
    written: tuple[Piece, ...] = ()

    def encoded(self) -> bytes:
        """Return the call as it is in a record."""
        goes_on = self.result is not None
        parts = [_CALL.pack(self.number, goes_on, len(self.arguments), len(self.read), len(self.written))]
        parts += [_WORD.pack(word) for word in (*self.arguments, self.result or 0)]
        for piece in (*self.read, *self.written):
            parts += [_PIECE.pack(piece.address, piece.size, len(piece.content)), piece.content]
        return b"".join(parts)


def number_of(number: int) -> int:
    """Return the number of a system call as a record has it."""
    return number & _CALL_NUMBER


def digest(content: bytes) -> bytes:
    """Return what stands for output in a record."""
    return hashlib.blake2b(content, digest_size=_DIGEST).digest()


def kept(name: str, content: bytes) -> bytes:
    """Return what a record keeps of memory that a system call read: names of files, and the digest of what is output."""
    return digest(content) if name == "write" else content


def decoded(content: bytes) -> Iterator[Event]:
    """Yield the system calls of a record.

    Raises EventsDamaged.
    """
    at = 0
    try:
        while at < len(content):
            number, goes_on, arguments, read, written = _CALL.unpack_from(content, at)
            words = struct.unpack_from(f"<{arguments + 1}q", content, at + _CALL.size)
            at += _CALL.size + _WORD.size * len(words)
            pieces = []
            for _ in range(read + written):
                address, size, length = _PIECE.unpack_from(content, at)
                at += _PIECE.size
                if at + length > len(content):
                    raise EventsDamaged("a system call is cut short")
                pieces.append(Piece(address, size, content[at : at + length]))
                at += length
            result = words[-1] if goes_on else None
            yield Event(number, words[:-1], result, tuple(pieces[:read]), tuple(pieces[read:]))
    except struct.error:
        raise EventsDamaged("a system call is cut short") from None


# ----------------------------------------------------------------------------------------------------------------------
# The file of a record: sections as those of traces, behind other magic bytes.


__all__ = ["CALLS", "LARGEST_CALLS", "MAGIC", "Damaged", "json_section", "section", "sections_of"]

MAGIC = b"EASERUN\x02"
CALLS = "CALL"
LARGEST_CALLS = 1 << 24  # bytes of a section of system calls; there may be several
# Bytes of one of another kind: texts compress well, but not without bound, and few bytes of zeros are not to fill the memory.
_SMALL, _RATIO, _LARGEST = 1 << 24, 200, 1 << 29


def _bound(kind: str, stored: int) -> int:
    """Return how many bytes a section of a kind may have of which so many are in the file."""
    return LARGEST_CALLS if kind == CALLS else min(max(_SMALL, _RATIO * stored), _LARGEST)


class Damaged(ValueError):
    """A file that is no record, or not what was written."""


def sections_of(file: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield kind and content of the sections behind the magic bytes.

    Raises Damaged.
    """
    try:
        for found in read_sections(io.BytesIO(file), MAGIC, "record", _bound):
            if found.kind == "CUT ":
                raise Damaged("the record is cut short")
            yield found.kind, found.content
    except TraceDamaged as error:
        raise Damaged(f"the record is damaged: {error}" if "section" in str(error) else str(error)) from None


# ----------------------------------------------------------------------------------------------------------------------
# What the section SLIC of a record has: the state from which a slice goes on (docs/replay.md).


_NUMBER = (range(-(1 << 63), 1 << 64), float)
_VALUE = (*_NUMBER, [_NUMBER, _NUMBER])  # a condition code is two numbers
_REGISTERS = [[str, COUNT, bool, COUNT, _VALUE]]
_PLACE = [COUNT, COUNT]
_ACTIVATION = {
    "function": str, "back": (ADDRESS, None), "place": _PLACE, "own": _REGISTERS, "preserved": _REGISTERS,
    "contexts": [[ADDRESS, ADDRESS, COUNT, COUNT]],
}  # fmt: skip
STATE = {
    "executed": COUNT, "resident": COUNT, "place": _PLACE, "registers": _REGISTERS, "activations": [_ACTIVATION],
    "break": [ADDRESS, ADDRESS], "calls": COUNT, "outputs": [[COUNT, COUNT]], "memory": [[ADDRESS, str]],
}  # fmt: skip


# ----------------------------------------------------------------------------------------------------------------------


_STATE = "SLIC"
_ONCE = ("HEAD", "PROG", "DESC", "SRCS")
_WORDS = [str]
_IDENTITY = {
    "words": _WORDS, "files": _WORDS, "arguments": _WORDS, "machine": str, "changes": _WORDS, "level": str, "version": str,
    "input?": str, "input_digest?": str,
}  # fmt: skip
_HEAD = {"arguments": _WORDS, "limit": (COUNT, None), "identity": _IDENTITY}
_SOURCES = {"library": str, "files": dict}
_ENDING = {"calls": COUNT, "status": int, "kind?": str, "message?": str, "function?": str, "address?": (ADDRESS, None)}


@dataclass(frozen=True, slots=True)
class Setting:
    """What is run: a linked program as text, its machine's description, its sources' texts by file.

    `library` is the folder of the library's sources, whose files the program names.
    """

    text: str
    description: str
    sources: Mapping[str, str]
    library: str


@dataclass(frozen=True, slots=True)
class Ending:
    """How a run ended: its status, and the fault, if it was one: kind, message, function, address of the instruction."""

    status: int
    kind: str = ""
    message: str = ""
    function: str = ""
    address: int | None = None


@dataclass(frozen=True, slots=True)
class Record:
    """A run: what was run, with which arguments and limit, as whose command; its system calls, and how it ended."""

    setting: Setting
    arguments: tuple[str, ...]
    limit: int | None
    identity: RunIdentity
    calls: bytes
    ending: Ending
    state: Mapping[str, Any] | None = None  # where a slice goes on (`ease.records.slice`)


def setting_sections(setting: Setting) -> bytes:
    """Return what is the same in all records of a program."""
    sources = {"library": setting.library, "files": dict(setting.sources)}
    parts = section("PROG", _bytes(setting.text)), section("DESC", _bytes(setting.description)), json_section("SRCS", sources)
    return b"".join(parts)


def record_bytes(setting: bytes, arguments: Sequence[str], limit: int | None, identity: RunIdentity, calls: bytes,
                 ending: Ending, state: Mapping[str, Any] | None = None) -> bytes:  # fmt: skip
    """Return a record as a file; `setting` comes from `setting_sections`."""
    head = {"arguments": list(arguments), "limit": limit, "identity": asdict(identity)}
    parts = [json_section("HEAD", head), setting, b"" if state is None else json_section(_STATE, state)]
    done = {"calls": sum(1 for _ in decoded(calls)), **asdict(ending)}
    return b"".join([MAGIC, *parts, call_sections(calls), json_section("DONE", done)])


def call_sections(calls: bytes) -> bytes:
    """Return system calls as they are in a file."""
    return b"".join(section(CALLS, calls[at : at + LARGEST_CALLS]) for at in range(0, len(calls), LARGEST_CALLS))


def read_record(file: str) -> Record:
    """Return the record in a file.

    Raises UserError for one that is damaged, OSError.
    """
    content = Path(file).read_bytes()
    try:
        return _record(content)
    except Damaged as error:
        raise UserError([f"{file}: error: {error}"]) from None


def _record(content: bytes) -> Record:
    sections = list(sections_of(content))
    states = [part for kind, part in sections if kind == _STATE]
    if len(states) > 1:
        raise Damaged("the record is damaged: the section SLIC is there twice")
    sections = [(kind, part) for kind, part in sections if kind != _STATE]
    kinds = [kind for kind, _ in sections]
    calls = max(len(kinds) - len(_ONCE) - 1, 0)
    if "DONE" not in kinds:
        raise Damaged("the record is cut short")
    if kinds != [*_ONCE, *[CALLS] * calls, "DONE"]:
        raise Damaged("the record is damaged: its sections are not those of a record")
    parts = [part for _, part in sections]
    try:
        head, sources, ending = _json(parts[0], _HEAD), _json(parts[3], _SOURCES), _json(parts[-1], _ENDING)
        if any(type(text) is not str for text in sources["files"].values()):
            raise ValueError("a source is no text")
        setting = Setting(_text(parts[1]), parts[2].decode(), dict(sources["files"]), str(sources["library"]))
        identity = RunIdentity.from_json(json.dumps(head["identity"]))
        limit: Any = head["limit"]
        state = _json(states[0], STATE) if states else None
        asked = b"".join(parts[4:-1])
        told, found = ending.pop("calls"), sum(1 for _ in decoded(asked))
        if found != told:
            raise ValueError(f"it has {found} system calls of {told}")
        return Record(setting, tuple(head["arguments"]), limit, identity, asked, Ending(**ending), state)
    except ValueError as error:
        raise Damaged(f"the record is damaged: {error}") from None


def _json(content: bytes, shape: Mapping[str, Any]) -> Any:
    """Return the value of a JSON text that has a shape.

    Raises ValueError.
    """
    value = json.loads(content)
    wrong = misfit(value, shape, "a section")
    if wrong:
        raise ValueError(wrong)
    return value


def _bytes(text: str) -> bytes:
    return text.encode(errors="surrogateescape")


def _text(content: bytes) -> str:
    return content.decode(errors="surrogateescape")


# ----------------------------------------------------------------------------------------------------------------------
# The program of a record, made again from its text and its machine's description.


def recorded_program(setting: Setting, shown: str, library: str) -> Program:
    """Return the program of a record; `shown` names it in messages, `library` is the folder of the library's sources here.

    Raises UserError, LinkError, DescriptionError.
    """
    machine = build(parse(setting.description, f"{shown} (description)"))
    program = Compiler(machine, Settings()).linked(shown, setting.text.encode(errors="surrogateescape"))
    for function in program.functions.values():
        if function.file.startswith(f"{setting.library}/"):
            function.file = library + function.file[len(setting.library) :]
    return program
