"""The code that regenerates a trace: what the program refers to along its path, as records for a small machine.

The machine has a place in the code, a stack of activations with slots for bases of addresses, and reads two streams: control,
one byte for each decision, and words, which are addresses.  docs/traces.md describes each record.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any

import numpy as np

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
