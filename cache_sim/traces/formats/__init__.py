"""Traces in the formats of other tools."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from cache_sim.trace import TraceError
from cache_sim.traces.container import MAGIC
from cache_sim.traces.formats import champsim
from cache_sim.traces.formats import simple_formats as simple
from cache_sim.traces.regeneration import Events
from cache_sim.traces.trace_file import KINDS, REFERENCES, TraceFile

EASE = "ease"  # the format of this project's own files


@dataclass(frozen=True, slots=True)
class Format:
    """A format: endings of names of files, how it is written and read, the kinds of events that writing it takes.

    With `described`, the function that writes it gets behind the events what the static half says of instructions.
    """

    about: str
    endings: tuple[str, ...]
    write: Callable[..., None]
    read: Callable[[IO[bytes], str, int], Iterator[Events]]
    kinds: tuple[str, ...] = REFERENCES
    described: bool = False


FORMATS = {
    "din": Format("text of the Dinero simulators", (".din",), simple.write_din_text, simple.read_din_text),
    "lackey": Format("text of valgrind's lackey", (".lackey",), simple.write_lackey, simple.read_lackey),
    "champsim": Format(
        "records of ChampSim", (".champsim", ".champsimtrace"), champsim.write, champsim.read,
        (*REFERENCES, "branch", "transfer"), described=True,
    ),
    "events": Format("records for consumers in C", (".events",), simple.write_records, simple.read_records, tuple(KINDS)),
}  # fmt: skip


def format_of(name: str) -> str | None:
    """Return the format that the ending of a file's name tells, if it does."""
    ending = Path(simple.inner_name(name)).suffix.lower()
    if ending in (".ease", ".trace"):
        return EASE
    return next((known for known, format in FORMATS.items() if ending in format.endings), None)


def read_trace(
    file: Any, name: str, format: str | None = None, size: int = 1, when_cut: Callable[[str], object] | None = None
) -> Iterator[Events]:
    """Yield the references in a file, a stream that can be peeked at: one of ours by its first bytes, else of a format.

    Without a format, the ending of its name tells; without that it is din text.  `size` is that of references where the file
    does not tell.  `when_cut` gets the name of one of ours that ends before its trace does, at its end.  Raises TraceError,
    TraceDamaged.
    """
    if file.peek(len(MAGIC))[: len(MAGIC)] == MAGIC:
        return _ours(TraceFile(file), name, when_cut)
    known = format or format_of(name) or "din"
    if known == EASE:
        raise TraceError(f"{name}: error: not a trace of ease, or one of another version")
    return FORMATS[known].read(file, name, size)


def _ours(trace: TraceFile, name: str, when_cut: Callable[[str], object] | None) -> Iterator[Events]:
    yield from trace.events(REFERENCES)
    if trace.cut and when_cut is not None:
        when_cut(name)
