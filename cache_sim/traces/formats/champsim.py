"""Traces of the simulator ChampSim: a record of 64 bytes an instruction, with up to two addresses written and four read.

An instruction with more references takes several records.  Sizes are not told, nor are references to address 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import IO, Any

import numpy as np

from cache_sim.trace import TraceError
from cache_sim.traces.formats.references import by_instructions, events_of
from cache_sim.traces.path_code import BRANCH, FETCHED, READ, TRANSFER, WRITE
from cache_sim.traces.regeneration import Events, Words

RECORD = np.dtype([
    ("ip", "<u8"), ("is_branch", "u1"), ("taken", "u1"), ("to_registers", "u1", 2), ("from_registers", "u1", 4),
    ("written", "<u8", 2), ("read", "<u8", 4),
])  # fmt: skip
AT_ONCE = 1 << 15  # records
_FLAGS, _POINTER, _OTHER = 25, 26, 1  # registers; by those of flags and instruction pointer it knows kinds of branches
_MEMORY = ((WRITE, "written", 2), (READ, "read", 4))


def write(chunks: Iterable[Events], out: IO[bytes]) -> None:
    """Write the instructions of a trace; its events are fetches, references, branches and transfers."""
    for events, after in by_instructions(chunks):
        out.write(_records(events, after).tobytes())


def _records(events: Events, after: int | None) -> Any:
    """Return the records of whole instructions."""
    fetches = np.flatnonzero(events.kinds == FETCHED)
    owner = np.cumsum(events.kinds == FETCHED) - 1  # the number of the instruction to which an event belongs
    ranks = {kind: _ranks(events.kinds, owner, kind) for kind, _, _ in _MEMORY}
    needed = np.ones(len(fetches), np.int64)
    for kind, _, room in _MEMORY:
        which, rank = ranks[kind]
        np.maximum.at(needed, owner[which], rank // room + 1)
    last = np.cumsum(needed) - 1
    records = np.zeros(int(last[-1]) + 1, RECORD)
    records["ip"] = np.repeat(events.addresses[fetches], needed)
    for kind, name, room in _MEMORY:
        which, rank = ranks[kind]
        of = owner[which]
        records[name][last[of] - needed[of] + 1 + rank // room, rank % room] = events.addresses[which]
    _mark_branches(records, events, fetches, owner, last, after)
    return records


def _ranks(kinds: Words, owner: Words, kind: int) -> tuple[Words, Words]:
    """Return where references of a kind are, and the number of each among those of its instruction."""
    which = np.flatnonzero(kinds == kind)
    of = owner[which]
    starts = np.flatnonzero(np.r_[True, of[1:] != of[:-1]]) if len(of) else of
    lengths = np.diff(np.r_[starts, len(of)])
    return which, np.arange(len(of)) - np.repeat(starts, lengths)


def _mark_branches(records: Any, events: Events, fetches: Words, owner: Words, last: Words, after: int | None) -> None:
    """Say which instructions are branches: those that decide, and others behind which control goes on elsewhere.

    Where a machine has delay slots, control goes on elsewhere behind the slot of a branch that has been marked already.
    """
    count = len(fetches)
    begins, sizes = events.addresses[fetches], events.sizes[fetches]
    follows = np.r_[begins[1:], np.uint64((after if after is not None else int(begins[-1]) + int(sizes[-1])) & _WORD)]
    conditional, indirect, taken = (np.zeros(count, bool) for _ in range(3))
    decided = np.flatnonzero(events.kinds == BRANCH)
    conditional[owner[decided]] = True
    taken[owner[decided]] = events.sizes[decided] > 0
    indirect[owner[np.flatnonzero(events.kinds == TRANSFER)]] = True
    taken |= indirect
    slot = np.r_[False, taken[:-1]]
    jump = (follows != begins + sizes) & ~conditional & ~indirect & ~slot
    taken |= jump
    records["is_branch"][last] = conditional | indirect | jump
    records["taken"][last] = taken
    records["to_registers"][last, 0] = np.where(conditional | indirect | jump, _POINTER, 0)
    records["from_registers"][last, 0] = np.where(conditional | jump, _POINTER, np.where(indirect, _OTHER, 0))
    records["from_registers"][last, 1] = np.where(conditional, _FLAGS, 0)


_WORD = (1 << 64) - 1


def read(file: IO[bytes], name: str, size: int = 1) -> Iterator[Events]:
    """Yield fetches, reads and writes of a file of some name, each of `size` bytes.

    Raises TraceError.
    """
    while content := file.read(RECORD.itemsize * AT_ONCE):
        if len(content) % RECORD.itemsize:
            raise TraceError(f"{name}: error: its last record is cut short: it has to have {RECORD.itemsize} bytes")
        records = np.frombuffer(content, RECORD)
        addresses = np.column_stack([records["ip"], records["read"], records["written"]]).ravel()
        kinds = np.tile(np.repeat(np.array([FETCHED, READ, WRITE], np.uint8), (1, 4, 2)), len(records))
        there = (addresses != 0) | (kinds == FETCHED)
        yield events_of(kinds[there], addresses[there], size)
