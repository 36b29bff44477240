"""Compare each fetch and each reference to data of a run with what the emulator's plugin tells (`ease.run.verify`).

Both are streams of references.  They are compared by instructions: a fetch, and the references to data behind it.  An emulator
may refer to data in other pieces or in another order within an instruction, so of data the bytes are compared, by kind.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import IO, Any, NamedTuple

import numpy as np

from cache_sim.traces.regeneration import FETCHED, READ, WRITE, Events
from cache_sim.traces.trace_file import TraceFile
from vpo.program import Program
from vpo.rtl import BITS
from vpo.system.address_space import initial_stack

Numbers = np.ndarray[Any, Any]
AT_ONCE = 1 << 16  # instructions
RECORD = np.dtype([("address", "<u8"), ("what", "<u8")])  # as ease/count_plugin.c has it
NAMES = {FETCHED: "fetch", READ: "read", WRITE: "write"}


class References(NamedTuple):
    """References in order, as arrays."""

    kinds: Numbers
    addresses: Numbers
    sizes: Numbers

    def those(self, which: Any) -> References:
        """Return some of them."""
        return References(*(column[which] for column in self))


NOTHING = References(*(np.empty(0, type_) for type_ in (np.uint8, np.uint64, np.uint64)))


def told_by_emulator(stream: IO[bytes]) -> Iterator[References]:
    """Yield the references that the emulator's plugin writes."""
    while content := stream.read(AT_ONCE * RECORD.itemsize):
        read = np.frombuffer(content[: len(content) // RECORD.itemsize * RECORD.itemsize], RECORD)
        yield References((read["what"] & 0xFF).astype(np.uint8), read["address"], read["what"] >> np.uint64(8))


def told_by_trace(parts: Iterable[Events]) -> Iterator[References]:
    """Yield the references of a trace."""
    for part in parts:
        yield References(part.kinds, part.addresses, part.sizes)


class _ByInstructions:
    """A stream that is read by instructions, without those fetched at some addresses, and the data of `untold` ones."""

    def __init__(self, parts: Iterator[References], ignored: Numbers, untold: Numbers, begun_twice: Numbers) -> None:
        self.parts, self.rest, self.ignored, self.untold, self.begun_twice = parts, NOTHING, ignored, untold, begun_twice
        self.last = 0  # address of the last fetch
        self.ignoring = self.silent = False  # what is fetched there, its data

    def take(self, count: int) -> References:
        """Return the next so many instructions, fewer at the end of the stream."""
        while (self.rest.kinds == FETCHED).sum() <= count and (part := next(self.parts, None)) is not None:
            self.rest = References(*map(np.concatenate, zip(self.rest, self._wanted(part), strict=True)))
        fetches = np.flatnonzero(self.rest.kinds == FETCHED)
        end = fetches[count] if len(fetches) > count else len(self.rest.kinds)
        taken, self.rest = self.rest.those(slice(0, end)), self.rest.those(slice(end, None))
        return taken

    def _wanted(self, part: References) -> References:
        """Leave out ignored instructions, and the first of two fetches where an instruction may begin twice."""
        is_fetch = part.kinds == FETCHED
        fetched = part.addresses[is_fetch]
        before = np.concatenate([[np.uint64(self.last)], fetched])
        again = np.isin(fetched, self.begun_twice) & (fetched == before[:-1])
        ignored = np.concatenate([[self.ignoring], np.isin(fetched, self.ignored)])
        silent = np.concatenate([[self.silent], np.isin(fetched, self.untold)])
        self.last, self.ignoring, self.silent = before[-1], bool(ignored[-1]), bool(silent[-1])
        number = np.cumsum(is_fetch)
        out = ignored[number] | (silent[number] & ~is_fetch)
        out[is_fetch] |= again
        return part.those(~out)


class ReferenceComparison:
    """Compares two streams; `difference` says in words where they differ first, `counts` how many were equal, by kind.

    The emulator's stack is elsewhere: its frames are at one distance from ours, and what Linux puts on it at others.
    """

    def __init__(self, program: Program, arguments: Sequence[str]) -> None:
        self.program, self.difference = program, ""
        self.counts = dict.fromkeys(NAMES.values(), 0)
        self.mask = np.uint64((1 << BITS[program.machine.address_type]) - 1)
        self.parts = _parts_of_stack(program, arguments)
        self.distances: dict[int, int] = {}

    def watcher(self, trace: str) -> Callable[[IO[bytes]], None]:
        """Return what compares the trace in a file with what an emulator writes."""
        return lambda stream: self.compare(told_by_trace(TraceFile(trace).events()), told_by_emulator(stream))

    @property
    def equal(self) -> str:
        """What was equal, in words."""
        fetches, reads, writes = self.counts.values()
        return f"; {fetches:,} fetches, {reads:,} reads and {writes:,} writes are equal"

    def compare(self, ours: Iterator[References], theirs: Iterator[References]) -> None:
        """Compare the streams up to the first difference."""
        streams = self._streams(ours, theirs)
        while not self.difference:
            mine, real = (stream.take(AT_ONCE) for stream in streams)
            if not len(mine.kinds) and not len(real.kinds):
                return
            self._compare(mine, real)

    def _streams(self, ours: Iterator[References], theirs: Iterator[References]) -> tuple[_ByInstructions, _ByInstructions]:
        page, machine = self.program.machine.toolchain.annulled_page, self.program.machine
        fetched = [each for name in self.program.functions for each in self.program.fetched[name]]
        rtls = [rtl for function in self.program.functions.values() for rtl in function.rtls()]
        page_starts = _addresses(start for start, _ in fetched if page and start % page == 0)
        placed = [(rtl, start) for rtl, (start, _) in zip(rtls, fetched, strict=True)]
        moves = _addresses(start for rtl, start in placed if machine.window_move(rtl.effects))
        untold = _addresses(start for rtl, start in placed if machine.record(rtl).name in machine.toolchain.untold)
        mine = _ByInstructions(ours, page_starts, untold, _addresses(()))
        return mine, _ByInstructions(theirs, page_starts, untold, moves)

    def _compare(self, ours: References, theirs: References) -> None:
        ours = ours._replace(addresses=ours.addresses & self.mask)
        self._compare_fetches(ours.those(ours.kinds == FETCHED), theirs.those(theirs.kinds == FETCHED))
        if self.difference:
            return
        theirs = self._moved(ours, theirs)
        mine, real = _bytes(ours), _bytes(theirs)
        places = np.flatnonzero((mine[: len(real)] != real[: len(mine)]).any(axis=1))
        first = int(places[0]) if len(places) else min(len(mine), len(real))
        if first < max(len(mine), len(real)):
            number = min(int(found[first][0]) for found in (mine, real) if first < len(found))
            self._differs(number, ours, theirs)
        for kind, name in NAMES.items():
            self.counts[name] += int((ours.kinds == kind).sum())

    def _compare_fetches(self, ours: References, theirs: References) -> None:
        """Compare the fetches of two pieces."""
        both = min(len(ours.kinds), len(theirs.kinds))
        sizes, real = ours.sizes[:both], theirs.sizes[:both]
        right = sizes == real
        if page := self.program.machine.toolchain.lookahead_page:
            right |= (real > sizes) & ((theirs.addresses[:both] + real) % np.uint64(page) == 0)
        same = (ours.addresses[:both] == theirs.addresses[:both]) & right
        number = both if same.all() else int(np.flatnonzero(~same)[0])
        if number < max(len(ours.kinds), len(theirs.kinds)):
            self._differs(number, ours, theirs)

    def _moved(self, ours: References, theirs: References) -> References:
        """Return the emulator's references with those to the stack where ours are."""
        addresses, (starts, where) = theirs.addresses.copy(), _counterparts(ours, theirs)
        for number, (low, high) in enumerate(pairwise(self.parts)):
            found = np.flatnonzero((where >= low) & (where < high) & (theirs.kinds != FETCHED))
            if len(found):
                first = found[0]
                distance = self.distances.setdefault(number, int(where[first]) - int(starts[first]))
                addresses[found] += np.uint64(distance % (1 << 64))
        return theirs._replace(addresses=addresses & self.mask)

    def _differs(self, number: int, ours: References, theirs: References) -> None:
        """Say what the two have of the instruction of a number."""
        mine, real = (_instruction(each, number) for each in (ours, theirs))
        executed = self.counts["fetch"] + number
        where = self._named(int((mine if len(mine.kinds) else real).addresses[0]))
        self.difference = (
            f"instruction {executed + 1:,} of the run{where}: the real machine has {_told(real)}, ease has {_told(mine)}"
        )

    def _named(self, address: int) -> str:
        """Return the instruction at an address in words."""
        for name, function in self.program.functions.items():
            for rtl, (start, end) in zip(function.rtls(), self.program.fetched[name], strict=True):
                if start == address and end > start:
                    return f", `{self.program.machine.record(rtl).assembly}` in {name[1:]}"
        return ""


def _parts_of_stack(program: Program, arguments: Sequence[str]) -> list[int]:
    """Return the ends of the parts of the stack: frames, the vector of arguments, and their strings."""
    machine, stack = program.machine, initial_stack(program, arguments)
    size = BITS[machine.address_type] // 8
    pointer = stack.content[stack.vector - stack.address :][:size]
    strings = int.from_bytes(pointer, "big" if machine.big_endian else "little")
    return [machine.layout.stack_low, *sorted((stack.pointer, strings, stack.vector - size)), machine.layout.stack_top]


def _counterparts(ours: References, theirs: References) -> tuple[Numbers, Numbers]:
    """Return for each of the emulator's references an address that it has, and the one that ours have for that.

    Where the pieces are others, these are the lowest ones of the same kind in the same instruction; 0 if we have none.
    """
    if np.array_equal(ours.kinds, theirs.kinds):
        return theirs.addresses, ours.addresses
    wanted = _keys(theirs)
    return _lowest(theirs, wanted), _lowest(ours, wanted)


def _keys(found: References) -> Numbers:
    """Return a number for each reference that tells its instruction and its kind."""
    return (np.cumsum(found.kinds == FETCHED) << 2) + found.kinds


def _lowest(found: References, wanted: Numbers) -> Numbers:
    """Return the lowest address with each of the wanted keys, 0 where there is none."""
    keys = _keys(found)
    order = np.lexsort((found.addresses, keys))
    known, first = np.unique(keys[order], return_index=True)
    place = np.minimum(np.searchsorted(known, wanted), len(known) - 1)
    return np.where(known[place] == wanted, found.addresses[order][first[place]], np.uint64(0))


def _addresses(found: Iterable[int]) -> Numbers:
    return np.array(sorted(set(found)), np.uint64)


def _bytes(found: References) -> Numbers:
    """Return the bytes of data: rows of the number of the instruction, the kind and the address, sorted."""
    instructions = np.cumsum(found.kinds == FETCHED) - 1
    data = found.kinds != FETCHED
    sizes = found.sizes[data].astype(np.int64)
    offsets = np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    columns = [np.repeat(each[data].astype(np.int64), sizes) for each in (instructions, found.kinds, found.addresses)]
    columns[2] += offsets
    order = np.lexsort(columns[::-1])
    return np.stack([column[order] for column in columns], 1)


def _instruction(found: References, number: int) -> References:
    """Return the references of an instruction."""
    return found.those(np.cumsum(found.kinds == FETCHED) == number + 1)


def _told(found: References) -> str:
    """Return references in words."""
    texts = [
        f"{NAMES[int(kind)]} of {size} at {int(address):#x}" for kind, address, size in zip(*found, strict=True)
    ]
    return ", ".join(texts) or "none"
