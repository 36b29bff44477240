"""What regenerating a trace takes and gives: the code, the state of the machine that executes it, arrays of what comes out."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any

import numpy as np

from cache_sim.traces.path_code import Records

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
    """What came out: kinds (`path_code`), addresses, sizes and sites, arrays of one length.

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
