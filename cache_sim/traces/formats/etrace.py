"""Instruction traces of RISC-V ("Efficient Trace for RISC-V", E-Trace): what a decoder that has the program cannot infer.

A packet has the outcomes of branches since the last one, up to 31, and an address, if control came from a return or a computed
jump.  Tracing is of user mode: it ends at a system call, and starts anew behind it.  Written by the baseline algorithm of the
specification, with addresses of 64 bits in units of two bytes, differences to the last one; in front of each packet stands a
byte, 64 plus its length, as in the specification's reference flow.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import IO, Any

import numpy as np

from cache_sim.trace import TraceError
from cache_sim.traces.formats.references import by_instructions
from cache_sim.traces.regeneration import BRANCH, FETCHED, SYSTEM, TRANSFER, Events, Words

MESSAGE = 2 << 5  # in front of a packet of instructions, with its length
SUPPORT, START = ((3, 2), (3, 2)), ((3, 2), (0, 2))  # format and subformat: (value, bits)
MAPS = (1, 3, 7, 15, 31)  # bits of a map of branches
MOST = MAPS[-1]
UNIT, WIDTH = 1, 63  # addresses: bits that are not told, bits that are
ENDED_REPORTED, ENDED_ANYWAY = 1, 3  # why tracing ends: its last instruction was told for that, or would have been
RETURN = 2  # what the static half says of a site


def packet(*fields: tuple[int, int]) -> bytes:
    """Return a packet of fields (value, bits), the first in the lowest bits; equal bits at its upper end are left out."""
    value = bits = 0
    for number, width in fields:
        value |= (number & ((1 << width) - 1)) << bits
        bits += width
    value -= value >> (bits - 1) << bits
    length = (value ^ (value >> bits)).bit_length() // 8 + 1
    return bytes([MESSAGE | length]) + value.to_bytes(length, "little", signed=True)


def support(on: bool, status: int) -> bytes:
    """Return a packet that says whether tracing is on, and why it ended; no option is used."""
    return packet(*SUPPORT, (on, 1), (0, 1), (status, 2), (0, 5), (0, 1), (0, 1), (0, 4))


def write(chunks: Iterable[Events], static: Mapping[str, Any], out: IO[bytes]) -> None:
    """Write the path of a trace; its events are fetches, branches, transfers and system calls.

    Raises TraceError where branches have delay slots, which the format does not know, and for odd addresses.
    """
    encoder = _Encoder()
    returns = np.array(static.get("transfer", []), np.int64) == RETURN
    out.write(support(True, 0))
    for events, after in by_instructions(chunks):
        out.write(b"".join(encoder.packets(events, returns, after is None)))


class _Encoder:
    """What the last packet left to be told."""

    def __init__(self) -> None:
        self.branches = self.map = self.last = 0
        self.starts, self.computed = True, False

    def packets(self, events: Events, returns: Words, is_end: bool) -> Iterator[bytes]:
        """Yield the packets of whole instructions; `returns` tells which sites are."""
        fetches = np.flatnonzero(events.kinds == FETCHED)
        sites, addresses = events.sites[fetches].astype(np.int64), events.addresses[fetches]
        if (addresses & np.uint64(1)).any():
            raise TraceError("E-Trace has even addresses of instructions, and this trace has odd ones")
        decides, taken, computed, calls = (np.zeros(len(fetches), bool) for _ in range(4))
        owner = np.cumsum(events.kinds == FETCHED) - 1
        for kind, marked in ((BRANCH, decides), (TRANSFER, computed), (SYSTEM, calls)):
            which = np.flatnonzero(events.kinds == kind)
            if (events.sites[which].astype(np.int64) != sites[owner[which]]).any():
                raise TraceError("E-Trace knows no delay slots")
            marked[owner[which]] = True
            if kind == BRANCH:
                taken[owner[which]] = events.sizes[which] > 0
        if len(returns):
            computed |= returns[sites]
        ends = calls.copy()
        ends[-1] |= is_end
        target = np.r_[self.computed, computed[:-1]]
        start = np.r_[self.starts, ends[:-1]]
        self.computed, self.starts = bool(computed[-1]), bool(ends[-1])
        told = decides | ends | target | start
        columns = (column[told].tolist() for column in (addresses, decides, taken, target, start, ends))
        for address, *flags in zip(*columns, strict=True):
            yield from self._of_instruction(address, *flags)
        if is_end:
            yield support(False, 0)

    def _of_instruction(
        self, address: int, decides: bool, taken: bool, target: bool, start: bool, ends: bool
    ) -> Iterator[bytes]:
        """Yield what is told at an instruction: one that decides, was computed, or begins or ends what is traced."""
        if decides and not start:
            self.map |= (not taken) << self.branches
            self.branches += 1
        if start:
            self.last = address
            yield packet(*START, (not (decides and taken), 1), (0, 2), (address >> UNIT, WIDTH))
        elif target or ends:
            yield self._reported(address, target and ends)
        elif self.branches == MOST:
            yield packet((1, 2), (0, 5), (self.map, MOST))
            self.branches = self.map = 0
        if ends:
            yield support(True, ENDED_ANYWAY if target and not start else ENDED_REPORTED)

    def _reported(self, address: int, is_last: bool) -> bytes:
        """Return a packet with an address, and all branches until then."""
        away = (address - self.last) >> UNIT
        self.last = address
        told: list[tuple[int, int]] = [(2, 2)]
        if self.branches:
            told = [(1, 2), (self.branches, 5), (self.map, next(bits for bits in MAPS if bits >= self.branches))]
            self.branches = self.map = 0
        sign = away < 0  # the flags behind an address are told as differences to the bit before them
        return packet(*told, (away, WIDTH), (sign, 1), (sign ^ is_last, 1), (sign ^ is_last, 1))


def read(_file: IO[bytes], name: str, _size: int = 1) -> Iterator[Events]:
    """Say that such a trace is nothing without its program.

    Raises TraceError.
    """
    raise TraceError(f"{name}: error: an E-Trace tells only what its program does not, and is not read here")
