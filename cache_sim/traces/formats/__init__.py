"""Traces in the formats of other tools."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from cache_sim.trace import TraceError
from cache_sim.traces.container import MAGIC
from cache_sim.traces.formats import champsim, etrace, idtrace, kt, stf
from cache_sim.traces.formats import simple_formats as simple
from cache_sim.traces.regeneration import Events
from cache_sim.traces.trace_file import KINDS, REFERENCES, TraceFile

EASE = "ease"  # the format of this project's own files


@dataclass(frozen=True, slots=True)
class Format:
    """A format: endings of names of files, how it is written and read, the kinds of events that writing it takes.

    With `typed`, the function that writes it gets the types of instructions behind the events, with `described` all that the
    static half says of them, and with `coded` the bytes of code, too.  One with `companions`, endings
    of names of further files, is written by a function that gets these files, too.
    """

    about: str
    endings: tuple[str, ...]
    write: Callable[..., None]
    read: Callable[[IO[bytes], str, int], Iterator[Events]]
    kinds: tuple[str, ...] = REFERENCES
    companions: tuple[str, ...] = ()
    typed: bool = False
    described: bool = False
    coded: bool = False


FORMATS = {
    "din": Format("text of the Dinero simulators", (".din",), simple.write_din_text, simple.read_din_text),
    "lackey": Format("text of valgrind's lackey", (".lackey",), simple.write_lackey, simple.read_lackey),
    "champsim": Format(
        "records of ChampSim", (".champsim", ".champsimtrace"), champsim.write, champsim.read,
        (*REFERENCES, "branch", "transfer"), described=True,
    ),
    "etrace": Format(
        "RISC-V's E-Trace", (".etrace",), etrace.write, etrace.read, ("fetch", "branch", "transfer", "system"), described=True
    ),
    "kt": Format("IDtrace's KT", (".kt",), kt.write, kt.read, described=True, coded=True),
    "stf": Format(
        "the Simulation Trace Format", (".stf",), stf.write, stf.read, (*REFERENCES, "branch"), described=True, coded=True
    ),
    "events": Format("records for consumers in C", (".events",), simple.write_records, simple.read_records, tuple(KINDS)),
    "idtrace": Format("IDtrace's cache trace", (".trc",), idtrace.write, idtrace.read),
    "idtrace-execution": Format(
        "IDtrace's execution trace", (), idtrace.write_execution_trace,
        lambda file, name, _: idtrace.read_execution_trace(file, name), (*REFERENCES, "branch"), (".blk", ".cnt"), typed=True,
    ),
    "idtrace-branch": Format(
        "IDtrace's branch trace", (), idtrace.write_branch_trace, idtrace.read_branch_trace,
        ("fetch", "block", "branch"), typed=True,
    ),
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
    if known == "idtrace" and file.peek(1)[:1] == bytes([idtrace.BLOCK_TAG]):
        known = "idtrace-execution"  # which has the same ending
    if known == "idtrace" and file.peek(1)[:1] == bytes([idtrace.BEGIN]):
        known = "idtrace-branch"
    return FORMATS[known].read(file, name, size)


def _ours(trace: TraceFile, name: str, when_cut: Callable[[str], object] | None) -> Iterator[Events]:
    yield from trace.events(REFERENCES)
    if trace.cut and when_cut is not None:
        when_cut(name)
