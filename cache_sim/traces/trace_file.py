"""A trace in a file: its facts, and what the program did, in chunks of NumPy arrays."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import cached_property
from pathlib import Path
from typing import IO, Any

import numpy as np

from cache_sim.results import Kind
from cache_sim.trace import Trace, trace_of
from cache_sim.traces.container import Section, TraceDamaged, static_of
from cache_sim.traces.index import position_before
from cache_sim.traces.reader import EVERYTHING, Streams, open_streams, regenerate
from cache_sim.traces.regeneration import BLOCK, BRANCH, FETCHED, READ, SYSTEM, TRANSFER, WRITE, Events, Op, State, Words

KINDS = {
    "read": READ, "write": WRITE, "fetch": FETCHED, "block": BLOCK, "branch": BRANCH, "transfer": TRANSFER, "system": SYSTEM,
}  # fmt: skip
REFERENCES = ("fetch", "read", "write")


class TraceFile:
    """A trace; a file, or a stream that can be read once, such as a pipe.

    Its methods raise TraceDamaged for a file that is no trace or a damaged one, OSError for one that cannot be read.
    """

    def __init__(self, source: str | Path | IO[bytes]) -> None:
        if isinstance(source, str | Path) and Path(source).is_fifo():
            source = open(source, "rb")  # noqa: SIM115 - what a pipe brings comes once
        self.source = source
        self.streams: Streams | None = None  # of the last time that it was read
        self._begun: Streams | None = None  # of a stream of which nothing but the head has been read

    @contextmanager
    def opened(self) -> Iterator[Streams]:
        """Open the file and read what stands before its chunks; a stream can be opened once."""
        with ExitStack() as stack:
            file = self.source
            if isinstance(file, str | Path):
                file = stack.enter_context(open(file, "rb"))
            self.streams, self._begun = self._begun or open_streams(file), None
            yield self.streams

    @cached_property
    def _head(self) -> tuple[dict[str, Any], bytes]:
        """What stands before the chunks: the facts, and the static half."""
        with self.opened() as streams:
            if not isinstance(self.source, str | Path):
                self._begun = streams
            return streams.facts, streams.parts["SITE"]

    @property
    def facts(self) -> dict[str, Any]:
        """What the file says of itself: machine, size of addresses, program, options, kinds of events, and so on."""
        return self._head[0]

    @cached_property
    def static(self) -> dict[str, Any]:
        """What each RTL and block is (docs/traces.md); empty if the trace came from elsewhere."""
        return static_of(Section("SITE", self.static_text))

    @property
    def static_text(self) -> bytes:
        """The static half as JSON text."""
        return self._head[1]

    @cached_property
    def whole(self) -> Streams:
        """All parts of the file but its chunks, read to the end; of a stream, when all of it has been read."""
        if self.streams is not None and self.streams.read:
            return self.streams
        with self.opened() as streams:
            for _ in streams.contents("DATA"):
                pass
            return streams

    @property
    def end(self) -> dict[str, Any]:
        """How the run ended, and its totals; empty for a file that was cut short."""
        return self.whole.end

    @cached_property
    def uncounted(self) -> Words:
        """The sites of what is fetched and counts as no instruction, such as masks of registers."""
        if self.facts.get("form", "path") != "path" or self.streams is None:
            return np.empty(0, np.uint64)
        records = self.streams.code().records
        parts = records[records["op"] == Op.PART]
        known = len(self.static.get("type", ()))
        ends = np.minimum(parts["site"].astype(np.int64) + parts["a"], known).tolist()
        ranges = [np.arange(first, end) for first, end in zip(parts["site"].tolist(), ends, strict=True)]
        return np.concatenate([np.empty(0), *ranges]).astype(np.uint64)

    @property
    def calls(self) -> list[list[Any]]:
        """The system calls of the run in order: name, six arguments, result (None: it ended the program)."""
        return self.whole.calls

    @property
    def cut(self) -> bool:
        """Whether the file, as far as it was read last, ends before the trace does."""
        return self.streams is not None and self.streams.cut

    def events(
        self, kinds: tuple[str, ...] = REFERENCES, start: int = 0, count: int | None = None, plainly: bool = False
    ) -> Iterator[Events]:
        """Yield the events of some kinds, in order, of `count` instructions from the one of number `start` on.

        Raises ValueError for a kind that there is not; else as the class.
        """
        wanted = 0
        for kind in kinds:
            if kind not in KINDS:
                raise ValueError(f"there are no events '{kind}' (there are {', '.join(KINDS)})")
            wanted |= 1 << KINDS[kind]
        stop = EVERYTHING if count is None else start + count
        with self.opened() as streams:
            if streams.facts.get("form") == "list":
                from cache_sim.traces.listed import listed_events  # a form like any other; forms read TraceFiles

                yield from listed_events(streams, wanted, start, stop)
            else:
                _check_data(streams, kinds)
                yield from regenerate(streams, wanted, start, stop, plainly, self._go_to(streams, start))

    def _go_to(self, streams: Streams, start: int) -> State | None:
        """If there is an index, go on with the chunk that has an instruction; return the state there."""
        if not start or not isinstance(self.source, str | Path):
            return None
        with open(self.source, "rb") as file:
            found = position_before(file, streams.code(), start)
        if found is None:
            return None
        streams.go_to(found.offset, found.chunk)
        return found.state

    def references(self, start: int = 0, count: int | None = None) -> Iterator[Trace]:
        """Yield the references as the cache simulators take them."""
        for found in self.events(start=start, count=count):
            yield trace_of(found.kinds, found.addresses, np.maximum(found.sizes, 1), found.sites)

    def instructions(self, start: int = 0, count: int | None = None) -> Iterator[np.ndarray[Any, Any]]:
        """Yield the numbers of the RTLs that were executed as instructions."""
        for found in self.events(("fetch",), start, count):
            yield found.sites


def _check_data(streams: Streams, kinds: tuple[str, ...]) -> None:
    if not streams.facts.get("data", True) and {"read", "write"} & set(kinds):
        raise TraceDamaged("this trace has no references to data; record one with -trace execution or -trace cache")


def load_trace(file: str | Path | IO[bytes]) -> Trace:
    """Return all references of a trace at once."""
    parts = list(TraceFile(file).events())
    columns = [np.concatenate([getattr(part, name) for part in parts]) if parts else np.empty(0) for name in _COLUMNS]
    kinds, addresses, sizes, sites = columns
    return trace_of(kinds.astype(np.uint8), addresses, np.maximum(sizes, 1), sites)


_COLUMNS = ("kinds", "addresses", "sizes", "sites")
assert tuple(Kind) == (READ, WRITE, FETCHED)
