"""Read the streams of a trace, and the code that regenerates what the program did, in the order of a file."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import IO, Any

import numpy as np

from cache_sim.traces.container import Section, TraceDamaged, further_sections, read_sections
from cache_sim.traces.described import calls_of, check_program, end_of, facts_of
from cache_sim.traces.regeneration import RECORD, Op, PathCode, Words, read_chunk

_CHUNKS = ("DATA", "LIST")


@dataclass(slots=True)
class Streams:
    """The parts of a trace: what stands before the chunks, then these, then how the run ended.

    `parts` has the content of other sections by their kinds, as far as the file has been read.  `cut`: the file ends early;
    `read`: it has been read to its end, from its first chunk on.  `jumped`: it was read from another chunk on, and `passed`
    chunks were passed over.  `calls`: the system calls that were told so far (name, arguments, result).
    """

    facts: dict[str, Any]
    sections: Iterator[Section]
    parts: dict[str, bytes]
    end: dict[str, Any] = field(default_factory=dict)
    cut: bool = False
    read: bool = False
    file: IO[bytes] | None = None
    jumped: bool = False
    passed: int = 0
    calls: list[list[Any]] = field(default_factory=list)

    def go_to(self, offset: int, chunk: int) -> None:
        """Go on with the section of a chunk, at a place of the file, which can be read at any place."""
        assert self.file is not None
        self.jumped, self.passed = True, chunk
        self.file.seek(offset)
        self.sections = further_sections(self.file)

    def code(self) -> PathCode:
        """Return the code that regenerates the trace.

        Raises TraceDamaged if there is none, or none that can be.
        """
        try:
            records = np.frombuffer(self.parts["CODE"], RECORD)
            jumps, entries = (np.frombuffer(self.parts[name], "<u8").reshape(-1, 2) for name in ("JUMP", "ENTR"))
            code = PathCode(records, jumps, entries, int(self.facts["start"]), int(self.facts["bits"]))
        except (KeyError, ValueError, TypeError) as error:
            raise TraceDamaged(f"no code that regenerates the trace ({error})") from None
        check_code(code)
        return code

    def chunks(self) -> Iterator[tuple[Words, Words, bool]]:
        """Yield decisions and words of each chunk, and whether it is the last.

        Raises TraceDamaged.
        """
        bits = int(self.facts["bits"])
        before: tuple[Words, Words] | None = None
        number = self.passed
        for content in self.contents("DATA"):
            if before is not None:
                yield *before, False
            found, control, words = read_chunk(content, bits)
            if found != number:
                raise TraceDamaged(f"chunk {number} is missing")
            before, number = (control, words), number + 1
        nothing = np.empty(0, np.uint8), np.empty(0, np.uint64)
        yield *(before or nothing), True

    def contents(self, kind: str) -> Iterator[bytes]:
        """Yield the contents of all sections of a kind, and read the rest of the file on the way.

        Raises TraceDamaged.
        """
        chunks, told = self.passed, None if self.jumped else 0
        for section in self.sections:
            if self.end:
                raise TraceDamaged("something follows its end")
            chunks += section.kind in _CHUNKS
            if section.kind == kind:
                yield section.content
            elif section.kind == "DONE":
                self.end = end_of(section)
            elif section.kind == "SYST":
                self.calls += calls_of(section, told)
                told = len(self.calls) if told is not None else None
            elif section.kind == "CNTS" and "CNTS" in self.parts:
                raise TraceDamaged("the section CNTS is there twice")
            else:
                self.parts[section.kind] = section.content
        self.cut, self.read = not self.end, not self.jumped
        if self.end.get("chunks", chunks) != chunks:
            raise TraceDamaged(f"it has {chunks} chunks of {self.end['chunks']}")
        if told is not None and self.end.get("calls", told) != told:
            raise TraceDamaged(f"it has {told} system calls of {self.end['calls']}")
        if self.end and self.facts.get("form") != "list" and "CNTS" not in self.parts:
            raise TraceDamaged("its section CNTS is missing")


def check_code(code: PathCode) -> None:
    """Raise TraceDamaged for code that leads out of itself."""
    records, count = code.records, len(code.records)
    going = np.isin(records["op"], (Op.JUMP, Op.BRANCH, Op.DECIDE, Op.CALL))
    tables = np.concatenate([code.jumps[:, 1], code.entries[:, 1]])
    slots = records["a"][records["op"] == Op.ENTER].max(initial=0)
    used = records["a"][np.isin(records["op"], (Op.KEPT, Op.DERIVED, Op.SET, Op.COPY, Op.LOAD, Op.ADD))].max(initial=0)
    used = max(used, records["b"][np.isin(records["op"], (Op.COPY, Op.ADD))].max(initial=0))
    beyond = records["op"] == Op.JUMP_INDIRECT
    ends = records["a"][beyond].astype(np.int64) + records["b"][beyond]
    guards = np.flatnonzero(records["op"] == Op.GUARD)
    wrong = (
        not count or records["op"][-1] not in _LAST or records["op"].max() > max(Op) or not 0 <= code.start < count
        or records["a"][going].max(initial=0) >= count or tables.max(initial=0) >= count
        or (used >= slots and used > 0) or slots > 1 << 20 or ends.max(initial=0) > len(code.jumps)
        or (guards + records["a"][guards]).max(initial=0) >= count - 1
        or np.any(records["a"][np.isin(records["op"], (Op.FETCH, Op.PART))] == 0)
        or np.any(records["kind"][np.isin(records["op"], _REFERRING)] > 1)
    )  # fmt: skip
    if wrong:
        raise TraceDamaged("the code that regenerates the trace leads out of itself")


_LAST = (Op.END, Op.JUMP, Op.RETURN, Op.SAVE, Op.RESUME, Op.JUMP_INDIRECT)
_REFERRING = (Op.REFER, Op.RECORDED, Op.KEPT, Op.DERIVED)


def open_streams(file: IO[bytes]) -> Streams:
    """Read what stands before the chunks.

    Raises TraceDamaged.
    """
    sections = read_sections(file)
    parts: dict[str, bytes] = {}
    for section in sections:
        if section.kind == "BODY":
            break
        if section.kind in parts:
            raise TraceDamaged(f"the section {section.kind} is there twice")
        parts[section.kind] = section.content
    else:
        raise TraceDamaged("it ends before the trace begins")
    _require(parts, "HEAD", "SITE")
    facts = facts_of(Section("HEAD", parts.pop("HEAD")))
    if facts.get("form") != "list":
        _require(parts, "CODE", "JUMP", "ENTR")
    check_program(facts, parts["SITE"])
    return Streams(facts, sections, parts, file=file)


def _require(parts: dict[str, bytes], *kinds: str) -> None:
    missing = [kind for kind in kinds if kind not in parts]
    if missing:
        raise TraceDamaged(f"its section {missing[0]} is missing")
