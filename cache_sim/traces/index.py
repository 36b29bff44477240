"""The index of a trace: states of what regenerates it, every so many instructions, so that reading can begin at any of them.

It is the section `INDX` (docs/traces.md); traces without one are regenerated from their beginning.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO

import numpy as np

from cache_sim.traces.container import TraceDamaged, read_section, section, section_places
from cache_sim.traces.reader import NEVER, PathRun, Streams, open_streams
from cache_sim.traces.regeneration import CONTEXTS, STACK, Halt, PathCode, State, room_for

KIND = "INDX"
EVERY = 1 << 22  # instructions: a hundredth of a second or so
_HEAD = struct.Struct("<QQ")  # instructions from one state to the next, number of states
_STATE = struct.Struct("<13Q")  # place of the chunk in the file, its number, then the fields of a State
_FIELDS = ("control", "words", "place", "top", "base", "done", "instructions", "systems", "test", "target", "saved")
_CONTEXT = 5  # words of a context


@dataclass(frozen=True, slots=True)
class Position:
    """Where regeneration can begin: the place of a chunk in the file, its number, and the state within it."""

    offset: int
    chunk: int
    state: State


def index_section(file: IO[bytes], every: int = EVERY) -> bytes:
    """Regenerate the trace in a file that can be read at any place, and return the section with its index.

    Raises TraceDamaged.
    """
    places = [offset for kind, offset in section_places(file) if kind == "DATA"]
    file.seek(0)
    states = []
    for chunk, state in _states(open_streams(file), every):
        fields = (getattr(state, name) for name in _FIELDS)
        stack, contexts = state.stack[: state.top], state.contexts[: state.saved]
        states.append(_STATE.pack(places[chunk], chunk, *map(int, fields)) + stack.tobytes() + contexts.tobytes())
    return section(KIND, _HEAD.pack(every, len(states)) + b"".join(states))


def _states(streams: Streams, every: int) -> Iterator[tuple[int, State]]:
    """Yield the number of the chunk and the state after each so many instructions, as far as the path is decided."""
    run, nothing = PathRun(streams), room_for(0)
    while True:
        mark = (run.state.instructions // every + 1) * every
        halt, _ = run.advance(nothing, 0, mark)
        if run.ends < NEVER or halt == Halt.EXITED:
            return
        if halt == Halt.STOP:
            yield run.chunk, run.state


def position_before(file: IO[bytes], code: PathCode, instruction: int) -> Position | None:
    """Return the last position of the index that is not behind an instruction; None if there is no index, or none such.

    Raises TraceDamaged.
    """
    found = [offset for kind, offset in section_places(file) if kind == KIND]
    if not found:
        return None
    file.seek(found[-1])
    content = read_section(file).content
    try:
        at = _last_before(content, instruction)
        best = None if at is None else _position(content, at)
    except (struct.error, ValueError):
        raise TraceDamaged("the index has another size than it says") from None
    if best is not None:
        _check(best.state, code)
    return best


def _last_before(content: bytes, instruction: int) -> int | None:
    """Return where in an index the last state begins that is not behind an instruction.

    Raises ValueError, struct.error for an index that is damaged.
    """
    _, count = _HEAD.unpack_from(content)
    at, best = _HEAD.size, None
    for _ in range(count):
        _, _, *values = _STATE.unpack_from(content, at)
        fields = dict(zip(_FIELDS, values, strict=True))
        end = at + _STATE.size + 8 * (fields["top"] + _CONTEXT * fields["saved"])
        if fields["top"] > STACK or fields["saved"] > CONTEXTS or end > len(content):
            raise ValueError
        if fields["instructions"] > instruction:
            break
        best, at = at, end
    return best


def _position(content: bytes, at: int) -> Position:
    """Return the position that begins at a place of an index."""
    offset, chunk, *values = _STATE.unpack_from(content, at)
    at += _STATE.size
    fields = dict(zip(_FIELDS, values, strict=True))
    top, saved = fields["top"], fields["saved"]
    state = State(**fields)
    state.stack[:top] = np.frombuffer(content, "<u8", top, at)
    state.contexts[:saved] = np.frombuffer(content, "<u8", saved * _CONTEXT, at + 8 * top).reshape(saved, _CONTEXT)
    return Position(offset, chunk, state)


def _check(state: State, code: PathCode) -> None:
    """Raise TraceDamaged for a state that leads out of the code or its stack."""
    records, slots = len(code.records), int(code.records["a"].max(initial=0))
    contexts = state.contexts[: state.saved].astype(np.int64)
    wrong = (
        state.place >= records or state.base > state.top or contexts[:, 2].max(initial=0) >= records
        or contexts[:, 3:].max(initial=0) > STACK - 2 or state.done > slots
    )  # fmt: skip
    base = state.base
    while base and not wrong:
        place, caller = (int(word) for word in state.stack[base - 2 : base]) if base > 1 else (records, 0)
        wrong, base = place >= records or caller >= base, caller
    if wrong:
        raise TraceDamaged("the index leads out of the code that regenerates the trace")
