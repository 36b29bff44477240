"""Simple formats: text with a reference a line (Dinero, valgrind's lackey), records of 16 bytes; compressed files."""

from __future__ import annotations

import gzip
import io
import lzma
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import IO, Any

import numpy as np

from cache_sim.trace import TraceError, din_columns, write_din
from cache_sim.traces.formats.references import events_of, references, trace_from
from cache_sim.traces.regeneration import FETCHED, READ, SYSTEM, WRITE, Events

# ----------------------------------------------------------------------------------------------------------------------
# Files that are compressed as a whole, as ChampSim's traces are: the ending of a name says how.


_OPENERS: dict[str, Any] = {".xz": lzma.open, ".gz": gzip.open}


def inner_name(name: str) -> str:
    """Return a file's name without the ending that says how it is compressed."""
    return name[: -len(Path(name).suffix)] if Path(name).suffix.lower() in _OPENERS else name


@contextmanager
def decompressed(file: Any, name: str, mode: str = "rb") -> Iterator[Any]:
    """What is in a file, or (mode "wb") what goes to it.

    Raises TraceError for one that is damaged.
    """
    opener = _OPENERS.get(Path(name).suffix.lower())
    if opener is None:
        yield file
        return
    try:
        with opener(file, mode) as inner:
            yield inner
    except (lzma.LZMAError, gzip.BadGzipFile, EOFError) as error:
        raise TraceError(f"{name}: error: it cannot be decompressed ({error})") from None


# ----------------------------------------------------------------------------------------------------------------------
# Reading and writing text in pieces.


LINES = 1 << 16  # at once


def pieces(file: IO[bytes]) -> Iterator[tuple[int, list[str]]]:
    """Yield lines, many at once, with the number of the first of them."""
    number = 1
    while lines := [line.decode("ascii", "replace") for line in islice(file, LINES)]:
        yield number, lines
        number += len(lines)


@contextmanager
def text_to(out: IO[bytes]) -> Iterator[io.TextIOBase]:
    """A file for text before one for bytes, which stays open."""
    text = io.TextIOWrapper(out, encoding="ascii", newline="\n")
    try:
        yield text
        text.flush()
    finally:
        text.detach()


# ----------------------------------------------------------------------------------------------------------------------
# The text of the Dinero simulators: a kind and an address a line.


def write_din_text(chunks: Iterable[Events], out: IO[bytes]) -> None:
    """Write the references of a trace."""
    with text_to(out) as text:
        for events in map(references, chunks):
            if len(events):
                write_din(trace_from(events), text)  # type: ignore[arg-type]


def read_din_text(file: IO[bytes], name: str, size: int = 1) -> Iterator[Events]:
    """Yield the references, and flushes, of a file of some name; `size` is that of each where the text says nothing.

    Raises TraceError.
    """
    for first, lines in pieces(file):
        columns: list[Any] = [np.array(column) for column in din_columns(lines, name, size, first, flushes=True)]
        yield events_of(*columns)


# ----------------------------------------------------------------------------------------------------------------------
# The text of valgrind's tool lackey (--trace-mem=yes): I, L (load), S (store) or M (both), address and size a line.


_LINE = re.compile(r"(I | [LSM]) +([0-9a-fA-F]{1,16}),([1-9][0-9]{0,8})\s*$")
_MARKS = {READ: " L", WRITE: " S", FETCHED: "I "}
_KINDS = {"I ": (FETCHED,), " L": (READ,), " S": (WRITE,), " M": (READ, WRITE)}
_OF_VALGRIND = ("==", "--")  # lines begin so that are no records


def write_lackey(chunks: Iterable[Events], out: IO[bytes]) -> None:
    """Write the references of a trace."""
    with text_to(out) as text:
        for events in map(references, chunks):
            columns = (column.tolist() for column in (events.kinds, events.addresses, np.maximum(events.sizes, 1)))
            for kind, address, size in zip(*columns, strict=True):
                text.write(f"{_MARKS[kind]} {address:08x},{size}\n")


def read_lackey(file: IO[bytes], name: str, size: int = 1) -> Iterator[Events]:
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


# ----------------------------------------------------------------------------------------------------------------------
# Records of 16 bytes an event, for consumers in C and the like: `ease_events.h` beside this file reads them.


RECORD = np.dtype([("address", "<u8"), ("site", "<u4"), ("size", "<u2"), ("kind", "u1"), ("zero", "u1")])
AT_ONCE = 1 << 16  # records
_LARGEST = (1 << 16) - 1


def write_records(chunks: Iterable[Events], out: IO[bytes]) -> None:
    """Write the events of a trace; sizes are 65,535 at most."""
    for events in chunks:
        records = np.zeros(len(events), RECORD)
        records["address"], records["site"], records["kind"] = events.addresses, events.sites, events.kinds
        records["size"] = np.minimum(events.sizes, _LARGEST)
        out.write(records.tobytes())


def read_records(file: IO[bytes], name: str, size: int) -> Iterator[Events]:
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
