"""Records of 16 bytes an event, for consumers in C and the like: `ease_events.h` beside this file reads them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import IO

import numpy as np

from cache_sim.trace import TraceError
from cache_sim.traces.path_code import SYSTEM
from cache_sim.traces.regeneration import Events

RECORD = np.dtype([("address", "<u8"), ("site", "<u4"), ("size", "<u2"), ("kind", "u1"), ("zero", "u1")])
AT_ONCE = 1 << 16  # records
_LARGEST = (1 << 16) - 1


def write(chunks: Iterable[Events], out: IO[bytes]) -> None:
    """Write the events of a trace; sizes are 65,535 at most."""
    for events in chunks:
        records = np.zeros(len(events), RECORD)
        records["address"], records["site"], records["kind"] = events.addresses, events.sites, events.kinds
        records["size"] = np.minimum(events.sizes, _LARGEST)
        out.write(records.tobytes())


def read(file: IO[bytes], name: str, size: int) -> Iterator[Events]:
    """Yield the events of a file.

    Raises TraceError.
    """
    while content := file.read(AT_ONCE * RECORD.itemsize):
        if len(content) % RECORD.itemsize:
            raise TraceError(f"{name}: error: it ends within a record of {RECORD.itemsize} bytes")
        records = np.frombuffer(content, RECORD)
        if records["kind"].max(initial=0) > SYSTEM or records["zero"].any():
            raise TraceError(f"{name}: error: not records of events, as `ease trace convert` writes them")
        wide = (records[column].astype(np.uint64) for column in ("address", "size", "site"))
        yield Events(records["kind"].copy(), *wide)
