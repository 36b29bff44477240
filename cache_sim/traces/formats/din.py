"""The text of the Dinero simulators: a kind and an address a line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import IO, Any

import numpy as np

from cache_sim.trace import din_columns, write_din
from cache_sim.traces.formats.references import events_of, references, trace_from
from cache_sim.traces.formats.text_lines import pieces, text_to
from cache_sim.traces.regeneration import Events


def write(chunks: Iterable[Events], out: IO[bytes]) -> None:
    """Write the references of a trace."""
    with text_to(out) as text:
        for events in map(references, chunks):
            if len(events):
                write_din(trace_from(events), text)  # type: ignore[arg-type]


def read(file: IO[bytes], name: str, size: int = 1) -> Iterator[Events]:
    """Yield the references, and flushes, of a file of some name; `size` is that of each where the text says nothing.

    Raises TraceError.
    """
    for first, lines in pieces(file):
        columns: list[Any] = [np.array(column) for column in din_columns(lines, name, size, first, flushes=True)]
        yield events_of(*columns)
