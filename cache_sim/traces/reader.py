"""Read the streams of a trace, and the code that regenerates what the program did, in the order of a file.

How a path is regenerated from these comes first.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import IO, Any

import numpy as np

from cache_sim.traces import container
from cache_sim.traces.native import Regenerator
from cache_sim.traces.plain import PlainRegenerator
from cache_sim.traces.regeneration import FETCHED, RECORD, Events, Halt, Op, PathCode, State, Words, read_chunk, room_for

_CHUNKS = ("DATA", "LIST")


@dataclass(slots=True)
class Streams:
    """The parts of a trace: what stands before the chunks, then these, then how the run ended.

    `parts` has the content of other sections by their kinds, as far as the file has been read.  `cut`: the file ends early;
    `read`: it has been read to its end, from its first chunk on.  `jumped`: it was read from another chunk on, and `passed`
    chunks were passed over.  `calls`: the system calls that were told so far (name, arguments, result).
    """

    facts: dict[str, Any]
    sections: Iterator[container.Section]
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
        self.sections = container.further_sections(self.file)

    def code(self) -> PathCode:
        """Return the code that regenerates the trace.

        Raises TraceDamaged if there is none, or none that can be.
        """
        try:
            records = np.frombuffer(self.parts["CODE"], RECORD)
            jumps, entries = (np.frombuffer(self.parts[name], "<u8").reshape(-1, 2) for name in ("JUMP", "ENTR"))
            code = PathCode(records, jumps, entries, int(self.facts["start"]), int(self.facts["bits"]))
        except (KeyError, ValueError, TypeError) as error:
            raise container.TraceDamaged(f"no code that regenerates the trace ({error})") from None
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
                raise container.TraceDamaged(f"chunk {number} is missing")
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
                raise container.TraceDamaged("something follows its end")
            chunks += section.kind in _CHUNKS
            if section.kind == kind:
                yield section.content
            elif section.kind == "DONE":
                self.end = container.end_of(section)
            elif section.kind == "SYST":
                self.calls += container.calls_of(section, told)
                told = len(self.calls) if told is not None else None
            elif section.kind == "CNTS" and "CNTS" in self.parts:
                raise container.TraceDamaged("the section CNTS is there twice")
            else:
                self.parts[section.kind] = section.content
        self.cut, self.read = not self.end, not self.jumped
        if self.end.get("chunks", chunks) != chunks:
            raise container.TraceDamaged(f"it has {chunks} chunks of {self.end['chunks']}")
        if told is not None and self.end.get("calls", told) != told:
            raise container.TraceDamaged(f"it has {told} system calls of {self.end['calls']}")
        if self.end and self.facts.get("form") != "list" and "CNTS" not in self.parts:
            raise container.TraceDamaged("its section CNTS is missing")


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
        raise container.TraceDamaged("the code that regenerates the trace leads out of itself")


_LAST = (Op.END, Op.JUMP, Op.RETURN, Op.SAVE, Op.RESUME, Op.JUMP_INDIRECT)
_REFERRING = (Op.REFER, Op.RECORDED, Op.KEPT, Op.DERIVED)


def open_streams(file: IO[bytes]) -> Streams:
    """Read what stands before the chunks.

    Raises TraceDamaged.
    """
    sections = container.read_sections(file)
    parts: dict[str, bytes] = {}
    for section in sections:
        if section.kind == "BODY":
            break
        if section.kind in parts:
            raise container.TraceDamaged(f"the section {section.kind} is there twice")
        parts[section.kind] = section.content
    else:
        raise container.TraceDamaged("it ends before the trace begins")
    _require(parts, "HEAD", "SITE")
    facts = container.facts_of(container.Section("HEAD", parts.pop("HEAD")))
    if facts.get("form") != "list":
        _require(parts, "CODE", "JUMP", "ENTR")
    container.check_program(facts, parts["SITE"])
    return Streams(facts, sections, parts, file=file)


def _require(parts: dict[str, bytes], *kinds: str) -> None:
    missing = [kind for kind in kinds if kind not in parts]
    if missing:
        raise container.TraceDamaged(f"its section {missing[0]} is missing")


# ----------------------------------------------------------------------------------------------------------------------
# Regenerate what a program did along its path: the code of a trace goes through its streams, chunk by chunk.


ROOM = 1 << 15  # events that come out at a time: few enough to stay in the host's cache
NEVER = (1 << 63) - 1
EVERYTHING = 1 << 62  # more instructions than any run executes


class PathRun:
    """The code of a trace on its way through the streams.  `state` is where it has got to, in chunk number `chunk`.

    `ends`: after so many instructions the run ended, NEVER as long as something in the streams decides.
    """

    def __init__(self, streams: Streams, state: State | None = None, plainly: bool = False) -> None:
        self.streams, self.code = streams, streams.code()
        self._run = PlainRegenerator(self.code).run if plainly else Regenerator(self.code).run
        self.state = state or State(self.code.start)
        self._read = self.state.control, self.state.words  # of the first chunk
        self._chunks = enumerate(streams.chunks(), streams.passed)
        self._take_chunk()

    def _take_chunk(self) -> None:
        self.chunk, (self.control, self.words, self.last) = next(self._chunks)
        (self.state.control, self.state.words), self._read = self._read, (0, 0)
        self.systems = int(self.streams.end.get("systems", 0)) if self.last else 0
        self.ends = NEVER
        self.dry = self.last and not self.systems
        if self.dry and not len(self.control) and not len(self.words):
            self._find_end()

    def _find_end(self) -> None:
        self.ends, self.dry = _end(self.streams, self.state, self.code, self.words), False

    def advance(self, out: Events, wanted: int, stop: int) -> tuple[Halt, int]:
        """Go on; return why there is a pause and how many events came out, of the kinds that `wanted` has a bit for.

        The pause is FULL or MORE: there is more; STOP: `stop` instructions have been executed; EXITED: the run has ended.
        Raises TraceDamaged.
        """
        halt, count = self._run(
            self.state, self.control, self.words, out, wanted, min(stop, self.ends), self.systems, self.dry
        )  # fmt: skip
        if halt == Halt.DRY:
            self._find_end()
            return Halt.MORE, count
        if halt == Halt.MORE:
            if self.last:
                return Halt.EXITED, count
            if (self.state.control, self.state.words) != (len(self.control), len(self.words)):
                raise container.TraceDamaged("the streams do not fit the code")
            self._take_chunk()
        if halt == Halt.WRONG:
            raise container.TraceDamaged("the streams do not fit the code")
        return Halt.EXITED if halt == Halt.STOP and stop > self.ends else halt, count


def regenerate(
    streams: Streams, wanted: int, start: int = 0, stop: int = EVERYTHING, plainly: bool = False,
    state: State | None = None,
) -> Iterator[Events]:  # fmt: skip
    """Yield the events of the kinds that `wanted` has a bit for, in order, from one instruction up to another one.

    `state`: where to begin, in the chunk with which the streams go on; else they are at their beginning.

    Raises TraceDamaged.
    """
    run = PathRun(streams, state, plainly)
    records = run.code.records
    room = max(ROOM, int(records["a"][np.isin(records["op"], (Op.FETCH, Op.PART))].max(initial=0)))
    nothing = room_for(0)
    halt = Halt.MORE
    while run.state.instructions < start and halt in _GOING_ON:
        halt, _ = run.advance(nothing, 0, start)
    while halt in _GOING_ON or (halt == Halt.STOP and run.state.instructions < stop):
        out = room_for(room)
        halt, count = run.advance(out, wanted, stop)
        if count:
            yield out.first(count)


_GOING_ON = (Halt.MORE, Halt.FULL)


def _end(streams: Streams, state: State, code: PathCode, words: Words) -> int:
    """Return how many instructions a run had executed that did not end by itself; the streams have been read to their end.

    From here on nothing is decided, so no instruction is executed twice.  The run ended in the instruction that refers to the
    address `accessed`, which is the one of the last word, or at the RTL `site`.
    """
    end = streams.end
    accessed, site = int(end.get("accessed", -1)), int(end.get("site", -1))
    last = code.records[state.place - 1] if state.place else code.records[0]
    if len(words) and last["op"] in (Op.RECORDED, Op.KEPT) and (accessed == int(words[-1]) or site == last["site"]):
        return state.instructions
    rest = replace(state, stack=state.stack.copy(), contexts=state.contexts.copy(), control=0, words=0)
    nothing = room_for(0)
    out = room_for(ROOM)
    before = state.instructions
    count = PlainRegenerator(code).run(rest, nothing.kinds, nothing.sites, out, _REFERENCES, NEVER, 0, False)[1]
    executed = np.cumsum(out.kinds[:count] == FETCHED)
    if accessed >= 0:
        made = (out.kinds[:count] != FETCHED) & (out.addresses[:count] <= accessed)
        found = np.flatnonzero(made & (accessed < out.addresses[:count] + out.sizes[:count]))
        if len(found):
            return before + int(executed[found[0]])
    at = np.flatnonzero((out.kinds[:count] == FETCHED) & (out.sites[:count] == site))
    if len(at):
        return before + int(executed[at[0]]) - (not end.get("done", False))
    return before if site < 0 else rest.instructions


_REFERENCES = 7
