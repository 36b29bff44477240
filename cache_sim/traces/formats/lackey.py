"""The text of valgrind's tool lackey (--trace-mem=yes): I, L (load), S (store) or M (both), address and size a line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import IO

import numpy as np

from cache_sim.trace import TraceError
from cache_sim.traces.formats.references import events_of, references
from cache_sim.traces.formats.text_lines import pieces, text_to
from cache_sim.traces.path_code import FETCHED, READ, WRITE
from cache_sim.traces.regeneration import Events

_LINE = re.compile(r"(I | [LSM]) +([0-9a-fA-F]{1,16}),([1-9][0-9]{0,8})\s*$")
_MARKS = {READ: " L", WRITE: " S", FETCHED: "I "}
_KINDS = {"I ": (FETCHED,), " L": (READ,), " S": (WRITE,), " M": (READ, WRITE)}
_OF_VALGRIND = ("==", "--")  # lines begin so that are no records


def write(chunks: Iterable[Events], out: IO[bytes]) -> None:
    """Write the references of a trace."""
    with text_to(out) as text:
        for events in map(references, chunks):
            columns = (column.tolist() for column in (events.kinds, events.addresses, np.maximum(events.sizes, 1)))
            for kind, address, size in zip(*columns, strict=True):
                text.write(f"{_MARKS[kind]} {address:08x},{size}\n")


def read(file: IO[bytes], name: str, size: int = 1) -> Iterator[Events]:
    """Yield the references of a file of some name.

    Raises TraceError.
    """
    for first, lines in pieces(file):
        found: list[tuple[int, int, int]] = []
        for number, line in enumerate(lines, first):
            match = _LINE.match(line)
            if match:
                found += [(kind, int(match[2], 16), int(match[3])) for kind in _KINDS[match[1]]]
            elif not line.isspace() and not line.startswith(_OF_VALGRIND):
                said = f"'{line.rstrip()[:40]}': expected 'I ', ' L', ' S' or ' M', a hexadecimal address, a comma and a size"
                raise TraceError(f"{name}:{number}: error: {said}")
        columns = np.array(found, np.uint64).reshape(-1, 3)
        yield events_of(columns[:, 0], columns[:, 1], columns[:, 2])
