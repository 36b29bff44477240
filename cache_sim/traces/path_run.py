"""Regenerate what a program did along its path: the code of a trace goes through its streams, chunk by chunk."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from cache_sim.traces.container import TraceDamaged
from cache_sim.traces.native import Regenerator
from cache_sim.traces.plain import PlainRegenerator
from cache_sim.traces.reader import Streams
from cache_sim.traces.regeneration import FETCHED, Events, Halt, Op, PathCode, State, Words, room_for

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
                raise TraceDamaged("the streams do not fit the code")
            self._take_chunk()
        if halt == Halt.WRONG:
            raise TraceDamaged("the streams do not fit the code")
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
