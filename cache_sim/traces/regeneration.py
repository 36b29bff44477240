"""What regenerating a trace takes and gives: chunks of its streams, code, the state of the machine, arrays of events."""

from __future__ import annotations

import struct
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any

import numpy as np
import zstandard

from cache_sim.traces.container import TraceDamaged, section

# ----------------------------------------------------------------------------------------------------------------------
# The code that regenerates a trace: what the program refers to along its path, as records for a small machine.
#
# The machine has a place in the code, a stack of activations with slots for bases of addresses, and reads two streams:
# control, one byte for each decision, and words, which are addresses.  docs/traces.md describes each record.


RECORD = np.dtype(
    [("op", "u1"), ("kind", "u1"), ("size", "<u2"), ("a", "<u4"), ("value", "<u8"), ("site", "<u4"), ("b", "<u4")], align=False
)


class Op(IntEnum):
    """What a record does; a, b, value, size, kind and site are its fields."""

    END = 0  # the code ends here: nothing may come to it
    FETCH = 1  # `a` instructions of `size` bytes, the first at `value`; their sites are consecutive
    PART = 2  # the same, of what is fetched but counts as no instruction
    REFER = 3  # a reference of `kind` and `size` to the address `value`
    RECORDED = 4  # a reference to the address that is the next word
    KEPT = 5  # the same; slot `a` takes the address minus `value`
    DERIVED = 6  # a reference to slot `a` plus `value`
    GUARD = 7  # skip `a` records if the next control byte is 0
    SYSTEM = 8  # a system call
    SET = 9  # slot `a` takes `value`
    COPY = 10  # slot `a` takes slot `b` plus `value`
    LOAD = 11  # slot `a` takes the next word
    JUMP = 12  # go to record `a`
    BRANCH = 13  # go to record `a` if the next control byte is 1
    TEST = 14  # read the control byte of the next DECIDE
    DECIDE = 15  # go to record `a` if the byte that TEST read is 1
    TARGET = 16  # read the word to which the next indirect jump or call goes
    CALL = 17  # call the function whose code begins at record `a`
    CALL_INDIRECT = 18  # call the function at the address that TARGET read
    JUMP_INDIRECT = 19  # go on at the address that TARGET read, one of `b` entries of the jump table from entry `a` on
    ENTER = 20  # a function begins; it has `a` slots
    NOTE = 21  # read a control byte, which is 0: each cycle of control has such a record, or decides something
    RETURN = 22
    SAVE = 23  # a return that may happen again: the next word is the stack pointer
    RESUME = 24  # return from the last SAVE with the same two words, which are read: address and stack pointer
    BLOCK = 25  # basic block `a` begins
    ADD = 26  # slot `b` is added to slot `a`


# Kinds of records that are regenerated: those of references (`cache_sim.results.Kind`), and more.
READ, WRITE, FETCHED, BLOCK, BRANCH, TRANSFER, SYSTEM = range(7)

Records = np.ndarray[Any, Any]  # of RECORD


# ----------------------------------------------------------------------------------------------------------------------
# What regenerating a trace takes and gives: the code, the state of the machine that executes it, arrays of what comes out.


Words = np.ndarray[Any, Any]
STACK = 1 << 22  # words: the deepest stack of activations
CONTEXTS = 4096  # places to which a program may jump back at once


class Halt(IntEnum):
    """Why regeneration pauses."""

    MORE = 0  # the next control byte or word is not there yet
    FULL = 1  # there is no room for what comes out
    STOP = 2  # as many instructions as wanted
    DRY = 3  # the last control byte and the last word have been read
    EXITED = 4  # the program has ended by its last system call
    WRONG = 5  # the streams do not fit the code


@dataclass(frozen=True, slots=True)
class PathCode:
    """The code of a program: records, the jump table and the entries of functions (address and record each), the first record.

    `bits` is the size of addresses.
    """

    records: Records
    jumps: Words
    entries: Words
    start: int
    bits: int


@dataclass(slots=True)
class State:
    """Where regeneration has got to.  `stack` has the slots of activations; `contexts` the places for RESUME.

    An activation is the record to return to, the base of its caller, and its slots, from `base` on; `top` is the end.
    """

    place: int
    top: int = 0
    base: int = 0
    done: int = 0  # of the fetches of the record at `place`
    instructions: int = 0
    systems: int = 0  # system calls
    test: int = 0
    target: int = 0
    control: int = 0  # of the streams, how much has been read
    words: int = 0
    saved: int = 0  # contexts
    stack: Words = field(default_factory=lambda: np.zeros(STACK, np.uint64))
    contexts: Words = field(default_factory=lambda: np.zeros((CONTEXTS, 5), np.uint64))


@dataclass(frozen=True, slots=True)
class Events:
    """What came out: kinds (as above), addresses, sizes and sites, arrays of one length.

    Of a block, the address and size are those of its first RTL and how many it has; of a branch, the size is 1 if it was
    taken; of another transfer, the address is where it goes.
    """

    kinds: Words
    addresses: Words
    sizes: Words
    sites: Words

    def __len__(self) -> int:
        return len(self.kinds)

    def first(self, count: int) -> Events:
        """Return the first so many."""
        return Events(self.kinds[:count], self.addresses[:count], self.sizes[:count], self.sites[:count])


def room_for(count: int) -> Events:
    """Return arrays for so many events."""
    return Events(np.empty(count, np.uint8), *(np.empty(count, np.uint64) for _ in range(3)))


# ----------------------------------------------------------------------------------------------------------------------
# Chunks of the two streams of a trace: decisions, and words, which are addresses.


_CHUNK = struct.Struct("<III")  # number, bytes of control, bytes of words


def chunk(number: int, control: bytes, words: bytes, compressor: zstandard.ZstdCompressor | None = None) -> bytes:
    """Return the section of a chunk of the streams: its number, one bit a decision, the words."""
    bits = np.packbits(np.frombuffer(control, np.uint8), bitorder="little").tobytes()
    return section("DATA", _CHUNK.pack(number, len(control), len(words)) + bits + words, compressor)


def read_chunk(content: bytes, bits: int) -> tuple[int, Words, Words]:
    """Return number, decisions (a byte each) and words of a chunk; `bits` is the size of addresses.

    Raises TraceDamaged.
    """
    if len(content) < _CHUNK.size:
        raise TraceDamaged("a chunk has another size than it says")
    number, decisions, size = _CHUNK.unpack_from(content)
    packed = -(-decisions // 8)
    if len(content) != _CHUNK.size + packed + size or size % (bits // 8):
        raise TraceDamaged("a chunk has another size than it says")
    control = np.unpackbits(np.frombuffer(content, np.uint8, packed, _CHUNK.size), count=decisions, bitorder="little")
    words = np.frombuffer(content, np.dtype(f"<u{bits // 8}"), size // (bits // 8), _CHUNK.size + packed)
    return number, control, words.astype(np.uint64)
