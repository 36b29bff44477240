"""Traces of the simulator ChampSim: a record of 64 bytes an instruction, with up to two addresses written and four read.

An instruction with more references takes several records.  Sizes are not told, nor are references to address 0.  Which kind
of branch an instruction is, ChampSim tells by the registers that it names: stack pointer, flags and instruction pointer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import IO, Any

import numpy as np

from cache_sim.trace import TraceError
from cache_sim.traces.formats.references import by_instructions, events_of
from cache_sim.traces.regeneration import BRANCH, FETCHED, READ, TRANSFER, WRITE, Events, Words

RECORD = np.dtype([
    ("ip", "<u8"), ("is_branch", "u1"), ("taken", "u1"), ("to_registers", "u1", 2), ("from_registers", "u1", 4),
    ("written", "<u8", 2), ("read", "<u8", 4),
])  # fmt: skip
AT_ONCE = 1 << 15  # records
_STACK, _FLAGS, _POINTER, _OTHER = 6, 25, 26, 1  # registers, by which it knows kinds of branches
CALL, RETURN, JUMP = 1, 2, 3  # what the static half says of a site
_FREE = np.array([number for number in range(1, 256) if number not in (_STACK, _FLAGS, _POINTER)], np.uint8)
_MEMORY = ((WRITE, "written", 2), (READ, "read", 4))


class Registers:
    """What the static half of a trace says of registers and transfers by site; nothing if it is of another tool."""

    def __init__(self, static: Mapping[str, Any]) -> None:
        uses = static.get("uses", [])
        self.known = len(uses) > 0
        self.use = np.array(static.get("use", []), np.int64)
        self.transfer = np.array(static.get("transfer", []), np.int64)
        self.read = np.array([_padded(read, 4) for read, _ in uses], np.uint8).reshape(-1, 4)
        self.written = np.array([_padded(written, 2) for _, written in uses], np.uint8).reshape(-1, 2)


def _padded(registers: list[int], room: int) -> list[int]:
    """Return the numbers that ChampSim has for registers, of which the first is the stack pointer."""
    numbers = [int(_FREE[(number - 1) % len(_FREE)]) if number else _STACK for number in registers[:room]]
    return numbers + [0] * (room - len(numbers))


def write(chunks: Iterable[Events], static: Mapping[str, Any], out: IO[bytes]) -> None:
    """Write the instructions of a trace; its events are fetches, references, branches and transfers."""
    registers = Registers(static)
    for events, after in by_instructions(chunks):
        out.write(_records(events, after, registers).tobytes())


def _records(events: Events, after: int | None, registers: Registers) -> Any:
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
    transfer = np.zeros(len(fetches), np.int64)
    if registers.known:
        sites = events.sites[fetches].astype(np.int64)
        transfer, use = registers.transfer[sites], registers.use[sites]
        records["from_registers"], records["to_registers"] = (
            np.repeat(of[use], needed, 0) for of in (registers.read, registers.written)
        )
    _mark_branches(records, events, fetches, owner, last, after, transfer)
    return records


def _ranks(kinds: Words, owner: Words, kind: int) -> tuple[Words, Words]:
    """Return where references of a kind are, and the number of each among those of its instruction."""
    which = np.flatnonzero(kinds == kind)
    of = owner[which]
    starts = np.flatnonzero(np.r_[True, of[1:] != of[:-1]]) if len(of) else of
    lengths = np.diff(np.r_[starts, len(of)])
    return which, np.arange(len(of)) - np.repeat(starts, lengths)


def _mark_branches(
    records: Any, events: Events, fetches: Words, owner: Words, last: Words, after: int | None, transfer: Words
) -> None:
    """Say which instructions are branches: those that decide, that transfer control, or behind which it goes on elsewhere.

    Where a machine has delay slots, control goes on elsewhere behind the slot of a branch that has been marked already.
    """
    count = len(fetches)
    begins, sizes = events.addresses[fetches], events.sizes[fetches]
    follows = np.r_[begins[1:], np.uint64((after if after is not None else int(begins[-1]) + int(sizes[-1])) & _WORD)]
    conditional, indirect, taken = (np.zeros(count, bool) for _ in range(3))
    decided = np.flatnonzero(events.kinds == BRANCH)
    deciding = _of_branches(events, fetches, owner, decided)
    conditional[deciding] = True
    taken[deciding] = events.sizes[decided] > 0
    indirect[_of_branches(events, fetches, owner, np.flatnonzero(events.kinds == TRANSFER))] = True
    taken |= indirect | ((transfer > 0) & ~conditional)
    slot = np.r_[False, taken[:-1]]
    taken |= (follows != begins + sizes) & ~conditional & ~slot
    branch = conditional | taken
    records["is_branch"][last], records["taken"][last] = branch, taken
    calls, returns = branch & ~conditional & (transfer == CALL), branch & ~conditional & (transfer == RETURN)
    _name_registers(records, last, branch, conditional, indirect, calls, returns)


def _of_branches(events: Events, fetches: Words, owner: Words, which: Words) -> Words:
    """Return the numbers of the instructions of which events tell: the ones before, where they are told behind delay slots."""
    of: Words = owner[which]
    fetched, told = events.sites[fetches], events.sites[which]
    in_slot = (of > 0) & (fetched[of] != told) & (fetched[of - 1] == told)
    of[in_slot] -= 1
    return of


def _name_registers(
    records: Any, last: Words, branch: Words, conditional: Words, indirect: Words, calls: Words, returns: Words
) -> None:
    """Give branches the registers by which ChampSim knows their kind, in place of those that they have."""
    read, other = records["from_registers"], records["from_registers"][last, 0].copy()
    other[(other == 0) | (other == _STACK)] = _OTHER
    stack = np.where(calls | returns, _STACK, 0)
    computed = indirect & ~returns
    of_branch = np.column_stack([
        np.where(conditional | calls | (branch & ~indirect & ~returns), _POINTER, 0), np.where(conditional, _FLAGS, 0),
        stack, np.where(computed, other, 0),
    ])  # fmt: skip
    which = np.flatnonzero(branch)
    read[last[which]] = of_branch[which]
    records["to_registers"][last[which]] = np.column_stack([np.full(len(last), _POINTER), stack])[which]


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
