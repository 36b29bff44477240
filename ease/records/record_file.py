"""Records of runs as files: all that it takes to run a program again, written and read (docs/replay.md).

The sections are HEAD (JSON: how the program was run), PROG (the linked program as RTL text), DESC (the whole description of
its machine), SRCS (JSON: source texts by file), SLIC (JSON: where a slice goes on; only in slices), CALL (system
calls; as many sections as need be), DONE (JSON: how it ended).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from cache_sim.json_shape import ADDRESS, COUNT, misfit
from ease.records.event import decoded
from ease.records.sections import CALLS, LARGEST_CALLS, MAGIC, Damaged, json_section, section, sections_of
from ease.records.slice_state import STATE
from ease.run_identity import RunIdentity
from vpo.user_error import UserError

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
